"""Schemas: as a text, what a text changes, deployment, and fields that the operator adds."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Environment, FieldIndexes, FieldType, IndexBuild, Record, SchemaChange, SchemaChangeKind

if TYPE_CHECKING:
    from conftest import Store

NOTE = """DEFINE SCHEMA
RECORD TYPE Note (
    title STRING QUERYABLE SORTABLE,
    tags LIST<STRING>,
    isDone INT64 /* kinfolk: boolean */
);
"""


@pytest.fixture
def development(service: kinfolk.Service, notes: kinfolk.Container) -> kinfolk.Container:
    return service.open_container(notes.name, Environment.DEVELOPMENT)


@pytest.fixture
def adas(development: kinfolk.Container, ada: kinfolk.Account) -> kinfolk.Session:
    return development.open_session(ada)


def lines(container: kinfolk.Container) -> list[str]:
    return [line.strip().rstrip(",") for line in container.export_schema().splitlines()]


def test_a_difference_changes_nothing_and_an_application_the_same(
    development: kinfolk.Container, adas: kinfolk.Session
) -> None:
    adas.private_database.save(Record("Note", title="Groceries"))
    before = development.export_schema()
    difference = development.schema_difference(NOTE)
    assert development.export_schema() == before
    assert {(each.kind, each.record_type, each.name) for each in difference} == {
        (SchemaChangeKind.ADD_INDEX, "Note", "title"),
        (SchemaChangeKind.ADD_FIELD, "Note", "tags"),
        (SchemaChangeKind.ADD_FIELD, "Note", "isDone"),
    }
    (tags,) = (each for each in difference if each.name == "tags")
    assert isinstance(tags, SchemaChange)
    assert tags.detail == "LIST<STRING>"
    assert str(tags) == tags.sentence == "Add the field tags to Note: LIST<STRING>"
    assert development.apply_schema(NOTE) == difference
    assert development.schema_difference(NOTE) == development.apply_schema(NOTE) == []
    note = Record("Note", title="Groceries", isDone=True)
    note.set("tags", [], FieldType.STRING_LIST)
    adas.private_database.save(note)


def test_an_index_of_existing_records_is_built(development: kinfolk.Container, adas: kinfolk.Session) -> None:
    for number in range(3):
        adas.private_database.save(Record("Note", title=f"Note {number}"))
    assert development.index_builds() == []
    development.apply_schema(NOTE)
    # The thread of the service may have built it already.
    assert development.index_builds() in ([], [IndexBuild("Note", 0, 3)])
    told: list[tuple[int, int]] = []
    development.build_indexes(lambda done, total: told.append((done, total)))
    assert told in ([], [(3, 3)])
    assert development.index_builds() == []
    development.build_indexes()


def test_an_exported_schema_applies_elsewhere(
    service: kinfolk.Service, development: kinfolk.Container, adas: kinfolk.Session
) -> None:
    development.apply_schema(NOTE)
    text = development.export_schema()
    other = service.create_container("com.example.other")
    assert [each.kind for each in other.apply_schema(text)].count(SchemaChangeKind.ADD_FIELD) == 3
    assert other.export_schema() == text


def test_what_a_text_does_not_name_is_removed_on_request(development: kinfolk.Container, adas: kinfolk.Session) -> None:
    adas.private_database.save(Record("Note", "note", title="Groceries", more=1))
    adas.private_database.save(Record("Tower", "tower", height=2))
    development.apply_schema(NOTE)
    changes = development.schema_difference(NOTE, remove_missing=True)
    assert {(each.kind, each.record_type, each.name) for each in changes} >= {
        (SchemaChangeKind.REMOVE_RECORD_TYPE, "Tower", None),
        (SchemaChangeKind.REMOVE_FIELD, "Note", "more"),
    }
    assert development.apply_schema(NOTE, remove_missing=True) == changes
    assert adas.private_database.fetch("note") == {"title": "Groceries"}


def test_a_faulty_text_is_refused_with_its_place(development: kinfolk.Container) -> None:
    before = development.export_schema()
    for call in (development.schema_difference, development.apply_schema):
        with pytest.raises(kinfolk.InvalidArgument, match="Line 3, column 11"):
            call("DEFINE SCHEMA\nRECORD TYPE Note (\n    title STRNG\n);\n")
    assert development.export_schema() == before


def test_a_schema_is_deployed(
    service: kinfolk.Service, notes: kinfolk.Container, development: kinfolk.Container, adas: kinfolk.Session
) -> None:
    adas.private_database.save(Record("Note", title="Groceries", tags=["food"], isDone=False))
    assert {" ".join(line.split()) for line in lines(development)} >= {
        "RECORD TYPE Note (",
        "title STRING QUERYABLE",
        "tags LIST<STRING>",
        "isDone INT64 /* kinfolk: boolean */",
    }
    difference = notes.deployment_difference()
    assert (SchemaChangeKind.ADD_FIELD, "Note", "title") in {each[:3] for each in difference}
    assert not any("Note" in line for line in lines(notes))
    assert development.deploy_schema() == difference
    assert notes.deployment_difference() == notes.deploy_schema() == []
    with pytest.raises(kinfolk.UnknownItem):
        service.create_container("com.example.other").deploy_schema()


def test_the_operator_adds_and_removes_fields(notes: kinfolk.Container) -> None:
    notes.add_field("title", FieldType.STRING, "Note", FieldIndexes.QUERYABLE | FieldIndexes.SORTABLE)
    notes.add_field("secret", FieldType.STRING, "Note", FieldIndexes(0))
    notes.add_field("usual", FieldType.STRING, record_type="Note")
    notes.add_field("motto", FieldType.STRING)
    text = {" ".join(line.split()) for line in lines(notes)}
    assert text >= {"title STRING QUERYABLE SORTABLE", "secret STRING", "usual STRING QUERYABLE", "motto STRING"}
    with pytest.raises(kinfolk.Conflict):
        notes.add_field("title", FieldType.STRING, "Note")
    with pytest.raises(kinfolk.InvalidArgument):
        notes.add_field("place", FieldType.LOCATION, "Note", FieldIndexes.SEARCHABLE)
    notes.remove_field("title", "Note")
    assert not any(line.startswith("title") for line in lines(notes))
    with pytest.raises(kinfolk.UnknownItem):
        notes.remove_field("title", "Note")


def test_a_schema_refuses_arguments_of_wrong_types(notes: kinfolk.Container) -> None:
    container: Any = notes
    for call in (
        lambda: container.apply_schema(None),
        lambda: container.apply_schema(b"DEFINE SCHEMA"),
        lambda: container.apply_schema(NOTE, remove_missing=1),
        lambda: container.schema_difference(5),
        lambda: container.add_field("title", FieldType.STRING, "Note", 1),
        lambda: container.add_field("title", FieldType.STRING, None),
        lambda: container.remove_field("title", 5),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(kinfolk.InvalidArgument):
        container.apply_schema(NOTE + "\0")
    assert not any("Note" in line for line in lines(notes))


def test_schemas_are_awaited(store: Store) -> None:
    async def work() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            notes = await service.create_container("com.example.notes")
            development = await service.open_container(notes.name, Environment.DEVELOPMENT)
            difference = await development.schema_difference(NOTE)
            assert await development.apply_schema(NOTE) == difference
            assert await notes.deployment_difference() == await notes.deploy_schema()
            assert await notes.export_schema() == await development.export_schema()

    asyncio.run(work())
