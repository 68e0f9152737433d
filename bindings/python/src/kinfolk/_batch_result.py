"""What became of the items of a batch."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented
from ._errors import KinfolkError
from ._operation import Operation
from ._record import Record


@documented
class BatchResult(NamedTuple):
    """The result of one item of a batch.

    operation  What the item did.
    name       The name of the item's record.
    zone       The zone of the item's record.
    record     The record that the item was given; None if the item was given only a name. After a save that succeeded
               it has the change tag, the times, the users and the fields of the record in the store; after a failure it
               is unchanged.
    error      Why the item failed; None if it succeeded.
    """

    operation: Operation
    name: str
    zone: str
    record: Record | None
    error: KinfolkError | None

    def __repr__(self) -> str:
        # Without the name: see Record.__repr__().
        end = "succeeded" if self.error is None else type(self.error).__name__
        return f"<kinfolk.BatchResult {self.operation.name.lower()} {end}>"
