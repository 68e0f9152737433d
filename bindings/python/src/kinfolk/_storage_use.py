"""How many bytes a person has stored."""

from __future__ import annotations

from typing import NamedTuple

from ._declarations import NO_QUOTA
from ._documented import documented


@documented
class StorageUse(NamedTuple):
    """How many bytes a person has stored in a container, and may store: the result of Session.storage_use().

    private_bytes  How many bytes the private database has, with assets that are being written.
    private_quota  How many bytes it may have; None if there is no limit.
    public_bytes   How many bytes the person created in the public database. If there is a quota, also those that were
                   kept when an account with one of the person's addresses was erased, for 30 days, rounded up to a
                   sixteenth of the quota.
    public_quota   How many bytes the person may create there; None if there is no limit.
    """

    private_bytes: int
    private_quota: int | None
    public_bytes: int
    public_quota: int | None


def limit_of(number: int) -> int | None:
    """A quota of C; None if there is no limit."""
    return None if number == NO_QUOTA else number


def number_of(limit: int | None) -> int:
    """A quota for C."""
    return NO_QUOTA if limit is None else limit
