"""What a person decided about being found."""

from __future__ import annotations

from enum import IntEnum


class Discoverability(IntEnum):
    """Whether others may find a person in a container."""

    UNDETERMINED = 0
    """The person was never asked."""
    GRANTED = 1
    DENIED = 2
