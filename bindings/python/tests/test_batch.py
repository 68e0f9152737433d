"""Batches: seven operations on records in every state, with a result for each."""

from __future__ import annotations

import asyncio
import pickle
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Batch, BatchError, Database, Operation, Record

if TYPE_CHECKING:
    from conftest import Store


@pytest.fixture
def db(service: kinfolk.Service, notes: kinfolk.Container, ada: kinfolk.Account) -> Database:
    development = service.open_container(notes.name, kinfolk.Environment.DEVELOPMENT)
    return development.open_session(ada).private_database


def saved(db: Database, name: str, **fields: Any) -> Record:
    record = Record("Note", name, **fields)
    db.save(record)
    return record


def add(batch: Batch, operation: Operation, record: Record) -> None:
    getattr(batch, operation.name.lower())(record)


# The table of kinfolk.Batch: what each operation does with a record that is missing, that is unchanged since it was
# fetched, and that another call has changed. A dict is the record afterwards, None stands for no record, a class is the
# error.
MINE = {"a": "mine", "b": "old"}
OUTCOMES: list[tuple[Operation, Any, Any, Any]] = [
    (Operation.CREATE, {"a": "mine"}, kinfolk.ServerRecordChanged, kinfolk.ServerRecordChanged),
    (Operation.UPDATE, kinfolk.UnknownItem, MINE, kinfolk.ServerRecordChanged),
    (Operation.FORCE_UPDATE, {"a": "mine"}, MINE, {"a": "mine", "b": "theirs", "c": "theirs"}),
    (Operation.REPLACE, kinfolk.UnknownItem, MINE, kinfolk.ServerRecordChanged),
    (Operation.FORCE_REPLACE, {"a": "mine"}, MINE, MINE),
    (Operation.DELETE, kinfolk.UnknownItem, None, kinfolk.ServerRecordChanged),
    (Operation.FORCE_DELETE, None, None, None),
]


def missing(db: Database, operation: Operation) -> Record:
    if operation in (Operation.UPDATE, Operation.REPLACE, Operation.DELETE):
        record = saved(db, "note", a="old")
        db.delete("note")
        record["a"] = "mine"
        return record
    return Record("Note", "note", a="mine")


def present(db: Database, operation: Operation) -> Record:
    record = saved(db, "note", a="old", b="old")
    record["a"] = "mine"
    return record


def changed(db: Database, operation: Operation) -> Record:
    record = present(db, operation)
    theirs = db.fetch("note")
    theirs.update(b="theirs", c="theirs")
    db.save(theirs)
    return record


@pytest.mark.parametrize(
    ("operation", "state", "expected"),
    [
        pytest.param(operation, state, expected, id=f"{operation.name} {state.__name__}")
        for operation, *outcomes in OUTCOMES
        for state, expected in zip((missing, present, changed), outcomes)
    ],
)
@pytest.mark.parametrize("atomic", [False, True])
def test_an_operation_does_what_the_table_says(
    db: Database, operation: Operation, state: Callable[..., Record], expected: Any, atomic: bool
) -> None:
    record = state(db, operation)
    before = db.fetch_many(["note"]).get("note")
    tag, sent = record.change_tag, dict(record)
    batch = db.batch(atomic=atomic)
    add(batch, operation, record)
    (result,) = batch.run()
    assert (result.operation, result.name, result.record) == (operation, "note", record)
    assert result.record is record
    after = db.fetch_many(["note"]).get("note")
    if isinstance(expected, type):
        assert type(result.error) is expected
        assert (record.change_tag, dict(record)) == (tag, sent)
        assert after == before
        if isinstance(result.error, kinfolk.ServerRecordChanged):
            assert result.error.server_record == before
    else:
        assert result.error is None
        assert after == expected
        if after is not None:
            assert dict(record) == dict(after)
            assert record.change_tag == after.change_tag != tag


