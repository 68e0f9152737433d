"""The items of a batch, and how they are run."""

from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple

from . import _arguments as arguments
from . import _declarations as c
from ._batch_result import BatchResult
from ._deleted_record import DeletedRecord, take_deleted
from ._errors import KinfolkError
from ._ffi import lib
from ._handle import Handle
from ._operation import Operation
from ._record import Record
from ._record_place import name_and_zone
from ._server_record_changed import ServerRecordChanged


class Item(NamedTuple):
    """An item of a batch. It is passed to C when the batch runs."""

    operation: Operation | None
    """None: CREATE for a record that was not saved yet, UPDATE for any other."""
    record: Record | None
    name: str
    zone: str
    change_tag: str | None

    def add(self, batch: Any) -> Operation:
        """Adds the item to a kinfolk_batch. Returns what it does."""
        operation, record = self.operation, self.record
        if operation in (Operation.DELETE, Operation.FORCE_DELETE):
            tag = self.change_tag or (record.change_tag if record is not None else None)
            name, zone = arguments.text(self.name, "record"), arguments.text(self.zone, "zone")
            lib.kinfolk_batch_delete(batch, operation, name, zone, arguments.optional_text(tag, "change_tag"))
            return Operation(operation)
        if record is None:
            raise TypeError("an item that saves needs a record")
        if operation is None:
            operation = Operation.CREATE if record.change_tag is None else Operation.UPDATE
        with record._handle as own:
            lib.kinfolk_batch_save(batch, operation, own)
        return operation


class BatchItems:
    """The items of a batch, with their results. The base of kinfolk.Batch and kinfolk.aio.Batch."""

    __slots__ = ("__weakref__", "_database", "_deleted", "_is_atomic", "_items", "_results")

    def __init__(self, database: Handle, is_atomic: bool) -> None:
        self._database = database
        self._is_atomic = is_atomic
        self._items: list[Item] = []
        self._results: tuple[BatchResult, ...] = ()
        self._deleted: tuple[DeletedRecord, ...] = ()

    def save(self, record: Record) -> None:
        """Adds a save as by Database.save(): CREATE for a record that was not saved yet, UPDATE for any other."""
        self._add(None, record)

    def create(self, record: Record) -> None:
        """Adds a save of a new record. It fails with ServerRecordChanged if there is a record with its name."""
        self._add(Operation.CREATE, record)

    def update(self, record: Record) -> None:
        """Adds a save of the fields that were set or deleted in the record.

        It fails with ServerRecordChanged if another call saved the record since it was fetched, with UnknownItem if it
        was deleted since, and with InvalidArgument if it was not saved yet.
        """
        self._add(Operation.UPDATE, record)

    def force_update(self, record: Record) -> None:
        """Adds a save of the fields that were set or deleted in the record, whatever its state in the store.

        If the store has no such record, all fields are saved as a new record.
        """
        self._add(Operation.FORCE_UPDATE, record)

    def replace(self, record: Record) -> None:
        """Adds a save of all fields, which removes the fields that the record does not have. It fails as update()."""
        self._add(Operation.REPLACE, record)

    def force_replace(self, record: Record) -> None:
        """Adds a save of all fields, which removes the fields that the record does not have, whatever its state.

        If the store has no such record, a new one is saved.
        """
        self._add(Operation.FORCE_REPLACE, record)

    def delete(self, record: Record | str, change_tag: str | None = None, *, zone: str | None = None) -> None:
        """Adds a deletion of a record that still has its change tag: that of `record`, or the given one.

        `zone` is the zone of a record that is given by its name; without it, "_defaultZone".
        It fails with ServerRecordChanged if the record has another tag, with UnknownItem if there is none, and with
        InvalidArgument if no tag is known.
        """
        self._add_deletion(Operation.DELETE, record, change_tag, zone)

    def force_delete(self, record: Record | str, *, zone: str | None = None) -> None:
        """Adds a deletion of a record in any state. It also succeeds if there is no such record.

        `zone` is the zone of a record that is given by its name; without it, "_defaultZone".
        """
        self._add_deletion(Operation.FORCE_DELETE, record, None, zone)

    @property
    def results(self) -> tuple[BatchResult, ...]:
        """The results of the last run, one for each item, in the order in which they were added; empty before it."""
        return self._results

    @property
    def deleted(self) -> tuple[DeletedRecord, ...]:
        """The records that the last run deleted, also those that referred to others with DELETE_SELF."""
        return self._deleted

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        name = type(self).__module__ + "." + type(self).__name__
        return f"<{name} {'atomic ' if self._is_atomic else ''}items={len(self._items)}>"

    def _add(self, operation: Operation | None, record: Record) -> None:
        if not isinstance(record, Record):
            raise arguments.wrong_type("record", "a kinfolk.Record", record)
        self._append(Item(operation, record, record.name, record.zone, None))

    def _add_deletion(
        self, operation: Operation, record: Record | str, change_tag: str | None, zone: str | None
    ) -> None:
        arguments.optional_text(change_tag, "change_tag")
        name, zone = name_and_zone(record, zone)
        self._append(Item(operation, record if isinstance(record, Record) else None, name, zone, change_tag))

    def _append(self, item: Item) -> None:
        self._items.append(item)
        self._results = ()

    def _must_run(self) -> bool:
        """Whether items were added since the last run."""
        return len(self._results) != len(self._items)

    def _run(self) -> tuple[BatchResult, ...]:
        self._results, self._deleted = (), ()
        items = list(self._items)
        batch = c.Batch()
        try:
            lib.kinfolk_batch_new(byref(batch))
            with self._database as database:
                operations = [item.add(batch) for item in items]
                lib.kinfolk_batch_run(batch, database, self._is_atomic, None)
            self._results = tuple(
                BatchResult(operation, item.name, item.zone, item.record, _outcome(batch, index, item, self._database))
                for index, (item, operation) in enumerate(zip(items, operations))
            )
            deleted = c.Deleted()
            lib.kinfolk_batch_deleted(batch, byref(deleted))
            self._deleted = take_deleted(deleted)
        finally:
            lib.kinfolk_batch_free(batch)
        return self._results


def _outcome(batch: Any, index: int, item: Item, database: Handle) -> KinfolkError | None:
    """The error of an item. If a save succeeded, the item's record gets the state of the record in the store."""
    saved = c.Record()
    try:
        lib.kinfolk_batch_record(batch, index, byref(saved))
    except KinfolkError as error:
        if isinstance(error, ServerRecordChanged):
            error._bind(database)
        return error.with_traceback(None)
    if saved and item.record is not None:
        item.record._take_state(saved, database)
    return None
