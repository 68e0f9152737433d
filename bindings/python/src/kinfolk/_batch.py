"""Several saves and deletions in one transaction."""

from __future__ import annotations

from typing import TypeVar

from ._batch_error import raise_failures
from ._batch_items import BatchItems
from ._batch_result import BatchResult

Own = TypeVar("Own", bound="Batch")


class Batch(BatchItems):
    """At most 400 saves and deletions of one database, in one transaction, with a result for each.

    Database.batch() makes it. The end of a `with` block runs it, and raises BatchError if an item failed; `results`
    tells then what became of each. If the block raises, the batch does not run.

        with db.batch(atomic=True) as batch:
            batch.create(kinfolk.Record("Note", title="Groceries"))
            batch.update(note)
            batch.delete(old_note)

    Without a block, run() returns the results, and raises nothing for items that failed:

        batch = db.batch()
        for note in notes:
            batch.save(note)
        for result in batch.run():
            if result.error is not None:
                print(result.name, result.error)

                        the store has no record   the record is unchanged   another call has changed it
        create          makes it                  ServerRecordChanged       ServerRecordChanged
        update          UnknownItem               writes changed fields     ServerRecordChanged
        force_update    makes it                  writes changed fields     writes changed fields
        replace         UnknownItem               replaces all fields       ServerRecordChanged
        force_replace   makes it                  replaces all fields       replaces all fields
        delete          UnknownItem               deletes it                ServerRecordChanged
        force_delete    succeeds                  deletes it                deletes it

    Changed fields are those that were set or deleted in the record since it was fetched or saved. What is saved are the
    fields that the records have when the batch runs. Items fail as Database.save() and Database.delete() do.
    """

    __slots__ = ()

    def run(self) -> tuple[BatchResult, ...]:
        """Runs the batch, and returns its results: a failed item raises nothing. If this call raises, nothing changed.

        A batch may be run again, for example after ServiceUnavailable. References are checked when all items are done.
        Items fail with LimitExceeded from the one on with which the batch would delete more than 10,000 records, or set
        more than 10,000 references with an action.

        LimitExceeded: it has more than 400 items, or its records have more than 2,000,000 bytes in all.
        InvalidArgument: two items are for the same record, or a name is no record name. NotAuthenticated: the session
        has no account in good standing.
        """
        return self._run()

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._must_run():
            raise_failures(self.run())
