"""What erasing an account removed."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple


class Erasure(NamedTuple):
    """What erasing an account removed."""

    email_count: int
    container_count: int
    record_count: int
    is_pending: bool
    """Whether the store's write-ahead log may still hold what was erased, because a reader holds it. It is then
    emptied by one of the next writes, or when the store is closed."""
    remembered_email_count: int = 0
    """For how many of the account's addresses limits remember what was spent with them, so that nobody has it to spend
    again who comes back with the same address. Neither the address nor the account can be read from it."""
    remembered_until: datetime | None = None
    """When the last of that is deleted, at most 30 days from now, in UTC."""
    mails_count_until: datetime | None = None
    """Until when the mails that went to the account's addresses in the last 24 hours are counted, in UTC; None if there
    were none. That is kept by the addresses alone, so that erasing an account resets no limit."""
