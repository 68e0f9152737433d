"""The result of adding many contacts at once."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


@documented
class Skip(NamedTuple):
    """An entry or address that could not be used.

    line    The line where it begins, from 1.
    reason  The reason, in one sentence that never holds content.
    """

    line: int
    reason: str


@documented
class ImportReport(NamedTuple):
    """The result of adding many contacts at once.

    added          Contacts added. A contact is one address: a card with three makes three.
    entries        Cards, rows or lines read.
    without_email  Entries without an e-mail address, which are not a fault.
    skipped        Entries or addresses that could not be used.
    skips          The first 1,000 skipped entries and addresses.
    """

    added: int
    entries: int
    without_email: int
    skipped: int
    skips: tuple[Skip, ...]


def take_report(pointer: Any) -> ImportReport:
    """Reads a kinfolk_import and frees it."""
    try:
        return ImportReport(
            lib.kinfolk_import_added(pointer),
            lib.kinfolk_import_entries(pointer),
            lib.kinfolk_import_without_email(pointer),
            lib.kinfolk_import_skipped(pointer),
            tuple(
                Skip(lib.kinfolk_import_skip_line(pointer, i), text(lib.kinfolk_import_skip_reason(pointer, i)))
                for i in range(lib.kinfolk_import_skip_count(pointer))
            ),
        )
    finally:
        lib.kinfolk_import_free(pointer)
