"""Passes the changes of a key-value store or of documents to an event loop."""

from __future__ import annotations

import asyncio
import queue
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import TypeVar

from . import _arguments as arguments
from ._awaiting import Calls
from ._listener import Listener
from ._observer import Observed, Observer

Change = TypeVar("Change")


async def watched(
    calls: Calls, observed: Observed[Change], changes: queue.SimpleQueue[Change], since: bytes = b""
) -> AsyncGenerator[Change, None]:
    """The changes, one after the other, until another observer takes the place of this one, or the end of the object.

    `changes` has those that were reported and not taken yet.
    """
    listener = Listener(observed._handle)

    def tell(change: Change) -> None:
        changes.put(change)
        listener.tell()

    observer = Observer(observed, tell, listener.stop)
    calls.listeners.add(listener)
    try:
        await calls.run(lambda: _begin(observed, observer, since, lambda: listener.ended))
        while True:
            with suppress(queue.Empty):
                while not listener.ended:
                    yield changes.get_nowait()
            if not await listener.next():
                return
    finally:
        listener.stop()
        calls.listeners.discard(listener)
        if not observed._handle.closed:
            await calls.run_to_end(lambda: _end(observed, observer))


async def observe(
    calls: Calls, observed: Observed[Change], changed: Callable[[Change], object] | None, since: bytes = b""
) -> None:
    """Registers a function that is called on the event loop of this call; None removes the one before."""
    arguments.function(changed, "changed")
    if changed is None:
        await calls.run(lambda: _begin(observed, None, b"", lambda: False))
        return
    loop, listener = asyncio.get_running_loop(), Listener(observed._handle)

    def report(change: Change) -> None:
        if not listener.ended:
            changed(change)

    def tell(change: Change) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(report, change)

    observer = Observer(observed, tell, listener.stop)
    await calls.run(lambda: _begin(observed, observer, since, lambda: listener.ended))


def _begin(
    observed: Observed[Change], observer: Observer[Change] | None, since: bytes, ended: Callable[[], bool]
) -> None:
    # A loop that is cancelled may have ended already when this call gets a thread.
    with observed._handle, observed._turn:
        if not ended():
            observed._observe(observer, since)


def _end(observed: Observed[Change], observer: Observer[Change]) -> None:
    with suppress(ValueError), observed._handle, observed._turn:  # closed meanwhile
        observed._stop(observer)
