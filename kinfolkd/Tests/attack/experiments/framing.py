"""A proxy in front and the service read the same requests from a connection (request smuggling)."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from ..finding import Finding, Length, Tally
from ..scene import Scene
from ..wire import exchange, statuses

NAME = "framing"
PROMISE = "smuggling"

# Hidden in the body, or behind the end, of another request. It must never be answered.
HIDDEN = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [ambiguous(scene), credentials(scene)]


def head(*lines: str, first: str = "POST /database/1/x/production/public/records/query HTTP/1.1") -> bytes:
    return ("\r\n".join([first, *lines]) + "\r\n\r\n").encode("latin-1")


def cases() -> dict[str, bytes]:
    chunk = b"0\r\n\r\n"
    n = len(HIDDEN)
    found: dict[str, bytes] = {}
    encodings = (
        "chunked, identity",
        "identity, chunked",
        "identity",
        "xchunked",
        "chunked chunked",
        "gzip, chunked",
        " chunked x",
        "chunked;q=1",
        '"chunked"',
        "chunked\x0b",
        "\x0bchunked",
        "chunked,",
        ",chunked",
        "chu\x00nked",
        "chunked\r\n x",
    )
    for encoding in encodings:
        found[f"transfer encoding {encoding!r}"] = head("Host: x", f"Transfer-Encoding: {encoding}") + chunk + HIDDEN
    for length in ("+5", "-1", "0x5", "5,5", "5 5", "5;", "٥", "1e1", "", " ", "00000000000000000005x", str(2**64), str(2**63), "9" * 40, "5\x0b"):
        found[f"length {length!r}"] = head("Host: x", f"Content-Length: {length}".encode().decode("latin-1")) + HIDDEN
    found |= {
        "both, length first": head("Host: x", f"Content-Length: {n + 5}", "Transfer-Encoding: chunked") + chunk + HIDDEN,
        "both, chunked first": head("Host: x", "Transfer-Encoding: chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "two lengths": head("Host: x", "Content-Length: 0", f"Content-Length: {n}") + HIDDEN,
        "two equal lengths": head("Host: x", f"Content-Length: {n}", f"Content-Length: {n}") + HIDDEN,
        "a blank before the colon": head("Host: x", f"Content-Length : {n}") + HIDDEN,
        "a blank before the colon of an encoding": head("Host: x", "Transfer-Encoding : chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "a folded header": head("Host: x", "Transfer-Encoding:\r\n chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "a header that begins with a blank": head(" Transfer-Encoding: chunked", "Host: x", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "a name with a line feed": head("Host: x", "X: y\nTransfer-Encoding: chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "a carriage return alone": head("Host: x", "X: y\rTransfer-Encoding: chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "a zero byte": head("Host: x", "X: \0", f"Content-Length: {n}") + HIDDEN,
        "a name with a zero byte": head("Host: x", "Transfer-Encoding\0: chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "a line without a colon": head("Host: x", "Transfer-Encoding chunked", f"Content-Length: {n + 5}") + chunk + HIDDEN,
        "two hosts": head("Host: x", "Host: y", f"Content-Length: {n}") + HIDDEN,
        "no host": head(f"Content-Length: {n}") + HIDDEN,
        "a host with a path": head("Host: x/y", f"Content-Length: {n}") + HIDDEN,
        "an absolute target": head("Host: x", f"Content-Length: {n}", first="POST http://evil.example.net/ HTTP/1.1") + HIDDEN,
        "a target without a slash": head("Host: x", f"Content-Length: {n}", first="POST healthz HTTP/1.1") + HIDDEN,
        "a target with a blank": head("Host: x", f"Content-Length: {n}", first="POST /healthz HTTP/1.1 HTTP/1.1") + HIDDEN,
        "two blanks": head("Host: x", f"Content-Length: {n}", first="POST  /x HTTP/1.1") + HIDDEN,
        "a tab": head("Host: x", f"Content-Length: {n}", first="POST\t/x\tHTTP/1.1") + HIDDEN,
        "no version": b"POST /x\r\n\r\n" + HIDDEN,
        "version 0.9": head("Host: x", f"Content-Length: {n}", first="POST /x HTTP/0.9") + HIDDEN,
        "version 2.0": head("Host: x", f"Content-Length: {n}", first="POST /x HTTP/2.0") + HIDDEN,
        "version 1.10": head("Host: x", f"Content-Length: {n}", first="POST /x HTTP/1.10") + HIDDEN,
        "version 01.1": head("Host: x", f"Content-Length: {n}", first="POST /x HTTP/01.1") + HIDDEN,
        "chunked in 1.0": head("Host: x", "Transfer-Encoding: chunked", first="POST /x HTTP/1.0") + chunk + HIDDEN,
        "an upgrade": head("Host: x", "Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABk", f"Content-Length: {n}")
        + HIDDEN,
        "connect": head("Host: x", first="CONNECT x:80 HTTP/1.1") + HIDDEN,
        "HTTP/2 without TLS": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + HIDDEN,
    }
    chunked = head("Host: x", "Transfer-Encoding: chunked")
    for name, size in {
        "a sign": b"+0",
        "hexadecimal": b"0x0",
        "a blank": b"0 ",
        "too large": b"fffffffffffffffff0",
        "negative": b"-1",
        "empty": b"",
        "a letter": b"g",
        "an underscore": b"0_0",
        "a line feed": b"0\n\r\n",
        "a carriage return in an extension": b"0;a\rb",
    }.items():
        found[f"a chunk whose size is {name}"] = chunked + size + b"\r\n\r\n" + HIDDEN
    found["a chunk without its end"] = chunked + b"1\r\nab\r\n0\r\n\r\n" + HIDDEN
    found["a chunk that ends with a line feed"] = chunked + b"1\r\na\n0\r\n\r\n" + HIDDEN
    return found


def ambiguous(scene: Scene, only: tuple[str, ...] = (), timeout: float = 4) -> Finding:
    """`only` names some of the cases; otherwise all are tried."""
    tally = Tally()
    for name, data in cases().items():
        if only and name not in only:
            continue
        answer = exchange(scene.port, data, timeout=timeout)
        found = statuses(answer)
        # Refused, and closed: what follows is read by nobody.
        is_held = b"\nok\n" not in answer and len(found) <= 1 and all(400 <= status < 506 for status in found)
        tally.check(is_held, f"{name}: {found or answer[:40]}")
    return tally.finding("requests that two programs could read in two ways, {} forms", "refused, and what follows is not read")


def credentials(scene: Scene) -> Finding:
    """A request on a connection that somebody else has used before: nothing is left of the other one."""
    tally = Tally()
    member = scene.sign_in()
    scene.save(member, "needle-of-framing", title="needle")
    body = json.dumps({"records": ["needle-of-framing"]}).encode()
    target = scene.path("records/lookup", "private") + "?" + urlencode(member.items)
    bare = scene.path("records/lookup", "private")
    for second in (
        head("Host: x", "Connection: close", f"Content-Length: {len(body)}", first=f"POST {bare} HTTP/1.1") + body,
        head("Host: x", "Connection: close", f"Content-Length: {len(body)}", first=f"POST {bare}?ckAPIToken={scene.token} HTTP/1.1") + body,
    ):
        first = head("Host: x", f"Content-Length: {len(body)}", first=f"POST {target} HTTP/1.1") + body
        answer = exchange(scene.port, first + second)
        found = statuses(answer)
        tally.check(len(found) == 2 and found[0] == 200 and found[1] in (401, 421), f"{found}")
        tally.check(answer.count(b'"value": "needle"') == 1, "the record came twice")
    return tally.finding("ask after somebody else on one connection, {} checks", "nothing is left of the other")
