"""How to save over somebody else's change."""

from __future__ import annotations

from enum import IntEnum


class SavePolicy(IntEnum):
    """What to do when somebody saved the record since it was fetched.

    Fields that the record does not hold stay as they are in the store in each of the three, unless they were deleted
    from the record.
    """

    IF_UNCHANGED = 0
    """Fail with ServerRecordChanged."""
    CHANGED_KEYS = 1
    """Write the fields that were set or deleted here."""
    ALL_KEYS = 2
    """Write all fields of this record."""
