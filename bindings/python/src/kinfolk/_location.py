"""A place on Earth."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented


@documented
class Location(NamedTuple):
    """A place: latitude from -90 to 90 and longitude from -180 to 180, in degrees, WGS 84.

    The range is checked when a record takes the location (InvalidArgument).

    latitude   From -90, the south pole, to 90.
    longitude  From -180 to 180; negative numbers are west.
    """

    latitude: float
    longitude: float
