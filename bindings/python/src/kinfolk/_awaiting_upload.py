"""kinfolk.aio.Upload."""

from __future__ import annotations

from ._asset import Asset
from ._awaiting_file_writer import AwaitingFileWriter
from ._upload import Upload as _Upload


class Upload(AwaitingFileWriter[_Upload]):
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

    async def finish(self) -> Asset:
        """Completes the file, and returns the asset. When the call returns, the file is on disk."""
        return await self._calls.run(lambda: self._blocking.finish())
