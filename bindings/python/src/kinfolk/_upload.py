"""A file that is being written to a database."""

from __future__ import annotations

from ctypes import byref

from . import _arguments as arguments
from . import _declarations as c
from ._asset import Asset, copy_asset
from ._ffi import lib
from ._file_writer import FileWriter
from ._handle import Handle


class Upload(FileWriter):
    """A file that is being written to a database, a piece at a time.

    Database.begin_upload() makes it. finish() completes the file, and returns the asset for fields of records. If the
    block ends without it, the upload is cancelled, and what was written is deleted.

        with db.begin_upload() as upload:
            for piece in pieces:
                upload.write(piece)
            note["sound"] = upload.finish()

    After a failure the upload has ended, and its bytes no longer count. An upload that gets no bytes for 24 hours is
    deleted.

    The functions that write fail as follows. LimitExceeded: the file would be larger than an asset may be.
    QuotaExceeded: there is no room for it. AssetNotAvailable: the upload has ended. ZoneNotFound: the database has no
    such zone. NotAuthenticated: the session has no account in good standing. The library keeps about 1 MB in memory
    before it writes to the store, so a failure can be that of earlier bytes.
    """

    __slots__ = ("_database",)
    _database: Handle

    @classmethod
    def begin(cls, database: Handle, zone: str | None) -> Upload:
        """Begins an upload to a kinfolk_database."""
        encoded = arguments.optional_text(zone, "zone")
        asset = c.Asset()
        with database as own:
            lib.kinfolk_asset_new(own, encoded, byref(asset))
        upload = cls(Handle(asset, lib.kinfolk_asset_free, "upload", database.service))
        upload._database = database
        return upload

    def finish(self) -> Asset:
        """Completes the file, and returns the asset. When the call returns, the file is on disk.

        Another call returns the same asset again. If no record has it, the asset is deleted after 24 hours.
        """
        with self._handle as asset:
            lib.kinfolk_asset_finish(asset)
            return copy_asset(asset, self._database)
