"""The limits of a container."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented


@documented
class PermitLimit(NamedTuple):
    """The rate limit of discovery: the value of Container.permits.

    capacity             How many permits a person holds at most.
    per_hour             How many permits a person gains an hour.
    unverified_capacity  How many permits a person without a verified e-mail address holds at most.
    """

    capacity: int
    per_hour: float
    unverified_capacity: int


@documented
class PrivateWorkLimit(NamedTuple):
    """How much work a person may cause in a day by private discovery; None if it is derived from the permits.

    multiplications_per_day  How many multiplications of points.
    rows_per_day             How many rows of the directory are read.
    """

    multiplications_per_day: int | None
    rows_per_day: int | None
