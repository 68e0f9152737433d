"""Queries: predicates with values, orders, pages, counts and explanations."""

from __future__ import annotations

import asyncio
import copy
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Database, Environment, Location, Record, Reference

if TYPE_CHECKING:
    from conftest import Store

TITLES = ["Groceries", "groceries", "Garden", "Roses", "Rome", "", "Zoo"]
NOON = datetime(2026, 11, 23, 12, tzinfo=timezone.utc)


def note(index: int) -> Record:
    fields: dict[str, Any] = {
        "title": TITLES[index],
        "number": index,
        "real": index / 2,
        "done": index % 2 == 0,
        "data": bytes([index]),
        "due": NOON + timedelta(hours=index),
        "place": Location(index, 0),
        "other": Reference("n0"),
        "tags": ["home", "work"][: index % 3] or [""],
    }
    if index == 6:
        del fields["number"]
    return Record("Note", f"n{index}", **fields)


@pytest.fixture
def db(service: kinfolk.Service, notes: kinfolk.Container, ada: kinfolk.Account) -> Database:
    """A private database with the notes n0 to n6, of which the last has no number."""
    development = service.open_container(notes.name, Environment.DEVELOPMENT)
    database = development.open_session(ada).private_database
    with database.batch() as batch:
        for index in range(len(TITLES)):
            batch.create(note(index))
    return database


def names(query: kinfolk.Query) -> list[str]:
    return [each.name for each in query]


def test_a_loop_goes_through_all_pages(db: Database) -> None:
    query = db.query("Note", "number >= %@", 1, sort="-number", limit=2)
    assert names(query) == ["n5", "n4", "n3", "n2", "n1"]
    assert names(query) == ["n5", "n4", "n3", "n2", "n1"]  # each loop begins again
    assert [len(page.records) for page in query.pages()] == [2, 2, 1]
    assert next(iter(query)) == note(5)
    assert names(db.query("Note", sort="number")) == ["n6", "n0", "n1", "n2", "n3", "n4", "n5"]
    assert names(db.query("Note", "FALSEPREDICATE")) == []


def test_a_loop_fetches_pages_when_it_needs_them(db: Database) -> None:
    found = iter(db.query("Note", "number < 4", sort="number", limit=2))
    assert next(found).name == "n0"
    db.delete("n2")
    assert [each.name for each in found] == ["n1", "n3"]


def test_predicates_take_values_of_all_types(db: Database) -> None:
    cases: list[tuple[str, list[Any], list[str]]] = [
        ("title = %@", ["GROCERIES"], ["n0", "n1"]),
        ("number = %@ OR number = %@", [1, 3], ["n1", "n3"]),
        ("number = NULL", [], ["n6"]),
        ("real > %@", [2.25], ["n5", "n6"]),
        ("done = %@ AND number < %@", [True, 3], ["n0", "n2"]),
        ("data = %@", [b"\4"], ["n4"]),
        ("due <= %@", [NOON], ["n0"]),
        ("other = %@ AND number = 1", [Reference("n0")], ["n1"]),
        ("title IN %@", [["rome", "ZOO"]], ["n4", "n6"]),
        ("title IN %@", [[]], []),
        ("number BETWEEN %@", [(2, 3)], ["n2", "n3"]),
        ("%K = %@", ["number", 2], ["n2"]),
        ("distanceToLocation:fromLocation:(place, %@) < 120000", [Location(3, 0)], ["n2", "n3", "n4"]),
    ]
    for predicate, values, found in cases:
        query = db.query("Note", predicate, *values)
        assert sorted(names(query)) == found
        assert query.count() == len(found)


def test_records_are_ordered_by_fields_and_by_distance(db: Database) -> None:
    here = Location(2.2, 0)
    assert names(db.query("Note", sort=["title", "-number"])) == ["n5", "n2", "n1", "n0", "n4", "n3", "n6"]
    assert names(db.query("Note", sort=("place", here))) == ["n2", "n3", "n1", "n4", "n0", "n5", "n6"]
    assert names(db.query("Note", sort=["done", ("place", here)])) == ["n3", "n1", "n5", "n2", "n4", "n0", "n6"]


def test_a_query_finds_records_of_one_zone_or_of_all(db: Database) -> None:
    db.save_zone("Lists")
    db.save(Record("Note", "listed", zone="Lists", number=3))
    assert names(db.query("Note", "number = 3", zone="Lists")) == ["listed"]
    assert sorted(names(db.query("Note", "number = 3"))) == ["listed", "n3"]


def test_records_have_the_fields_that_are_asked_for(db: Database) -> None:
    some = db.query("Note", "number = 2", keys=["title", "number"])
    assert dict(next(iter(some))) == {"title": "Garden", "number": 2}
    assert dict(next(iter(db.query("Note", "number = 2", keys=[])))) == {}
    assert len(next(iter(db.query("Note", "number = 2")))) == 9


