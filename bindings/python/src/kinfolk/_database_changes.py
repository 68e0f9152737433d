"""The changes of a private database."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text
from ._zone_changes import token_of


@documented
class DatabaseChanges(NamedTuple):
    """A page of the changes of a private database: the zones that changed.

    changed      The names of the zones that were made, or in which records changed, in the order of their last changes.
    deleted      The names of the zones that were deleted and not made again, in the order of their deletions.
    token        The position after this page: 256 bytes at most, for the next Database.changes().
    more_coming  Whether there may be more changes now. The next page may be empty.
    """

    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    token: bytes
    more_coming: bool

    def __repr__(self) -> str:
        return f"<kinfolk.DatabaseChanges changed={len(self.changed)} deleted={len(self.deleted)}>"


def take_database_changes(changes: Any) -> DatabaseChanges:
    """The changes of a kinfolk_changes; frees it."""
    zones: dict[bool, list[str]] = {False: [], True: []}
    try:
        for index in range(lib.kinfolk_changes_count(changes)):
            zone = text(lib.kinfolk_changes_zone(changes, index))
            zones[lib.kinfolk_changes_is_deleted(changes, index)].append(zone)
        more_coming = lib.kinfolk_changes_more_coming(changes)
        return DatabaseChanges(tuple(zones[False]), tuple(zones[True]), token_of(changes), more_coming)
    finally:
        lib.kinfolk_changes_free(changes)
