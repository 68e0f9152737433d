"""The result of an import of documents."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._document_skip import DocumentSkip, read_skips
from ._documented import documented
from ._ffi import lib


@documented
class DocumentImport(NamedTuple):
    """The result of Documents.import_files().

    created    How many documents were created.
    saved      How many documents got a new version.
    unchanged  How many documents had the same bytes already.
    conflicts  How many of the new versions became conflicts, since another device saved at the same time.
    bytes      How many bytes were saved.
    skipped    How many files were left out.
    skips      The first 1,000 of these.
    """

    created: int
    saved: int
    unchanged: int
    conflicts: int
    bytes: int
    skipped: int
    skips: tuple[DocumentSkip, ...]


def take_document_import(report: Any) -> DocumentImport:
    """Reads the kinfolk_document_files of an import and frees it."""
    try:
        return DocumentImport(
            lib.kinfolk_document_files_documents(report),
            lib.kinfolk_document_files_saved(report),
            lib.kinfolk_document_files_unchanged(report),
            lib.kinfolk_document_files_conflicts(report),
            lib.kinfolk_document_files_bytes(report),
            lib.kinfolk_document_files_skipped(report),
            read_skips(report),
        )
    finally:
        lib.kinfolk_document_files_free(report)
