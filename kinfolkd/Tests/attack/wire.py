"""Requests over sockets: well-formed ones in few lines, and any bytes."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any, ClassVar
from urllib.parse import urlencode

PATIENCE = 20.0


class Reply:
    """An answer."""

    def __init__(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.status = status
        self.headers = [(name.lower(), value) for name, value in headers]
        self.body = body

    def header(self, name: str) -> str | None:
        return next((value for known, value in self.headers if known == name), None)

    @property
    def text(self) -> str:
        return self.body.decode("utf-8", "replace")

    @property
    def json(self) -> Any:
        """The body as JSON; an empty object if it is not JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return {}

    @property
    def code(self) -> str:
        """The error of the whole answer, or an empty text."""
        found = self.json
        return found.get("serverErrorCode", "") if isinstance(found, dict) else ""

    def __repr__(self) -> str:
        return f"{self.status} {self.code}"


class Watch:
    """Notes answers of the service that no answer may look like, in all experiments."""

    count = 0
    problems: ClassVar[dict[str, int]] = {}

    @classmethod
    def look(cls, method: str, target: str, reply: Reply) -> None:
        cls.count += 1
        path = target.partition("?")[0]
        kind = "/".join(path.split("/")[:2])
        for problem in problems_of(method, path, reply):
            text = f"{method} {kind}: {reply.status} {problem}"
            cls.problems[text] = cls.problems.get(text, 0) + 1


def problems_of(method: str, path: str, reply: Reply) -> list[str]:
    """What is wrong with the headers of an answer, whatever was asked."""
    names = [name for name, _ in reply.headers]
    problems = [f"has {name} twice" for name in set(names) if names.count(name) > 1]
    problems += [f"has the header {name}" for name in names if name.startswith(("x-evil", "server", "x-powered-by", "location"))]
    if reply.header("access-control-allow-origin") in ("*", "null") or "access-control-allow-credentials" in names:
        problems.append("lets every page read it")
    if method == "OPTIONS":
        return problems
    if reply.header("cache-control") != "no-store":
        problems.append("may be kept by caches")
    if reply.body and not path.startswith(("/healthz", "/readyz")) and reply.header("x-content-type-options") != "nosniff":
        problems.append("has no nosniff")
    if reply.status >= 500 and reply.status != 503:
        problems.append("is a fault")
    return problems


class Wire:
    """A client with one connection, which is opened again when the service closes it.

    `source` is the address of this machine from which it connects.
    """

    def __init__(self, port: int, source: str = "127.0.0.1") -> None:
        self.port = port
        self.source = source
        self._connection: http.client.HTTPConnection | None = None

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None

    def ask(
        self,
        method: str,
        target: str,
        body: bytes | str | None = None,
        headers: dict[str, str] | None = None,
        *,
        timeout: float = PATIENCE,
    ) -> Reply:
        data = body.encode() if isinstance(body, str) else body
        for attempt in range(2):
            if not self._connection:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout, source_address=(self.source, 0))
            try:
                self._connection.request(method, target, data, headers or {})
                answer = self._connection.getresponse()
                reply = Reply(answer.status, answer.getheaders(), answer.read())
                if answer.will_close:
                    self.close()
                Watch.look(method, target, reply)
                return reply
            except (http.client.HTTPException, ConnectionError):
                self.close()
                if attempt:
                    raise
        raise AssertionError("unreachable")

    def get(self, target: str, **headers: str) -> Reply:
        return self.ask("GET", target, None, headers)


def with_items(target: str, items: dict[str, str]) -> str:
    """A target with a query."""
    return f"{target}?{urlencode(items)}" if items else target


def exchange(port: int, data: bytes, *, timeout: float = PATIENCE, source: str = "127.0.0.1") -> bytes:
    """Sends bytes on a new connection, and returns all that comes until the service closes it or says nothing more."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout, source_address=(source, 0)) as connection:
        try:
            connection.sendall(data)
            while piece := connection.recv(65_536):
                received += piece
        except (ConnectionError, TimeoutError):
            pass
    return received


def statuses(data: bytes) -> list[int]:
    """The statuses of the answers of HTTP/1 in what a connection has sent."""
    found = []
    while data.startswith(b"HTTP/1."):
        head, _, data = data.partition(b"\r\n\r\n")
        found.append(int(head.split()[1]))
        length = 0
        for line in head.split(b"\r\n")[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        data = data[length:]
    return found
