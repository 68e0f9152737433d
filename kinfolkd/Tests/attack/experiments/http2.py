"""HTTP/2: no field becomes another request, and no flood of frames takes the service."""

from __future__ import annotations

import pathlib

from ..finding import Finding, Length, Tally, require
from ..h2 import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    END_STREAM,
    HEADERS,
    PING,
    PRIORITY,
    RESET,
    SETTINGS,
    WINDOW,
    Connection,
    block,
    certificate,
    frame,
    status_of,
    usual,
)
from ..scene import Scene

NAME = "http2"
PROMISE = "HTTP/2"


def run(scene: Scene, length: Length) -> list[Finding]:
    chain, key = certificate(scene.folder)
    service = scene.world.serve("--tls-certificate", chain, "--tls-key", key)
    try:
        with Connection(service.port) as connection:
            connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, block(usual("/healthz"))))
            require(status_of(connection.frames(until_end_of=1), 1) == "200", "there is no HTTP/2")
        return [fields(service.port), floods(service.port, service.process.pid, length)]
    finally:
        service.kill()
        scene.world.services.remove(service)


def fields(port: int) -> Finding:
    """Fields that are forbidden, or could be read as something else by a proxy that turns them into HTTP/1."""
    tally = Tally()
    path = "/healthz"
    base = usual(path)

    def more(*extra: tuple[bytes, bytes]) -> list[tuple[bytes, bytes]]:
        return [*base, *extra]

    without = {name: [field for field in base if field[0] != name] for name, _ in base}
    malformed: dict[str, list[tuple[bytes, bytes]]] = {
        "a line break in a value": more((b"x", b"y\r\nTransfer-Encoding: chunked")),
        "a line feed": more((b"x", b"y\nz: 1")),
        "a zero": more((b"x", b"y\0z")),
        "a line break in a name": more((b"x\r\ny", b"z")),
        "a colon in a name": more((b"x:y", b"z")),
        "a blank in a name": more((b"x y", b"z")),
        "an upper-case name": more((b"X-Y", b"z")),
        "an empty name": more((b"", b"z")),
        "a line break in the path": [*without[b":path"], (b":path", b"/healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /x")],
        "a blank in the path": [*without[b":path"], (b":path", b"/healthz x")],
        "an empty path": [*without[b":path"], (b":path", b"")],
        "no path": without[b":path"],
        "no slash": [*without[b":path"], (b":path", b"healthz")],
        "a whole URL": [*without[b":path"], (b":path", b"http://evil.example.net/healthz")],
        "two paths": more((b":path", b"/readyz")),
        "two methods": more((b":method", b"POST")),
        "no method": without[b":method"],
        "no scheme": without[b":scheme"],
        "a method with a blank": [*without[b":method"], (b":method", b"GET / HTTP/1.1\r\nX: y")],
        "an unknown pseudo field": more((b":x", b"y")),
        "a status": more((b":status", b"200")),
        "a pseudo field behind others": [(b"x", b"y"), *base],
        "connection": more((b"connection", b"close")),
        "transfer-encoding": more((b"transfer-encoding", b"chunked")),
        "upgrade": more((b"upgrade", b"h2c")),
        "keep-alive": more((b"keep-alive", b"x")),
        "proxy-connection": more((b"proxy-connection", b"x")),
        "te": more((b"te", b"gzip")),
        "two hosts": more((b"host", b"a"), (b"host", b"b")),
        "connect": [(b":method", b"CONNECT"), (b":authority", b"x:80")],
        "a length without a body": more((b"content-length", b"5")),
        "two lengths": more((b"content-length", b"0"), (b"content-length", b"5")),
        "a negative length": more((b"content-length", b"-1")),
        "a fragment": [*without[b":path"], (b":path", b"/healthz#x")],
    }
    for name, given in malformed.items():
        with Connection(port) as connection:
            connection.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, block(given)))
            outcome = status_of(connection.frames(2, until_end_of=1), 1)
            tally.check(outcome in ("400", "reset", "goaway", "closed"), f"{name}: {outcome}")
    for name, length, data in (("more than announced", b"1", b"abc"), ("less than announced", b"9", b"abc")):
        with Connection(port) as connection:
            head = block([*usual("/account", "POST"), (b"content-length", length)])
            connection.send(frame(HEADERS, END_HEADERS, 1, head) + frame(DATA, END_STREAM, 1, data))
            outcome = status_of(connection.frames(2, until_end_of=1), 1)
            tally.check(outcome in ("400", "reset", "goaway", "closed"), f"a body of {name}: {outcome}")
    for name, data in {
        "data for a stream that is not open": frame(DATA, END_STREAM, 1, b"x"),
        "an even stream": frame(HEADERS, END_HEADERS | END_STREAM, 2, block(base)),
        "stream 0": frame(HEADERS, END_HEADERS | END_STREAM, 0, block(base)),
        "a continuation alone": frame(CONTINUATION, END_HEADERS, 1, block(base)),
        "a settings frame of 5 bytes": frame(SETTINGS, 0, 0, b"abcde"),
        "a window of 0": frame(WINDOW, 0, 0, b"\0\0\0\0"),
        "a ping of 7 bytes": frame(PING, 0, 0, b"1234567"),
        "a stream that depends on itself": frame(PRIORITY, 0, 1, b"\0\0\0\x01\0")
        + frame(HEADERS, END_HEADERS | END_STREAM | 0x20, 1, b"\0\0\0\x01\0" + block(base)),
        "an index of nothing": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\xff\x80\x80\x80\x08"),
        "a frame that is too large": frame(DATA, 0, 1, b"x" * 20_000),
        "another frame within headers": frame(HEADERS, END_STREAM, 1, block(base)[:5]) + frame(PING, 0, 0, b"12345678"),
        "a huge table": frame(HEADERS, END_HEADERS | END_STREAM, 1, b"\x3f\xe1\xff\x7f"),
    }.items():
        with Connection(port) as connection:
            connection.send(data)
            outcome = status_of(connection.frames(2, until_end_of=1), 1)
            tally.check(outcome in ("400", "reset", "goaway", "closed"), f"{name}: {outcome}")
    return tally.finding("malformed fields, bodies and frames, {} forms", "refused, reset or closed")


