"""Passes the changes of an account to an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress

from ._handle import Handle


class Listener:
    """Listens to the changes of a session's account, for the event loop on which it is made.

    The service calls tell() on one of its threads. The loop then calls `changed`, and next() returns.
    """

    def __init__(self, session: Handle, changed: Callable[[], object] | None = None) -> None:
        self._session = session
        self._changed = changed
        self._loop = asyncio.get_running_loop()
        self._told = asyncio.Event()
        self._stopped = False

    @property
    def ended(self) -> bool:
        """Whether it has ended: it was stopped, or its session was closed."""
        return self._stopped or self._session.closed

    def tell(self) -> None:
        """Reports a change, or that the session was closed. Any thread may call it."""
        with suppress(RuntimeError):  # the loop is closed
            self._loop.call_soon_threadsafe(self._report)

    def stop(self) -> None:
        """Stops the reports, and ends next()."""
        self._stopped = True
        self.tell()

    async def next(self) -> bool:
        """Waits for a change. False: no change will follow."""
        await self._told.wait()
        self._told.clear()
        return not self.ended

    def _report(self) -> None:
        self._told.set()
        if self._changed is not None and not self.ended:
            self._changed()
