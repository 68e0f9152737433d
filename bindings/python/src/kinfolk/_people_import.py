"""The result of importing people."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._ffi import lib
from ._outputs import text


class PersonSkip(NamedTuple):
    """A row, or an address of a row, that was not used."""

    line: int
    """The line where the row begins, from 1."""
    name: str
    """A word for the reason that never changes between versions: "addressTaken", for example."""
    reason: str
    """The reason, in one sentence that never holds content."""


class PeopleImport(NamedTuple):
    """The result of Container.import_people()."""

    rows: int
    """How many rows were read, without the header."""
    created: int
    """How many accounts were made. Each of them is also in one of the next three counts."""
    granted: int
    """How many of their people granted discoverability."""
    denied: int
    """How many of their people denied it."""
    undetermined: int
    """How many of their people have not decided."""
    skipped: int
    """How many rows, or addresses of rows, were not used."""
    skips: tuple[PersonSkip, ...]
    """The first 1,000 of these, in the order of the file."""


def take_people_import(pointer: Any) -> PeopleImport:
    """The numbers and skips of a kinfolk_people_import; frees it."""
    try:
        return PeopleImport(
            lib.kinfolk_people_import_rows(pointer),
            lib.kinfolk_people_import_created(pointer),
            lib.kinfolk_people_import_granted(pointer),
            lib.kinfolk_people_import_denied(pointer),
            lib.kinfolk_people_import_undetermined(pointer),
            lib.kinfolk_people_import_skipped(pointer),
            tuple(
                PersonSkip(
                    lib.kinfolk_people_import_skip_line(pointer, index),
                    text(lib.kinfolk_people_import_skip_name(pointer, index)),
                    text(lib.kinfolk_people_import_skip_reason(pointer, index)),
                )
                for index in range(lib.kinfolk_people_import_skip_count(pointer))
            ),
        )
    finally:
        lib.kinfolk_people_import_free(pointer)
