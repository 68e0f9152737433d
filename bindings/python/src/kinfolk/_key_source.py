"""The source of a service key, as C takes it."""

from __future__ import annotations

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Path
from ._errors import InvalidArgument


def options_with_key(key: Bytes | None, key_file: Path | None, passphrase: str | Bytes | None) -> c.OpenOptions:
    """Options with the given sources; C refuses more than one. None of them: the key file next to the store."""
    options = c.OpenOptions(*c.OPEN_OPTIONS_INIT)
    if key is not None:
        octets = arguments.octets(key, "key")
        if len(octets) != c.KEY_LENGTH:
            raise InvalidArgument(f"key must have {c.KEY_LENGTH} bytes")
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
