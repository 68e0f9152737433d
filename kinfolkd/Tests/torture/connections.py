"""Thousands of connections in one thread."""

from __future__ import annotations

import contextlib
import dataclasses
import selectors
import socket
import time
from collections.abc import Callable

# From Linux, for sockets that choose their port when they connect.
IP_BIND_ADDRESS_NO_PORT = 24
PER_ADDRESS = 200


@dataclasses.dataclass(eq=False)
class One:
    """A connection: what it has received, and what it sends byte by byte."""

    number: int
    socket: socket.socket
    drip: bytes = b""
    reads: bool = True
    received: bytes = b""
    is_closed: bool = False
    is_done: bool = False
    why: str = ""


class Connections:
    """Connections from many loopback addresses, as a service allows only some from each."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.all: list[One] = []
        self._selector = selectors.DefaultSelector()

    def open(self, data: bytes, *, drip: bytes = b"", reads: bool = True, patience: float = 60.0) -> One:
        """Opens one connection, and sends its first bytes."""
        number = len(self.all)
        group = number // PER_ADDRESS
        one = socket.socket()
        one.settimeout(patience)
        one.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
        if not reads:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.bind((f"127.0.{1 + group // 250}.{2 + group % 250}", 0))
        one.connect(("127.0.0.1", self.port))
        if data:
            one.sendall(data)
        one.setblocking(False)
        self.all.append(One(number, one, drip, reads))
        if reads:
            self._selector.register(one, selectors.EVENT_READ, self.all[-1])
        return self.all[-1]

    @property
    def opened(self) -> int:
        return sum(not one.is_closed for one in self.all)

    def send_byte(self) -> None:
        """Each connection that has something left to send sends one byte of it."""
        for one in self.all:
            if one.is_closed or not one.drip:
                continue
            try:
                one.socket.send(one.drip[:1])
                one.drip = one.drip[1:]
            except BlockingIOError:
                pass
            except OSError as error:
                self._closed(one, type(error).__name__)

    def send(self, one: One, data: bytes) -> None:
        try:
            one.socket.send(data)
        except OSError as error:
            self._closed(one, type(error).__name__)

    def read(self, seconds: float, arrived: Callable[[One], None] | None = None) -> None:
        """Reads what arrives in some time."""
        end = time.monotonic() + seconds
        while True:
            for key, _ in self._selector.select(max(0.0, min(0.1, end - time.monotonic()))):
                self._read(key.data)
                if arrived:
                    arrived(key.data)
            if time.monotonic() >= end:
                return

    def _read(self, one: One) -> None:
        try:
            data = one.socket.recv(1 << 16)
        except BlockingIOError:
            return None
        except OSError as error:
            return self._closed(one, type(error).__name__)
        one.received += data
        if not data:
            self._closed(one, "closed")
        return None

    def _closed(self, one: One, why: str) -> None:
        if one.is_closed:
            return
        one.is_closed, one.why = True, why
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(one.socket)
        one.socket.close()

    def watch_readers(self) -> None:
        """From now on, those that did not read do."""
        for one in self.all:
            if not one.reads and not one.is_closed:
                one.reads = True
                self._selector.register(one.socket, selectors.EVENT_READ, one)

    def close(self) -> None:
        for one in self.all:
            self._closed(one, "ended")
        self._selector.close()
