"""People, containers and sessions that the tests share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

import kinfolk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kinfolk.db"


HOLD = """
import sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
store.execute("ROLLBACK")
"""


@pytest.fixture
def held(path: Path) -> Callable[[], AbstractContextManager[None]]:
    """Another process writes to the store for as long as the context lasts.

    Not this process: Python's own sqlite3 may be a second SQLite, and two in one process ignore each other's locks.
    """

    @contextmanager
    def hold() -> Iterator[None]:
        command = [sys.executable, "-c", HOLD, str(path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline() == "held\n"
            yield
            process.communicate()
        assert process.returncode == 0

    return hold


@pytest.fixture
def service(path: Path) -> Iterator[kinfolk.Service]:
    with kinfolk.open(path) as service:
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
