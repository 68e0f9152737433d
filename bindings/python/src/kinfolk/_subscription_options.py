"""When a subscription makes a notification."""

from __future__ import annotations

from enum import IntFlag


class SubscriptionOptions(IntFlag):
    """When a query subscription makes a notification, combined by `|`. The numbers are those of CloudKit."""

    ON_RECORD_CREATION = 1
    """When a record is created that satisfies the predicate."""
    ON_RECORD_UPDATE = 2
    """When a record is changed and then satisfies the predicate."""
    ON_RECORD_DELETION = 4
    """When a record is deleted that satisfied the predicate."""
    ONCE = 8
    """Only once: the first notification deletes the subscription."""
