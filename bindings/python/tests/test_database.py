"""Databases: saving, fetching and deleting records of any type, one by one, in both environments."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from test_field_values import LISTS, SINGLES, bits

import kinfolk
from kinfolk import Database, DatabaseScope, Environment, Record, SavePolicy

UUID = re.compile(r"[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}")
SCOPES = list(DatabaseScope)


@pytest.fixture
def development(service: kinfolk.Service, notes: kinfolk.Container) -> kinfolk.Container:
    return service.open_container(notes.name, Environment.DEVELOPMENT)


@pytest.fixture
def adas(development: kinfolk.Container, ada: kinfolk.Account) -> kinfolk.Session:
    return development.open_session(ada)


@pytest.fixture
def bens(development: kinfolk.Container, person: Callable[..., kinfolk.Account]) -> kinfolk.Session:
    return development.open_session(person("ben"))


@pytest.fixture
def db(adas: kinfolk.Session) -> Database:
    return adas.private_database


# A record


def test_a_new_record_has_a_random_name_and_no_state() -> None:
    note = Record("Note", title="Groceries", tags=["food"])
    assert note == {"title": "Groceries", "tags": ("food",)}
    assert (note.type, note.zone) == ("Note", "_defaultZone")
    assert UUID.fullmatch(note.name)
    assert Record("Note").name != note.name
    assert note.database is note.change_tag is note.created_by is note.modified_by is None
    assert note.created_at is note.modified_at is None


def test_a_field_may_have_the_name_of_any_parameter_or_property() -> None:
    fields = dict.fromkeys(("name", "type", "record_type", "record_name", "self", "fields", "database"), 1)
    note = Record("Note", "shopping", **fields)
    note["zone"] = 1  # the one name that is a parameter
    assert note == {**fields, "zone": 1}
    assert (note.type, note.name, note.zone) == ("Note", "shopping", "_defaultZone")


def test_a_name_crosses_as_it_is(db: Database) -> None:
    db.save(Record("Note", "a b/c?d#e", a=1))
    fetched = db.fetch("a b/c?d#e")
    assert (fetched.name, fetched.type, fetched["a"]) == ("a b/c?d#e", "Note", 1)


@pytest.mark.parametrize("name", ["", "größe", "a\0b", "\ud800"])
def test_a_malformed_name_is_refused(db: Database, name: str) -> None:
    for call in (
        lambda: Record("Note", name),
        lambda: Record(name),
        lambda: db.fetch(name),
        lambda: db.delete(name),
        lambda: db.fetch_many(["good", name]),
    ):
        with pytest.raises(kinfolk.InvalidArgument):
            call()


def test_a_bad_field_of_a_new_record_is_refused() -> None:
    for fields, error in (
        ({"größe": 1}, kinfolk.InvalidArgument),
        ({"a": None}, TypeError),
        ({"a": []}, TypeError),
        ({"a": 2**63}, kinfolk.InvalidArgument),
        ({"a": b"x" * 1_000_001}, kinfolk.LimitExceeded),
    ):
        with pytest.raises(error):  # type: ignore[arg-type]
            Record("Note", None, **fields)


def test_what_is_printed_holds_no_name_and_no_value() -> None:
    note = Record("Note", "ada@example.com", title="secret")
    assert repr(note) == "<kinfolk.Record Note not saved fields=1>"


# Saving and fetching


@pytest.mark.parametrize("scope", SCOPES)
def test_a_saved_record_has_the_state_of_the_store(adas: kinfolk.Session, scope: DatabaseScope) -> None:
    db = adas.database(scope)
    note = Record("Note", title="Groceries")
    db.save(note)
    fetched = db.fetch(note.name)
    for record in (note, fetched):
        assert record == {"title": "Groceries"}
        assert (record.type, record.name, record.database) == ("Note", note.name, scope)
        assert record.created_by == record.modified_by == adas.user_record_id
        assert record.created_at is not None
        assert record.created_at == record.modified_at
        assert abs(datetime.now(timezone.utc) - record.created_at) < timedelta(minutes=1)
    assert fetched.change_tag == note.change_tag
    fetched["title"] = "Shopping"
    db.save(fetched)
    assert fetched.change_tag != note.change_tag
    assert fetched.created_at == note.created_at
    assert fetched.modified_at is not None
    assert fetched.modified_at > fetched.created_at  # type: ignore[operator]
    assert db.fetch(note.name) == {"title": "Shopping"}


def test_a_record_has_fields_of_every_type_at_once(db: Database) -> None:
    fields = {field_type.name.lower(): values[0] for field_type, values in LISTS if values}
    fields |= {field_type.name: value for field_type, value in SINGLES}
    db.save(Record("Everything", "all", **fields))
    fetched = db.fetch("all")
    assert bits([fetched[name] for name in fields]) == bits(list(fields.values()))


def test_a_new_record_with_the_name_of_another_is_refused_with_that_one(db: Database) -> None:
    db.save(Record("Note", "shopping", title="first"))
    second = Record("Note", "shopping", title="second")
    with pytest.raises(kinfolk.ServerRecordChanged) as raised:
        db.save(second)
    assert raised.value.server_record == {"title": "first"}
    assert second.change_tag is None
    assert second == {"title": "second"}


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        (SavePolicy.IF_UNCHANGED, None),
        (SavePolicy.CHANGED_KEYS, {"a": "mine", "b": "theirs", "c": "theirs"}),
        (SavePolicy.ALL_KEYS, {"a": "mine", "b": "old", "c": "theirs"}),
    ],
)
def test_a_policy_says_what_happens_to_a_changed_record(
    db: Database, policy: SavePolicy, expected: dict[str, str] | None
) -> None:
    db.save(Record("Note", "shopping", a="old", b="old"))
    mine, theirs = db.fetch("shopping"), db.fetch("shopping")
    theirs.update(b="theirs", c="theirs")
    db.save(theirs)
    mine["a"] = "mine"
    if expected is None:
        with pytest.raises(kinfolk.ServerRecordChanged) as raised:
            db.save(mine, policy)
        server = raised.value.server_record
        assert server == {"a": "old", "b": "theirs", "c": "theirs"}
        assert (server.name, server.change_tag) == ("shopping", theirs.change_tag)
        server["a"] = "merged"
        db.save(server)
        expected = {"a": "merged", "b": "theirs", "c": "theirs"}
    else:
        db.save(mine, policy)
    assert db.fetch("shopping") == expected


def test_several_records_are_fetched_by_name(db: Database) -> None:
    for name in ("a", "b", "c"):
        db.save(Record("Note", name, title=name))
    found = db.fetch_many(iter(["c", "missing", "a", "c"]))
    assert list(found) == ["c", "a"]
    assert {name: note["title"] for name, note in found.items()} == {"a": "a", "c": "c"}
    assert len(found) == 2
    assert "missing" not in found
    assert found.get("missing") is None
    assert list(found.errors) == ["missing"]
    for _ in range(2):
        with pytest.raises(KeyError) as raised:
            found["missing"]
        assert isinstance(raised.value, kinfolk.UnknownItem)
    with pytest.raises(KeyError):
        found["never asked for"]
    assert repr(found) == "<kinfolk.FetchedRecords found=2 failed=1>"
    assert len(db.fetch_many([])) == 0


# Deleting


def test_a_record_is_deleted_by_its_name_or_if_it_did_not_change(db: Database) -> None:
    note = Record("Note", a=1)
    db.save(note)
    stale, tag = db.fetch(note.name), note.change_tag
    note["a"] = 2
    db.save(note)
    for call in (lambda: db.delete(stale), lambda: db.delete(note.name, tag), lambda: db.delete(note, tag)):
        with pytest.raises(kinfolk.ServerRecordChanged) as raised:
            call()
        assert raised.value.server_record == {"a": 2}
    db.delete(note)
    for call in (lambda: db.delete(note), lambda: db.delete(note.name), lambda: db.fetch(note.name)):
        with pytest.raises(kinfolk.UnknownItem):
            call()
    again = Record("Note", note.name, a=3)
    db.save(again)
    db.delete(note.name)
    with pytest.raises(kinfolk.InvalidArgument, match="not saved"):
        db.delete(Record("Note"))


# Environments


def test_nothing_crosses_between_environments(
    service: kinfolk.Service, notes: kinfolk.Container, development: kinfolk.Container, ada: kinfolk.Account
) -> None:
    assert (notes.environment, development.environment) == (Environment.PRODUCTION, Environment.DEVELOPMENT)
    assert notes != development == service.open_container(notes.name, environment=Environment.DEVELOPMENT)
    assert (repr(notes), repr(development)) == (
        "<kinfolk.Container 'com.example.notes'>",
        "<kinfolk.Container 'com.example.notes' development>",
    )
    here, there = notes.open_session(ada), development.open_session(ada)
    assert here.user_record_id != there.user_record_id
    for scope in SCOPES:
        there.database(scope).save(Record("Note", "shopping", a=1))
        with pytest.raises(kinfolk.UnknownItem):
            here.database(scope).fetch("shopping")
    with pytest.raises(TypeError, match=r"must be a kinfolk\.Environment"):
        service.open_container(notes.name, 1)  # type: ignore[arg-type]


# Erasure


def test_erasure_can_keep_public_records_without_their_creator(
    ada: kinfolk.Account, adas: kinfolk.Session, bens: kinfolk.Session
) -> None:
    adas.public_database.save(Record("Note", "shopping", title="Groceries"))
    adas.private_database.save(Record("Note", "diary", title="secret"))
    own = adas.user_record_id
    assert ada.erase(keep_public_records=True).email_count == 1
    note = bens.public_database.fetch("shopping")
    assert note == {"title": "Groceries"}
    assert note.created_by is note.modified_by is None
    assert note.created_at is not None
    with pytest.raises(kinfolk.UnknownItem):
        bens.public_database.fetch(own)
    with pytest.raises(kinfolk.NotAuthenticated):
        adas.private_database.fetch("diary")


# Objects


def test_a_database_outlives_its_session_and_not_its_service(service: kinfolk.Service, adas: kinfolk.Session) -> None:
    db = adas.private_database
    note = Record("Note", a=1)
    adas.close()
    db.save(note)
    assert (repr(db), db.scope) == ("<kinfolk.Database private>", DatabaseScope.PRIVATE)
    service.close()
    for call in (lambda: db.fetch("a"), lambda: db.save(note), db.batch().run):
        with pytest.raises(ValueError, match="the database is closed"):
            call()
    assert note == {"a": 1}


def test_a_database_reports_arguments_of_wrong_types(db: Database) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: Record(1),  # type: ignore[arg-type]
        lambda: Record("Note", 1),  # type: ignore[arg-type]
        lambda: db.fetch(1),  # type: ignore[arg-type]
        lambda: db.fetch(None),  # type: ignore[arg-type]
        lambda: db.fetch_many("shopping"),
        lambda: db.fetch_many([1]),  # type: ignore[list-item]
        lambda: db.save({"a": 1}),  # type: ignore[arg-type]
        lambda: db.save(Record("Note"), 0),  # type: ignore[arg-type]
        lambda: db.delete(1),  # type: ignore[arg-type]
        lambda: db.delete("a", 1),  # type: ignore[arg-type]
        lambda: db.batch(atomic=1),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_threads_save_records_at_the_same_time(adas: kinfolk.Session) -> None:
    db, failed = adas.public_database, []
    shared = Record("Note", "shared", count=0)
    db.save(shared)

    def work(own: int) -> None:
        try:
            for number in range(20):
                db.save(Record("Note", f"{own} {number}", count=number))
                shared["count"] = number
                db.save(shared, SavePolicy.ALL_KEYS)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=[own]) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    found = db.fetch_many(f"{own} {number}" for own in range(4) for number in range(20))
    assert (len(found), len(found.errors)) == (80, 0)
    assert db.fetch("shared")["count"] == 19
