"""A record that was deleted."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


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


def take_deleted(deleted: Any) -> tuple[DeletedRecord, ...]:
    """Copies and frees a kinfolk_deleted."""
    try:
        return tuple(
            DeletedRecord(
                text(lib.kinfolk_deleted_name(deleted, index)),
                text(lib.kinfolk_deleted_zone(deleted, index)),
                text(lib.kinfolk_deleted_type(deleted, index)),
            )
            for index in range(lib.kinfolk_deleted_count(deleted))
        )
    finally:
        lib.kinfolk_deleted_free(deleted)
