"""A page of the records that a query finds."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any, NamedTuple

from . import _declarations as c
from ._documented import documented
from ._ffi import lib
from ._handle import Handle
from ._outputs import borrowed_bytes
from ._record import Record


@documented
class QueryPage(NamedTuple):
    """A page of the records that a query finds.

    records  The records, in the order of the query.
    cursor   Where the next page begins, for Query.page(); None on the last page. It is sealed, and may be stored.
    """

    records: tuple[Record, ...]
    cursor: bytes | None

    def __repr__(self) -> str:
        return f"<kinfolk.QueryPage records={len(self.records)}{' (last)' if self.cursor is None else ''}>"


def take_page(page: Any, source: Handle) -> QueryPage:
    """The records of a kinfolk_page; frees it."""
    records: list[Record] = []
    pointer, length = c_void_p(), c_size_t()
    try:
        for index in range(lib.kinfolk_page_count(page)):
            record = c.Record()
            lib.kinfolk_page_record(page, index, byref(record))
            records.append(Record.adopt(record, source))
        lib.kinfolk_page_cursor(page, byref(pointer), byref(length))
        return QueryPage(tuple(records), borrowed_bytes(pointer, length) or None)
    finally:
        lib.kinfolk_page_free(page)
