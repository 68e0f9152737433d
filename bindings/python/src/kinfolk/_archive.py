"""Writes an archive from C to a file object of Python."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import string_at
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Writable
from ._reraise import reraise
from ._signals import PostponedSignals


@contextmanager
def written_to(file: Writable) -> Iterator[Any]:
    """A C function that writes to a binary file object, valid inside the block.

    An exception of the file object, or of a signal handler, ends the work; the end of the block raises it, in place of
    the exception of the call.
    """
    if not callable(getattr(file, "write", None)):
        raise arguments.wrong_type("file", "a binary file object", file)
    raised: list[BaseException] = []
    with PostponedSignals() as signals:

        def write(pointer: int, length: int, _: object) -> bool:
            if raised:
                return False
            try:
                signals.run()
                _write_all(file, string_at(pointer, length))
                signals.run()
            except BaseException as error:  # it must not reach C; it is raised below
                raised.append(error)
                return False
            return True

        try:
            yield c.Write(write)
        finally:
            reraise(raised)


def _write_all(file: Writable, piece: bytes) -> None:
    """Writes all of a piece: a file object without a buffer may write a part at a time."""
    while piece:
        count = file.write(piece)
        if not isinstance(count, int) or count >= len(piece):
            return
        piece = piece[count:]
