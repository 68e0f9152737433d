"""Waits for the changes of a key-value store or of documents."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from typing import Any, Generic, TypeVar

from ._handle import Handle
from ._observer import Observed, Observer

# How long one wait lasts, in seconds. Between two of them a loop notices that an object was closed.
_SLICE = 0.2

Change = TypeVar("Change")
Own = TypeVar("Own", bound="ChangeWatch[Any]")
Changes = queue.SimpleQueue


class ChangeWatch(Iterator[Change], Generic[Change]):
    """The changes of a key-value store or of documents, as they come. Their watch() makes it.

        with settings.watch() as changes:
            for change in changes:
                print(change.reason, change.keys)

    A loop over it ends when the watch, or what it watches, is closed, also by another thread; when another watch() or
    on_change() takes its place; or when no change has come for the `timeout` of watch(). Ctrl-C ends the wait. The end
    of a `with` block closes it.
    """

    __slots__ = ("__weakref__", "_changes", "_handle", "_observed", "_observer", "_seconds")

    def __init__(
        self, observed: Observed[Change], changes: Changes[Change], seconds: float | None, since: bytes = b""
    ) -> None:
        if not isinstance(observed, Observed):
            raise TypeError("a ChangeWatch is not made by calling its class: see KeyValueStore.watch()")
        self._observed = observed
        self._changes = changes
        self._seconds = seconds
        self._observer: Observer[Change] = Observer(observed, changes.put)
        observed._observe(self._observer, since)
        # A watch that is dropped, perhaps inside a callback, is removed as a handle is freed.
        self._handle = Handle(self._observer, Observer.stop, "watch", observed._handle.service)

    def __iter__(self: Own) -> Own:
        return self

    def __next__(self) -> Change:
        ends = None if self._seconds is None else time.monotonic() + self._seconds
        while not self.closed:
            wait = _SLICE if ends is None else max(0.0, min(_SLICE, ends - time.monotonic()))
            try:
                return self._changes.get(timeout=wait)
            except queue.Empty:
                if ends is not None and time.monotonic() >= ends:
                    break
                self._check()
        raise StopIteration

    def close(self) -> None:
        """Ends the loop, also in another thread. Closing it again does nothing."""
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed, or what it watches, or another watch or function has taken its place."""
        return self._handle.closed or self._observed._handle.closed or self._observed._observer is not self._observer

    def _check(self) -> None:
        """Fails in the child of a fork, in which no change would come."""
        if not self.closed:
            try:
                with self._handle:
                    pass
            except ValueError:
                if not self.closed:  # meanwhile
                    raise

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a ChangeWatch can be neither copied nor pickled")

    def __repr__(self) -> str:
        return f"<kinfolk.ChangeWatch{' (closed)' if self.closed else ''}>"
