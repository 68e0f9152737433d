"""The epochs of a private directory."""

from __future__ import annotations

from ctypes import string_at
from typing import Any, NamedTuple

from . import _declarations as c
from ._documented import documented
from ._ffi import lib


@documented
class PrivateEpoch(NamedTuple):
    """The period of one key of a container's private directory: what Container.private_epochs lists.

    number        From 1. Requests and answers name it.
    public_key    32 bytes, which the program may distribute to its clients by its own means: see PrivateClient.
    is_complete   Whether all people are indexed in it. Before that it answers nobody.
    is_announced  Whether it has only an announced key so far: Container.announce_next_private_key().
    row_count     One for each address by which a person can be found.
    prefix_bits   How many bits of a contact's bucket position a client sends; with 0 it asks for all rows.
    """

    number: int
    public_key: bytes
    is_complete: bool
    is_announced: bool
    row_count: int
    prefix_bits: int


def take_epochs(epochs: Any) -> tuple[PrivateEpoch, ...]:
    """The epochs of a kinfolk_private_epochs; frees it."""
    try:
        return tuple(
            PrivateEpoch(
                number=lib.kinfolk_private_epochs_number(epochs, index),
                public_key=string_at(lib.kinfolk_private_epochs_public_key(epochs, index), c.PUBLIC_KEY_LENGTH),
                is_complete=lib.kinfolk_private_epochs_is_complete(epochs, index),
                is_announced=lib.kinfolk_private_epochs_is_announced(epochs, index),
                row_count=lib.kinfolk_private_epochs_row_count(epochs, index),
                prefix_bits=lib.kinfolk_private_epochs_prefix_bits(epochs, index),
            )
            for index in range(lib.kinfolk_private_epochs_count(epochs))
        )
    finally:
        lib.kinfolk_private_epochs_free(epochs)
