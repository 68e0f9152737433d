"""A C handle that is freed once: after it was closed, and after the last call that uses it.

    with handle as pointer:
        lib.kinfolk_session_account_status(pointer, byref(status))

The block keeps the handle from being freed, whichever thread closes it. Copy data that is borrowed from the handle
before the block ends.
"""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ._errors import ServiceUnavailable

# One lock for the counts of all handles, so that a handle needs no lock of its own. It is held for a few instructions
# and never during a call into C, so a fork never waits long for it. Reentrant, because the garbage collector and signal
# handlers may run at any point.
_lock = threading.RLock()
_forks = 0
_callback = threading.local()
_postponed: deque[tuple[Callable[[Any], None], Any]] = deque()


def _after_fork_in_child() -> None:
    global _forks
    _forks += 1
    _lock.release()


os.register_at_fork(before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_after_fork_in_child)


def fork_generation() -> int:
    """The number of forks between the process that imported kinfolk and this one."""
    return _forks


class Handle:
    """A C handle, and the function that frees it."""

    __slots__ = (
        "__weakref__",
        "_calls",
        "_closed",
        "_end",
        "_forks",
        "_free",
        "_kind",
        "_pointer",
        "_service",
        "_subordinate",
    )

    def __init__(
        self,
        pointer: Any,
        free: Callable[[Any], None],
        kind: str,
        service: Handle | None = None,
        end: Callable[[Any], None] | None = None,
    ) -> None:
        """`end` ends the use of a service by all threads, also if it is called more than once, and waits for that."""
        self._pointer = pointer
        self._free = free
        self._kind = kind
        self._forks = _forks
        self._calls = 0
        self._closed = False
        self._service = service
        self._end = end
        self._subordinate: weakref.WeakSet[Handle] | None = None
        free_postponed()
        if service is not None and not service._admit(self):
            self.close()
            raise ValueError(f"the {service._kind} is closed")

    @property
    def service(self) -> Handle:
        """The handle of the service through which this one was opened; for a service, its own handle."""
        return self._service or self

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._closed

    def refuse_calls(self) -> None:
        """Begins to close the handle, and the handles that were opened through it, without waiting: close() frees them.

        Calls that have begun run to their end. Further calls are refused.
        """
        with _lock:
            self._closed = True
            for handle in list(self._subordinate or ()):
                handle._closed = True

    def close(self) -> None:
        """Frees the handle, and the handles that were opened through it, as soon as no call uses them.

        If this is a service, the store is closed when this returns.
        """
        self.refuse_calls()
        self._end_use()
        with _lock:
            subordinate = list(self._subordinate or ())
            pointer = self._take()
        for handle in subordinate:
            handle.close()
        self._dispose(pointer)

    def __enter__(self) -> Any:
        if self._forks != _forks:
            raise ServiceUnavailable(f"the {self._kind} was opened before a fork: open the store again in the child")
        with _lock:
            # Count first, then check: a signal handler that closes the handle in between must find it in use.
            self._calls += 1
            if not self._closed:
                return self._pointer
            self._calls -= 1
        raise ValueError(f"the {self._kind} is closed")

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._leave()
        # A call fails in this way if its service was closed in the middle of it.
        if self.service._closed and isinstance(error, ServiceUnavailable) and not error.in_doubt:
            raise ValueError("the service is closed") from error

    def _leave(self) -> None:
        with _lock:
            self._calls -= 1
            pointer = self._take() if self._closed else None
        self._dispose(pointer)

    def _end_use(self) -> None:
        with _lock:
            if self._end is None or self._pointer is None or self._forks != _forks:
                return
            self._calls += 1  # so that no other thread frees the handle meanwhile
        try:
            self._end(self._pointer)
        finally:
            self._leave()

    def __del__(self) -> None:
        # No other reference to the handle exists, so no lock is needed; at the end of the process none may be taken.
        self._dispose(self._take())

    def _admit(self, handle: Handle) -> bool:
        with _lock:
            if self._closed:
                return False
            if self._subordinate is None:
                self._subordinate = weakref.WeakSet()
            self._subordinate.add(handle)
            return True

    def _take(self) -> Any:
        """The pointer, for the one caller that must free it."""
        if self._calls:
            return None
        pointer, self._pointer = self._pointer, None
        return pointer

    def _dispose(self, pointer: Any) -> None:
        if pointer is None or self._forks != _forks:
            return  # what a fork inherited is the parent's
        if getattr(_callback, "depth", 0):
            # Freeing waits for callbacks: two callbacks that free each other's sessions would wait for ever. So would a
            # progress function: the callback may wait for the transaction in which the progress function is called.
            _postponed.append((self._free, pointer))
        else:
            self._free(pointer)


@contextmanager
def inside_callback() -> Iterator[None]:
    """Inside this block the thread frees no handle: a callback is running on it."""
    _callback.depth = getattr(_callback, "depth", 0) + 1
    try:
        yield
    finally:
        _callback.depth -= 1


def free_postponed() -> None:
    """Frees the handles that callbacks closed or dropped."""
    while _postponed and not getattr(_callback, "depth", 0):
        try:
            free, pointer = _postponed.popleft()
        except IndexError:  # another thread was faster
            return
        free(pointer)


atexit.register(free_postponed)
