"""Where a record is: its name and its zone."""

from __future__ import annotations

from . import _arguments as arguments
from ._record import Record
from ._reference import DEFAULT_ZONE


def name_and_zone(record: Record | str, zone: str | None) -> tuple[str, str]:
    """The name and the zone of a record, which is given as such, or by its name and its zone."""
    if isinstance(record, Record):
        if zone is not None:
            raise TypeError("zone must be left out for a Record, which has one")
        return record.name, record.zone
    arguments.text(record, "record")
    arguments.optional_text(zone, "zone")
    return record, DEFAULT_ZONE if zone is None else zone
