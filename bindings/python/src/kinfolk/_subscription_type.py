"""What a subscription is about."""

from __future__ import annotations

from enum import IntEnum


class SubscriptionType(IntEnum):
    """What a subscription is about. The numbers are those of CloudKit."""

    QUERY = 1
    """Records that satisfy a predicate."""
    ZONE = 2
    """A custom zone."""
    DATABASE = 3
    """A private database."""
