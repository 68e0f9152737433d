"""The exception of a batch with items that failed."""

from __future__ import annotations

from typing import Any

from ._batch_result import BatchResult
from ._error_code import ErrorCode
from ._errors import KinfolkError


class BatchError(KinfolkError):
    """Items of a batch failed. If the batch is atomic, nothing was changed; otherwise the other items were done.

        try:
            with db.batch() as batch:
                for note in notes:
                    batch.update(note)
        except kinfolk.BatchError as failed:
            for result in failed.failures:
                print(result.name, result.error)

    `__cause__` is the first error that is not BatchRequestFailed.
    """

    code = ErrorCode.BATCH_REQUEST_FAILED
    results: tuple[BatchResult, ...]
    """The results of all items, in the order in which they were added."""

    def __init__(self, reason: str = "", results: tuple[BatchResult, ...] = ()) -> None:
        super().__init__(reason)
        self.results = results

    @property
    def failures(self) -> tuple[BatchResult, ...]:
        """The results of the items that failed."""
        return tuple(each for each in self.results if each.error is not None)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason,)  # records stay in their process


def raise_failures(results: tuple[BatchResult, ...]) -> None:
    """Raises BatchError if one of the items failed."""
    failures = [each.error for each in results if each.error is not None]
    if not failures:
        return
    causes = [each for each in failures if each.code is not ErrorCode.BATCH_REQUEST_FAILED] or failures
    reason = f"{len(failures)} of {len(results)} items of the batch failed; the first reason: {causes[0].reason}"
    raise BatchError(reason, results) from causes[0]