def test_fields_that_were_not_sent_are_removed_by_replacing_only(db: Database) -> None:
    for name in ("update", "replace"):
        saved(db, name, a=1, b=2)
    batch = db.batch()
    batch.force_update(Record("Note", "update", a=3))
    batch.force_replace(Record("Note", "replace", a=3))
    batch.run()
    assert db.fetch("update") == {"a": 3, "b": 2}
    assert db.fetch("replace") == {"a": 3}


def test_an_operation_that_needs_a_tag_says_so(db: Database) -> None:
    saved(db, "a", a=1)
    batch = db.batch()
    batch.update(Record("Note", "a", a=2))
    batch.replace(Record("Note", "b", a=2))
    batch.delete("c")
    batch.delete(Record("Note", "d"))
    for result in batch.run():
        assert isinstance(result.error, kinfolk.InvalidArgument)
    assert db.fetch("a") == {"a": 1}


def test_a_deletion_takes_a_record_or_a_name_and_a_tag(db: Database) -> None:
    first, second, third = (saved(db, name, a=1) for name in ("first", "second", "third"))
    with db.batch() as batch:
        batch.delete(first)
        batch.delete("second", second.change_tag)
        batch.force_delete(third)
        batch.force_delete("never there")
    assert [result.record for result in batch.results] == [first, None, third, None]
    assert len(db.fetch_many(["first", "second", "third"])) == 0


def test_save_creates_new_records_and_updates_others(db: Database) -> None:
    old, new = saved(db, "old", a=1), Record("Note", "new", a=1)
    old["a"] = 2
    with db.batch() as batch:
        batch.save(old)
        batch.save(new)
    assert [result.operation for result in batch.results] == [Operation.UPDATE, Operation.CREATE]
    assert (db.fetch("old")["a"], db.fetch("new")["a"]) == (2, 1)
    new["a"] = 3
    db.save(new)  # it has its new tag


def test_the_end_of_a_block_raises_if_an_item_failed(db: Database) -> None:
    saved(db, "taken", a=1)
    with pytest.raises(BatchError) as raised, db.batch() as batch:  # noqa: PT012
        batch.create(Record("Note", "one", a=1))
        batch.create(Record("Note", "taken", a=2))
        batch.create(Record("Note", "two", a=1))
    error = raised.value
    assert [type(result.error) for result in error.results] == [type(None), kinfolk.ServerRecordChanged, type(None)]
    assert error.results == batch.results
    assert error.failures == (batch.results[1],)
    assert error.__cause__ is batch.results[1].error
    assert error.reason.startswith("1 of 3 items of the batch failed")
    assert "taken" not in str(error) + repr(error) + repr(batch.results)
    assert len(db.fetch_many(["one", "two"])) == 2
    copied = pickle.loads(pickle.dumps(error))  # noqa: S301
    assert (type(copied), copied.reason, copied.results) == (BatchError, error.reason, ())


def test_an_atomic_batch_changes_nothing_if_one_item_fails(db: Database) -> None:
    old, taken, new = saved(db, "old", a=1), saved(db, "taken", a=1), Record("Note", "new", a=1)
    old["a"] = 2
    with pytest.raises(BatchError) as raised, db.batch(atomic=True) as batch:  # noqa: PT012
        batch.update(old)
        batch.delete(taken.name, "stale")
        batch.create(new)
    assert batch.results == raised.value.results
    assert [type(result.error) for result in batch.results] == [
        kinfolk.BatchRequestFailed,
        kinfolk.ServerRecordChanged,
        kinfolk.BatchRequestFailed,
    ]
    assert raised.value.__cause__ is batch.results[1].error
    assert (dict(old), new.change_tag) == ({"a": 2}, None)
    assert {name: dict(note) for name, note in db.fetch_many(["old", "taken", "new"]).items()} == {
        "old": {"a": 1},
        "taken": {"a": 1},
    }
    batch = db.batch(atomic=True)
    batch.update(old)
    batch.create(new)
    assert [result.error for result in batch.run()] == [None, None]


