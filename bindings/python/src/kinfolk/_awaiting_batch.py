"""kinfolk.aio.Batch."""

from __future__ import annotations

from typing import TypeVar

from ._awaiting import Calls
from ._batch_error import raise_failures
from ._batch_items import BatchItems
from ._batch_result import BatchResult
from ._handle import Handle

Own = TypeVar("Own", bound="Batch")


class Batch(BatchItems):
    """At most 400 saves and deletions of one database, in one transaction, with a result for each.

    Database.batch() makes it. The end of an `async with` block runs it, and raises BatchError if an item failed;
    `results` tells then what became of each. If the block raises, the batch does not run.

        async with db.batch(atomic=True) as batch:
            batch.create(kinfolk.Record("Note", title="Groceries"))
            batch.update(note)
            batch.delete(old_note)

    Without a block, `await batch.run()` returns the results, and raises nothing for items that failed. Items are added
    without `await`: that only changes memory. help(kinfolk.Batch) says what each operation does.
    """

    __slots__ = ("_calls",)

    def __init__(self, database: Handle, is_atomic: bool, calls: Calls) -> None:
        super().__init__(database, is_atomic)
        self._calls = calls

    async def run(self) -> tuple[BatchResult, ...]:
        """Runs the batch, and returns its results: a failed item raises nothing. If this call raises, nothing changed.

        It raises as kinfolk.Batch.run() does. If the task is cancelled, the outcome is unknown.
        """
        return await self._calls.run(self._run)

    async def __aenter__(self: Own) -> Own:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None and self._must_run():
            raise_failures(await self.run())
