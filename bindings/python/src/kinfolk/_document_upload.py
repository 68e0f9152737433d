"""The contents of a document that are being written."""

from __future__ import annotations

from ctypes import byref

from . import _declarations as c
from ._ffi import lib
from ._file_writer import FileWriter
from ._handle import Handle


class DocumentUpload(FileWriter):
    """The contents of a document that are being written, a piece at a time.

    Documents.upload() makes it. Documents.create(), Document.save() and Document.resolve() take it and end it, also if
    they fail. If the block ends without one of these calls, what was written is deleted.

        with documents.upload() as upload:
            for piece in pieces:
                upload.write(piece)
            documents.create("talks/opening.wav", upload=upload)

    An upload that gets no bytes for 24 hours is deleted.

    The functions that write fail as follows. LimitExceeded: the contents would be larger than an asset may be
    (Quota.ASSET). QuotaExceeded: there is no room for them. AssetNotAvailable: the upload has ended. NotAuthenticated:
    the session has no account in good standing. After a failure the upload has ended. The library keeps about 1 MB in
    memory before it writes to the store, so a failure can be that of earlier bytes.
    """

    __slots__ = ()

    @classmethod
    def begin(cls, session: Handle) -> DocumentUpload:
        """Begins an upload to the documents of a kinfolk_session."""
        asset = c.Asset()
        with session as own:
            lib.kinfolk_document_upload(own, byref(asset))
        return cls(Handle(asset, lib.kinfolk_asset_free, "upload", session.service))
