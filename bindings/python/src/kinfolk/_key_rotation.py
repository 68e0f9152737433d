"""What a rotation of the keys did."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple


class RotationConsequences(IntFlag):
    """What a rotation because of a leak ends, or cannot undo."""

    PINNED_CLIENTS = 1
    """Clients that know only older public keys refuse the private directory until they get the new one."""
    PAID_CONTACTS = 2
    """Contacts that were asked about in private discoveries cost permits once more."""
    SYNC_STATES = 4
    """Sync states from before count as none."""
    VERIFICATION_CODES = 8
    """Codes that were issued before are refused."""
    BUCKET_KEY_STAYS = 16
    """Whoever has the bucket key computes as many bits of an address as clients tell."""


class KeyRotation(NamedTuple):
    """What Service.rotate_keys() did."""

    old_key_file: str | None
    """The file that keeps the old key, or None if no key file was replaced."""
    consequences: RotationConsequences
    """Nothing after a planned rotation."""
