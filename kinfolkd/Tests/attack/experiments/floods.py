"""One network, and one person, cannot take all of the service."""

from __future__ import annotations

import json
import socket
from urllib.parse import urlencode

from ..finding import Finding, Length, Tally, require
from ..scene import PROXY, Scene
from ..wire import PATIENCE

NAME = "floods"
PROMISE = "floods"

BURST, PERSON_BURST = 2_000, 500
# How many minutes a part may take: one request comes back in each.
MINUTES = 10


def run(scene: Scene, length: Length) -> list[Finding]:
    """With the usual bursts, and so slow rates that the speed of the machine does not matter."""
    scene.restart("--network-rate", f"1/m {BURST}", "--person-rate", f"1/m {PERSON_BURST}")
    try:
        return [networks(scene), people(scene)]
    finally:
        scene.restart()


def pipelined(scene: Scene, requests: list[bytes]) -> list[int]:
    """Sends requests on connections of the proxy, some at a time, and returns the statuses."""
    found: list[int] = []
    while len(found) < len(requests):
        before = len(found)
        with socket.create_connection(("127.0.0.1", scene.port), PATIENCE, source_address=(PROXY, 0)) as connection:
            while len(found) < len(requests):
                batch = requests[len(found) : len(found) + 50]
                received = b""
                try:
                    connection.sendall(b"".join(batch))
                    while len(statuses_of(received)) < len(batch):
                        piece = connection.recv(262_144)
                        if not piece:
                            break
                        received += piece
                except ConnectionError:
                    pass
                found += statuses_of(received)
                if len(statuses_of(received)) < len(batch):
                    break  # some answers end the connection
        require(len(found) > before, "a connection was closed without an answer")
    return found


def statuses_of(data: bytes) -> list[int]:
    """Those of the answers that are there as a whole."""
    found = []
    while True:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            return found
        lower = head.lower()
        length = int(lower.partition(b"content-length: ")[2].partition(b"\r\n")[0] or 0)
        if len(rest) < length:
            return found
        found.append(int(head.split()[1]))
        data = rest[length:]


def networks(scene: Scene) -> Finding:
    """A network uses up what it may ask at once. Then it asks for everything that there is."""
    tally = Tally()
    query = scene.path("records/query") + "?" + urlencode({"ckAPIToken": scene.token})
    body = json.dumps({"query": {"recordType": "Note"}, "resultsLimit": 1}).encode()
    link = scene.link()
    kinds = {
        "a query": ("POST", query, body),
        "an unknown token": ("POST", scene.path("records/query") + "?ckAPIToken=x", b"{}"),
        "an unknown path": ("GET", "/nothing", b""),
        "the first page of a sign-in": ("GET", link[link.index("/sign-in/") :], b""),
        "the page of an account": ("GET", "/account", b""),
        "a form": ("POST", "/account", b"flow=x&step=address&email=x"),
        "a preflight": ("OPTIONS", scene.path("records/query"), b""),
        "a download": ("GET", "/asset/1/" + "A" * 120, b""),
        "an upload": ("POST", "/asset/1/" + "A" * 120, b"x"),
        "a poll": ("GET", "/courier/1/" + "A" * 120, b""),
    }

    def request(kind: str, client: str) -> bytes:
        method, target, content = kinds[kind]
        lines = [f"{method} {target} HTTP/1.1", "Host: x", f"X-Forwarded-For: {client}", f"Content-Length: {len(content)}"]
        if method == "OPTIONS":
            lines += ["Origin: https://app.example.com", "Access-Control-Request-Method: POST"]
        return ("\r\n".join(lines) + "\r\n\r\n").encode() + content

    first = pipelined(scene, [request("an unknown token", "2001:db8:f:f::1")] * (BURST + 400))
    taken = len(first) - first.count(429)
    tally.check(taken <= BURST + MINUTES, f"{taken} requests of one network were taken")
    for kind in kinds:
        # Another address of the same /64.
        found = pipelined(scene, [request(kind, f"2001:db8:f:f:{index:x}::2") for index in range(30)])
        tally.check(found.count(429) >= 30 - MINUTES, f"{kind} is not counted: {sorted(set(found))}")
    other = pipelined(scene, [request("a query", "2001:db8:f:e::1")] * 3)
    tally.check(other == [200] * 3, f"another network is refused: {other}")
    return tally.finding("flood from a /64, and then ask for {} kinds of things", "429, and other networks are served")


def people(scene: Scene) -> Finding:
    """One person, with many sessions and applications."""
    tally = Tally()
    member = scene.sign_in()
    sessions = [member, *[scene.sign_in(member.address) for _ in range(2)]]
    target = [scene.path("users/current") + "?" + urlencode(each.items) for each in sessions]
    requests = [f"GET {target[number % 3]} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for number in range(900)]
    taken = pipelined(scene, requests).count(200)
    tally.check(taken <= PERSON_BURST + MINUTES, f"{taken} of 900 requests of one person were taken")
    other = scene.sign_in()
    tally.check(scene.ask("users/current", None, other).status == 200, "another person is refused")
    return tally.finding("900 requests of one person with 3 sessions, {} checks", "about 500 are taken")
