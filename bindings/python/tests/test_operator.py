"""What an operator does now and then: copies, look-ups, blocks."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kinfolk
import kinfolk.aio

if TYPE_CHECKING:
    from conftest import Store

Friend = Callable[..., "tuple[kinfolk.Account, kinfolk.Session]"]

NOBODY = "_0123456789abcdef0123456789abcdef"


# Copies


@pytest.mark.files
def test_a_backup_is_a_snapshot_that_only_its_owner_can_read(
    service: kinfolk.Service, ada: kinfolk.Account, store: Store, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    service.back_up(copy)
    assert copy.stat().st_mode & 0o777 == 0o600
    ada.erase()
    with kinfolk.open(copy, key_file=store.key_file, create=False) as restored:
        assert restored.find_account("ada@example.com").given_name == "Ada"
    with pytest.raises(kinfolk.Conflict):
        service.back_up(copy)
    with pytest.raises(kinfolk.UnknownItem):
        service.back_up(tmp_path / "missing" / "copy.db")


def test_a_copy_to_another_place_is_brought_up_to_date_until_it_is_opened(
    service: kinfolk.Service, ada: kinfolk.Account, store: Store, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []
    service.copy(tmp_path / "copy.db", progress=lambda done, total: told.append((done, total)))
    assert told[0][1] == 0
    assert told[-1][0] == told[-1][1] > 0
    ada.set_name("Augusta", "Example")
    service.copy(tmp_path / "copy.db")
    with kinfolk.open(tmp_path / "copy.db", key_file=store.key_file, create=False) as copy:
        assert copy.find_account("ada@example.com").given_name == "Augusta"
    with pytest.raises(kinfolk.Conflict):
        service.copy(tmp_path / "copy.db")
    with pytest.raises(kinfolk.UnknownItem):
        service.copy(tmp_path / "missing" / "copy.db")


@pytest.mark.files
@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_the_path_of_a_copy_is_a_str_bytes_or_path(service: kinfolk.Service, tmp_path: Path, kind: type) -> None:
    service.back_up(kind(tmp_path / "copy.db"))
    assert (tmp_path / "copy.db").exists()


@pytest.mark.files
def test_progress_of_a_copy_may_use_the_service(
    service: kinfolk.Service, ada: kinfolk.Account, store: Store, tmp_path: Path
) -> None:
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        if not told:
            service.create_account().add_email("late@example.com", verified=True)
        told.append((done, total))

    service.back_up(tmp_path / "copy.db", progress=progress)
    assert told
    assert told[-1][0] == told[-1][1] > 0
    service.find_account("late@example.com")
    with kinfolk.open(tmp_path / "copy.db", key_file=store.key_file) as copy:
        assert copy.find_account("ada@example.com").id == ada.id
        with pytest.raises(kinfolk.UnknownItem):
            copy.find_account("late@example.com")


@pytest.mark.files
def test_a_backup_copied_over_the_store_is_refused_until_it_is_accepted(tmp_path: Path) -> None:
    path, copy = tmp_path / "kinfolk.db", tmp_path / "copy.db"
    with kinfolk.open(path) as service:
        service.create_account().add_email("ada@example.com", verified=True)
        service.back_up(copy)
        service.create_account().add_email("late@example.com", verified=True)
    assert not kinfolk.accept_older(path)
    copy.replace(path)
    with pytest.raises(kinfolk.StoreCorrupt, match="accept-older"):
        kinfolk.open(path)
    assert kinfolk.accept_older(path)
    with kinfolk.open(path) as service:
        service.find_account("ada@example.com")
        with pytest.raises(kinfolk.UnknownItem):
            service.find_account("late@example.com")
    with pytest.raises(kinfolk.UnknownItem):
        kinfolk.accept_older(tmp_path / "missing.db")
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.accept_older(path, key=b"short")


@pytest.mark.files
def test_a_backup_is_restored_and_checked(tmp_path: Path) -> None:
    path, copy = tmp_path / "kinfolk.db", tmp_path / "copy.db"
    with kinfolk.open(path) as service:
        service.create_account().add_email("ada@example.com", verified=True)
        service.back_up(copy)
        service.create_account().add_email("late@example.com", verified=True)
        with pytest.raises(kinfolk.ServiceUnavailable):
            kinfolk.restore(path, copy, wait=0)
    steps: list[tuple[int, int]] = []
    kinfolk.restore(path, copy, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1][0] == steps[-1][1]
    with kinfolk.open(path) as service:
        service.find_account("ada@example.com")
        with pytest.raises(kinfolk.UnknownItem):
            service.find_account("late@example.com")
        check = service.check(progress=lambda done, total: steps.append((done, total)))
        assert check.is_sound
        assert check.findings == []
        assert check.rows > 5
        assert check.tables["accounts"] == 1
        assert sum(check.tables.values()) == check.rows
    with pytest.raises(kinfolk.UnknownItem):
        kinfolk.restore(path, tmp_path / "missing.db")
    with pytest.raises(kinfolk.StoreCorrupt):
        kinfolk.restore(path, tmp_path / "kinfolk.key")
    other = tmp_path / "other.db"
    kinfolk.open(other, key_file=tmp_path / "kinfolk.key").close()
    with pytest.raises(kinfolk.Conflict):
        kinfolk.restore(other, copy, key_file=tmp_path / "kinfolk.key")
    kinfolk.restore(other, copy, key_file=tmp_path / "kinfolk.key", replace_other=True)
    asyncio.run(kinfolk.aio.restore(path, copy, progress=lambda done, total: None))

    def refuse(done: int, total: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        kinfolk.restore(path, copy, progress=refuse)
    kinfolk.open(path, create=False).close()


@pytest.mark.files
def test_a_check_finds_changes_made_without_the_key(tmp_path: Path) -> None:
    path = tmp_path / "kinfolk.db"
    with kinfolk.open(path) as service:
        service.create_account().add_email("ada@example.com", verified=True)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE emails SET is_discoverable = 0")
    database.close()
    with kinfolk.open(path) as service:
        check = service.check()
    assert not check.is_sound
    assert check.findings == [kinfolk.Finding("accounts", kinfolk.FindingKind.CHANGED, 1)]


@pytest.mark.files
def test_a_read_only_service_does_not_change_the_store(tmp_path: Path) -> None:
    path = tmp_path / "kinfolk.db"
    with pytest.raises(kinfolk.UnknownItem):
        kinfolk.open(path, read_only=True)
    assert list(tmp_path.iterdir()) == []
    with kinfolk.open(path) as service:
        service.create_account().add_email("ada@example.com", verified=True)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with kinfolk.open(path, read_only=True) as service:
        service.find_account("ada@example.com")
        with pytest.raises(kinfolk.PermissionFailure, match="reading only"):
            service.create_account()
        assert service.check().is_sound
        assert {file.name for file in tmp_path.iterdir()} == set(before)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


# Look-ups


def test_the_operator_looks_up_the_account_of_an_id_and_it_is_logged(
    service: kinfolk.Service, notes: kinfolk.Container, ada: kinfolk.Account, session: kinfolk.Session
) -> None:
    assert service.audit_log() == []
    assert notes.find_account(session.user_record_id, reason="Ticket 12").id == ada.id
    with pytest.raises(kinfolk.UnknownItem):
        notes.find_account(NOBODY, reason="A guess")
    first, second = service.audit_log()
    assert (first.number, first.container, first.user_record_id, first.reason) == (
        1,
        "com.example.notes",
        session.user_record_id,
        "Ticket 12",
    )
    assert (second.number, second.user_record_id, second.reason) == (2, NOBODY, "A guess")
    assert abs(datetime.now(timezone.utc) - first.noted_at) < timedelta(minutes=1)
    assert first.noted_at <= second.noted_at
    with pytest.raises(AttributeError):
        first.reason = "another"  # type: ignore[misc]
    assert service.audit_log()[0] == first
    assert hash(service.audit_log()[0]) == hash(first)


def test_the_log_is_read_in_pages_and_forgets_erased_accounts(
    service: kinfolk.Service, notes: kinfolk.Container, ada: kinfolk.Account, session: kinfolk.Session
) -> None:
    for number in range(1, 4):
        notes.find_account(session.user_record_id, reason=f"Ticket {number}")
    for reason, identifier in (("", session.user_record_id), ("Ticket 12", "ada@example.com")):
        with pytest.raises(kinfolk.InvalidArgument):
            notes.find_account(identifier, reason=reason)
    assert [each.reason for each in service.audit_log(limit=2)] == ["Ticket 1", "Ticket 2"]
    assert [each.reason for each in service.audit_log(after=2)] == ["Ticket 3"]
    assert service.audit_log(after=2**63 - 1) == service.audit_log(limit=0) == []
    for after, limit in ((-1, 1), (2**63, 1), (0, -1), (0, 2**63)):
        with pytest.raises(kinfolk.InvalidArgument):
            service.audit_log(after, limit)
    ada.erase()
    assert [(each.number, each.user_record_id, each.reason) for each in service.audit_log()] == [
        (1, None, None),
        (2, None, None),
        (3, None, None),
    ]


# Blocks


def test_a_person_blocks_others_and_reads_the_list(friend: Friend) -> None:
    (_, ada), (_, grace) = friend("ada"), friend("grace")
    ada.block(grace.user_record_id)
    ada.block(NOBODY)
    assert ada.blocked_user_record_ids == tuple(sorted([grace.user_record_id, NOBODY]))
    assert grace.blocked_user_record_ids == ()
    assert ada.discover_email("grace@example.com") is None
    ada.unblock(grace.user_record_id)
    assert ada.blocked_user_record_ids == (NOBODY,)
    for identifier in (ada.user_record_id, "ada@example.com", ""):
        with pytest.raises(kinfolk.InvalidArgument):
            ada.block(identifier)


def test_the_operator_blocks_two_people(notes: kinfolk.Container, friend: Friend) -> None:
    (_, ada), (_, grace) = friend("ada"), friend("grace")
    notes.block(ada.user_record_id, grace.user_record_id)
    assert ada.blocked_user_record_ids == grace.blocked_user_record_ids == ()
    assert ada.discover_email("grace@example.com") is None
    notes.unblock(grace.user_record_id, ada.user_record_id)
    assert ada.discover_email("grace@example.com") is not None
    with pytest.raises(kinfolk.InvalidArgument):
        notes.block(ada.user_record_id, ada.user_record_id)


def test_the_operator_reads_and_sets_the_permits_of_a_person(
    notes: kinfolk.Container, session: kinfolk.Session
) -> None:
    person = session.user_record_id
    notes.set_permits(10, 0, 10)
    notes.set_permits_left(person, 1)
    assert notes.permits_left(person) == 1
    notes.top_up_permits(person)
    assert notes.permits_left(person) == 10
    with pytest.raises(kinfolk.LimitExceeded):
        notes.set_permits_left(person, 16)
    with pytest.raises(kinfolk.UnknownItem):
        notes.permits_left("_" + "0" * 32)
    with pytest.raises(ValueError, match="permits"):
        notes.set_permits_left(person, -1)


@pytest.mark.parametrize(
    "end", ["os.kill(os.getpid(), signal.SIGTERM)", "os._exit(1)", "sys.exit(1)", "time.sleep(600)"]
)
def test_a_process_that_ends_in_any_way_spends_one_permit_for_each_contact(
    store: Store, notes: kinfolk.Container, session: kinfolk.Session, ada: kinfolk.Account, end: str
) -> None:
    notes.set_permits(100, 0, 100)
    program = f"""
import os, signal, sys, time, kinfolk
service = {store.opening}
session = service.open_container("com.example.notes").open_session(service.open_account("{ada.id}"))
book = kinfolk.ContactBook()
book.add_email("unknown@example.com")
session.discover(book)
session.discover_email("unknown@example.com")
print("asked", flush=True)
{end}
"""
    for ended in range(1, 4):
        command = [sys.executable, "-c", program]
        environment = {**os.environ, "PYTHONPATH": str(Path(kinfolk.__file__).parents[1])}
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            assert process.stdout.readline() == "asked\n"
            if "sleep" in end:
                process.kill()
        assert notes.permits_left(session.user_record_id) == 100 - 2 * ended
