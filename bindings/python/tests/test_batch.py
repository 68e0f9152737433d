"""Batches: seven operations on records, with a result for each."""

from __future__ import annotations

import asyncio
import pickle
import threading
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


def test_each_operation_crosses_with_its_record(db: Database) -> None:
    records = {each: saved(db, each.name, a="old", b="old") for each in Operation if each is not Operation.CREATE}
    for operation in (Operation.FORCE_UPDATE, Operation.FORCE_REPLACE, Operation.FORCE_DELETE):
        theirs = db.fetch(operation.name)
        theirs["c"] = "theirs"
        db.save(theirs)
    records[Operation.CREATE] = Record("Note", "CREATE")
    for operation, record in records.items():
        record["a"] = "mine"
        if operation in (Operation.REPLACE, Operation.FORCE_REPLACE):
            del record["b"]
    batch: Batch = db.batch()
    batch.create(records[Operation.CREATE])
    batch.update(records[Operation.UPDATE])
    batch.force_update(records[Operation.FORCE_UPDATE])
    batch.replace(records[Operation.REPLACE])
    batch.force_replace(records[Operation.FORCE_REPLACE])
    batch.delete(records[Operation.DELETE])
    batch.force_delete(records[Operation.FORCE_DELETE])
    for operation, result in zip(Operation, batch.run()):
        assert (result.operation, result.name, result.error) == (operation, operation.name, None)
        assert result.record is records[operation]
    found = db.fetch_many(each.name for each in Operation)
    assert {name: dict(each) for name, each in found.items()} == {
        "CREATE": {"a": "mine"},
        "UPDATE": {"a": "mine", "b": "old"},
        "FORCE_UPDATE": {"a": "mine", "b": "old", "c": "theirs"},
        "REPLACE": {"a": "mine"},
        "FORCE_REPLACE": {"a": "mine"},
    }
    for name, each in found.items():
        record = records[Operation[name]]
        assert (dict(record), record.change_tag) == (dict(each), each.change_tag)


def test_a_failed_operation_has_its_error_and_leaves_its_record(db: Database) -> None:
    mine, gone, theirs = saved(db, "note", a="old"), saved(db, "gone", a="old"), db.fetch("note")
    db.delete("gone")
    theirs["a"] = "theirs"
    db.save(theirs)
    tag = mine.change_tag
    batch = db.batch()
    batch.update(mine)
    batch.update(gone)
    batch.update(Record("Note", "new", a="mine"))  # it has no tag
    changed, unknown, invalid = (result.error for result in batch.run())
    assert isinstance(changed, kinfolk.ServerRecordChanged)
    assert changed.server_record == {"a": "theirs"}
    assert isinstance(unknown, kinfolk.UnknownItem)
    assert isinstance(invalid, kinfolk.InvalidArgument)
    assert (mine, mine.change_tag) == ({"a": "old"}, tag)


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
