"""The public key of a server that calls a network service."""

from __future__ import annotations

import ctypes
from datetime import datetime
from typing import Any, NamedTuple

from . import _declarations as c
from ._documented import documented
from ._ffi import lib
from ._outputs import moment, text


@documented
class ServerKey(NamedTuple):
    """The public key of a server, which acts as a user of its own.

    id          The SHA-256 of the public key, 64 hexadecimal digits.
    name        The name that the operator gave it.
    public_key  A point of P-256 in the uncompressed form, 65 bytes.
    account_id  The ID of the account that was made for the key.
    created_at  When it was added, in UTC.
    """

    id: str
    name: str
    public_key: bytes
    account_id: str
    created_at: datetime


def take_keys(keys: Any) -> tuple[ServerKey, ...]:
    """Copies and frees a kinfolk_server_keys."""
    try:
        return tuple(
            ServerKey(
                text(lib.kinfolk_server_keys_id(keys, index)),
                text(lib.kinfolk_server_keys_name(keys, index)),
                ctypes.string_at(lib.kinfolk_server_keys_public_key(keys, index), c.SERVER_KEY_LENGTH),
                text(lib.kinfolk_server_keys_account_id(keys, index)),
                moment(lib.kinfolk_server_keys_created_at(keys, index)),
            )
            for index in range(lib.kinfolk_server_keys_count(keys))
        )
    finally:
        lib.kinfolk_server_keys_free(keys)
