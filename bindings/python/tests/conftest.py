"""Stores, people, containers and sessions that the tests share."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any

import on_server
import pytest

import kinfolk

# The address of the server on which the tests have their stores; empty if they have them in files.
SERVER = os.environ.get("KINFOLK_TEST_STORE", "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    here = []
    for item in items:
        module = item.getparent(pytest.Module)
        # packaging/test_wheel.py is not one of these tests.
        if module is not None and module.path.parent == Path(__file__).parent:
            on_server.check(module.obj)
            if SERVER and item.get_closest_marker("files"):
                item.add_marker(pytest.mark.skip(reason="it is of what only files have"))
            elif SERVER and not on_server.is_chosen(item, module.obj):
                config.hook.pytest_deselected(items=[item])
                continue
        here.append(item)
    items[:] = here


class Session:
    """A session of the tests' own on the server: any program may have one."""

    def __init__(self) -> None:
        self._libpq = ctypes.CDLL("libpq.so.5")
        for name, result, arguments in [
            ("PQconnectdb", ctypes.c_void_p, [ctypes.c_char_p]),
            ("PQexec", ctypes.c_void_p, [ctypes.c_void_p, ctypes.c_char_p]),
            ("PQresultErrorMessage", ctypes.c_char_p, [ctypes.c_void_p]),
            ("PQntuples", ctypes.c_int, [ctypes.c_void_p]),
            ("PQgetvalue", ctypes.c_char_p, [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]),
            ("PQclear", None, [ctypes.c_void_p]),
            ("PQfinish", None, [ctypes.c_void_p]),
        ]:
            function = getattr(self._libpq, name)
            function.restype, function.argtypes = result, arguments
        self._connection = self._libpq.PQconnectdb(SERVER.encode())
        self.run("SET client_min_messages = warning; SET lock_timeout = 10000")

    def run(self, sql: str) -> list[str]:
        """Runs statements; gives the first column of the last one's rows."""
        result = self._libpq.PQexec(self._connection, sql.encode())
        try:
            assert result
            assert self._libpq.PQresultErrorMessage(result) == b""
            return [self._libpq.PQgetvalue(result, row, 0).decode() for row in range(self._libpq.PQntuples(result))]
        finally:
            self._libpq.PQclear(result)

    def close(self) -> None:
        self._libpq.PQfinish(self._connection)


class Store:
    """Where a test has its store: a file in its folder, or a schema of its own on the server."""

    def __init__(self, folder: Path, name: str = "kinfolk", schema: str = "") -> None:
        self.folder = folder
        self.key_file = folder / f"{name}.key"
        self.file = folder / f"{name}.db"
        self._schemas = schema or f"kinfolk_{uuid.uuid4().hex}"
        self.schema = f"{self._schemas}_{name}"
        sign = "&" if "?" in SERVER else "?"
        # Its sessions are called so too, to be told from those of other stores.
        address = f"{SERVER}{sign}application_name={self.schema}&schema={self.schema}"
        self.path: Path | str = address if SERVER else self.file

    def other(self, name: str) -> Store:
        """Another store of the same test."""
        return Store(self.folder, name, self._schemas)

    def open(self, **options: Any) -> kinfolk.Service:
        """Opens it as kinfolk.open() does; on the server with its key file, if no other key is given."""
        return kinfolk.open(self.path, **self._with_key(options))

    @property
    def opening(self) -> str:
        """The same as an expression, for a program that a test runs."""
        given = "".join(f", {name}={str(value)!r}" for name, value in self._with_key({}).items())
        return f"kinfolk.open({str(self.path)!r}{given})"

    def _with_key(self, options: dict[str, Any]) -> dict[str, Any]:
        needs = SERVER and not {"key", "key_file", "passphrase"} & options.keys()
        return {"key_file": self.key_file, **options} if needs else options

    def run(self, sql: str) -> list[str]:
        """Runs SQL on it, as any program may; gives the first column of the rows."""
        if not SERVER:
            # Where only the wheel is tried, the system's library may not be there.
            import sqlite3

            with closing(sqlite3.connect(self.file)) as file, file:
                return [str(row[0]) for row in file.execute(sql)]
        with closing(Session()) as session:
            return session.run(f"CREATE SCHEMA IF NOT EXISTS {self.schema}; SET search_path = {self.schema}; {sql}")

    def exists(self) -> bool:
        if not SERVER:
            return self.file.exists()
        with closing(Session()) as session:
            return session.run(f"SELECT nspname FROM pg_namespace WHERE nspname = '{self.schema}'") != []

    def is_open(self) -> bool:
        """Whether this process has its file open, or anybody a session on it."""
        if not SERVER:
            return any(str(self.file) in target for target in open_files())
        with closing(Session()) as session:
            return session.run(f"SELECT pid FROM pg_stat_activity WHERE application_name = '{self.schema}'") != []

    def is_closed(self) -> bool:
        """Whether it is not open any more; a server notices a moment later."""
        ends = time.monotonic() + 60
        while self.is_open():
            if not SERVER or time.monotonic() > ends:
                return False
            time.sleep(0.01)
        return True

    def remove(self) -> None:
        if not SERVER:
            return
        with closing(Session()) as session:
            schemas = session.run(f"SELECT nspname FROM pg_namespace WHERE starts_with(nspname, '{self._schemas}')")
            session.run("".join(f"DROP SCHEMA {schema} CASCADE;" for schema in schemas))


