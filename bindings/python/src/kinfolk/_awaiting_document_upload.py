"""kinfolk.aio.DocumentUpload."""

from __future__ import annotations

from ._awaiting_file_writer import AwaitingFileWriter
from ._document_upload import DocumentUpload as _DocumentUpload


class DocumentUpload(AwaitingFileWriter[_DocumentUpload]):
    """The contents of a document that are being written, a piece at a time.

    Documents.upload() makes it. Documents.create(), Document.save() and Document.resolve() take it and end it, also if
    they fail. If the block ends without one of these calls, what was written is deleted.

        async with await documents.upload() as upload:
            async for piece in pieces:
                await upload.write(piece)
            await documents.create("talks/opening.wav", upload=upload)

    help(kinfolk.DocumentUpload) says how the functions fail.
    """

    __slots__ = ()
