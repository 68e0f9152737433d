"""The source of a service key, as C takes it."""

from __future__ import annotations

from . import _arguments as arguments
from ._arguments import Bytes, Path
from ._errors import InvalidArgument
from ._ffi import OpenOptions

KEY_LENGTH = 32


def set_key(
    options: OpenOptions, key: Bytes | None, key_file: Path | None, passphrase: str | Bytes | None
) -> OpenOptions:
    """Fills in the sources that were given; C refuses more than one. None of them: the key file next to the store."""
    if key is not None:
        octets = arguments.octets(key, "key")
        if len(octets) != KEY_LENGTH:
            raise InvalidArgument(f"key must have {KEY_LENGTH} bytes")
        options.key = octets
        options.key_length = len(octets)
    if key_file is not None:
        options.key_file = arguments.path(key_file, "key_file")
    if passphrase is not None:
        octets = arguments.octets_or_utf8(passphrase, "passphrase")
        if b"\0" in octets:
            raise InvalidArgument("passphrase holds a NUL character")
        options.passphrase = octets
    return options
