"""The result of a rotation of the keys."""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

from ._documented import documented


class RotationConsequences(IntFlag):
    """Consequences of a rotation because of a leak."""

    PINNED_CLIENTS = 1
    """Clients that know only older public keys refuse the private directory until they get the new one."""
    PAID_CONTACTS = 2
    """Contacts that were asked about in private discoveries cost permits once more."""
    SYNC_STATES = 4
    """Older sync states are ignored."""
    VERIFICATION_CODES = 8
    """Codes that were issued before the rotation are refused."""
    BUCKET_KEY_STAYS = 16
    """The bucket key stays: its holder can compute the bucket of an address."""
    WEB_SESSIONS = 32
    """Web sessions have ended: people sign in again."""


@documented
class KeyRotation(NamedTuple):
    """The result of Service.rotate_keys().

    old_key_file  The file that keeps the old key, or None if no key file was replaced.
    consequences  Empty after a planned rotation.
    """

    old_key_file: str | None
    consequences: RotationConsequences
