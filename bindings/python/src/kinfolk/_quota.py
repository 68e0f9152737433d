"""What an operator can limit in a container."""

from __future__ import annotations

from enum import IntEnum


class Quota(IntEnum):
    """What can be limited in a container, in bytes.

    Stored bytes count: those of the sealed records and sealed assets, with their padding.
    """

    USER = 0
    """The private database of each user."""
    PUBLIC_DATABASE = 1
    """The public database."""
    CREATOR = 2
    """What each user created in the public database."""
    ASSET = 3
    """The size of a single asset, before it is sealed: 250,000,000 unless it is changed."""
    KEY_VALUE_STORE = 4
    """The keys and values of each user's key-value store, before they are sealed: at most 1,000,000 in any case."""
