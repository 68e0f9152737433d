"""A version of a document."""

from __future__ import annotations

from ctypes import byref, create_string_buffer
from datetime import datetime
from typing import Any, NamedTuple

from . import _declarations as c
from ._documented import documented
from ._ffi import lib
from ._outputs import moment, optional_text, text


@documented
class DocumentVersion(NamedTuple):
    """One version of a document: what a device has saved.

    id        32 lower-case hexadecimal digits. No other version has it.
    size      How many bytes it has.
    sha256    The SHA-256 (FIPS 180-4) of its contents: 32 bytes.
    saved_at  When it was saved, in UTC.
    device    The name of the device that saved it; None for a session without a name.
    """

    id: str
    size: int
    sha256: bytes
    saved_at: datetime
    device: str | None

    def __repr__(self) -> str:
        # Without the name of the device: what is printed ends up in logs.
        return f"<kinfolk.DocumentVersion {self.size} bytes>"


def read_version(document: Any, index: int) -> DocumentVersion:
    """Copies the version at an index of a kinfolk_document."""
    asset, digest = c.Asset(), create_string_buffer(c.DIGEST_LENGTH)
    lib.kinfolk_document_version_asset(document, index, byref(asset))
    try:
        lib.kinfolk_asset_sha256(asset, digest)
        size = lib.kinfolk_asset_size(asset)
    finally:
        lib.kinfolk_asset_free(asset)
    return DocumentVersion(
        text(lib.kinfolk_document_version_id(document, index)),
        size,
        digest.raw,
        moment(lib.kinfolk_document_version_saved_at(document, index)),
        optional_text(lib.kinfolk_document_version_device(document, index)),
    )
