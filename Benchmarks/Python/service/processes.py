"""The programs under load, and what the system says about their memory and processor time."""

from __future__ import annotations

import contextlib
import os
import pathlib
import resource
import socket
import subprocess
import time
from collections.abc import Iterator
from typing import IO

PATIENCE = 60.0


class Process:
    """A server on a free port of the loopback interface."""

    def __init__(self, arguments: list[str], port: int, log: IO[str] | int = subprocess.DEVNULL) -> None:
        self.port = port
        self.started = time.monotonic()
        self.process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=log)

    def wait_until_it_listens(self) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect().close()
                return
            except ConnectionRefusedError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{self.process.args!r} does not listen.") from None
                time.sleep(0.002)

    def connect(self) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return connection

    def end(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(PATIENCE)

    # ---- Memory and processor time

    @property
    def resident(self) -> float:
        """The resident memory in MB."""
        return self._memory("VmRSS")

    @property
    def peak(self) -> float:
        """The most resident memory so far, in MB."""
        return self._memory("VmHWM")

    def _memory(self, name: str) -> float:
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(f"{name}:"):
                return int(line.split()[1]) * 1_024 / 1e6
        raise SystemExit(f"The system does not tell {name}.")

    @property
    def processor_time(self) -> float:
        """The seconds that all its threads have computed, in steps of a hundredth."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running(arguments: list[str], port: int) -> Iterator[Process]:
    """A server until the end of the block."""
    process = Process(arguments, port)
    try:
        process.wait_until_it_listens()
        yield process
    finally:
        process.end()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def allow_many_files() -> None:
    """Lets this process have as many connections as the system allows."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