def open_files() -> list[str]:
    folder = "/proc/self/fd"
    found = []
    for descriptor in os.listdir(folder):
        try:
            found.append(os.readlink(f"{folder}/{descriptor}"))
        except OSError:  # the one that listed them
            continue
    return found


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path)
    yield store
    store.remove()


HOLD = """
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
store.execute("ROLLBACK")
"""


@pytest.fixture
def held(store: Store) -> Callable[[], AbstractContextManager[None]]:
    """Somebody else writes to the store for as long as the context lasts.

    To a file another process does: Python's own sqlite3 may be a second SQLite, and two in one process ignore each
    other's locks.
    """

    @contextmanager
    def hold() -> Iterator[None]:
        if SERVER:
            with closing(Session()) as session:
                session.run(f"BEGIN; LOCK TABLE {store.schema}.accounts IN SHARE ROW EXCLUSIVE MODE")
                yield
            return
        command = [sys.executable, "-c", HOLD, str(store.file)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline() == "held\n"
            yield
            process.communicate()
        assert process.returncode == 0

    return hold


@pytest.fixture
def service(store: Store) -> Iterator[kinfolk.Service]:
    with store.open() as service:
        yield service


@pytest.fixture
def notes(service: kinfolk.Service) -> kinfolk.Container:
    return service.create_container("com.example.notes")


@pytest.fixture
def person(service: kinfolk.Service) -> Callable[..., kinfolk.Account]:
    """Makes an account with a verified address: person("ada") has ada@example.com."""

    def make(given_name: str, *emails: str) -> kinfolk.Account:
        account = service.create_account(given_name.capitalize(), "Example")
        for email in emails or (f"{given_name}@example.com",):
            account.add_email(email, verified=True)
        return account

    return make


@pytest.fixture
def ada(person: Callable[..., kinfolk.Account]) -> kinfolk.Account:
    return person("ada")


@pytest.fixture
def session(notes: kinfolk.Container, ada: kinfolk.Account) -> kinfolk.Session:
    return notes.open_session(ada)


@pytest.fixture
def friend(
    notes: kinfolk.Container, person: Callable[..., kinfolk.Account]
) -> Callable[..., tuple[kinfolk.Account, kinfolk.Session]]:
    """Makes somebody who opted in."""

    def make(given_name: str, *emails: str) -> tuple[kinfolk.Account, kinfolk.Session]:
        account = person(given_name, *emails)
        session = notes.open_session(account)
        session.set_discoverability(kinfolk.Discoverability.GRANTED, "May friends find you?", "1")
        return account, session

    return make
