"""The numbers of failures."""

from __future__ import annotations

from enum import IntEnum


class ErrorCode(IntEnum):
    """The kind of a failure. The numbers are those of the C API and never change."""

    INVALID_ARGUMENT = 1
    UNKNOWN_ITEM = 2
    NOT_AUTHENTICATED = 3
    PERMISSION_FAILURE = 4
    SERVER_RECORD_CHANGED = 5
    LIMIT_EXCEEDED = 6
    REQUEST_RATE_LIMITED = 7
    CONFLICT = 8
    SERVICE_UNAVAILABLE = 9
    KEY_MISMATCH = 10
    STORE_CORRUPT = 11
    INTERNAL_ERROR = 12
    CANCELLED = 13
    BATCH_REQUEST_FAILED = 14
    REFERENCE_VIOLATION = 15
    CHANGE_TOKEN_EXPIRED = 16
    ZONE_NOT_FOUND = 17
    QUOTA_EXCEEDED = 18
    ASSET_NOT_AVAILABLE = 19
    ASSET_FILE_NOT_FOUND = 20
    ASSET_FILE_MODIFIED = 21
