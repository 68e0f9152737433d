"""Grants of record types, and roles that the operator gives to accounts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Record

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Store

SCHEMA = """DEFINE SCHEMA
CREATE ROLE Editor;
CREATE ROLE Reader;
RECORD TYPE Note (
    title STRING,
    GRANT READ, WRITE TO "_creator",
    GRANT CREATE TO "_icloud",
    GRANT READ, WRITE TO Editor,
    GRANT READ TO Reader
);
"""


@pytest.fixture
def grace(person: Callable[..., kinfolk.Account]) -> kinfolk.Account:
    return person("grace")


@pytest.fixture
def restricted(notes: kinfolk.Container) -> kinfolk.Container:
    notes.apply_schema(SCHEMA)
    return notes


@pytest.fixture
def note(restricted: kinfolk.Container, ada: kinfolk.Account) -> Record:
    record = Record("Note", title="Groceries")
    restricted.open_session(ada).public_database.save(record)
    return record


def test_an_account_has_the_roles_that_it_was_given(restricted: kinfolk.Container, grace: kinfolk.Account) -> None:
    assert restricted.roles(grace) == ()
    for role in ("Reader", "Editor", "Editor"):
        restricted.grant_role(role, grace)
    assert restricted.roles(grace) == ("Editor", "Reader")
    restricted.revoke_role("Editor", grace)
    assert restricted.roles(grace) == ("Reader",)


def test_a_role_begins_and_ends_with_the_next_call(
    restricted: kinfolk.Container, grace: kinfolk.Account, note: Record
) -> None:
    database = restricted.open_session(grace).public_database
    with pytest.raises(kinfolk.UnknownItem):
        database.fetch(note.name)
    restricted.grant_role("Editor", grace)
    fetched = database.fetch(note.name)
    restricted.revoke_role("Editor", grace)
    with pytest.raises(kinfolk.PermissionFailure):
        database.save(fetched)


def test_a_role_that_is_not_valid_or_not_there_is_refused(
    restricted: kinfolk.Container, grace: kinfolk.Account
) -> None:
    for call in (restricted.grant_role, restricted.revoke_role):
        with pytest.raises(kinfolk.InvalidArgument):
            call("é", grace)
    with pytest.raises(kinfolk.UnknownItem):
        restricted.grant_role("Author", grace)
    with pytest.raises(kinfolk.UnknownItem):
        restricted.revoke_role("Editor", grace)


def test_an_account_of_a_wrong_type_is_refused(restricted: kinfolk.Container) -> None:
    account: Any = "ada@example.com"
    for call in (restricted.grant_role, restricted.revoke_role):
        with pytest.raises(TypeError):
            call("Editor", account)
    with pytest.raises(TypeError):
        restricted.roles(account)


def test_roles_are_awaited(store: Store) -> None:
    async def main() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            notes = await service.create_container("com.example.notes")
            await notes.apply_schema(SCHEMA)
            account = await service.create_account("Ada", "Lovelace")
            await notes.grant_role("Editor", account)
            assert await notes.roles(account) == ("Editor",)
            await notes.revoke_role("Editor", account)
            assert await notes.roles(account) == ()

    asyncio.run(main())
