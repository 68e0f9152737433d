"""Whether the account behind a session may be used."""

from __future__ import annotations

from enum import IntEnum


class AccountStatus(IntEnum):
    """Whether the account behind a session may be used."""

    COULD_NOT_DETERMINE = 0
    """The store cannot be reached."""
    AVAILABLE = 1
    RESTRICTED = 2
    """The account is suspended."""
    NO_ACCOUNT = 3
    """Nobody is signed in, or the account was erased, or the container was deleted."""
