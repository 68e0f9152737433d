"""A change of a document."""

from __future__ import annotations

from ctypes import byref
from typing import Any, NamedTuple

from . import _declarations as c
from ._document import Document
from ._document_change_kind import DocumentChangeKind
from ._documented import documented
from ._ffi import lib
from ._handle import Handle
from ._outputs import text


@documented
class DocumentChange(NamedTuple):
    """A change of a document by another device.

    kind      What happened.
    id        The ID of the document; empty if changes were missed.
    document  The document as it is now; None if it was deleted, or changes were missed.
    """

    kind: DocumentChangeKind
    id: str
    document: Document | None

    def __repr__(self) -> str:
        return f"<kinfolk.DocumentChange {self.kind.name.lower()}>"


def read_document_changes(changes: Any, session: Handle) -> list[DocumentChange]:
    """Copies the changes of a kinfolk_document_changes."""
    found = []
    for index in range(lib.kinfolk_document_changes_count(changes)):
        kind = DocumentChangeKind(lib.kinfolk_document_changes_kind(changes, index))
        document = None
        if kind is DocumentChangeKind.CHANGED:
            pointer = c.Document()
            lib.kinfolk_document_changes_document(changes, index, byref(pointer))
            document = Document.adopt(pointer, session)
        found.append(DocumentChange(kind, text(lib.kinfolk_document_changes_id(changes, index)), document))
    return found