def test_a_cursor_continues_the_same_query_elsewhere(db: Database) -> None:
    page = db.query("Note", "number >= 0", sort="number", limit=4).page()
    assert [each.name for each in page.records] == ["n0", "n1", "n2", "n3"]
    assert repr(page) == "<kinfolk.QueryPage records=4>"
    again = db.query("Note", "number >= 0", sort="number", limit=4)
    last = again.page(page.cursor)
    assert [each.name for each in last.records] == ["n4", "n5"]
    assert last.cursor is None
    assert [each.name for page in again.pages(page.cursor) for each in page.records] == ["n4", "n5"]
    assert page.cursor is not None
    with pytest.raises(kinfolk.InvalidArgument):
        db.query("Note", "number >= 1", sort="number").page(page.cursor)
    with pytest.raises(kinfolk.InvalidArgument):
        again.page(page.cursor[:-1])
    with pytest.raises(TypeError):
        again.page("text")  # type: ignore[arg-type]


def test_an_explanation_names_indexes(db: Database) -> None:
    indexed = db.query("Note", "title = 'rome'").explain()
    assert (indexed.indexes, indexed.missing_indexes) == (("QUERYABLE title",), ())
    assert (indexed.evaluates_records, indexed.records_opened, indexed.records_discarded) == (False, 1, 0)
    unindexed = db.query("Note", "title BEGINSWITH 'Ro'", sort="title").explain()
    assert "SORTABLE title" in unindexed.missing_indexes
    assert unindexed.evaluates_records
    assert unindexed.sorts_records
    assert unindexed.records_discarded == 5


def test_what_is_wrong_is_said_with_its_position(db: Database) -> None:
    for call in (kinfolk.Query.count, kinfolk.Query.explain, kinfolk.Query.page, names):
        with pytest.raises(kinfolk.InvalidArgument, match="character 24"):
            call(db.query("Note", "title = 'a' AND number @ 3"))
    with pytest.raises(kinfolk.InvalidArgument):
        db.query("Note", "title = %@").count()
    with pytest.raises(kinfolk.InvalidArgument):
        db.query("Note", "missing = 1").count()
    with pytest.raises(kinfolk.UnknownItem):
        db.query("Unknown").count()
    with pytest.raises(kinfolk.LimitExceeded):
        db.query("Note", " " * 16385)


def test_wrong_arguments_are_refused(db: Database) -> None:
    cases: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception]]] = [
        (("Users",), {}, kinfolk.InvalidArgument),
        ((1,), {}, TypeError),
        (("Note", 1), {}, TypeError),
        (("Note", "title = %@", None), {}, TypeError),
        (("Note", "title = %@", object()), {}, TypeError),
        (("Note", "title = %@", 2**64), {}, kinfolk.InvalidArgument),
        (("Note", "title = 'a\0'"), {}, kinfolk.InvalidArgument),
        (("Note",), {"sort": 1}, TypeError),
        (("Note",), {"sort": [1]}, TypeError),
        (("Note",), {"sort": ["title"] * 9}, kinfolk.LimitExceeded),
        (("Note",), {"sort": "--title"}, kinfolk.InvalidArgument),
        (("Note",), {"sort": ("place", Location(91, 0))}, kinfolk.InvalidArgument),
        (("Note",), {"zone": "_hidden"}, kinfolk.InvalidArgument),
        (("Note",), {"keys": "title"}, TypeError),
        (("Note",), {"keys": [1]}, TypeError),
        (("Note",), {"limit": 0}, kinfolk.InvalidArgument),
        (("Note",), {"limit": 401}, kinfolk.InvalidArgument),
        (("Note",), {"limit": "9"}, TypeError),
    ]
    for arguments, keywords, error in cases:
        with pytest.raises(error):
            db.query(*arguments, **keywords)


def test_a_query_ends_with_its_database(db: Database) -> None:
    query = db.query("Note")
    with pytest.raises(TypeError, match="copied"):
        copy.copy(query)
    db.close()
    with pytest.raises(ValueError, match="closed"):
        query.count()


def test_queries_are_awaited(store: Store) -> None:
    async def main() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            ada = await service.create_account("Ada", "Lovelace")
            notes = await service.create_container("com.example.notes")
            session = await notes.open_session(ada)
            db = session.public_database
            async with db.batch() as batch:
                for index in range(5):
                    batch.create(Record("Note", f"n{index}", number=index))
            query = db.query("Note", "number > %@", 0, sort="-number", limit=2)
            assert [each.name async for each in query] == ["n4", "n3", "n2", "n1"]
            assert [len(page.records) async for page in query.pages()] == [2, 2]
            page = await query.page()
            assert [each.name for each in (await query.page(page.cursor)).records] == ["n2", "n1"]
            assert await query.count() == 4
            assert (await query.explain()).missing_indexes == ("SORTABLE number",)
            with pytest.raises(kinfolk.InvalidArgument):
                await db.query("Note", "number >").count()

    asyncio.run(asyncio.wait_for(main(), 120))