def floods(port: int, process: int, length: Length) -> Finding:
    """Frames that cost a client nothing."""
    tally = Tally()

    def memory() -> int:
        text = pathlib.Path(f"/proc/{process}/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0]) // 1_024

    many = length.choose(3_000, 60_000)
    head = block(usual("/healthz"))
    before = memory()
    attacks = {
        "streams that are reset at once": lambda c: [
            c.send(b"".join(frame(HEADERS, END_HEADERS | END_STREAM, n, head) + frame(RESET, 0, n, b"\0\0\0\x08") for n in range(s, s + 200, 2)))
            for s in range(1, 2 * many, 200)
        ],
        "pings": lambda c: [c.send(frame(PING, 0, 0, b"12345678") * 100) for _ in range(many // 100)],
        "settings": lambda c: [c.send(frame(SETTINGS, 0, 0, b"\0\x04\0\0\xff\xff") * 100) for _ in range(many // 100)],
        "continuations": lambda c: [
            c.send(frame(HEADERS, END_STREAM, 1, block(usual("/healthz")))),
            *[c.send(frame(CONTINUATION, 0, 1, block([(b"x", b"y" * 1_000)]) * 10)) for _ in range(many // 30)],
        ],
        "empty continuations": lambda c: [
            c.send(frame(HEADERS, END_STREAM, 1, head)),
            *[c.send(frame(CONTINUATION, 0, 1) * 100) for _ in range(many // 100)],
        ],
        "empty data": lambda c: [
            c.send(frame(HEADERS, END_HEADERS, 1, block(usual("/account", "POST")))),
            *[c.send(frame(DATA, 0, 1) * 100) for _ in range(many // 100)],
        ],
        "priorities": lambda c: [c.send(b"".join(frame(PRIORITY, 0, 2 * n + 1, b"\0\0\0\0\x10") for n in range(100))) for _ in range(many // 100)],
        "windows": lambda c: [c.send(frame(WINDOW, 0, 0, b"\0\0\0\x01") * 100) for _ in range(many // 100)],
        # Each reference to an entry of the table costs one byte, and stands for 4,000.
        "a bomb of fields": lambda c: [
            c.send(
                frame(
                    HEADERS, END_HEADERS | END_STREAM, n, block(usual("/healthz")) + b"\x40\x01x" + b"\x7f\xa1\x1e" + b"y" * 4_000 + b"\xbe" * 10_000
                )
            )
            for n in range(1, many // 15, 2)
        ],
        "answers that are not read": lambda c: [
            c.send(
                frame(SETTINGS, 0, 0, b"\0\x04\0\0\0\0")
                + b"".join(frame(HEADERS, END_HEADERS | END_STREAM, n, block(usual("/account"))) for n in range(1, 400, 2))
            )
        ],
    }
    for name, attack in attacks.items():
        with Connection(port, 10) as connection:
            attack(connection)
            with Connection(port, 10) as other:
                other.send(frame(HEADERS, END_HEADERS | END_STREAM, 1, head))
                outcome = status_of(other.frames(10, until_end_of=1), 1)
            tally.check(outcome == "200", f"{name}: another client gets {outcome}")
    grown = memory() - before
    tally.check(grown < 150, f"the memory grew by {grown} MB")
    return tally.finding(f"floods of {many:,} frames of {len(attacks)} kinds, {{}} checks", f"others are served; the memory grew by {grown} MB")
