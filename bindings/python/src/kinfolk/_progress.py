"""How C tells Python how far long work is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _arguments as arguments
from . import _declarations as c

Progress = Callable[[int, int], object]


@contextmanager
def told(progress: Progress | None) -> Iterator[Any]:
    """A C function that calls `progress(done, total)`, for the time of the block.

    What it raises first comes out at the end of the block, also when the call failed; it is not called again.
    """
    if progress is None:
        yield c.Progress()
        return
    if not callable(progress):
        raise arguments.wrong_type("progress", "callable or None", progress)
    raised: list[BaseException] = []

    def tell(done: int, total: int, _: object) -> None:
        if raised:
            return
        try:
            progress(done, total)
        except BaseException as error:  # it must not end in C, and comes out below
            raised.append(error)

    try:
        yield c.Progress(tell)
    finally:
        if raised:
            try:
                raise raised[0]
            finally:
                raised.clear()  # it holds this frame, which holds it
