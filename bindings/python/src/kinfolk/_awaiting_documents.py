"""The methods of kinfolk.aio.Documents that are written by hand."""

from __future__ import annotations

import queue
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

from . import _arguments as arguments
from ._arguments import Bytes
from ._awaiting import Calls
from ._awaiting_changes import observe, watched
from ._awaiting_document import Document
from ._awaiting_document_changes import DocumentChange, DocumentChanges
from ._document_change import DocumentChange as _DocumentChange
from ._documents import Documents


class AwaitingDocuments:
    """The base of kinfolk.aio.Documents."""

    __slots__ = ("__weakref__", "_blocking", "_calls")

    def __init__(self, blocking: Documents, calls: Calls) -> None:
        if not isinstance(blocking, Documents):
            raise TypeError("a Documents is not made by calling its class: see Session.documents")
        self._blocking = blocking
        self._calls = calls

    async def changes(self, since: Bytes | None = None) -> DocumentChanges:
        """The documents that were created, changed or deleted since a change token: a page of them.

            page = await documents.changes(token)
            print(len(page.documents), "changed,", len(page.deleted), "deleted; next token:", page.token)

        `since` is the `token` of an earlier page. Without it, the changes begin with all documents. The changes of this
        device are among them. If `more_coming` of the page is true, call again with its `token`, as all_changes() does.

        ChangeTokenExpired: the token is too old, or was made for something else: discard what was fetched, and begin
        without a token. InvalidArgument: `since` is longer than 256 bytes. NotAuthenticated: the session has no account
        in good standing. PermissionFailure: the service is read-only, and the user never had documents.
        """
        page = await self._calls.run(lambda: self._blocking.changes(since))
        documents = tuple(Document(each, self._calls) for each in page.documents)
        return DocumentChanges(documents, page.deleted, page.token, page.more_coming)

    async def all_changes(self, since: Bytes | None = None) -> AsyncIterator[DocumentChanges]:
        """The pages of changes(), one after the other, until no more changes are coming.

            async for page in documents.all_changes(token):
                for document in page.documents:
                    print(document.path)
                token = page.token

        There is at least one page. Each step of the loop fails as changes() does.
        """
        more_coming = True
        while more_coming:
            page = await self.changes(since)
            yield page
            since, more_coming = page.token, page.more_coming

    async def watch(self, since: Bytes | None = None) -> AsyncGenerator[DocumentChange, None]:
        """The changes by other devices, as they come, until the session is closed.

            async for change in documents.watch(token):
                print(change.kind, change.id)

        It begins with the changes since a token of changes(); without it, with those from now on. It needs no thread
        while it waits. It takes the place of an earlier watch(), which then ends, and of the function of on_change().
        It fails as kinfolk.Documents.watch() does.
        """
        token = b"" if since is None else arguments.octets(since, "since")
        changes = watched(self._calls, self._blocking, queue.SimpleQueue(), token)
        try:
            async for change in changes:
                yield self._awaited(change)
        finally:
            await changes.aclose()

    async def on_change(self, changed: Callable[[DocumentChange], object] | None, since: Bytes | None = None) -> None:
        """Registers `changed(change)`, in place of the function or the watch() before; None removes it.

        It is called for each change by another device since a token of changes(), or from now on. It runs on the event
        loop of this call. It fails as watch() does.
        """
        arguments.function(changed, "changed")
        token = b"" if since is None else arguments.octets(since, "since")
        function = None if changed is None else lambda change: changed(self._awaited(change))
        await observe(self._calls, self._blocking, function, token)

    def _awaited(self, change: _DocumentChange) -> DocumentChange:
        document = None if change.document is None else Document(change.document, self._calls)
        return DocumentChange(change.kind, change.id, document)

    def __eq__(self, other: object) -> bool:
        return self._blocking is other._blocking if isinstance(other, AwaitingDocuments) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._blocking)

    def __reduce__(self) -> Any:
        raise TypeError("a Documents can be neither copied nor pickled")

    def __repr__(self) -> str:
        return repr(self._blocking).replace("<kinfolk.", "<kinfolk.aio.", 1)
