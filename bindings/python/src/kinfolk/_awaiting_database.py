"""The methods of kinfolk.aio.Database that are written by hand."""

from __future__ import annotations

from . import _arguments as arguments
from ._awaiting import Awaiting
from ._awaiting_batch import Batch
from ._database import Database


class AwaitingDatabase(Awaiting[Database]):
    """The base of kinfolk.aio.Database."""

    __slots__ = ()

    def batch(self, *, atomic: bool = False) -> Batch:
        """Makes a batch: at most 400 saves and deletions in one transaction, with a result for each.

            async with db.batch() as batch:
                for note in notes:
                    batch.create(note)
                batch.force_delete("shopping")

        The end of the block runs the batch, and raises BatchError if an item failed. `atomic=True` changes everything
        or nothing: if one item fails, the others fail with BatchRequestFailed. Otherwise each item is done or fails
        alone.
        """
        return Batch(self._blocking._handle, arguments.boolean(atomic, "atomic"), self._calls)
