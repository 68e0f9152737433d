"""kinfolk.aio.Document."""

from __future__ import annotations

from datetime import datetime

from ._arguments import Bytes, Path
from ._awaiting import Awaiting, blocking
from ._awaiting_document_upload import DocumentUpload
from ._document import Document as _Document
from ._document_contents import File
from ._document_version import DocumentVersion
from ._progress import Progress


class Document(Awaiting[_Document]):
    """A file of a user with a path and versions. Documents makes it.

        letter = await session.documents.create("letters/test.txt", b"Hello")
        await letter.save(b"Hello again")
        print(letter.path, letter.current.size, (await letter.read()).decode())
        await letter.restore(letter.older_versions[0])

    It is a copy of the document's path, dates and versions, which are read without `await`. The calls that change the
    document bring it up to date. There is no stream: `await letter.read(offset=0, count=1000)` reads a part.
    help(kinfolk.Document) says what conflicts are, and how the calls fail.
    """

    __slots__ = ()

    @property
    def id(self) -> str:
        """The ID, which stays the same when the document is moved and saved: see Documents.fetch()."""
        return self._blocking.id

    @property
    def path(self) -> str:
        """The path: "letters/test.txt", for example."""
        return self._blocking.path

    @property
    def name(self) -> str:
        """The last name of the path: "test.txt", for example."""
        return self._blocking.name

    @property
    def folder(self) -> str | None:
        """The path of the folder that has the document: "letters", for example. None if it is in no folder."""
        return self._blocking.folder

    @property
    def created_at(self) -> datetime:
        """When it was created, in UTC."""
        return self._blocking.created_at

    @property
    def modified_at(self) -> datetime:
        """When it was last saved, moved or changed in another way, in UTC."""
        return self._blocking.modified_at

    @property
    def is_excluded_from_backup(self) -> bool:
        """Whether it is left out of backups and exports: see exclude_from_backup()."""
        return self._blocking.is_excluded_from_backup

    @property
    def current(self) -> DocumentVersion:
        """The current version."""
        return self._blocking.current

    @property
    def conflicts(self) -> tuple[DocumentVersion, ...]:
        """The versions that did not become current, because another device had saved the document; the oldest first."""
        return self._blocking.conflicts

    @property
    def older_versions(self) -> tuple[DocumentVersion, ...]:
        """The versions that can be restored, the newest first: at most 10."""
        return self._blocking.older_versions

    @property
    def versions(self) -> tuple[DocumentVersion, ...]:
        """All versions: the current one, then the conflicts, and then the older ones."""
        return self._blocking.versions

    async def read(
        self, version: DocumentVersion | str | None = None, *, offset: int = 0, count: int | None = None
    ) -> bytes:
        """Reads the contents into memory: all of them, or at most `count` bytes from `offset` on.

        `version` is one of `versions`, or its ID; without it, the current one.
        """
        return await self._calls.run(lambda: self._blocking.read(version, offset=offset, count=count))

    async def write_to(
        self, path: Path, version: DocumentVersion | str | None = None, *, progress: Progress | None = None
    ) -> None:
        """Writes the contents to a file of the disk, which appears in one step when it is complete.

            await letter.write_to("copy.txt")

        `progress(done, total)` is called on the event loop, with bytes. An exception of it ends the work and is raised
        by this call: then there is no new file.
        """
        await self._calls.run_told(progress, lambda tell: self._blocking.write_to(path, version, progress=tell))

    async def save(
        self,
        contents: Bytes | None = None,
        *,
        file: File | None = None,
        upload: DocumentUpload | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Saves a new version: bytes, a file or an upload.

            await letter.save(b"Hello again")
            await letter.save(file="letter.txt")

        If the current version in the store is not that of this object, the new one becomes a conflict, and nothing is
        overwritten. `progress(done, total)` is called on the event loop while the file is read, with bytes. An
        exception of it ends the work and is raised by this call: then nothing was saved.
        """
        own = blocking(upload)
        await self._calls.run_told(
            progress, lambda tell: self._blocking.save(contents, file=file, upload=own, progress=tell)
        )

    async def resolve(
        self,
        version: DocumentVersion | str | None = None,
        *,
        contents: Bytes | None = None,
        file: File | None = None,
        upload: DocumentUpload | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Resolves the conflicts of this object: by one of its versions, by other contents, a file or an upload.

            await letter.resolve(letter.current)
            await letter.resolve(contents=b"Hello from both")

        The other versions become older versions. Conflicts that came in the meantime stay.
        """
        own = blocking(upload)
        await self._calls.run_told(
            progress,
            lambda tell: self._blocking.resolve(version, contents=contents, file=file, upload=own, progress=tell),
        )

    async def restore(self, version: DocumentVersion | str) -> None:
        """Makes an older version the current one again. The current one becomes an older version."""
        await self._calls.run(lambda: self._blocking.restore(version))

    async def move(self, path: str) -> None:
        """Gives the document another path."""
        await self._calls.run(lambda: self._blocking.move(path))

    async def exclude_from_backup(self, excluded: bool = True) -> None:
        """Leaves the document out of backups and exports, or includes it again."""
        await self._calls.run(lambda: self._blocking.exclude_from_backup(excluded))

    async def delete(self) -> None:
        """Deletes the document with all its versions. This object still says what it was."""
        await self._calls.run(lambda: self._blocking.delete())
