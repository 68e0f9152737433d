"""The result of a check of a store."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


class FindingKind(IntEnum):
    """What is wrong with rows of a table."""

    DAMAGED = 1
    """The file is damaged, or a row is malformed."""
    SEALED = 2
    """A sealed (encrypted) value cannot be opened with the keys of the store."""
    CHANGED = 3
    """A row was changed without the key."""
    MISSING = 4
    """A row that is derived from others is missing."""
    UNEXPECTED = 5
    """A row belongs to nothing."""
    DIFFERENT = 6
    """A derived row differs from the data that it is derived from."""
    MISCOUNTED = 7
    """A stored count is not the number of rows."""


@documented
class Finding(NamedTuple):
    """What is wrong with rows of one table. It never names a person, an address or a key.

    table  The table's name; empty for the file.
    kind   What is wrong.
    times  How often it was found.
    """

    table: str
    kind: FindingKind
    times: int


@documented
class StoreCheck(NamedTuple):
    """The result of Service.check().

    rows      The number of rows that were checked.
    findings  The faults: each kind once for each table. Empty if the store is sound.
    tables    The number of rows of each table, by its name.
    """

    rows: int
    findings: list[Finding]
    tables: dict[str, int]

    @property
    def is_sound(self) -> bool:
        """Whether the check found no fault."""
        return not self.findings


def take_check(check: Any) -> StoreCheck:
    """The result of a kinfolk_check; frees it."""
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
            tables={
                text(lib.kinfolk_check_table_name(check, index)): lib.kinfolk_check_table_rows(check, index)
                for index in range(lib.kinfolk_check_table_count(check))
            },
        )
    finally:
        lib.kinfolk_check_free(check)
