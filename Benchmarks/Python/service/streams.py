"""Many connections on which answers arrive in parts."""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Sequence

from processes import PATIENCE, Process


class Streams:
    """Connections with one request each."""

    def __init__(self) -> None:
        self._selector = selectors.EpollSelector()
        self._sockets: list[socket.socket] = []

    def __len__(self) -> int:
        return len(self._sockets)

    def open(self, process: Process, targets: Sequence[str]) -> None:
        """Sends a GET for each target, on a connection of its own."""
        for target in targets:
            connection = process.connect()
            connection.sendall(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            connection.setblocking(False)
            self._selector.register(connection, selectors.EVENT_READ, connection)
            self._sockets.append(connection)

    def wait_for(self, text: bytes) -> float:
        """Waits until all connections have received a text. Returns the time of the last one on the monotonic clock."""
        missing = set(self._sockets)
        received: dict[socket.socket, bytes] = {}
        end = time.monotonic() + PATIENCE
        while missing:
            if time.monotonic() > end:
                raise SystemExit(f"{len(missing)} of {len(self)} connections did not receive {text!r}.")
            for key, _ in self._selector.select(1):
                connection: socket.socket = key.data
                piece = connection.recv(65_536)
                if not piece:
                    raise SystemExit("A connection was closed.")
                all_of_it = received.get(connection, b"") + piece
                received[connection] = all_of_it
                if all_of_it.startswith(b"HTTP/") and not all_of_it.startswith(b"HTTP/1.1 200"):
                    raise SystemExit(f"A stream answers {all_of_it[:500]!r}")
                if text in all_of_it:
                    missing.discard(connection)
        return time.monotonic()

    def have_received_nothing(self) -> bool:
        """Whether no connection has bytes to read, and none was closed."""
        return not self._selector.select(0)

    def close(self) -> None:
        for connection in self._sockets:
            connection.close()
        self._selector.close()
