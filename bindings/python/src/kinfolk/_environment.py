"""The two environments of a container."""

from __future__ import annotations

from enum import IntEnum


class Environment(IntEnum):
    """An environment of a container. Each has its own users, records and schema; nothing crosses between them."""

    PRODUCTION = 0
    """For the application's users."""
    DEVELOPMENT = 1
    """For the application's programmers: its schema always grows with use."""
