"""The exception that holds a record."""

from __future__ import annotations

from typing import Any

from ._error_code import ErrorCode
from ._errors import KinfolkError
from ._handle import Handle
from ._record import Record


class ServerRecordChanged(KinfolkError):
    """The record was saved by another call since it was fetched; or a new record has the name of an existing one."""

    code = ErrorCode.SERVER_RECORD_CHANGED
    server_record: Record | None
    """The record as it is in the store: merge your changes into it, and save it."""

    def __init__(self, reason: str = "", server_record: Record | None = None) -> None:
        super().__init__(reason)
        self.server_record = server_record

    def _bind(self, source: Handle) -> None:
        """Says from which database the record came."""
        if self.server_record is not None:
            self.server_record._source = source

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason,)  # a record stays in its process
