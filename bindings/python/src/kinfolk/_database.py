"""The two databases of a container."""

from __future__ import annotations

from enum import IntEnum


class Database(IntEnum):
    """Where a user record is kept."""

    PUBLIC = 0
    """Read by any session of the container that has the user record ID, written by its own user."""
    PRIVATE = 1
    """Read and written by its own user only."""
