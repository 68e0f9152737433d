"""Passes the progress of long calls from C to Python, and lets Ctrl-C end them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._handle import free_postponed, inside_callback
from ._reraise import reraise
from ._signals import PostponedSignals

Progress = Callable[[int, int], object]


@contextmanager
def told(progress: Progress | None) -> Iterator[Any]:
    """A C function that calls `progress(done, total)`, valid inside the block.

    An exception of `progress` ends the work; the end of the block raises it, in place of the exception of the call. The
    same holds for exceptions of signal handlers: C always gets a function to call, also if `progress` is None, so that
    Ctrl-C is noticed.

    Take the outputs of C inside the block: its end may raise, and an output that was not taken would never be freed.
    """
    arguments.function(progress, "progress")
    raised: list[BaseException] = []
    with PostponedSignals() as signals:

        def tell(done: int, total: int, _: object) -> bool:
            if raised:
                return False
            try:
                with inside_callback():
                    signals.run()
                    if progress is not None:
                        progress(done, total)
                        signals.run()
            except BaseException as error:  # it must not reach C; it is raised below
                raised.append(error)
                return False
            return True

        try:
            yield c.Progress(tell)
        finally:
            free_postponed()
            reraise(raised)
