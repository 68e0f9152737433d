"""What happened to a document."""

from __future__ import annotations

from enum import IntEnum


class DocumentChangeKind(IntEnum):
    """What happened to a document."""

    CHANGED = 1
    """It was created, saved, moved or changed in another way."""
    DELETED = 2
    """It was deleted."""
    MISSED = 3
    """The store was restored from a backup, or there were too many changes: list the documents again."""
