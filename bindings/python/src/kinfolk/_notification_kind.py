"""What a notification reports."""

from __future__ import annotations

from enum import IntEnum


class NotificationKind(IntEnum):
    """What a notification reports. The numbers of the first three are those of SubscriptionType."""

    QUERY = 1
    """A record of a query subscription was created, changed or deleted."""
    ZONE = 2
    """Records of a zone were changed, or the zone itself."""
    DATABASE = 3
    """Records of a private database were changed."""
    DROPPED = 4
    """Notifications were dropped before this device received them: fetch again what the application shows."""
