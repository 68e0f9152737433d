"""The results of fetching several records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref
from typing import Any

from . import _declarations as c
from ._errors import KinfolkError
from ._ffi import lib
from ._handle import Handle
from ._record import Record


class FetchedRecords(Mapping[str, Record]):
    """The records that Database.fetch_many() found, by name, in the order of the names that were given.

    `records[name]` raises the error of a record that could not be fetched: UnknownItem, which is a KeyError, or
    LimitExceeded. `records.get(name)` is None for a missing record. Iteration and len() leave out what was not fetched.
    """

    __slots__ = ("_errors", "_records")

    def __init__(self, records: dict[str, Record], errors: dict[str, KinfolkError]) -> None:
        self._records = records
        self._errors = errors

    @property
    def errors(self) -> dict[str, KinfolkError]:
        """The errors of the records that could not be fetched, by name."""
        return dict(self._errors)

    def __getitem__(self, name: str) -> Record:
        error = self._errors.get(name)
        if error is not None:
            raise error.with_traceback(None)
        return self._records[name]

    def __contains__(self, name: object) -> bool:
        return name in self._records

    def __iter__(self) -> Iterator[str]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)

    def __repr__(self) -> str:
        return f"<kinfolk.FetchedRecords found={len(self._records)} failed={len(self._errors)}>"


def take_records(records: Any, names: Sequence[str], source: Handle) -> FetchedRecords:
    """The results of a kinfolk_records, which are in the order of the names; frees it."""
    found: dict[str, Record] = {}
    errors: dict[str, KinfolkError] = {}
    try:
        for index, name in enumerate(names):
            record = c.Record()
            try:
                lib.kinfolk_records_record(records, index, byref(record))
            except KinfolkError as error:
                errors.setdefault(name, error.with_traceback(None))
            else:
                found.setdefault(name, Record.adopt(record, source))
    finally:
        lib.kinfolk_records_free(records)
    return FetchedRecords(found, {name: error for name, error in errors.items() if name not in found})
