"""Signals that arrive while C works.

A call with a progress function installs handlers of its own and restores those of the program at its end. Python cannot
read or set SA_RESTART, and signal.signal() clears it. So if the program set it with signal.siginterrupt(number, False),
it is lost. Handlers of asyncio's loop.add_signal_handler() are never replaced, so they keep it.
"""

from __future__ import annotations

import signal
import threading
from collections import deque
from collections.abc import Callable
from types import FrameType
from typing import Any, TypeVar

from ._reraise import reraise

Postponed = TypeVar("Postponed", bound="PostponedSignals")
Handler = Callable[[int, "FrameType | None"], Any]


class PostponedSignals:
    """Postpones signal handlers for the time of a `with` block, so that their exceptions are not lost.

    Python runs a handler as soon as C calls back, before the first line of the called function. An exception of the
    handler, KeyboardInterrupt for example, would be lost in C. So inside the block signals are only noted; run() runs
    their handlers, and the end of the block runs those that are left.

    Blocks may be nested: run() of the inner block runs the program's handlers, not the outer block's.
    """

    def __init__(self) -> None:
        self._found: dict[int, Handler] = {}
        self._handlers: dict[int, Handler] = {}
        self._arrived: deque[tuple[int, FrameType | None]] = deque()

    def __enter__(self: Postponed) -> Postponed:
        # Python runs handlers on the main thread only.
        if threading.current_thread() is threading.main_thread():
            try:
                self._replace()
            except BaseException:
                self._restore()
                raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._restore()
        finally:
            self.run()

    def run(self) -> None:
        """Runs the handlers of all signals that have arrived, and then raises the first exception of a handler."""
        raised: list[BaseException] = []
        while self._arrived:
            number, frame = self._arrived.popleft()
            try:
                self._handlers[number](number, frame)
            except BaseException as error:
                raised.append(error)
        reraise(raised)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._arrived.append((number, frame))

    def _replace(self) -> None:
        for number in signal.valid_signals():
            found = signal.getsignal(number)
            if callable(found) and not _does_nothing(found):
                outer = getattr(found, "__self__", None)
                self._handlers[number] = outer._handlers[number] if isinstance(outer, PostponedSignals) else found
                self._found[number] = found
                signal.signal(number, self._note)

    def _restore(self) -> None:
        raised: BaseException | None = None
        left = list(self._found.items())
        while True:
            try:
                while left:
                    number, found = left[-1]
                    # Not if the program has installed another handler meanwhile.
                    if signal.getsignal(number) == self._note:
                        signal.signal(number, found)
                    left.pop()
                break
            except BaseException as error:  # of a handler that was restored and has run already
                raised = error
        if raised is not None:
            raise raised


def _does_nothing(handler: Handler) -> bool:
    # The handler of loop.add_signal_handler(): C writes the signal's number to a pipe, which the loop reads.
    name = getattr(handler, "__module__", None), getattr(handler, "__name__", None)
    return name == ("asyncio.unix_events", "_sighandler_noop")
