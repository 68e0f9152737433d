"""kinfolk.aio.DocumentChange and DocumentChanges."""

from __future__ import annotations

from typing import NamedTuple

from ._awaiting_document import Document
from ._document_change_kind import DocumentChangeKind
from ._documented import documented


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
        return f"<kinfolk.aio.DocumentChange {self.kind.name.lower()}>"


@documented
class DocumentChanges(NamedTuple):
    """A page of the changes of a user's documents.

    documents    The documents that were created or changed, as they are now, in the order of their last changes.
    deleted      The IDs of the documents that were deleted, in the order of their deletions.
    token        The position after this page: 256 bytes at most, for the next Documents.changes().
    more_coming  Whether there may be more changes now. The next page may be empty.
    """

    documents: tuple[Document, ...]
    deleted: tuple[str, ...]
    token: bytes
    more_coming: bool

    def __repr__(self) -> str:
        return f"<kinfolk.aio.DocumentChanges documents={len(self.documents)} deleted={len(self.deleted)}>"
