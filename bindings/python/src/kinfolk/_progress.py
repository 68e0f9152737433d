"""How C tells Python how far long work is, and how Ctrl-C ends it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._signals import PostponedSignals

Progress = Callable[[int, int], object]


@contextmanager
def told(progress: Progress | None) -> Iterator[Any]:
    """A C function that calls `progress(done, total)`, for the time of the block.

    What it raises ends the work, and comes out at the end of the block in the place of what the call raises. So does
    what a signal handler raises meanwhile: C always gets a function to call, so that Ctrl-C is seen.

    Take what C hands out inside the block: its end may raise, and what was not taken would never be freed.
    """
    if progress is not None and not callable(progress):
        raise arguments.wrong_type("progress", "callable or None", progress)
    raised: list[BaseException] = []
    with PostponedSignals() as signals:

        def tell(done: int, total: int, _: object) -> bool:
            if raised:
                return False
            try:
                signals.run()
                if progress is not None:
                    progress(done, total)
                    signals.run()
            except BaseException as error:  # it must not end in C, and comes out below
                raised.append(error)
                return False
            return True

        try:
            yield c.Progress(tell)
        finally:
            if raised:
                try:
                    raise raised[0]
                finally:
                    raised.clear()  # it holds this frame, which holds it
