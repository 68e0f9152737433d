"""A document of a user."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from ctypes import byref
from datetime import datetime
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Path
from ._asset import Asset
from ._closable import Closable
from ._document_contents import Contents, File
from ._document_upload import DocumentUpload
from ._document_version import DocumentVersion, read_version
from ._errors import UnknownItem
from ._ffi import lib
from ._handle import Handle
from ._outputs import moment, text
from ._progress import Progress


class Document(Closable):
    """A file of a user with a path and versions. Documents makes it.

        letter = session.documents.create("letters/test.txt", b"Hello")
        letter.save(b"Hello again")
        print(letter.path, letter.current.size, letter.read().decode())
        letter.restore(letter.older_versions[0])

    It is a copy of the document's path, dates and versions. The calls that change the document bring it up to date;
    changes by others do not: open the document again. The contents are read from the store when they are needed.

    If another device has saved the document since this object was made, save() overwrites nothing: the current version
    stays, and the new one becomes a conflict. Further saves of this object take the place of this conflict. All
    conflicts are kept until a device resolves them:

        letter.save(b"Hello from the phone")
        if letter.conflicts:
            both = b"".join(letter.read(version) for version in (letter.current, *letter.conflicts))
            letter.resolve(contents=both)

    The last 10 versions before the current one are kept, and can be restored.

    It need not be closed. Closing the service closes it; closing the session does not.

    The functions that read contents fail as follows. AssetNotAvailable: the version is not kept any more, or the
    document was deleted. UnknownItem: the object has no such version. NotAuthenticated: the session has no account in
    good standing. StoreCorrupt: the stored file is damaged.
    """

    __slots__ = ("_order", "_session")
    _order: threading.RLock
    """Held by the thread that changes the document, or reads several parts of it."""
    _session: Handle

    @classmethod
    def adopt(cls, pointer: Any, session: Handle) -> Document:
        """Takes over a kinfolk_document."""
        document = cls(Handle(pointer, lib.kinfolk_document_free, "document", session.service))
        document._order = threading.RLock()
        document._session = session
        return document

    # What it is

    @property
    def id(self) -> str:
        """The ID, which stays the same when the document is moved and saved: see Documents.fetch()."""
        with self._handle as document:
            return text(lib.kinfolk_document_id(document))

    @property
    def path(self) -> str:
        """The path: "letters/test.txt", for example."""
        with self._handle as document:
            return text(lib.kinfolk_document_path(document))

    @property
    def name(self) -> str:
        """The last name of the path: "test.txt", for example."""
        return self.path.rpartition("/")[2]

    @property
    def folder(self) -> str | None:
        """The path of the folder that has the document: "letters", for example. None if it is in no folder."""
        return self.path.rpartition("/")[0] or None

    @property
    def created_at(self) -> datetime:
        """When it was created, in UTC."""
        with self._handle as document:
            return moment(lib.kinfolk_document_created_at(document))

    @property
    def modified_at(self) -> datetime:
        """When it was last saved, moved or changed in another way, in UTC."""
        with self._handle as document:
            return moment(lib.kinfolk_document_modified_at(document))

    @property
    def is_excluded_from_backup(self) -> bool:
        """Whether it is left out of backups and exports: see exclude_from_backup()."""
        with self._handle as document:
            excluded: bool = lib.kinfolk_document_is_excluded(document)
        return excluded

    # Versions

    @property
    def current(self) -> DocumentVersion:
        """The current version."""
        with self._handle as document, self._order:
            return read_version(document, 0)

    @property
    def conflicts(self) -> tuple[DocumentVersion, ...]:
        """The versions that did not become current, because another device had saved the document; the oldest first."""
        with self._handle as document, self._order:
            count = lib.kinfolk_document_conflict_count(document)
            return tuple(read_version(document, index) for index in range(1, count + 1))

    @property
    def older_versions(self) -> tuple[DocumentVersion, ...]:
        """The versions that can be restored, the newest first.

        A save keeps 10 of them. resolve() keeps all versions that it resolves, until the next save.
        """
        with self._handle as document, self._order:
            first = lib.kinfolk_document_conflict_count(document) + 1
            count = lib.kinfolk_document_version_count(document)
            return tuple(read_version(document, index) for index in range(first, count))

    @property
    def versions(self) -> tuple[DocumentVersion, ...]:
        """All versions: the current one, then the conflicts, and then the older ones."""
        with self._handle as document, self._order:
            count = lib.kinfolk_document_version_count(document)
            return tuple(read_version(document, index) for index in range(count))

    # Reading

    def read(self, version: DocumentVersion | str | None = None, *, offset: int = 0, count: int | None = None) -> bytes:
        """Reads the contents into memory: all of them, or at most `count` bytes from `offset` on.

            print(letter.read().decode())
            print(letter.read(letter.older_versions[0], count=5))

        `version` is one of `versions`, or its ID; without it, the current one. Fewer than `count` bytes are returned
        only at the end, and none beyond it.
        """
        return self._asset(version).read(offset, count)

    def open(self, version: DocumentVersion | str | None = None) -> io.BufferedReader:
        """Returns a binary stream of the contents, which can be read from any position.

            with letter.open() as stream:
                for line in stream:
                    print(line.decode())

        `version` is one of `versions`, or its ID; without it, the current one. Each use of the stream may fail as
        read() does.
        """
        return self._asset(version).open()

    def write_to(
        self, path: Path, version: DocumentVersion | str | None = None, *, progress: Progress | None = None
    ) -> None:
        """Writes the contents to a file of the disk, which appears in one step when it is complete.

            letter.write_to("copy.txt")

        A file with this name is replaced. `version` is one of `versions`, or its ID; without it, the current one.

        `progress(done, total)` is called on this thread, with bytes; it may use the service, but not fork. An exception
        of it, or Ctrl-C, ends the work and is raised by this call: then there is no new file.

        AssetFileNotFound: the folder of the file does not exist. PermissionFailure: the process may not make the file
        there. InvalidArgument: the path leads to a folder, a device, a link or another special file.
        """
        self._asset(version).save(path, progress=progress)

    # Changing

    def save(
        self,
        contents: Bytes | None = None,
        *,
        file: File | None = None,
        upload: DocumentUpload | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Saves a new version: bytes, a file or an upload.

            letter.save(b"Hello again")
            letter.save(file="letter.txt")

        `file` is the path of a regular file, or a binary file object, which is read from its position to its end.
        `progress(done, total)` is called on this thread while the file is read, with bytes; it may use the service, but
        not fork. An exception of it, or Ctrl-C, ends the work and is raised by this call: then nothing was saved.

        It takes the place of the version on which this object is based: the one that was current when it was opened, or
        the one that it saved last. That may be the current version or a conflict. If it is neither any more, the new
        version becomes a further conflict, and nothing is overwritten: `conflicts` has it then.

        UnknownItem: the document was deleted. LimitExceeded: the contents are larger than an asset may be
        (Quota.ASSET), or the document has 100 conflicts already. QuotaExceeded: there is no room for them.
        AssetNotAvailable: the upload has ended. AssetFileNotFound: the file does not exist. AssetFileModified: it was
        changed while it was read. PermissionFailure: the process may not read it. InvalidArgument: the path leads to a
        folder, a device or another special file. NotAuthenticated: the session has no account in good standing.
        """
        with Contents(contents, file, upload, progress).passed(self._own_session()) as (is_upload, given):
            self._change(lib.kinfolk_document_save_from if is_upload else lib.kinfolk_document_save, *given)

    def resolve(
        self,
        version: DocumentVersion | str | None = None,
        *,
        contents: Bytes | None = None,
        file: File | None = None,
        upload: DocumentUpload | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Resolves the conflicts of this object: by one of its versions, by other contents, a file or an upload.

            letter.resolve(letter.current)
            letter.resolve(contents=b"Hello from both")

        The other versions become older versions. Conflicts that came in the meantime stay. `file` and `progress` are as
        for save().

        UnknownItem: the document was deleted, or this object has no such version. ServerRecordChanged: the current
        version in the store is not that of this object; open the document again. It also fails as save() does.
        """
        others = 0 if version is None else 1
        chosen = Contents(contents, file, upload, progress, otherwise=b"" if others else None, others=others)
        if version is not None:
            self._change(lib.kinfolk_document_resolve, _version_id(version))
            return
        with chosen.passed(self._own_session()) as (is_upload, given):
            self._change(lib.kinfolk_document_resolve_from if is_upload else lib.kinfolk_document_resolve_with, *given)

    def restore(self, version: DocumentVersion | str) -> None:
        """Makes an older version the current one again. The current one becomes an older version.

            letter.restore(letter.older_versions[0])

        UnknownItem: the document was deleted, or this object has no such version. ServerRecordChanged: the current
        version in the store is not that of this object; open the document again. NotAuthenticated: the session has no
        account in good standing.
        """
        self._change(lib.kinfolk_document_restore, _version_id(version))

    def move(self, path: str) -> None:
        """Gives the document another path.

            letter.move("archive/test.txt")

        InvalidArgument: the path is malformed. Conflict: there is a document or a folder with this path, or one of its
        folders is a document. UnknownItem: the document was deleted. NotAuthenticated: the session has no account in
        good standing.
        """
        self._change(lib.kinfolk_document_move, arguments.text(path, "path"))

    def exclude_from_backup(self, excluded: bool = True) -> None:
        """Leaves the document out of backups and exports, or includes it again.

            letter.exclude_from_backup()
            letter.exclude_from_backup(False)

        Service.copy(), which moves a store, copies all documents.

        UnknownItem: the document was deleted. NotAuthenticated: the session has no account in good standing.
        """
        self._change(lib.kinfolk_document_set_excluded, arguments.boolean(excluded, "excluded"))

    def delete(self) -> None:
        """Deletes the document with all its versions. This object still says what it was.

        UnknownItem: the document was deleted already. ServerRecordChanged: the current version in the store is not that
        of this object, or the document has conflicts that this object does not show; open it again. NotAuthenticated:
        the session has no account in good standing.
        """
        self._change(lib.kinfolk_document_delete)

    def __repr__(self) -> str:
        if self.closed:
            return super().__repr__()
        # Without the path: what is printed ends up in logs.
        with self._handle as document, self._order:
            count = lib.kinfolk_document_version_count(document)
            conflicts = lib.kinfolk_document_conflict_count(document)
        return f"<kinfolk.Document versions={count} conflicts={conflicts}>"

    def _change(self, call: Callable[..., Any], *given: Any) -> None:
        with self._handle as document, self._order:
            call(document, *given)

    def _own_session(self) -> Handle:
        """The session to which contents are written."""
        with self._handle:
            return self._session

    def _asset(self, version: DocumentVersion | str | None) -> Asset:
        """The contents of a version."""
        wanted = None if version is None else _version_id(version)
        asset = c.Asset()
        with self._handle as document, self._order:
            index = 0
            if wanted is not None:
                indexes = range(lib.kinfolk_document_version_count(document))
                found = (each for each in indexes if lib.kinfolk_document_version_id(document, each) == wanted)
                index = next(found, -1)
                if index < 0:
                    raise UnknownItem("the document has no such version")
            lib.kinfolk_document_version_asset(document, index, byref(asset))
        return Asset.adopt(asset, self._session)


def _version_id(version: DocumentVersion | str) -> bytes:
    if not isinstance(version, (DocumentVersion, str)):
        raise arguments.wrong_type("version", "a kinfolk.DocumentVersion or its ID", version)
    return arguments.text(version.id if isinstance(version, DocumentVersion) else version, "version")
