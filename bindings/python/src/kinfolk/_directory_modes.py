"""How people can be found in a container."""

from __future__ import annotations

from enum import IntFlag


class DirectoryModes(IntFlag):
    """How people can be found in a container: either, or both as HASHED | PRIVATE."""

    HASHED = 1
    """By contact hashes, which the server sees: Session.discover() and discover_email()."""
    PRIVATE = 2
    """By private discovery: PrivateClient and Session.answer(), or Session.discover_privately()."""
