"""kinfolk.aio.Upload."""

from __future__ import annotations

from ._arguments import Bytes, Path
from ._asset import Asset
from ._awaiting import Awaiting
from ._progress import Progress
from ._upload import Upload as _Upload


class Upload(Awaiting[_Upload]):
    """A file that is being written to a database, a piece at a time.

    Database.begin_upload() makes it. finish() completes the file, and returns the asset for fields of records. If the
    block ends without it, the upload is cancelled, and what was written is deleted.

        async with db.begin_upload() as upload:
            async for piece in pieces:
                await upload.write(piece)
            note["sound"] = await upload.finish()

    help(kinfolk.Upload) says how the functions fail.
    """

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

    async def finish(self) -> Asset:
        """Completes the file, and returns the asset. When the call returns, the file is on disk."""
        return await self._calls.run(lambda: self._blocking.finish())

    async def cancel(self) -> None:
        """Ends the upload, and deletes what was written. Does nothing if the file is complete."""
        await self._calls.run(lambda: self._blocking.cancel())
