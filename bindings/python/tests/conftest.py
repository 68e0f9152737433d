"""People, containers and sessions that the tests share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kinfolk


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kinfolk.db"


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
