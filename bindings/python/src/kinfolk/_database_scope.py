"""The two databases of an environment."""

from __future__ import annotations

from enum import IntEnum


class DatabaseScope(IntEnum):
    """Which database: the one that all users of an environment share, or the one of a single user."""

    PUBLIC = 0
    """Shared by all users; the grants of a record type say who may do what."""
    PRIVATE = 1
    """Read and written by its own user only."""
