"""What erasing an account removed."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from ._documented import documented


@documented
class Erasure(NamedTuple):
    """What erasing an account removed.

    email_count             How many addresses were removed.
    container_count         How many containers the account had used, each environment counted.
    record_count            How many records were removed.
    is_pending              Whether the store may still hold erased data: the chunks of assets, which nobody can open
                            any more and which are removed in batches; or the write-ahead log, because a reader is using
                            it. The log is then emptied by one of the next writes, or when the store is closed.
    remembered_email_count  For how many of the account's addresses the store remembers what was spent of limits, so
                            that a person who comes back with the same address cannot spend it again. The remembered
                            data reveals neither the address nor the account. In containers with a quota of a creator,
                            public records that were kept are remembered too: they count for the quota of an account
                            that has one of the addresses.
    remembered_until        When the store deletes the last of that data, at most 30 days from now, in UTC; None if
                            nothing is remembered.
    mails_count_until       Until when the store counts the mails that the account requested in the last 24 hours, in
                            UTC; None if there were none. The counts are stored by address only, so erasing an account
                            resets no limit.
    """

    email_count: int
    container_count: int
    record_count: int
    is_pending: bool
    remembered_email_count: int = 0
    remembered_until: datetime | None = None
    mails_count_until: datetime | None = None
