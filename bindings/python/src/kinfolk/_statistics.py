"""A container in numbers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ._ffi import lib
from ._outputs import moment


class Activity(NamedTuple):
    """What was asked on one day."""

    day: datetime
    """When the day began, in UTC."""
    discoveries: int
    """How many discoveries were answered."""
    refusals: int
    """How many were refused because permits were missing."""


class OptedIn(NamedTuple):
    """How many people had opted in at the end of a day on which that changed."""

    day: datetime
    """When the day began, in UTC."""
    people: int


class Statistics(NamedTuple):
    """A container in numbers, as of one moment: what Container.statistics() gives."""

    people: int
    """How many have a user record ID."""
    granted: int
    """How many of them granted to be found."""
    denied: int
    """How many denied it."""
    undetermined: int
    """How many were never asked."""
    discoverable: int
    """How many can be found now: they granted it and are not suspended."""
    suspended: int
    people_who_asked: int
    """How many have spent permits that have not all grown back."""
    permits_spent: int
    """How many permits those lack to be full, with those that a service holds ready for them."""
    people_without_permits: int
    """How many would be refused a discovery of one new contact now."""
    blocks_by_people: int
    blocks_by_operator: int
    account_lookups: int
    """How many look-ups of accounts the audit log has."""
    activity: tuple[Activity, ...]
    """The last 400 days on which something was asked. What other services have not written yet is missing."""
    opted_in: tuple[OptedIn, ...]
    """The days on which it changed how many people had opted in."""


NUMBERS = Statistics._fields[:-2]


def take_statistics(pointer: Any) -> Statistics:
    """The numbers of a kinfolk_statistics; frees it."""
    try:
        activity = tuple(
            Activity(
                moment(lib.kinfolk_statistics_activity_day(pointer, index)),
                lib.kinfolk_statistics_activity_discoveries(pointer, index),
                lib.kinfolk_statistics_activity_refusals(pointer, index),
            )
            for index in range(lib.kinfolk_statistics_activity_count(pointer))
        )
        opted_in = tuple(
            OptedIn(
                moment(lib.kinfolk_statistics_opted_in_day(pointer, index)),
                lib.kinfolk_statistics_opted_in_people(pointer, index),
            )
            for index in range(lib.kinfolk_statistics_opted_in_count(pointer))
        )
        numbers = {name: getattr(lib, f"kinfolk_statistics_{name}")(pointer) for name in NUMBERS}
        return Statistics(activity=activity, opted_in=opted_in, **numbers)
    finally:
        lib.kinfolk_statistics_free(pointer)
