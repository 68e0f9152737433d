"""A record that was deleted."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented


@documented
class DeletedRecord(NamedTuple):
    """A record that was deleted.

    name  The name that the record had.
    zone  The zone that had the record.
    type  The record type that it had.
    """

    name: str
    zone: str
    type: str

    def __repr__(self) -> str:
        # Without the name: see Record.__repr__().
        return f"<kinfolk.DeletedRecord {self.type}>"
