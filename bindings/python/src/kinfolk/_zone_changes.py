"""The changes of a zone."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any, NamedTuple

from . import _declarations as c
from ._deleted_record import DeletedRecord
from ._documented import documented
from ._ffi import lib
from ._handle import Handle
from ._outputs import borrowed_bytes, text
from ._record import Record


@documented
class ZoneChanges(NamedTuple):
    """A page of the changes of a zone.

    records      The records that were saved, as they are now, in the order of their last changes.
    deleted      The records that were deleted, in the order of their deletions.
    token        The position after this page: 256 bytes at most, for the next Database.zone_changes().
    more_coming  Whether there may be more changes now. The next page may be empty.
    """

    records: tuple[Record, ...]
    deleted: tuple[DeletedRecord, ...]
    token: bytes
    more_coming: bool

    def __repr__(self) -> str:
        return f"<kinfolk.ZoneChanges records={len(self.records)} deleted={len(self.deleted)}>"


def take_zone_changes(changes: Any, source: Handle) -> ZoneChanges:
    """The changes of a kinfolk_changes; frees it."""
    records: list[Record] = []
    deleted: list[DeletedRecord] = []
    try:
        for index in range(lib.kinfolk_changes_count(changes)):
            if lib.kinfolk_changes_is_deleted(changes, index):
                name, kind = (
                    text(lib.kinfolk_changes_deleted_name(changes, index)),
                    text(lib.kinfolk_changes_deleted_type(changes, index)),
                )
                deleted.append(DeletedRecord(name, text(lib.kinfolk_changes_zone(changes, index)), kind))
            else:
                record = c.Record()
                lib.kinfolk_changes_record(changes, index, byref(record))
                records.append(Record.adopt(record, source))
        more_coming = lib.kinfolk_changes_more_coming(changes)
        return ZoneChanges(tuple(records), tuple(deleted), token_of(changes), more_coming)
    finally:
        lib.kinfolk_changes_free(changes)


def token_of(changes: Any) -> bytes:
    """The change token of a kinfolk_changes."""
    pointer, length = c_void_p(), c_size_t()
    lib.kinfolk_changes_token(changes, byref(pointer), byref(length))
    return borrowed_bytes(pointer, length)
