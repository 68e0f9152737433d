"""Waits for notifications."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from ._handle import Handle
from ._notification import Notification

# How long one call of C waits, in seconds. Between two of them Python handles signals, and notices that an object was
# closed.
_SLICE = 0.2

Fetch = Callable[[float], "list[Notification]"]


def waited(fetch: Fetch, seconds: float, ended: Callable[[], bool] = lambda: False) -> list[Notification]:
    """Fetches notifications, and waits for some so long if there are none, or until it has ended."""
    deadline = time.monotonic() + seconds
    found = fetch(0)
    while not found and not ended():
        now = time.monotonic()
        if now >= deadline:
            break
        wait = min(_SLICE, deadline - now)
        found = fetch(wait)
        if not found:
            # A service that is open read-only does not wait.
            time.sleep(max(0.0, now + wait - time.monotonic()))
    return found


Own = TypeVar("Own", bound="Watch")


class Watch(Iterator[Notification]):
    """The notifications of a device, as they come. Session.watch() makes it.

    A loop over it acknowledges a notification when it asks for the next one. The end of a `with` block closes it; the
    last notification is then delivered again.
    """

    __slots__ = ("__weakref__", "_acknowledge", "_closed", "_fetch", "_last", "_session")

    def __init__(self, session: Handle, fetch: Fetch, acknowledge: Callable[[Notification], None]) -> None:
        if not isinstance(session, Handle):
            raise TypeError("a Watch is not made by calling its class: see Session.watch()")
        self._session = session
        self._fetch = fetch
        self._acknowledge = acknowledge
        self._last: Notification | None = None
        self._closed = False

    def __iter__(self: Own) -> Own:
        return self

    def __next__(self) -> Notification:
        if not self.closed and self._last is not None:
            self._acknowledge(self._last)
            self._last = None
        while not self.closed:
            try:
                found = waited(self._fetch, 3600, lambda: self.closed)
            except ValueError:
                if self.closed:  # by another thread
                    break
                raise
            if found:
                self._last = found[0]
                return found[0]
        raise StopIteration

    def close(self) -> None:
        """Ends the loop, also in another thread. Closing it again does nothing."""
        self._closed = True

    @property
    def closed(self) -> bool:
        """Whether it was closed, or its session."""
        return self._closed or self._session.closed

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a Watch can be neither copied nor pickled")

    def __repr__(self) -> str:
        return f"<kinfolk.Watch{' (closed)' if self.closed else ''}>"
