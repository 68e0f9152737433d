"""User records: a mapping, and how they are saved. test_database.py is about records of other types."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import kinfolk
from kinfolk import DatabaseScope, FieldType, SavePolicy

SOMEBODY = "_" + "0123456789abcdef" * 2


@pytest.fixture
def record(session: kinfolk.Session) -> kinfolk.Record:
    return session.fetch_record()


def test_a_record_is_a_mapping_in_the_order_of_names(record: kinfolk.Record) -> None:
    assert isinstance(record, MutableMapping)
    assert len(record) == 0
    assert dict(record) == {}
    record.update(b=2, a=1, C=3)
    assert list(record) == ["C", "a", "b"]
    assert dict(record) == {"a": 1, "b": 2, "C": 3}
    assert record == {"a": 1, "b": 2, "C": 3}
    assert record.pop("a") == 1
    assert record.get("a") is None
    assert record.setdefault("b", 9) == 2
    del record["b"]
    assert list(record.items()) == [("C", 3)]
    record.clear()
    assert list(record) == []


def test_a_missing_field_is_a_key_error_and_an_unknown_item(record: kinfolk.Record) -> None:
    for use in (lambda: record["missing"], lambda: record.field_type("missing"), lambda: record.__delitem__("missing")):
        with pytest.raises(KeyError) as raised:
            use()
        assert isinstance(raised.value, kinfolk.UnknownItem)
    assert "missing" not in record
    assert 5 not in record


def test_fields_may_be_removed_during_iteration(record: kinfolk.Record) -> None:
    record.update(a=1, b=2, c=3)
    for name in record:
        del record[name]
    assert len(record) == 0


def test_a_removed_field_is_deleted_from_the_store(session: kinfolk.Session, record: kinfolk.Record) -> None:
    record.update(a=1, b=2)
    session.save_record(record)
    del record["a"]
    session.save_record(record)
    assert dict(session.fetch_record()) == {"b": 2}


def test_the_service_maintains_dates_authors_and_a_change_tag(session: kinfolk.Session, record: kinfolk.Record) -> None:
    before = record.change_tag
    record["a"] = 1
    session.save_record(record)
    assert record.change_tag != before
    assert record.created_by == record.modified_by == record.user_record_id == session.user_record_id
    assert record.created_at is not None
    assert record.modified_at is not None
    assert record.created_at <= record.modified_at
    assert abs(datetime.now(timezone.utc) - record.modified_at) < timedelta(minutes=1)
    assert record.database is DatabaseScope.PUBLIC


def test_a_stale_save_raises_with_the_stores_record(session: kinfolk.Session) -> None:
    mine, theirs = session.fetch_record(), session.fetch_record()
    theirs.update(a="theirs", b="theirs")
    session.save_record(theirs)
    mine["a"] = "mine"
    with pytest.raises(kinfolk.ServerRecordChanged) as raised:
        session.save_record(mine)
    server = raised.value.server_record
    assert server is not None
    assert server == {"a": "theirs", "b": "theirs"}
    server["a"] = "merged"
    session.save_record(server)
    assert session.fetch_record() == {"a": "merged", "b": "theirs"}


def test_another_policy_overwrites_a_newer_record(session: kinfolk.Session) -> None:
    mine, theirs = session.fetch_record(), session.fetch_record()
    theirs.update(a="theirs", b="theirs")
    session.save_record(theirs)
    mine["a"] = "mine"
    session.save_record(mine, SavePolicy.CHANGED_KEYS)
    assert session.fetch_record() == {"a": "mine", "b": "theirs"}


def test_a_record_can_have_a_thousand_fields(record: kinfolk.Record) -> None:
    for number in reversed(range(1_000)):
        record[f"f{number}"] = True
    with pytest.raises(kinfolk.LimitExceeded):
        record["g"] = True
    with pytest.raises(kinfolk.LimitExceeded):
        record.set("g", [], FieldType.STRING_LIST)
    assert len(record) == 1_000


def test_a_record_of_another_user_or_database_is_fetched(
    notes: kinfolk.Container, friend: Any, session: kinfolk.Session
) -> None:
    notes.add_field("diary", FieldType.STRING)  # in production, private databases add no fields
    _, bens = friend("ben")
    record = bens.fetch_record(database=DatabaseScope.PRIVATE)
    record["diary"] = "secret"
    bens.save_record(record)
    assert record.database is DatabaseScope.PRIVATE
    assert record.user_record_id == bens.user_record_id
    others = session.fetch_record(bens.user_record_id)
    assert (others, others.user_record_id) == ({}, bens.user_record_id)
    with pytest.raises(kinfolk.PermissionFailure):
        session.save_record(others)
    with pytest.raises(kinfolk.UnknownItem):
        session.fetch_record(SOMEBODY, DatabaseScope.PRIVATE)


def test_a_record_can_be_read_after_its_session_and_service_are_closed(
    service: kinfolk.Service, session: kinfolk.Session
) -> None:
    record = session.fetch_record()
    service.close()
    record["a"] = 1
    assert record == {"a": 1}


def test_the_names_of_the_databases_in_0_1_0_still_work(session: kinfolk.Session) -> None:
    record = session.fetch_record(database=kinfolk.Database.PRIVATE)
    assert record.database is kinfolk.Database.PRIVATE
    assert session.fetch_record().database is kinfolk.Database.PUBLIC


def test_a_user_record_is_fetched_and_saved_by_a_database_too(session: kinfolk.Session) -> None:
    record = session.public_database.fetch(session.user_record_id)
    assert (record.type, record.name, record.zone) == ("Users", session.user_record_id, "_defaultZone")
    record["motto"] = "plant trees"
    session.public_database.save(record)
    assert session.fetch_record() == {"motto": "plant trees"}
    with pytest.raises(kinfolk.PermissionFailure):
        session.public_database.delete(record)
    with pytest.raises(kinfolk.InvalidArgument):
        session.save_record(kinfolk.Record("Note"))
