"""The programs under test as processes, and a client that sends exactly the bytes that a test gives."""

from __future__ import annotations

import os
import pathlib
import queue
import random
import re
import signal
import socket
import subprocess
import threading
import time
from typing import Any

import pytest

PATIENCE = 20.0

RELEASE = pathlib.Path(__file__).parents[2] / ".build" / "shipping" / "release"


def binary(variable: str, name: str) -> str:
    path = os.environ.get(variable, str(RELEASE / name))
    if not os.access(path, os.X_OK):
        pytest.exit(f"{variable} names no program: {path}", 2)
    return path


class Lines:
    """The lines of a stream, read by a thread so that no test waits forever."""

    def __init__(self, stream: Any) -> None:
        self.all: list[str] = []
        self._queue: queue.Queue[str | None] = queue.Queue()
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream: Any) -> None:
        for line in stream:
            self.all.append(line.rstrip("\n"))
            self._queue.put(self.all[-1])
        self._queue.put(None)

    def wait_for(self, text: str) -> str:
        """The next line that contains the text."""
        end = time.monotonic() + PATIENCE
        while True:
            line = self._queue.get(timeout=max(0.01, end - time.monotonic()))
            if line is None:
                raise AssertionError(f"no line with {text!r}: {self.all}")
            if text in line:
                return line

    def to_end(self) -> list[str]:
        self._thread.join(PATIENCE)
        return self.all


class Program:
    process: subprocess.Popen[str]
    port: int

    def connect(self, timeout: float = PATIENCE) -> Client:
        return Client(self.port, timeout)

    def exchange(self, data: bytes) -> bytes:
        """Sends bytes on a new connection, and returns everything until the server closes it."""
        with self.connect() as client:
            client.send(data)
            return client.rest()

    def get(self, target: str, *headers: str) -> Answer:
        lines = [f"GET {target} HTTP/1.1", "Host: localhost", "Connection: close", *headers]
        return Answer.all(self.exchange(("\r\n".join(lines) + "\r\n\r\n").encode()))[0]

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)


class Service(Program):
    """`kinfolkd serve` on a free port."""

    def __init__(
        self,
        path: str,
        arguments: list[str],
        *,
        port: int | None = None,
        environment: dict[str, str] | None = None,
        **more: Any,
    ) -> None:
        if port is None:
            self.port = free_port()
            arguments = [*arguments, "--listen", f"127.0.0.1:{self.port}"]
        else:
            self.port = port
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KINFOLK")}
        self.process = subprocess.Popen([path, *arguments], stderr=subprocess.PIPE, text=True, env=clean | (environment or {}), **more)
        self.log = Lines(self.process.stderr)
        end = time.monotonic() + PATIENCE
        while port is None and is_refused(self.port):
            assert self.process.poll() is None and time.monotonic() < end, self.log.all
            time.sleep(0.02)

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.wait()


class Probe(Program):
    """`kinfolkd-probe`."""

    def __init__(self, path: str, values: dict[str, object]) -> None:
        arguments = [f"{name.replace('_', '-')}={value}" for name, value in values.items()]
        self.process = subprocess.Popen([path, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.output = Lines(self.process.stdout)
        self.port = int(self.output.wait_for("port ").split()[1])

    def begin_drain(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()


def free_port() -> int:
    """A port that stays free until it is used: it is below those that the system gives to connections and to listeners on port 0."""
    while True:
        port = random.randrange(10_000, 32_000)  # noqa: S311
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port


def is_refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()
    except (ConnectionRefusedError, ConnectionResetError):
        return True
    return False


class Client:
    """One connection."""

    def __init__(self, port: int, timeout: float) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def rest(self) -> bytes:
        """Everything until the end. A reset counts as the end."""
        received = b""
        try:
            while piece := self.socket.recv(65_536):
                received += piece
        except ConnectionResetError:
            pass
        return received

    def until(self, end: bytes) -> bytes:
        received = b""
        while end not in received:
            piece = self.socket.recv(65_536)
            assert piece, f"closed after {received!r}"
            received += piece
        return received

    def answer(self) -> Answer:
        """The next answer; it must have a content-length."""
        received = self.until(b"\r\n\r\n")
        head, body = received.split(b"\r\n\r\n", 1)
        found = re.search(rb"content-length: (\d+)", head)
        length = int(found[1]) if found else 0
        while len(body) < length:
            piece = self.socket.recv(65_536)
            assert piece, "closed within a body"
            body += piece
        return Answer(head, body)


class Answer:
    """One answer of HTTP/1."""

    def __init__(self, head: bytes, body: bytes) -> None:
        first, *lines = head.decode().split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
        self.body = body

    @property
    def closes(self) -> bool:
        return self.headers.get("connection") == "close"

    @staticmethod
    def all(data: bytes) -> list[Answer]:
        """The answers in what a connection has sent."""
        answers = []
        while data:
            head, data = data.split(b"\r\n\r\n", 1)
            found = re.search(rb"content-length: (\d+)", head)
            length = int(found[1]) if found else 0
            answers.append(Answer(head, data[:length]))
            data = data[length:]
        return answers
