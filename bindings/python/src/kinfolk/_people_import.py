"""What importing people did."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._ffi import lib
from ._outputs import text


class PersonSkip(NamedTuple):
    """A row, or an address of one, that was not used."""

    line: int
    """Where the row begins, from 1."""
    name: str
    """Why, as a word that stays the same from version to version: "addressTaken", for example."""
    reason: str
    """Why, in one sentence that never holds content."""


class PeopleImport(NamedTuple):
    """What Container.import_people() did."""

    rows: int
    """How many rows were read, below the header."""
    created: int
    """How many accounts were made. Each is in one of the next three counts too."""
    granted: int
    """How many of them may be found."""
    denied: int
    """How many of them may not, because they said so."""
    undetermined: int
    """How many of them have not decided."""
    skipped: int
    """How many rows, or addresses of rows, were not used."""
    skips: tuple[PersonSkip, ...]
    """The first 1,000 of those, in the order of the file."""


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
