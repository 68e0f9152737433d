"""Statistics of a container."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import moment


@documented
class Activity(NamedTuple):
    """The discoveries of one day.

    day          When the day began, in UTC.
    discoveries  How many discoveries were answered.
    refusals     How many were refused because permits were missing.
    """

    day: datetime
    discoveries: int
    refusals: int


@documented
class OptedIn(NamedTuple):
    """How many people had opted in at the end of a day on which that number changed.

    day     When the day began, in UTC.
    people  How many people had opted in at the end of that day.
    """

    day: datetime
    people: int


@documented
class Statistics(NamedTuple):
    """Statistics of a container, as of one moment: the result of Container.statistics().

    people                  How many people have a user record ID.
    granted                 How many of them granted discoverability.
    denied                  How many denied it.
    undetermined            How many were never asked.
    discoverable            How many can be found now: they granted it and are not suspended.
    suspended               How many of the people are suspended.
    people_who_asked        How many have spent permits that have not all grown back yet.
    permits_spent           How many permits these people have not regained, including permits that a service has
                            reserved for them.
    people_without_permits  How many have no permit now for a discovery of one new contact.
    blocks_by_people        How many blocks people have made.
    blocks_by_operator      How many blocks the operator has made.
    account_lookups         How many look-ups of accounts are in the audit log.
    private_bytes           How many bytes the private databases have together, as quotas count them.
    public_bytes            How many bytes the public database has.
    assets                  How many assets the records have.
    asset_bytes             How many bytes of the databases the assets have.
    activity                The last 400 days on which there was a discovery. Counts that other services have not
                            written yet are not included.
    opted_in                The days on which the number of people who had opted in changed.
    """

    people: int
    granted: int
    denied: int
    undetermined: int
    discoverable: int
    suspended: int
    people_who_asked: int
    permits_spent: int
    people_without_permits: int
    blocks_by_people: int
    blocks_by_operator: int
    account_lookups: int
    private_bytes: int
    public_bytes: int
    assets: int
    asset_bytes: int
    activity: tuple[Activity, ...]
    opted_in: tuple[OptedIn, ...]


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