def test_two_items_for_one_record_are_refused(db: Database) -> None:
    batch = db.batch()
    batch.create(Record("Note", "same", a=1))
    batch.force_delete("same")
    with pytest.raises(kinfolk.InvalidArgument):
        batch.run()
    assert batch.results == ()


def test_a_block_that_raises_runs_nothing(db: Database) -> None:
    with pytest.raises(LookupError), db.batch() as batch:  # noqa: PT012
        batch.create(Record("Note", "new", a=1))
        raise LookupError
    assert batch.results == ()
    with pytest.raises(kinfolk.UnknownItem):
        db.fetch("new")


def test_a_batch_that_was_run_in_its_block_is_not_run_again(db: Database) -> None:
    with db.batch() as batch:
        batch.create(Record("Note", "new", a=1))
        assert batch.run()[0].error is None
    assert batch.results[0].error is None
    with db.batch() as empty:
        pass
    assert (empty.run(), empty.results, len(empty)) == ((), (), 0)


def test_a_batch_saves_what_records_hold_when_it_runs(db: Database) -> None:
    note = Record("Note", "note", a=1)
    with db.batch() as batch:
        batch.create(note)
        note["a"] = 2
    assert db.fetch("note") == {"a": 2}
    assert note.change_tag == db.fetch("note").change_tag


def test_400_records_are_saved_and_deleted_in_one_batch(db: Database) -> None:
    records = [Record("Note", f"note {number}", number=number) for number in range(400)]
    with db.batch(atomic=True) as batch:
        for record in records:
            batch.create(record)
    assert len(batch) == len(batch.results) == 400
    assert all(result.error is None for result in batch.results)
    found = db.fetch_many(record.name for record in records)
    assert [note["number"] for note in found.values()] == list(range(400))
    batch.create(Record("Note", "one more", number=400))
    assert batch.results == ()
    with pytest.raises(kinfolk.LimitExceeded):
        batch.run()
    with pytest.raises(kinfolk.UnknownItem):
        db.fetch("one more")
    with db.batch() as deletions:
        for record in records:
            deletions.delete(record)
    assert len(db.fetch_many(record.name for record in records)) == 0


def test_one_bad_record_stops_an_atomic_batch_of_400(db: Database) -> None:
    saved(db, "note 200", number=200)
    batch = db.batch(atomic=True)
    for number in range(400):
        batch.create(Record("Note", f"note {number}", number=number))
    results = batch.run()
    for number, result in enumerate(results):
        assert type(result.error) is (kinfolk.ServerRecordChanged if number == 200 else kinfolk.BatchRequestFailed)
        assert result.record is not None
        assert result.record.change_tag is None
    assert list(db.fetch_many(f"note {number}" for number in range(400))) == ["note 200"]


def test_a_batch_has_at_most_two_megabytes(db: Database) -> None:
    def batch(size: int) -> Batch:
        batch = db.batch()
        for name, length in (("one", 999_999), ("two", 999_999), ("three", size)):
            batch.force_replace(Record("Note", name, a=b"x" * length))
        return batch

    # The name of the field counts one byte in each.
    with pytest.raises(kinfolk.LimitExceeded):
        batch(0).run()
    assert len(db.fetch_many(["one", "two", "three"])) == 0
    exact = db.batch()
    for name in ("one", "two"):
        exact.create(Record("Note", name, a=b"x" * 999_999))
    assert [result.error for result in exact.run()] == [None, None]


@pytest.mark.parametrize("name", ["", "x" * 256, "größe", "_hidden"])
def test_a_malformed_name_stops_the_batch(db: Database, name: str) -> None:
    batch = db.batch()
    batch.create(Record("Note", "new", a=1))
    batch.force_delete(name)
    with pytest.raises(kinfolk.InvalidArgument):
        batch.run()
    with pytest.raises(kinfolk.UnknownItem):
        db.fetch("new")


