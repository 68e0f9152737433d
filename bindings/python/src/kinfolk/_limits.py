"""The limits of a container, as they are."""

from __future__ import annotations

from typing import NamedTuple


class PermitLimit(NamedTuple):
    """The rate limit of discovery: what Container.permits is."""

    capacity: int
    """How many permits a person holds at most."""
    per_hour: float
    """How many they gain an hour."""
    unverified_capacity: int
    """How many a person without a verified e-mail address holds at most."""


class PrivateWorkLimit(NamedTuple):
    """How much work a person may cause a day by private discovery; None for what follows from the permits."""

    multiplications_per_day: int | None
    """How many multiplications of points."""
    rows_per_day: int | None
    """How many rows of the directory are read."""
