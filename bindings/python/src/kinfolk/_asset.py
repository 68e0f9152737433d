"""A file that belongs to a field of a record."""

from __future__ import annotations

import io
from contextlib import suppress
from ctypes import byref, c_char, c_size_t, create_string_buffer
from typing import TYPE_CHECKING, Any

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Path
from ._closable import Closable
from ._errors import ServiceUnavailable
from ._ffi import lib
from ._handle import Handle
from ._progress import Progress, told

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# How many bytes a stream reads ahead, so that small reads do not ask the store each time.
_BUFFER = 1 << 20


class Asset(Closable):
    """A file that belongs to a field of a record: a photo, a sound, a document.

    Database.upload() makes it from a file of the disk, bytes or a file object. A record gets it as any other value:

        note["photo"] = db.upload("photo.jpg")
        db.save(note)

    A record that was fetched returns it. The record holds only the size and the SHA-256; the content is read from the
    record's database when it is needed:

        photo = db.fetch("shopping")["photo"]
        print(photo.size, photo.sha256.hex())
        photo.save("copy.jpg")
        with photo.open() as stream:
            header = stream.read(512)

    Several records of one zone may have the same asset. It is deleted with the last of them. An asset that no record
    has is deleted after 24 hours. Two assets are equal if their contents are. An asset need not be closed; `size` and
    `sha256` can be read when it is closed, too.

    The functions that read fail as follows. AssetNotAvailable: the asset was deleted, or the session may read no record
    that has it; each call checks this again. NotAuthenticated: private database, and the session has no account in good
    standing. StoreCorrupt: the stored file is damaged. InvalidArgument: the record's database was closed before the
    asset was taken from the record.
    """

    __slots__ = ("_database", "_sha256", "_size")
    _database: Handle | None
    _size: int
    _sha256: bytes

    @classmethod
    def adopt(cls, pointer: Any, database: Handle | None) -> Asset:
        """Takes over a complete kinfolk_asset. Without a database, its content cannot be read."""
        service = database.service if database is not None else None
        asset = cls(Handle(pointer, lib.kinfolk_asset_free, "asset", service))
        digest = create_string_buffer(c.DIGEST_LENGTH)
        with asset._handle as own:
            lib.kinfolk_asset_sha256(own, digest)
            asset._size = lib.kinfolk_asset_size(own)
        asset._sha256 = digest.raw
        asset._database = database
        return asset

    @property
    def size(self) -> int:
        """How many bytes the file has."""
        return self._size

    @property
    def sha256(self) -> bytes:
        """The SHA-256 (FIPS 180-4) of the file: 32 bytes."""
        return self._sha256

    def read(self, offset: int = 0, count: int | None = None) -> bytes:
        """Reads bytes of the file into memory: all of it, or at most `count` bytes from `offset` on.

        Fewer than `count` bytes are returned only at the end of the file, and none beyond it.
        """
        start = arguments.byte_count(offset, "offset")
        left = max(self._size - start, 0)
        wanted = left if count is None else min(arguments.byte_count(count, "count"), left)
        content = bytearray(wanted)
        filled = 0
        while filled < wanted:
            with memoryview(content)[filled : filled + (64 << 20)] as part:
                read = self._read_into(part, start + filled)
            if read == 0:
                break
            filled += read
        if wanted == 0:
            self._read_into(bytearray(), start)  # it fails as other calls do
        return bytes(content[:filled])

    def open(self) -> io.BufferedReader:
        """Returns a binary stream of the file, as Path.open() does. It can be read from any position.

            with note["photo"].open() as stream, open("copy.jpg", "wb") as copy:
                shutil.copyfileobj(stream, copy)

        Each use of the stream may fail as read() does.
        """
        with self._handle:
            return io.BufferedReader(_Stream(self), _BUFFER)

    def save(self, path: Path, *, progress: Progress | None = None) -> None:
        """Writes the file to the disk. It appears in one step, when it is complete. A file with this name is replaced.

        `progress(done, total)` is called on this thread, with bytes; it may use the service, but not fork. An exception
        of it, or Ctrl-C, ends the work and is raised by this call: then there is no new file.

        AssetFileNotFound: the folder of the file does not exist. PermissionFailure: the process may not make the file
        there. InvalidArgument: the path leads to a folder, a device, a link or another special file.
        """
        encoded = arguments.path(path, "path")
        with told(progress) as tell, self._handle as asset:
            lib.kinfolk_asset_save_to_file(asset, encoded, tell, None)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Asset):
            return NotImplemented
        return (self._size, self._sha256) == (other._size, other._sha256)

    def __hash__(self) -> int:
        return hash((self._size, self._sha256))

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"<kinfolk.Asset {self._size} bytes>"

    def _read_into(self, buffer: WriteableBuffer, offset: int) -> int:
        """Fills a buffer from an offset on; returns how many bytes were read."""
        with memoryview(buffer).cast("B") as view:
            count = c_size_t()
            memory = (c_char * len(view)).from_buffer(view) if len(view) else None
            try:
                with self._handle as asset:
                    lib.kinfolk_asset_read(asset, offset, memory, len(view), byref(count))
            finally:
                del memory  # it holds the view
        return count.value


class _Stream(io.RawIOBase):
    """The file of an asset as a stream without a buffer."""

    def __init__(self, asset: Asset) -> None:
        self._asset = asset
        self._position = 0

    def readable(self) -> bool:
        """Always true."""
        return True

    def seekable(self) -> bool:
        """Always true."""
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        """Reads into a buffer."""
        self._require_open()
        count = self._asset._read_into(buffer, self._position)
        self._position += count
        return count

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Moves to a position, which may be behind the end."""
        self._require_open()
        starts = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._asset.size}
        if whence not in starts:
            raise ValueError(f"whence must be 0, 1 or 2, not {whence}")
        position = starts[whence] + offset
        if position < 0:
            raise ValueError("a position is not negative")
        self._position = position
        return position

    def tell(self) -> int:
        """The present position."""
        self._require_open()
        return self._position

    def _require_open(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file.")


def take_asset(value: Any, index: int, database: Handle | None) -> Asset:
    """The asset at an index of a kinfolk_value. Without a usable database, its content cannot be read."""
    asset = c.Asset()
    if database is not None:
        # A record outlives its database: then it tells the size and the digest of its assets.
        with suppress(ValueError, ServiceUnavailable):
            with database as own:
                lib.kinfolk_value_get_asset(value, index, own, byref(asset))
            return Asset.adopt(asset, database)
    lib.kinfolk_value_get_asset(value, index, None, byref(asset))
    return Asset.adopt(asset, None)


def copy_asset(asset: Any, database: Handle) -> Asset:
    """Another handle of a complete kinfolk_asset."""
    value = c.Value()
    try:
        lib.kinfolk_value_new_asset(asset, byref(value))
        return take_asset(value, 0, database)
    finally:
        lib.kinfolk_value_free(value)
