"""The result of an export of documents."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._document_skip import DocumentSkip, read_skips
from ._documented import documented
from ._ffi import lib


@documented
class DocumentExport(NamedTuple):
    """The result of Documents.export().

    documents  How many documents were written: their current versions.
    conflicts  How many conflicts were written, as further files.
    bytes      How many bytes were written.
    excluded   How many documents were left out because they are excluded from backups.
    skipped    How many files could not be written.
    skips      The first 1,000 of these.
    """

    documents: int
    conflicts: int
    bytes: int
    excluded: int
    skipped: int
    skips: tuple[DocumentSkip, ...]


def take_document_export(report: Any) -> DocumentExport:
    """Reads the kinfolk_document_files of an export and frees it."""
    try:
        return DocumentExport(
            lib.kinfolk_document_files_documents(report),
            lib.kinfolk_document_files_conflicts(report),
            lib.kinfolk_document_files_bytes(report),
            lib.kinfolk_document_files_excluded(report),
            lib.kinfolk_document_files_skipped(report),
            read_skips(report),
        )
    finally:
        lib.kinfolk_document_files_free(report)
