"""A place on Earth."""

from __future__ import annotations

from typing import NamedTuple


class Location(NamedTuple):
    """A place: latitude from -90 to 90 and longitude from -180 to 180, in degrees, WGS 84.

    The range is checked when a record takes the location (InvalidArgument).
    """

    latitude: float
    longitude: float
