"""What to do if another call saved a record first."""

from __future__ import annotations

from enum import IntEnum


class SavePolicy(IntEnum):
    """What to do if the record was saved by another call since it was fetched.

    A record that was not saved yet is saved by IF_UNCHANGED only if no record has its name. The other two policies make
    a missing record. With all three, fields that the record does not hold stay as they are in the store, unless they
    were deleted from the record.
    """

    IF_UNCHANGED = 0
    """Fail with ServerRecordChanged."""
    CHANGED_KEYS = 1
    """Write the fields that were set or deleted here."""
    ALL_KEYS = 2
    """Write all fields of this record."""
