"""The base of all classes with a C handle."""

from __future__ import annotations

from typing import Any, TypeVar

from ._handle import Handle

Open = TypeVar("Open", bound="Closable")


class Closable:
    """An object that holds a resource of the library until it is closed, dropped, or its `with` block ends.

    Any thread may use it. close() lets a call that another thread is making on the object end first.
    """

    __slots__ = ("__weakref__", "_handle")
    _handle: Handle

    def __init__(self, handle: Handle) -> None:
        if not isinstance(handle, Handle):
            raise TypeError(f"a {type(self).__name__} is not made by calling its class: see help(kinfolk)")
        self._handle = handle

    def close(self) -> None:
        """Closes the object; closing it again does nothing. After that, any other use is a ValueError."""
        self._handle.close()

    @property
    def closed(self) -> bool:
        """Whether the object was closed."""
        return self._handle.closed

    def __enter__(self: Open) -> Open:
        with self._handle:
            return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled")

    def __repr__(self) -> str:
        # The subclasses say more, but never a name, an address or a key: what is printed ends up in logs.
        return f"<kinfolk.{type(self).__name__}{' (closed)' if self.closed else ''}>"
