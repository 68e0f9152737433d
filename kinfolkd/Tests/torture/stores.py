"""Where the stores of the experiments are: in files, or on a PostgreSQL server of their own."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import signal
import socket
import subprocess
import time

SCRIPT = pathlib.Path(__file__).parents[3] / "Tests" / "Torture" / "cluster"
PATIENCE = 60.0
PR_SET_CHILD_SUBREAPER = 36


def fixed_port() -> int:
    """A free port that no outgoing connection gets, so that a service can be restarted on it."""
    first = 20_000 + int.from_bytes(os.urandom(2), "big") % 10_000
    for port in range(first, first + 2_000):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise RuntimeError("no port is free")


class Files:
    """Stores in files, by SQLite."""

    name = "SQLite"

    def address(self, schema: str) -> str | None:
        """The address of a new store; none for a file in the folder of the experiment."""
        return None

    def wait_until_alone(self, schema: str) -> None:
        """Returns when no process uses the store with this name."""

    def clean(self) -> None:
        pass


class Server:
    """A PostgreSQL cluster, which Tests/Torture/cluster makes and starts as the other tests do."""

    name = "PostgreSQL"

    def __init__(self, folder: pathlib.Path) -> None:
        # Servers are no children of the script that starts them. They are adopted when it ends, so that they can be waited for.
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.folder = folder / "servers" / "cluster"
        self.folder.parent.mkdir(parents=True)
        # The server may run as another user.
        for parent in (folder, self.folder.parent):
            parent.chmod(0o755)
        self.port = fixed_port()
        self.run("make", str(self.port))

    def run(self, command: str, *words: str, environment: dict[str, str] | None = None) -> str:
        result = subprocess.run(
            [SCRIPT, command, self.folder, *words],
            stdout=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=True,
            env=os.environ | (environment or {}),
        )
        return result.stdout.strip()

    def query(self, sql: str) -> str:
        return self.run("query", str(self.port), sql)

    def address(self, schema: str, port: int | None = None, database: str = "postgres") -> str:
        """The address of a store; the port may be that of a proxy."""
        limits = f"application_name={schema}&connect_timeout=2&statement_timeout=5"
        return f"postgresql://kinfolk@127.0.0.1:{port or self.port}/{database}?schema={schema}&{limits}"

    def wait_until_alone(self, schema: str) -> None:
        """Returns when the server has noticed that the processes which used the store have ended."""
        others = f"SELECT count(*) FROM pg_stat_activity WHERE application_name = '{schema}'"
        end = time.monotonic() + PATIENCE
        while self.query(others) != "0":
            if time.monotonic() > end:
                raise RuntimeError("the server does not end the sessions of a process that was killed")
            time.sleep(0.05)

    def start(self) -> None:
        self.run("start")

    def stop(self) -> None:
        self.run("stop")
        self._reap()

    def kill(self) -> None:
        """Ends the server and all its processes with kill -9."""
        server = int((self.folder / "data" / "postmaster.pid").read_text().split()[0])
        # It starts no new process meanwhile.
        os.kill(server, signal.SIGSTOP)
        for child in children(server):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        os.kill(server, signal.SIGKILL)
        end = time.monotonic() + PATIENCE
        while pathlib.Path(f"/proc/{server}").exists():
            if time.monotonic() > end:
                raise RuntimeError("the killed server does not end")
            self._reap(server)
            time.sleep(0.01)
        self._reap()

    def _reap(self, *known: int) -> None:
        """Waits for processes that were adopted: the next server checks that they have ended."""
        for process in [*known, *(pid for pid in children(os.getpid()) if command(pid) == "postgres")]:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(process, os.WNOHANG)

    def clean(self) -> None:
        self.run("stop")
        self._reap()


def command(pid: int) -> str:
    try:
        return pathlib.Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def children(parent: int) -> list[int]:
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            with contextlib.suppress(OSError, ValueError, IndexError):
                if int(pathlib.Path(f"/proc/{entry}/stat").read_text().rsplit(")", 1)[1].split()[1]) == parent:
                    found.append(int(entry))
    return found
