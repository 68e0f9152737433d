"""Why a key of a key-value store changed."""

from __future__ import annotations

from enum import IntEnum


class KeyValueChangeReason(IntEnum):
    """Why keys of a key-value store are reported. The numbers are those of NSUbiquitousKeyValueStore."""

    SERVER_CHANGE = 0
    """Another device set or removed them."""
    INITIAL_SYNC_CHANGE = 1
    """The device asks for the first time, was away for too long, or the store was restored from a backup.

    All keys that other devices set are reported; after a restore, those of this device too. Forget what was read
    before.
    """
    QUOTA_VIOLATION_CHANGE = 2
    """This object tried to set them, and there was no room. They keep their old values."""
    ACCOUNT_CHANGE = 3
    """The account was suspended or erased: there are no keys. Or it is in good standing again: there are all keys.

    Only on_change() and watch() report this.
    """
