"""Clients that receive notifications, and note every one."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from typing import Any

from scene import Connection, Lost, Scene

from programs import Client
from world import Person

PATIENCE = 90.0


class Listener(threading.Thread):
    """Notes the notifications that it receives, as (record, kind), and makes its connection again when that ends."""

    def __init__(self, scene: Scene) -> None:
        super().__init__(daemon=True)
        self.scene = scene
        self.received: list[tuple[str, int]] = []
        self.dropped = 0
        self.connections = 0
        self.is_ready = threading.Event()
        self.is_over = threading.Event()
        self.last: str | None = None
        self._client: Client | None = None

    def run(self) -> None:
        while not self.is_over.is_set():
            try:
                self.receive()
            except (OSError, Lost):
                self.is_over.wait(0.05)
            except Exception as error:
                self.scene.report.broken(f"{type(self).__name__}: {type(error).__name__}: {error}")
                return

    def receive(self) -> None:
        raise NotImplementedError

    def note(self, notification: dict[str, Any]) -> None:
        found = notification["ck"]
        if "dropped" in found:
            self.dropped += 1
        else:
            self.received.append((found["qry"]["rid"], found["qry"]["fo"]))
        self.last = found["nid"]

    def has(self, *records: str) -> bool:
        return set(records) <= {record for record, _ in self.received}

    def stop(self) -> None:
        self.is_over.set()
        if self._client:
            with contextlib.suppress(OSError):
                self._client.socket.shutdown(socket.SHUT_RDWR)


class Stream(Listener):
    """Reads server-sent events, and resumes with Last-Event-ID."""

    def __init__(self, scene: Scene, person: Person) -> None:
        super().__init__(scene)
        self.person = person

    def receive(self) -> None:
        target = self.scene.target("notifications", self.person, "kinfolk")
        resume = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
        with Client(self.scene.port, PATIENCE) as client:
            self._client = client
            client.send(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n{resume}\r\n".encode())
            file = client.socket.makefile("rb")
            status = int(file.readline().split()[1] or 0) if not self.is_over.is_set() else 0
            if status != 200:
                if status != 503:
                    self.scene.report.broken(f"an event stream begins with status {status}")
                raise Lost(f"status {status}")
            while file.readline().strip():
                pass
            self.connections += 1
            rest = b""
            while length := int(file.readline().strip() or b"0", 16):
                rest += file.read(length)
                file.readline()
                self.is_ready.set()
                while b"\n\n" in rest:
                    event, rest = rest.split(b"\n\n", 1)
                    self._take(event.decode())
        raise Lost("the stream has ended")

    def _take(self, event: str) -> None:
        fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line and not line.startswith(":"))
        if "data" not in fields:
            return
        self.note(json.loads(fields["data"]))
        self.scene.report.expect(fields["id"] == self.last, "the ID of an event is not that of its notification")


class Poll(Listener):
    """Asks for notifications by long polls, and acknowledges each."""

    def __init__(self, scene: Scene, person: Person, name: str) -> None:
        super().__init__(scene)
        self.path = scene.courier(person, name)
        self._connection = Connection(scene.port, PATIENCE)

    def receive(self) -> None:
        self.is_ready.set()
        answer = self._connection.send("GET", self.path + (f"?acknowledged={self.last}" if self.last else ""))
        if answer.status == 200:
            self.note(answer.json)
        elif answer.status == 503:
            raise Lost("503")
        elif answer.status != 204:
            self.scene.report.broken(f"a long poll is answered with {answer.status} {answer.body[:200]!r}")
            raise Lost(f"status {answer.status}")
