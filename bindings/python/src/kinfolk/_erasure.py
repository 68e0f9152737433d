"""What erasing an account removed."""

from __future__ import annotations

from typing import NamedTuple


class Erasure(NamedTuple):
    """What erasing an account removed."""

    email_count: int
    container_count: int
    record_count: int
    is_pending: bool
    """Whether the store's write-ahead log may still hold what was erased, because a reader holds it. It is then
    emptied by one of the next writes, or when the store is closed."""
