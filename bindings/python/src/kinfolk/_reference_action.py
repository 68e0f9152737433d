"""What happens to a record when the record to which it refers is deleted."""

from __future__ import annotations

from enum import IntEnum


class ReferenceAction(IntEnum):
    """What happens to a record that refers to another one when its target is deleted."""

    NONE = 0
    """Nothing. The target need not exist."""
    DELETE_SELF = 1
    """The record is deleted with its target, which must exist."""
    VALIDATE = 2
    """The target must exist, and cannot be deleted before the record."""
