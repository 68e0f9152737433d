"""Custom zones of private databases, and following their changes with tokens."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Database, Environment, Record

if TYPE_CHECKING:
    from conftest import Store


@pytest.fixture
def development(service: kinfolk.Service, notes: kinfolk.Container) -> kinfolk.Container:
    return service.open_container(notes.name, Environment.DEVELOPMENT)


@pytest.fixture
def db(development: kinfolk.Container, ada: kinfolk.Account) -> Database:
    return development.open_session(ada).private_database


@pytest.fixture
def other(development: kinfolk.Container, ada: kinfolk.Account) -> Database:
    """The same database on another device."""
    return development.open_session(ada).private_database


def put(db: Database, name: str, value: int, zone: str = "Notes") -> None:
    db.save(Record("Note", name, zone=zone, value=value), kinfolk.SavePolicy.ALL_KEYS)


# Zones


def test_zones_are_made_listed_and_deleted(db: Database, other: Database) -> None:
    assert db.zones() == ("_defaultZone",)
    for name in ("Notes", "Lists", "Notes"):
        db.save_zone(name)
    assert other.zones() == ("_defaultZone", "Notes", "Lists")
    other.delete_zone("Notes")
    assert db.zones() == ("_defaultZone", "Lists")


def test_a_record_belongs_to_its_zone(db: Database) -> None:
    db.save_zone("Notes")
    note = Record("Note", "a", zone="Notes", value=1)
    assert (note.zone, Record("Note").zone) == ("Notes", "_defaultZone")
    db.save(note)
    db.save(Record("Note", "a", value=2))
    assert db.fetch("a", zone="Notes") == {"value": 1}
    assert db.fetch("a") == db.fetch("a", zone="_defaultZone") == {"value": 2}
    assert db.fetch("a", zone="Notes").zone == "Notes"
    assert dict(db.fetch_many(["a", "b"], zone="Notes")) == {"a": {"value": 1}}
    assert dict(db.fetch_many(["a", "b"])) == {"a": {"value": 2}}
    item = Record("Item", zone="Notes", note=kinfolk.Reference(note))
    item.parent = note
    db.save(item)
    assert db.fetch(item.name, zone="Notes")["note"] == kinfolk.Reference("a", zone="Notes")
    del item["note"]
    item.parent = None
    db.save(item)
    db.delete("a")
    assert db.fetch("a", zone="Notes") == {"value": 1}
    db.delete(note)
    put(db, "a", 3)
    db.delete("a", zone="Notes")
    with pytest.raises(kinfolk.UnknownItem):
        db.fetch("a", zone="Notes")


def test_a_batch_has_records_of_several_zones(db: Database) -> None:
    db.save_zone("Notes")
    notes = [Record("Note", name, zone="Notes", value=1) for name in "abc"]
    with db.batch(atomic=True) as batch:
        for note in notes:
            batch.create(note)
        batch.create(Record("Note", "a", value=2))
    assert [(each.name, each.zone) for each in batch.results] == [
        ("a", "Notes"),
        ("b", "Notes"),
        ("c", "Notes"),
        ("a", "_defaultZone"),
    ]
    with db.batch() as batch:
        batch.delete(notes[0])
        batch.delete("b", notes[1].change_tag, zone="Notes")
        batch.force_delete("c", zone="Notes")
        batch.force_delete("d", zone="Notes")
    assert list(db.fetch_many(list("abc"), zone="Notes")) == []
    assert db.fetch("a") == {"value": 2}


def test_a_missing_zone_has_an_error_of_its_own(db: Database) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: db.fetch("a", zone="None"),
        lambda: db.fetch_many(["a"], zone="None")["a"],
        lambda: db.zone_changes("None"),
        lambda: list(db.all_zone_changes("None")),
    ]
    for call in calls:
        with pytest.raises(kinfolk.ZoneNotFound) as raised:
            call()
        assert isinstance(raised.value, KeyError)
        assert "None" not in raised.value.reason


@pytest.mark.parametrize("zone", ["größe", "a\0b", "\ud800"])
def test_a_malformed_name_of_a_zone_is_refused(db: Database, zone: str) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: db.save_zone(zone),
        lambda: db.delete_zone(zone),
        lambda: db.zone_changes(zone),
        lambda: Record("Note", zone=zone),
        lambda: db.fetch("a", zone=zone),
        lambda: db.fetch_many(["a"], zone=zone),
        lambda: db.delete("a", zone=zone),
        lambda: force_delete(db, zone),
    ]
    for call in calls:
        with pytest.raises(kinfolk.InvalidArgument):
            call()


def force_delete(db: Database, zone: str) -> None:
    batch = db.batch()
    batch.force_delete("a", zone=zone)
    batch.run()


def test_wrong_types_are_refused(db: Database) -> None:
    note = Record("Note", "a")
    calls: list[Callable[[], Any]] = [
        lambda: db.save_zone(1),  # type: ignore[arg-type]
        lambda: db.delete_zone(None),  # type: ignore[arg-type]
        lambda: db.zone_changes(b"Notes"),  # type: ignore[arg-type]
        lambda: db.zone_changes("Notes", "token"),  # type: ignore[arg-type]
        lambda: db.zone_changes("Notes", limit="1"),  # type: ignore[arg-type]
        lambda: db.changes("token"),  # type: ignore[arg-type]
        lambda: Record("Note", zone=1),  # type: ignore[arg-type]
        lambda: db.fetch("a", zone=1),  # type: ignore[arg-type]
        lambda: db.fetch_many(["a"], zone=1),  # type: ignore[arg-type]
        lambda: db.delete("a", zone=1),  # type: ignore[arg-type]
        lambda: db.delete(note, zone="Notes"),
        lambda: db.batch().delete(note, zone="Notes"),
        lambda: db.batch().force_delete(note, zone="Notes"),
        lambda: db.batch().force_delete("a", zone=1),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()
    for limit in (0, 401, -1, 2**64):
        with pytest.raises(kinfolk.InvalidArgument):
            db.zone_changes("Notes", limit=limit)


# Changes


def test_another_device_follows_a_zone_through_pages(db: Database, other: Database) -> None:
    db.save_zone("Notes")
    copy: dict[str, int] = {}
    token: bytes | None = None

    def follow(limit: int) -> tuple[int, int, int]:
        nonlocal token
        pages = saved = deleted = 0
        for page in other.all_zone_changes("Notes", since=token, limit=limit):
            assert all(note.zone == "Notes" for note in page.records)
            copy.update((note.name, note["value"]) for note in page.records)
            for each in page.deleted:
                assert (each.zone, each.type) == ("Notes", "Note")
                copy.pop(each.name, None)
            token = page.token
            pages, saved, deleted = pages + 1, saved + len(page.records), deleted + len(page.deleted)
        return pages, saved, deleted

    assert follow(400) == (1, 0, 0)
    for number in range(10):
        put(db, f"n{number}", number)
    assert follow(4) == (3, 10, 0)
    db.delete("n1", zone="Notes")
    put(db, "n2", 102)
    assert follow(1) == (2, 1, 1)
    assert copy == {f"n{number}": number for number in range(10) if number != 1} | {"n2": 102}
    assert isinstance(token, bytes)
    assert len(token) <= 256


def test_a_page_is_a_tuple_whose_text_has_no_name(db: Database) -> None:
    db.save_zone("Notes")
    start = db.zone_changes("Notes")
    assert start == ((), (), start.token, False)
    put(db, "ada@example.com", 1)
    put(db, "grace@example.com", 1)
    db.delete("grace@example.com", zone="Notes")
    page = db.zone_changes("Notes", start.token)
    (note,), (deleted,), _, more_coming = page
    assert note == {"value": 1}
    assert deleted == ("grace@example.com", "Notes", "Note")
    assert more_coming is False
    assert repr(page) == "<kinfolk.ZoneChanges records=1 deleted=1>"
    assert repr(deleted) == "<kinfolk.DeletedRecord Note>"
    note["value"] = 2
    db.save(note)
    (changed,) = db.zone_changes("Notes", bytearray(page.token)).records
    assert changed == {"value": 2}
    assert db.zone_changes("Notes", b"").records == (changed,)


def test_a_database_says_which_zones_changed(db: Database, other: Database) -> None:
    for name in "ABC":
        db.save_zone(name)
    page = other.changes()
    assert page == (("A", "B", "C"), (), page.token, False)
    put(db, "a", 1, "A")
    put(db, "a", 1, "_defaultZone")
    db.delete_zone("B")
    db.delete_zone("C")
    db.save_zone("C")
    pages = list(other.all_changes(page.token))
    assert [(each.changed, each.deleted) for each in pages] == [(("A", "C"), ("B",))]
    assert repr(pages[0]) == "<kinfolk.DatabaseChanges changed=2 deleted=1>"
    assert other.changes(pages[0].token)[:2] == ((), ())


def test_a_forged_token_is_refused(db: Database) -> None:
    db.save_zone("Notes")
    for call in (lambda token: db.zone_changes("Notes", token), db.changes):
        for forged in (b"\0", b"x" * 256):
            with pytest.raises(kinfolk.ChangeTokenExpired):
                call(forged)
        with pytest.raises(kinfolk.InvalidArgument):
            call(b"x" * 257)


# asyncio


def test_zones_and_changes_are_awaited(store: Store) -> None:
    async def main() -> None:
        options = {"key_file": store.key_file} if isinstance(store.path, str) else {}
        async with await kinfolk.aio.open(store.path, **options) as service:  # type: ignore[arg-type]
            await service.create_container("com.example.notes")
            notes = await service.open_container("com.example.notes", Environment.DEVELOPMENT)
            db = (await notes.open_session(await service.create_account())).private_database
            await db.save_zone("Notes")
            assert await db.zones() == ("_defaultZone", "Notes")
            for number in range(10):
                await db.save(Record("Note", str(number), zone="Notes", value=number))
            assert (await db.fetch("7", zone="Notes"))["value"] == 7
            seen, token = [], None
            async for page in db.all_zone_changes("Notes", limit=3):
                seen += [note["value"] for note in page.records]
                token = page.token
            assert seen == list(range(10))
            await db.delete("3", zone="Notes")
            async with db.batch() as batch:
                batch.force_delete("4", zone="Notes")
            page = await db.zone_changes("Notes", token)
            assert [each.name for each in page.deleted] == ["3", "4"]
            assert [each.changed async for each in db.all_changes()] == [("Notes",)]
            assert (await db.changes()).changed == ("Notes",)
            await db.delete_zone("Notes")
            with pytest.raises(kinfolk.ZoneNotFound):
                async for _ in db.all_zone_changes("Notes", token):
                    pass

    asyncio.run(asyncio.wait_for(main(), 120))
