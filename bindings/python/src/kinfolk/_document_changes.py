"""A page of the changes of a user's documents."""

from __future__ import annotations

from ctypes import byref, c_size_t, c_void_p
from typing import Any, NamedTuple

from ._document import Document
from ._document_change import read_document_changes
from ._documented import documented
from ._ffi import lib
from ._handle import Handle
from ._outputs import borrowed_bytes


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
        return f"<kinfolk.DocumentChanges documents={len(self.documents)} deleted={len(self.deleted)}>"


def take_document_changes(changes: Any, session: Handle) -> DocumentChanges:
    """The page of a kinfolk_document_changes; frees it."""
    try:
        found = read_document_changes(changes, session)
        token, length = c_void_p(), c_size_t()
        lib.kinfolk_document_changes_token(changes, byref(token), byref(length))
        return DocumentChanges(
            tuple(each.document for each in found if each.document is not None),
            tuple(each.id for each in found if each.document is None),
            borrowed_bytes(token, length),
            lib.kinfolk_document_changes_more_coming(changes),
        )
    finally:
        lib.kinfolk_document_changes_free(changes)
