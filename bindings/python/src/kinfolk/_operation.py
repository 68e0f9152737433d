"""What an item of a batch does."""

from __future__ import annotations

from enum import IntEnum


class Operation(IntEnum):
    """What an item of a batch does.

    Those without `FORCE` fail with ServerRecordChanged if the record in the store is not the one that was fetched; the
    others ignore that.
    """

    CREATE = 1
    """Save a new record. Fail if there is a record with its name."""
    UPDATE = 2
    """Write the fields that were set or deleted here."""
    FORCE_UPDATE = 3
    """Like UPDATE. Save a new record if there is none."""
    REPLACE = 4
    """Write all fields of the record, and remove all others."""
    FORCE_REPLACE = 5
    """Like REPLACE. Save a new record if there is none."""
    DELETE = 6
    """Delete the record, if it still has the change tag."""
    FORCE_DELETE = 7
    """Delete the record. Succeed if there is none."""
