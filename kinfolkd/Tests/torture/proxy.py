"""A TCP proxy on loopback, which can cut connections and pass nothing on."""

from __future__ import annotations

import contextlib
import selectors
import socket
import struct
import threading

from stores import fixed_port


class Proxy:
    """Passes connections on to a port, with one thread."""

    def __init__(self, to: int) -> None:
        self.port = fixed_port()
        self._to = to
        self._listener: socket.socket | None = None
        self._selector = selectors.DefaultSelector()
        self._partners: dict[socket.socket, socket.socket] = {}
        self._is_silent = False
        self._is_over = False
        self._lock = threading.Lock()
        self.mend()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def mend(self) -> None:
        """Accepts connections, and passes bytes on."""
        with self._lock:
            self._is_silent = False
            if self._listener is None:
                self._listener = socket.create_server(("127.0.0.1", self.port), backlog=100)
                self._selector.register(self._listener, selectors.EVENT_READ)

    def cut(self) -> None:
        """Resets all connections, and refuses new ones."""
        with self._lock:
            if self._listener:
                self._selector.unregister(self._listener)
                self._listener.close()
                self._listener = None
            for one in list(self._partners):
                self._drop(one)

    def be_silent(self) -> None:
        """Passes nothing on, and keeps connections open."""
        with self._lock:
            self._is_silent = True

    def end(self) -> None:
        self._is_over = True
        self._thread.join(10)
        self.cut()

    def _run(self) -> None:
        while not self._is_over:
            events = self._selector.select(0.05)
            with self._lock:
                if self._is_silent:
                    self._accept_only(events)
                    continue
                for key, _ in events:
                    self._ready(key.fileobj)  # type: ignore[arg-type]

    def _accept_only(self, events: list[tuple[selectors.SelectorKey, int]]) -> None:
        # Bytes stay in the sockets. New connections wait in the backlog, as if accepted.
        if events:
            threading.Event().wait(0.02)

    def _ready(self, one: socket.socket) -> None:
        if one is self._listener:
            client, _ = one.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self._to), 5)
            except OSError:
                client.close()
                return
            for side, other in ((client, server), (server, client)):
                side.settimeout(5)
                self._partners[side] = other
                self._selector.register(side, selectors.EVENT_READ)
            return
        if one not in self._partners:
            return
        try:
            data = one.recv(1 << 16)
            if data:
                self._partners[one].sendall(data)
            else:
                self._drop(one)
        except OSError:
            self._drop(one)

    def _drop(self, one: socket.socket) -> None:
        """Resets a connection on both sides."""
        for side in (one, self._partners.get(one)):
            if side is None or self._partners.pop(side, None) is None:
                continue
            with contextlib.suppress(OSError, KeyError):
                self._selector.unregister(side)
                side.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            side.close()
