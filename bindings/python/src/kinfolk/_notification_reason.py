"""What happened to the record of a notification."""

from __future__ import annotations

from enum import IntEnum


class NotificationReason(IntEnum):
    """What happened to the record of a query subscription. The numbers are those of CloudKit."""

    RECORD_CREATED = 1
    RECORD_UPDATED = 2
    RECORD_DELETED = 3
