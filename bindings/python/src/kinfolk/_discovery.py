"""The people that a discovery found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import byref, c_size_t, c_void_p
from typing import Any, overload

from ._arguments import position
from ._closable import Closable
from ._ffi import lib
from ._handle import Handle
from ._identity import Contact, Identity
from ._outputs import borrowed_bytes, text


class Discovery(Closable, Sequence[Identity]):
    """The people that a discovery found: a sequence of Identity. Each is read from the library when it is accessed.

    It is a copy: it does not change when the store does. It need not be closed.
    """

    __slots__ = ("_count",)
    _count: int

    @classmethod
    def adopt(cls, pointer: Any) -> Discovery:
        """Takes over a kinfolk_identities."""
        discovery = cls(Handle(pointer, lib.kinfolk_identities_free, "discovery"))
        with discovery._handle as identities:
            discovery._count = lib.kinfolk_identities_count(identities)
        return discovery

    @property
    def sync_state(self) -> bytes:
        """The sync state to pass to the next Session.discover() of this person in this container, which is then free.

        It is sealed, so the program that stores it cannot read it. The service does not store it. The sync state of a
        Session.discover_privately() is for the next call of that method, and holds contact hashes in clear: protect it
        like the address book. PrivateClient has a `sync_state` of its own; its discoveries have an empty one.
        """
        pointer, length = c_void_p(), c_size_t()
        with self._handle as identities:
            lib.kinfolk_identities_sync_state(identities, byref(pointer), byref(length))
            return borrowed_bytes(pointer, length)

    def __len__(self) -> int:
        with self._handle:
            return self._count

    @overload
    def __getitem__(self, index: int) -> Identity: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Identity, ...]: ...
    def __getitem__(self, index: int | slice) -> Identity | tuple[Identity, ...]:
        if isinstance(index, slice):
            with self._handle as identities:
                return tuple(_identity(identities, each) for each in range(*index.indices(self._count)))
        with self._handle as identities:
            return _identity(identities, position(index, self._count, "discovery"))

    def __iter__(self) -> Iterator[Identity]:
        for index in range(len(self)):
            with self._handle as identities:
                identity = _identity(identities, index)
            yield identity

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"<kinfolk.Discovery people={self._count}>"


def _identity(identities: Any, index: int) -> Identity:
    return Identity(
        text(lib.kinfolk_identities_record_id(identities, index)),
        text(lib.kinfolk_identities_given_name(identities, index)),
        text(lib.kinfolk_identities_family_name(identities, index)),
        tuple(
            Contact(
                lib.kinfolk_identities_contact_index(identities, index, contact),
                text(lib.kinfolk_identities_contact_label(identities, index, contact)),
            )
            for contact in range(lib.kinfolk_identities_contact_count(identities, index))
        ),
    )


def only_identity(pointer: Any) -> Identity | None:
    """The one person of a kinfolk_identities, or None; frees it."""
    try:
        return _identity(pointer, 0) if lib.kinfolk_identities_count(pointer) else None
    finally:
        lib.kinfolk_identities_free(pointer)
