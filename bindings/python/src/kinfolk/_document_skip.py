"""A file that an export or an import of documents has left out."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


@documented
class DocumentSkip(NamedTuple):
    """A file that an export or an import of documents has left out.

    path    Its path below the folder. Bytes that are not UTF-8 are U+FFFD.
    reason  The name of the reason, which never changes, so a program may branch on it: link, specialFile,
            malformedName, malformedPath, notReadable, changed (or deleted, at the same time), tooLarge, nameTaken
            (something else has its name), tooManyConflicts or inUse (a file of the store or of its key).
    """

    path: str
    reason: str

    def __repr__(self) -> str:
        # Without the path: what is printed ends up in logs.
        return f"<kinfolk.DocumentSkip {self.reason}>"


def read_skips(report: Any) -> tuple[DocumentSkip, ...]:
    """The listed skips of a kinfolk_document_files."""
    return tuple(
        DocumentSkip(
            text(lib.kinfolk_document_files_skip_path(report, index)),
            text(lib.kinfolk_document_files_skip_reason(report, index)),
        )
        for index in range(lib.kinfolk_document_files_skip_count(report))
    )
