"""A file that is being written to a store."""

from __future__ import annotations

import io
import os
from typing import Any

from . import _arguments as arguments
from ._arguments import Bytes, Path, Readable, Source
from ._closable import Closable
from ._ffi import lib
from ._progress import Progress, told

# How many bytes are passed to C at once.
_PIECE = 1 << 20


class FileWriter(Closable):
    """The base of uploads: a file that is being written to a store, a piece at a time."""

    __slots__ = ()

    @property
    def size(self) -> int:
        """How many bytes were written."""
        with self._handle as asset:
            size: int = lib.kinfolk_asset_size(asset)
        return size

    def write(self, data: Bytes) -> None:
        """Adds bytes to the end of the file."""
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise arguments.wrong_type("data", "bytes, bytearray or memoryview", data)
        with memoryview(data).cast("B") as view:
            for start in range(0, len(view), _PIECE):
                self._write(bytes(view[start : start + _PIECE]))

    def add_file(self, path: Path, *, progress: Progress | None = None) -> None:
        """Adds the content of a file of the disk, which must be a regular file.

        `progress(done, total)` is called on this thread, with bytes; it may use the service, but not fork. An exception
        of it, or Ctrl-C, ends the upload and is raised by this call.

        AssetFileNotFound: the file does not exist. PermissionFailure: the process may not read it. AssetFileModified:
        it was changed while it was read. InvalidArgument: the path leads to a folder, a device or another special file.
        """
        encoded = arguments.path(path, "path")
        with told(progress) as tell, self._handle as asset:
            lib.kinfolk_asset_add_file(asset, encoded, tell, None)

    def cancel(self) -> None:
        """Ends the upload, and deletes what was written. Does nothing if the file is complete."""
        with self._handle as asset:
            lib.kinfolk_asset_cancel(asset)

    def _write(self, piece: bytes) -> None:
        with self._handle as asset:
            lib.kinfolk_asset_write(asset, piece, len(piece))


def add(upload: FileWriter, source: Source, progress: Progress | None) -> None:
    """Adds all of a source: a file of the disk, bytes, or what a binary file object has from its position on."""
    arguments.function(progress, "progress")
    if isinstance(source, (str, os.PathLike)):
        upload.add_file(source, progress=progress)
    elif isinstance(source, (bytes, bytearray, memoryview)) or not hasattr(source, "read"):
        _add_bytes(upload, source, progress)
    else:
        _add_stream(upload, source, progress)


def _add_bytes(upload: FileWriter, source: Any, progress: Progress | None) -> None:
    try:
        whole = memoryview(source)
    except TypeError:
        raise arguments.wrong_type("source", "a path, bytes or a binary file object", source) from None
    with whole, whole.cast("B") as view:
        for start in range(0, len(view), _PIECE):
            piece = bytes(view[start : start + _PIECE])
            upload._write(piece)
            if progress is not None:
                progress(start + len(piece), len(view))


def _add_stream(upload: FileWriter, source: Readable, progress: Progress | None) -> None:
    total, done = _bytes_left(source), 0
    while True:
        piece: Any = source.read(_PIECE)
        if piece is None:
            raise BlockingIOError("the file object has no bytes yet")
        if not isinstance(piece, (bytes, bytearray, memoryview)):
            raise arguments.wrong_type("source", "a file that is opened for reading bytes", source)
        if not piece:
            return
        upload.write(piece)
        done += memoryview(piece).nbytes
        if progress is not None:
            progress(done, max(total, done) if total else 0)


def _bytes_left(source: Any) -> int:
    """How many bytes a file object has from its position on; 0 if that is not known."""
    try:
        position = source.tell()
        end = source.seek(0, io.SEEK_END)
        source.seek(position)
    except (AttributeError, OSError, ValueError, TypeError):
        return 0
    return end - position if isinstance(end, int) and isinstance(position, int) else 0
