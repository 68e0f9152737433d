"""One path leads to one thing, and other spellings lead nowhere."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from world import CONTAINER

from ..finding import Finding, Length, Tally, require
from ..scene import PROXY, Scene
from ..wire import Wire, exchange, statuses

NAME = "paths"
PROMISE = "paths"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [spellings(scene), sizes(scene), names(scene)]


def spellings(scene: Scene) -> Finding:
    tally = Tally()
    member = scene.sign_in()
    scene.save(member, "needle-of-paths", title="needle")
    body = json.dumps({"records": ["needle-of-paths"]})
    query = "?" + urlencode(member.items)
    right = scene.path("records/lookup", "private")
    require("needle" in scene.wire.ask("POST", right + query, body).text, "the right path does not work")
    wrong = [
        "/" + right,
        right + "/",
        right.replace("/records/", "//records/"),
        right.replace("/private/", "/private//"),
        right.replace("/private", "/Private"),
        right.upper(),
        right.replace("/private/", "/private/./"),
        right.replace("/private/", "/x/../private/"),
        right.replace("private", "%70rivate"),
        right.replace("/lookup", "%2flookup"),
        right.replace("/lookup", "/%2e%2e/lookup"),
        right + ";x=y",
        right + "%00",
        right + "%20",
        right + ".json",
        right.replace("/1/", "/01/"),
        right.replace("/1/", "/2/"),
        right.replace("/1/", "/1.0/"),
        right.replace("/1/", "/%31/"),
        right.replace(CONTAINER, CONTAINER.upper()),
        right.replace(CONTAINER, CONTAINER + "%00"),
        right.replace(CONTAINER, CONTAINER + "."),
        right.replace(CONTAINER, "iCloud." + CONTAINER),
        right.replace("production", "Production"),
        right.replace("production", "prod"),
        right.replace("/database", "/device"),
        right.replace("/database", "/kinfolk"),
        right.replace("/database", "/DATABASE"),
        right.replace("/database", "/x/../database"),
        right.replace("/private/", "/private;a/"),
        "/healthz/.." + right,
        "/asset/1/.." + right,
        "/asset/1/../.." + right,
        "/sign-in/.." + right,
        "/courier/1/../../" + right[1:],
        right[1:],
        right.replace("/", "\\"),
        "/./" + right[1:],
        right.replace("/records/lookup", "/records%2Flookup"),
        right.replace("records", "record%73"),
        right + "#x",
        "http://127.0.0.1" + right,
        "//127.0.0.1" + right,
        "/%2f" + right[1:],
    ]
    for path in wrong:
        line = f"POST {path}{query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        answer = exchange(scene.port, line.encode(), timeout=5)
        found = statuses(answer)
        tally.check(b'needle"' not in answer and found and found[0] in (400, 401, 404), f"{path}: {found}")
    for path in (
        "/metrics",
        "/metrics/",
        "//metrics",
        "/healthz/",
        "/readyz/x",
        "/.git/config",
        "/..%2f..%2fetc/passwd",
        "/../../etc/passwd",
        "/static/../../etc/passwd",
    ):
        reply = scene.wire.ask("GET", path)
        tally.check(reply.status in (400, 404), f"{path}: {reply.status}")
    return tally.finding("other spellings of a path, {} requests", "not found")


def sizes(scene: Scene) -> Finding:
    """Paths, queries and headers of every size, and very many items."""
    tally = Tally()
    token = f"ckAPIToken={scene.token}"
    path = scene.path("zones/list")
    for name, target in {
        "a query of 30 KB": f"{path}?{'a' * 30_000}&{token}",
        "of 33 KB": f"{path}?{'a' * 33_000}",
        "of 1 MB": f"{path}?{'a' * 1_000_000}",
        "10,000 items": f"{path}?{'a&' * 10_000}{token}",
        "10,000 equals signs": f"{path}?{'=' * 10_000}&{token}",
        "percent signs": f"{path}?{'%' * 9_000}&{token}",
        "a path of 30 KB": "/" + "a/" * 15_000,
        "a path of slashes": "/" * 30_000,
        "an operation of 20 KB": path + "/x" * 10_000,
    }.items():
        answer = exchange(scene.port, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(), timeout=5)
        found = statuses(answer)
        tally.check(found and found[0] in (200, 400, 404, 414, 421, 431), f"{name}: {found}")
    for name, lines in {
        "2,000 headers": [f"X-{number}: y" for number in range(2_000)],
        "a long name": ["X" * 40_000 + ": y"],
        "a long value": ["X: " + "y" * 40_000],
    }.items():
        data = ("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + "\r\n".join(lines) + "\r\n\r\n").encode()
        found = statuses(exchange(scene.port, data, timeout=5))
        tally.check(found in ([200], [400], [431]), f"{name}: {found}")
    tally.check(scene.wire.ask("GET", "/healthz").status == 200, "the service does not answer any more")
    return tally.finding("huge paths, queries and headers, {} requests", "answered or refused")


def names(scene: Scene) -> Finding:
    """Headers that a proxy or an application could take for others."""
    tally = Tally()
    member = scene.sign_in()
    items = urlencode({"ckAPIToken": scene.token})
    target = f"{scene.path('users/current')}?{items}"
    for name in (
        "X_Apple_CloudKit_Web_Auth_Token",
        "X-Apple-CloudKit_Web-Auth-Token",
        "X-Apple-CloudKit-Web-Auth-Token ",
        "Cookie",
        "Authorization",
        "X-Apple-CloudKit-WebAuthToken",
        "Proxy-Authorization",
        "X-Remote-User",
        "Remote-User",
        "X-Forwarded-User",
        "X-Forwarded-Email",
        "X-Auth-Request-Email",
    ):
        for value in (member.web, member.address, member.id, f"Bearer {member.web}", f"ckWebAuthToken={member.web}"):
            answer = exchange(scene.port, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{name}: {value}\r\n\r\n".encode(), timeout=5)
            tally.check(member.id.encode() not in answer and statuses(answer)[0] in (400, 421), f"{name}: {statuses(answer)}")
    # Only the trusted proxy names clients, and by one header.
    wire = Wire(scene.port)
    for header in ("X-Forwarded-For", "Forwarded", "X-Real-IP", "X_Forwarded_For", "True-Client-IP", "CF-Connecting-IP", "X-Client-IP"):
        for source in ("127.0.0.1", PROXY):
            if (header, source) == ("X-Forwarded-For", PROXY):
                continue
            wire = Wire(scene.port, source)
            value = "for=192.0.2.200" if header == "Forwarded" else "192.0.2.200"
            # Loopback has no limit of its own. A client with that address would be refused after 20 mails.
            reply = wire.ask("GET", "/healthz", None, {header: value})
            tally.check(reply.status == 200, f"{header}: {reply.status}")
            wire.close()
    return tally.finding("headers that look like credentials or proxies, {} requests", "they are ignored")
