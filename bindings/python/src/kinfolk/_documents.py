"""The documents of a user."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from ctypes import byref
from datetime import datetime
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Path
from ._change_watch import ChangeWatch
from ._document import Document
from ._document_change import DocumentChange, read_document_changes
from ._document_changes import DocumentChanges, take_document_changes
from ._document_contents import Contents, File
from ._document_export import DocumentExport, take_document_export
from ._document_import import DocumentImport, take_document_import
from ._document_upload import DocumentUpload
from ._ffi import lib
from ._handle import Handle, inside_callback
from ._observer import Observed, Observer, observer_of
from ._progress import Progress, told
from ._search_flags import SearchFlags


class Documents(Observed[DocumentChange]):
    """The documents of one user in one container: files with paths and versions, the same on all devices.

        documents = session.documents
        letter = documents.create("letters/test.txt", b"Hello")
        letter.save(b"Hello again")
        for document in documents.search("letters", name="*.txt"):
            print(document.path, document.current.size)
        print(documents.open("letters/test.txt").read().decode())

    A path has 1 to 32 names with "/" between them, and at most 1,024 bytes of UTF-8. A name has 1 to 255 bytes, no
    control characters, and is not "." or "..". Names are compared by their bytes: those that differ only in letter case
    or in their normalization form name different documents. A document and a folder cannot have the same path. Folders
    exist as long as documents are in them.

    A document is never half written: the calls that create and save it do so in one step, when all bytes are stored.
    Documents are sealed, count for the quota of the user, are in the person's export, and are erased with the account.
    help(kinfolk.Document) says what happens if two devices save a document at the same time.

    A session has one such object. After the session is closed, its use is a ValueError.
    """

    __slots__ = ("__weakref__", "_handle", "_observer", "_turn")
    _handle: Handle
    """That of the session."""
    _observer: Observer[DocumentChange] | None

    def __init__(self, handle: Handle) -> None:
        if not isinstance(handle, Handle):
            raise TypeError("a Documents is not made by calling its class: see Session.documents")
        self._handle = handle
        self._observer = None
        self._turn = threading.Lock()

    # Creating and finding

    def create(
        self,
        path: str,
        contents: Bytes | None = None,
        *,
        file: File | None = None,
        upload: DocumentUpload | None = None,
        progress: Progress | None = None,
    ) -> Document:
        """Creates a document with these contents: bytes, a file or an upload; none of them for an empty document.

            documents.create("letters/test.txt", b"Hello")
            documents.create("photos/garden.jpg", file="garden.jpg")

        `file` is the path of a regular file, or a binary file object, which is read from its position to its end.
        `progress(done, total)` is called on this thread while the file is read, with bytes; it may use the service, but
        not fork. An exception of it, or Ctrl-C, ends the work and is raised by this call: then nothing was created.

        Conflict: there is a document or a folder with this path, or one of its folders is a document. InvalidArgument:
        the path is malformed, or that of the file leads to a folder, a device or another special file. LimitExceeded:
        the contents are larger than an asset may be (Quota.ASSET). QuotaExceeded: there is no room for them.
        AssetNotAvailable: the upload has ended. AssetFileNotFound: the file does not exist. AssetFileModified: it was
        changed while it was read. PermissionFailure: the process may not read it. NotAuthenticated: the session has no
        account in good standing.
        """
        encoded = arguments.text(path, "path")
        document = c.Document()
        with Contents(contents, file, upload, progress, otherwise=b"").passed(self._handle) as (is_upload, given):
            call = lib.kinfolk_document_create_from if is_upload else lib.kinfolk_document_create
            with self._handle as session:
                call(session, encoded, *given, byref(document))
        return Document.adopt(document, self._handle)

    def upload(self) -> DocumentUpload:
        """Begins to write the contents of a document, a piece at a time.

            with documents.upload() as upload:
                for piece in pieces:
                    upload.write(piece)
                documents.create("talks/opening.wav", upload=upload)

        Nothing is stored before the first pieces.
        """
        return DocumentUpload.begin(self._handle)

    def open(self, path: str) -> Document:
        """The document with this path.

            print(documents.open("letters/test.txt").read().decode())

        UnknownItem: there is no such document. InvalidArgument: the path is malformed. NotAuthenticated: the session
        has no account in good standing.
        """
        encoded = arguments.text(path, "path")
        document = c.Document()
        with self._handle as session:
            lib.kinfolk_document_open(session, encoded, byref(document))
        return Document.adopt(document, self._handle)

    def fetch(self, document_id: str) -> Document:
        """The document with this ID, also if it was moved.

        UnknownItem: there is no such document. NotAuthenticated: the session has no account in good standing.
        """
        encoded = arguments.text(document_id, "document_id")
        document = c.Document()
        with self._handle as session:
            lib.kinfolk_document_fetch(session, encoded, byref(document))
        return Document.adopt(document, self._handle)

    def search(
        self,
        folder: str | None = None,
        *,
        name: str | None = None,
        prefix: str | None = None,
        shallow: bool = False,
        conflicts: bool = False,
        modified_since: datetime | None = None,
        modified_before: datetime | None = None,
    ) -> list[Document]:
        """The documents that satisfy all conditions, in the order of the bytes of their paths; all without conditions.

            for document in documents.search("letters", name="*.txt", shallow=True):
                print(document.path)

        folder           The path of a folder that has them, at any depth. It need not exist.
        name             A pattern for the name: "*" stands for any characters, and "?" for one.
        prefix           How the name begins. Letter case matters here and in `name`.
        shallow          Only documents in the folder itself; without `folder`, those in no folder.
        conflicts        Only documents with conflicts.
        modified_since   Only documents that were last changed at this time or later.
        modified_before  Only documents that were last changed before this time.

        InvalidArgument: the folder is malformed, `name` has more than 1,024 bytes, or a time is a naive datetime.
        NotAuthenticated: the session has no account in good standing.
        """
        texts = (
            arguments.optional_text(folder, "folder"),
            arguments.optional_text(name, "name"),
            arguments.optional_text(prefix, "prefix"),
        )
        flags = SearchFlags(0)
        flags |= SearchFlags.SHALLOW if arguments.boolean(shallow, "shallow") else SearchFlags(0)
        flags |= SearchFlags.CONFLICTS if arguments.boolean(conflicts, "conflicts") else SearchFlags(0)
        since = _FIRST if modified_since is None else arguments.moment(modified_since, "modified_since")
        before = _LAST if modified_before is None else arguments.moment(modified_before, "modified_before")
        found = c.DocumentList()
        with self._handle as session:
            lib.kinfolk_document_search(session, *texts, flags, since, before, byref(found))
        try:
            return [self._listed(found, index) for index in range(lib.kinfolk_document_list_count(found))]
        finally:
            lib.kinfolk_document_list_free(found)

    # Files

    def export(self, path: Path, *, excluded: bool = False, progress: Progress | None = None) -> DocumentExport:
        """Writes all documents as files below a folder of the disk, which is made if it is missing.

            done = documents.export("copies")
            print(done.documents, "documents,", done.skipped, "left out")

        It writes the current version of each document, and each conflict as a further file with a name like
        "list (conflict 1 of tablet).txt". Each file appears when it is complete. A regular file with its name is
        replaced; links are not followed below the folder, and other files are left as they are. Documents that are
        excluded from backups are left out, unless `excluded` is true. A document that cannot be written is reported,
        and the others are still written. Users choose the names of documents: write to a folder in which nothing else
        is, and not to that of the store.

        `progress(done, total)` is called on this thread, with bytes; it may use the service, but not fork. An exception
        of it, or Ctrl-C, ends the work and is raised by this call. The files that are complete stay.

        InvalidArgument: the path leads to something else than a folder. UnknownItem: the folder in which to make it is
        missing. PermissionFailure: the file system refuses. NotAuthenticated: the session has no account in good
        standing.
        """
        encoded, report = arguments.path(path, "path"), c.DocumentFiles()
        wanted = arguments.boolean(excluded, "excluded")
        with told(progress) as tell, self._handle as session:
            lib.kinfolk_document_export(session, encoded, wanted, tell, None, byref(report))
            return take_document_export(report)

    def import_files(
        self, path: Path, folder: str | None = None, *, progress: Progress | None = None
    ) -> DocumentImport:
        """Makes documents of the regular files in a folder of the disk and in the folders below it.

            done = documents.import_files("copies", "letters")
            print(done.created, "created,", done.saved, "saved,", done.unchanged, "unchanged")

        `folder` is the path of the folder of the documents; without it, they are in none. A document that exists gets a
        new version, unless its current version has the same bytes, so an import that was interrupted can be repeated.
        Links, devices, and files whose names cannot be those of documents are reported, and the others are still
        imported.

        `progress(done, total)` is called on this thread, with files, and 0 for `total`; it may use the service, but not
        fork. An exception of it, or Ctrl-C, ends the work and is raised by this call. The documents that are complete
        stay.

        InvalidArgument: the path leads to something else than a folder, or that of the documents is malformed.
        UnknownItem: there is no such folder on the disk. PermissionFailure: the process may not list the folder.
        QuotaExceeded: there is no room for a file. NotAuthenticated: the session has no account in good standing.
        """
        encoded, into = arguments.path(path, "path"), arguments.optional_text(folder, "folder")
        report = c.DocumentFiles()
        with told(progress) as tell, self._handle as session:
            lib.kinfolk_document_import(session, encoded, into, tell, None, byref(report))
            return take_document_import(report)

    # Changes

    def changes(self, since: Bytes | None = None) -> DocumentChanges:
        """The documents that were created, changed or deleted since a change token: a page of them.

            page = documents.changes(token)
            print(len(page.documents), "changed,", len(page.deleted), "deleted; next token:", page.token)

        `since` is the `token` of an earlier page. Without it, the changes begin with all documents. The changes of this
        device are among them. If `more_coming` of the page is true, call again with its `token`, as all_changes() does.

        ChangeTokenExpired: the token is too old, or was made for something else: discard what was fetched, and begin
        without a token. InvalidArgument: `since` is longer than 256 bytes. NotAuthenticated: the session has no account
        in good standing. PermissionFailure: the service is read-only, and the user never had documents.
        """
        token = _token(since)
        changes = c.DocumentChanges()
        with self._handle as session:
            lib.kinfolk_document_changes_fetch(session, token, len(token), byref(changes))
        return take_document_changes(changes, self._handle)

    def all_changes(self, since: Bytes | None = None) -> Iterator[DocumentChanges]:
        """The pages of changes(), one after the other, until no more changes are coming.

            for page in documents.all_changes(token):
                for document in page.documents:
                    print(document.path)
                token = page.token

        There is at least one page. Each step of the loop fails as changes() does.
        """
        more_coming = True
        while more_coming:
            page = self.changes(since)
            yield page
            since, more_coming = page.token, page.more_coming

    def watch(self, since: Bytes | None = None, *, timeout: float | None = None) -> ChangeWatch[DocumentChange]:
        """The changes by other devices, as they come: a loop over them waits for the next change.

            with documents.watch(token, timeout=0.5) as changes:
                for change in changes:
                    print(change.kind, change.id)

        It begins with the changes since a token of changes(); without it, with those from now on. Several changes of a
        document that come at the same time are reported once. With `timeout`, the loop ends when no change has come for
        so many seconds. It takes the place of an earlier watch(), which then ends, and of the function of on_change().

        ChangeTokenExpired: the token is too old, or was made for something else. InvalidArgument: `since` is longer
        than 256 bytes. NotAuthenticated: the session has no account in good standing. The loop is not told of a later
        suspension of the account: see Session.account_status.
        """
        seconds = None if timeout is None else arguments.seconds(timeout, "timeout")
        return ChangeWatch(self, queue.SimpleQueue(), seconds, _token(since))

    def on_change(self, changed: Callable[[DocumentChange], object] | None, since: Bytes | None = None) -> None:
        """Registers `changed(change)`, in place of the function or the watch() before; None removes it.

            def changed(change):
                print(change.kind, change.id)

            documents.on_change(changed)

        It is called for each change by another device since a token of changes(), or from now on. It runs on a thread
        of the service, one call at a time; while it runs, other sessions of the process get no notifications and no
        changes. An exception goes to sys.unraisablehook, and the change is not reported again.

        After this call, and after Session.close(), the old function is not running and will not run again, unless the
        call was made from inside that function. So do not hold a lock here that the function waits for.

        It fails as watch() does.
        """
        arguments.function(changed, "changed")
        self._observe(None if changed is None else Observer(self, changed), _token(since))

    def __reduce__(self) -> Any:
        raise TypeError("a Documents can be neither copied nor pickled")

    def __repr__(self) -> str:
        return f"<kinfolk.Documents{' (closed)' if self._handle.closed else ''}>"

    def _listed(self, documents: Any, index: int) -> Document:
        document = c.Document()
        lib.kinfolk_document_list_document(documents, index, byref(document))
        return Document.adopt(document, self._handle)

    def _register(self, number: int, since: bytes) -> None:
        with self._handle as session:
            if number:
                lib.kinfolk_session_on_document_change(session, since, len(since), _tell, number)
            else:
                lib.kinfolk_session_on_document_change(session, None, 0, c.DocumentChange(), None)


# Times that exclude no document.
_FIRST, _LAST = -(2**63), 2**63 - 1


def _token(since: Bytes | None) -> bytes:
    """The bytes of a change token; none to begin without one."""
    return b"" if since is None else arguments.octets(since, "since")


@c.DocumentChange  # type: ignore[untyped-decorator, unused-ignore]
def _tell(changes: Any, number: int) -> None:
    with inside_callback():
        observer = observer_of(number)
        observed = None if observer is None else observer.observed
        if observer is not None and observed is not None:
            for change in read_document_changes(changes, observed._handle):
                observer.tell(change)
        del observer, observed
