"""The result of importing people."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


@documented
class PersonSkip(NamedTuple):
    """A row, or an address of a row, that was not used.

    line    The line where the row begins, from 1.
    name    The name of the reason, which never changes, so a program may branch on it. Of a row: noAddress,
            addressTaken (an account has one of the addresses already), tooManyAddresses, nameTooLong, unclearConsent
            (neither yes, nor no, nor empty), unclosedQuote or rowTooLong. Of an address, while the rest of its row is
            used: notUTF8, noAtSign, emptyLocalPart, emptyDomain, localPartTooLong, addressTooLong, misplacedDot,
            quotedLocalPart, forbiddenCharacter, mixedDirections, addressLiteral, malformedDomain or unqualifiedDomain.
    reason  The reason, in one sentence that never holds content.
    """

    line: int
    name: str
    reason: str


@documented
class PeopleImport(NamedTuple):
    """The result of Container.import_people().

    rows          How many rows were read, without the header.
    created       How many accounts were made. Each of them is also in one of the next three counts.
    granted       How many of their people granted discoverability.
    denied        How many of their people denied it.
    undetermined  How many of their people have not decided.
    skipped       How many rows, or addresses of rows, were not used.
    skips         The first 1,000 of these, in the order of the file.
    """

    rows: int
    created: int
    granted: int
    denied: int
    undetermined: int
    skipped: int
    skips: tuple[PersonSkip, ...]


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
