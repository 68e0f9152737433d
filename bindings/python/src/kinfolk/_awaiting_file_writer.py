"""The base of the uploads of kinfolk.aio."""

from __future__ import annotations

from typing import TypeVar

from ._arguments import Bytes, Path
from ._awaiting import Awaiting
from ._file_writer import FileWriter
from ._progress import Progress

Writer = TypeVar("Writer", bound=FileWriter)


class AwaitingFileWriter(Awaiting[Writer]):
    """The base of uploads: a file that is being written to a store, a piece at a time."""

    __slots__ = ()

    async def size(self) -> int:
        """How many bytes were written."""
        return await self._calls.run(lambda: self._blocking.size)

    async def write(self, data: Bytes) -> None:
        """Adds bytes to the end of the file."""
        await self._calls.run(lambda: self._blocking.write(data))

    async def add_file(self, path: Path, *, progress: Progress | None = None) -> None:
        """Adds the content of a file of the disk, which must be a regular file.

        `progress(done, total)` is called on the event loop, with bytes. An exception of it ends the upload and is
        raised by this call.
        """
        await self._calls.run_told(progress, lambda tell: self._blocking.add_file(path, progress=tell))

    async def cancel(self) -> None:
        """Ends the upload, and deletes what was written. Does nothing if the file is complete."""
        await self._calls.run(lambda: self._blocking.cancel())
