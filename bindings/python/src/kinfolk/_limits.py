"""The limits of a container."""

from __future__ import annotations

from typing import NamedTuple


class PermitLimit(NamedTuple):
    """The rate limit of discovery: the value of Container.permits."""

    capacity: int
    """How many permits a person holds at most."""
    per_hour: float
    """How many permits a person gains an hour."""
    unverified_capacity: int
    """How many permits a person without a verified e-mail address holds at most."""


class PrivateWorkLimit(NamedTuple):
    """How much work a person may cause in a day by private discovery; None if it is derived from the permits."""

    multiplications_per_day: int | None
    """How many multiplications of points."""
    rows_per_day: int | None
    """How many rows of the directory are read."""