def test_a_batch_refuses_arguments_of_wrong_types(db: Database) -> None:
    batch: Any = db.batch()
    for operation in ("save", "create", "update", "force_update", "replace", "force_replace"):
        for wrong in ("name", None, {"a": 1}):
            with pytest.raises(TypeError):
                getattr(batch, operation)(wrong)
    for call in (lambda: batch.delete(1), lambda: batch.delete("a", 1), lambda: batch.force_delete(None)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(kinfolk.InvalidArgument):
        batch.force_delete("a\0b")
    assert len(batch) == 0
    closed = Record("Note")
    closed.close()
    with pytest.raises(ValueError, match="the record is closed"):
        batch.create(closed)


def test_a_record_that_is_closed_before_the_run_stops_the_batch(db: Database) -> None:
    note = Record("Note", "note", a=1)
    batch = db.batch()
    batch.create(Record("Note", "other", a=1))
    batch.create(note)
    note.close()
    with pytest.raises(ValueError, match="the record is closed"):
        batch.run()
    with pytest.raises(kinfolk.UnknownItem):
        db.fetch("other")


def test_an_anonymous_session_saves_nothing(notes: kinfolk.Container) -> None:
    batch = notes.open_anonymous_session().public_database.batch()
    batch.create(Record("Note", a=1))
    with pytest.raises(kinfolk.NotAuthenticated):
        batch.run()


def test_threads_run_batches_at_the_same_time(db: Database) -> None:
    failed: list[BaseException] = []

    def work(own: int) -> None:
        try:
            for turn in range(5):
                with db.batch() as batch:
                    for number in range(10):
                        batch.create(Record("Note", f"{own} {turn} {number}", a=number))
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=[own]) for own in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert len(db.fetch_many(f"{own} {turn} {number}" for own in range(4) for turn in range(5) for number in range(10)))


def test_batches_are_awaited(store: Store) -> None:
    async def work() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            await service.create_container("com.example.notes")
            notes = await service.open_container("com.example.notes", kinfolk.Environment.DEVELOPMENT)
            assert notes.environment is kinfolk.Environment.DEVELOPMENT
            session = await notes.open_session(await service.create_account())
            db = session.private_database
            assert (db.scope, repr(db)) == (kinfolk.DatabaseScope.PRIVATE, "<kinfolk.aio.Database private>")
            note = Record("Note", "note", a=1)
            await db.save(note)
            note["a"] = 2
            async with db.batch() as batch:
                batch.update(note)
                batch.create(Record("Note", "new", a=3))
            assert repr(batch) == "<kinfolk.aio.Batch items=2>"
            found = await db.fetch_many(["note", "new"])
            assert [each["a"] for each in found.values()] == [2, 3]
            with pytest.raises(BatchError):  # noqa: PT012
                async with db.batch(atomic=True) as failing:
                    failing.create(Record("Note", "new", a=4))
                    failing.delete(note)
            (first, second) = failing.results
            assert isinstance(first.error, kinfolk.ServerRecordChanged)
            assert isinstance(second.error, kinfolk.BatchRequestFailed)
            assert (await db.fetch("note"))["a"] == 2
            with pytest.raises(LookupError):  # noqa: PT012
                async with db.batch() as left:
                    left.delete(note)
                    raise LookupError
            assert left.results == ()
            await asyncio.gather(*(db.save(Record("Note", str(number), a=number)) for number in range(50)))
            results = await asyncio.gather(*(one_deletion(db, str(number)) for number in range(50)))
            assert all(result.error is None for result in results)
            await db.delete(note)
            await db.close()
            with pytest.raises(ValueError, match="the database is closed"):
                await db.fetch("new")

    async def one_deletion(db: kinfolk.aio.Database, name: str) -> kinfolk.BatchResult:
        batch = db.batch()
        batch.force_delete(name)
        return (await batch.run())[0]

    asyncio.run(work())
