"""One request and its answer over a socket, byte by byte as the test wants them."""

from __future__ import annotations

import contextlib
import select
import socket
from dataclasses import dataclass, field

PATIENCE = 60.0
STREAM = "text/event-stream"


class NoAnswer(Exception):
    """The connection ended before a whole answer had come, or nothing came in time."""


@dataclass
class Request:
    method: str
    target: str
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytes | None = None
    announced: int | None = None
    """The content-length, if it is not that of the body."""

    def bytes(self) -> bytes:
        lines = [f"{self.method} {self.target} HTTP/1.1", "Host: localhost"]
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.body is not None or self.announced is not None:
            lines.append(f"Content-Length: {len(self.body or b'') if self.announced is None else self.announced}")
        return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + (self.body or b"")


@dataclass
class Reply:
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    is_open: bool = False
    """Whether more of the body may come: a stream of events."""

    def header(self, name: str) -> str | None:
        return next((value for known, value in self.headers if known == name), None)

    @property
    def media_type(self) -> str:
        return (self.header("content-type") or "").split(";")[0].strip()


class Connection:
    """A connection that is used until either side closes it."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.is_usable = True

    def close(self) -> None:
        self.is_usable = False
        self.socket.close()

    def send(self, request: Request) -> None:
        # The answer may come before all of the request was sent.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.socket.sendall(request.bytes())

    def has_bytes(self) -> bool:
        return bool(self.rest) or bool(select.select([self.socket], [], [], 0)[0])

    def more(self) -> bool:
        """Reads what has come. False at the end."""
        try:
            piece = self.socket.recv(262_144)
        except TimeoutError as error:
            raise NoAnswer(f"nothing came in {PATIENCE:.0f} seconds after {self.rest[:200]!r}") from error
        except ConnectionResetError:
            piece = b""
        self.rest += piece
        return bool(piece)

    def take(self, count: int) -> bytes:
        while len(self.rest) < count:
            if not self.more():
                raise NoAnswer(f"the connection was closed within an answer, after {self.rest[:200]!r}")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def line(self) -> bytes:
        while b"\r\n" not in self.rest:
            if not self.more():
                raise NoAnswer(f"the connection was closed without an answer, after {self.rest[:200]!r}")
        line, self.rest = self.rest.split(b"\r\n", 1)
        return line

    def reply(self, method: str) -> Reply:
        status = int(self.line().split()[1])
        headers: list[tuple[str, str]] = []
        while line := self.line():
            name, value = line.decode("latin-1").split(": ", 1)
            headers.append((name.lower(), value))
        reply = Reply(status, headers, b"")
        if reply.header("connection") == "close":
            self.is_usable = False
        length = reply.header("content-length")
        if method == "HEAD" or status in (204, 304):
            return reply
        if reply.media_type == STREAM:
            reply.is_open = True
        elif reply.header("transfer-encoding") == "chunked":
            reply.body = self.chunks()
        else:
            reply.body = self.take(int(length or 0))
        return reply

    def chunks(self) -> bytes:
        body = b""
        while count := int(self.line(), 16):
            body += self.take(count)
            self.line()
        self.line()
        return body
