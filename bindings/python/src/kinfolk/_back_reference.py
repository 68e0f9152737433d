"""A record that refers to another one."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from . import _declarations as c
from ._documented import documented
from ._ffi import lib
from ._outputs import text


class BackReferenceKind(IntEnum):
    """How a record refers to another one."""

    PARENT = 0
    """The other record is its parent."""
    DELETE_SELF = 1
    """A field has ReferenceAction.DELETE_SELF."""
    VALIDATE = 2
    """A field has ReferenceAction.VALIDATE."""


@documented
class BackReference(NamedTuple):
    """A record that refers to another one, in the same zone.

    name         The record's name.
    record_type  Its record type.
    kind         How it refers to the other record.
    """

    name: str
    record_type: str
    kind: BackReferenceKind


def take_back_references(pages: list[c.BackReferences]) -> list[BackReference]:
    """Copies and frees pages of back references."""
    try:
        return [_back_reference(page, index) for page in pages for index in range(_count(page))]
    finally:
        for page in pages:
            lib.kinfolk_back_references_free(page)


def _count(page: Any) -> int:
    count: int = lib.kinfolk_back_references_count(page)
    return count


def _back_reference(page: Any, index: int) -> BackReference:
    return BackReference(
        text(lib.kinfolk_back_references_name(page, index)),
        text(lib.kinfolk_back_references_type(page, index)),
        BackReferenceKind(lib.kinfolk_back_references_kind(page, index)),
    )
