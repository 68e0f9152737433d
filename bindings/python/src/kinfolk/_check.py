"""What a check of a store found."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from ._ffi import lib
from ._outputs import text


class FindingKind(IntEnum):
    """What is wrong with some rows of a table."""

    DAMAGED = 0
    """The file is damaged, or a row has a form that nobody writes."""
    SEALED = 1
    """A sealed value does not open."""
    CHANGED = 2
    """A row was changed without the key."""
    MISSING = 3
    """A row is missing that follows from others."""
    UNEXPECTED = 4
    """A row belongs to nothing."""
    DIFFERENT = 5
    """A row says something else than what it follows from."""
    MISCOUNTED = 6
    """A count is not that of the rows."""


class Finding(NamedTuple):
    """What is wrong with some rows of one table: it names no person, address or key."""

    table: str
    """The table's name; empty for the file."""
    kind: FindingKind
    """What is wrong."""
    times: int
    """How often it was found."""


class StoreCheck(NamedTuple):
    """What Service.check() found."""

    rows: int
    """How many rows were looked at."""
    findings: list[Finding]
    """What is wrong: each kind once for each table. Empty if the store is sound."""

    @property
    def is_sound(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def take_check(check: Any) -> StoreCheck:
    """The findings of a kinfolk_check; frees it."""
    try:
        return StoreCheck(
            rows=lib.kinfolk_check_rows(check),
            findings=[
                Finding(
                    table=text(lib.kinfolk_check_finding_table(check, index)),
                    kind=FindingKind(lib.kinfolk_check_finding_kind(check, index)),
                    times=lib.kinfolk_check_finding_times(check, index),
                )
                for index in range(lib.kinfolk_check_finding_count(check))
            ],
        )
    finally:
        lib.kinfolk_check_free(check)
