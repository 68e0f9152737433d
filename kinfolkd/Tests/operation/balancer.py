"""A proxy that gives each connection to the next of several services: one address for all of them."""

from __future__ import annotations

import contextlib
import socket
import threading

from programs import PATIENCE


class Balancer:
    """Listens on a free port, and can take the place of a service in a world."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        # How many connections each service was given.
        self.given = dict.fromkeys(ports, 0)
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        number = 0
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                port = self.ports[number % len(self.ports)]
                number += 1
                try:
                    server = socket.create_connection(("127.0.0.1", port), PATIENCE)
                except OSError:
                    client.close()
                    continue
                self.given[port] += 1
                server.settimeout(None)
                for source, target in ((client, server), (server, client)):
                    threading.Thread(target=copy, args=(source, target), daemon=True).start()


def copy(source: socket.socket, target: socket.socket) -> None:
    """Passes on everything, and the end."""
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for end in (source, target):
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
