"""What C calls when a key-value store or a document changed."""

from __future__ import annotations

import atexit
import itertools
import threading
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, TypeVar

from ._errors import KinfolkError
from ._handle import Handle

Change = TypeVar("Change")


class Observed(Generic[Change]):
    """The base of objects that have one observer at a time. A subclass has slots for the attributes."""

    __slots__ = ()
    _handle: Handle
    _observer: Observer[Change] | None
    _turn: threading.Lock
    """Held by kinfolk.aio while it changes the observer. Functions that C calls may do so too, and do not take it."""

    def _observe(self, observer: Observer[Change] | None, since: bytes = b"") -> None:
        """Registers an observer, in place of the one before; None removes it.

        When it returns, the one before is not running, unless the call was made from inside of it.
        """
        self._register(0 if observer is None else observer.number, since)
        before, self._observer = self._observer, observer  # type: ignore[misc]  # a slot of the subclasses
        if before is not None:
            before.end()

    def _register(self, number: int, since: bytes) -> None:
        """Registers the observer with this number in C; 0 removes it."""
        raise NotImplementedError

    def _stop(self, observer: Observer[Change]) -> None:
        """Removes an observer, if no other has taken its place."""
        if self._observer is observer:
            with suppress(KinfolkError, ValueError):  # it was closed, or belongs to the parent of a fork
                self._observe(None)


class Observer(Generic[Change]):
    """A function for changes, and another one that says that no more changes will follow.

    C gets one function for all observers, which is never freed, and the number of an observer. So C cannot call a
    function that Python has dropped. Only the observed object keeps an observer alive.
    """

    __slots__ = ("__weakref__", "_end", "_function", "_observed", "number")

    def __init__(
        self, observed: Observed[Change], function: Callable[[Change], object], end: Callable[[], object] | None = None
    ) -> None:
        self._observed = weakref.ref(observed)
        self._function = function
        self._end = end
        self.number = next(_numbers)
        _observers[self.number] = self

    @property
    def observed(self) -> Observed[Change] | None:
        """What it observes; None if that was dropped."""
        return self._observed()

    def tell(self, change: Change) -> None:
        """Reports a change, unless the observed object was closed."""
        observed = self._observed()
        if observed is not None and not observed._handle.closed:
            self._function(change)

    def end(self) -> None:
        """Reports that another observer has taken its place."""
        if self._end is not None:
            self._end()

    def stop(self) -> None:
        """Removes it, if no other has taken its place."""
        observed = self._observed()
        if observed is not None:
            observed._stop(self)


_numbers = itertools.count(1)
_observers: weakref.WeakValueDictionary[int, Observer[Any]] = weakref.WeakValueDictionary()


def observer_of(number: int) -> Observer[Any] | None:
    """The observer with a number; None if it was dropped."""
    return _observers.get(number)


def _stop_all() -> None:
    # Before the interpreter exits: a thread of the service that called into it later would never return.
    for each in list(_observers.values()):
        each.stop()


atexit.register(_stop_all)
