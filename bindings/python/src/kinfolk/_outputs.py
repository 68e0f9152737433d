"""Converts what C returns to Python values."""

from __future__ import annotations

import ctypes
import os
from datetime import datetime, timedelta, timezone
from typing import Any

from ._ffi import lib

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def text(borrowed: bytes | None) -> str:
    """A borrowed text. C returns NULL for an index out of range; callers never pass one."""
    return "" if borrowed is None else borrowed.decode("utf-8")


def optional_text(borrowed: bytes | None) -> str | None:
    """A borrowed text; None for NULL."""
    return None if borrowed is None else borrowed.decode("utf-8")


def take_text(pointer: ctypes.c_void_p) -> str:
    """Copies and frees a text that belongs to the caller."""
    try:
        return ctypes.string_at(pointer.value).decode("utf-8") if pointer.value else ""
    finally:
        lib.kinfolk_free(pointer)


def take_texts(pointer: Any, kind: str, item: str) -> tuple[str, ...]:
    """Copies and frees a list of texts that belongs to the caller, for example the kind "accounts", with items "id"."""
    count, get = getattr(lib, f"kinfolk_{kind}_count"), getattr(lib, f"kinfolk_{kind}_{item}")
    try:
        return tuple(text(get(pointer, index)) for index in range(count(pointer)))
    finally:
        getattr(lib, f"kinfolk_{kind}_free")(pointer)


def take_path(pointer: ctypes.c_void_p) -> str | None:
    """Copies and frees a file name that belongs to the caller. None for NULL."""
    if not pointer.value:
        return None
    try:
        return os.fsdecode(ctypes.string_at(pointer.value))
    finally:
        lib.kinfolk_free(pointer)


def take_bytes(pointer: ctypes.c_void_p, length: ctypes.c_size_t) -> bytes:
    """Copies and frees bytes that belong to the caller."""
    try:
        return borrowed_bytes(pointer, length)
    finally:
        lib.kinfolk_free(pointer)


def borrowed_bytes(pointer: Any, length: Any) -> bytes:
    """Copies bytes that C returned as a c_void_p and a c_size_t."""
    return ctypes.string_at(pointer.value, length.value) if length.value else b""


def moment(microseconds: int) -> datetime:
    """An aware datetime in UTC from microseconds since 1970."""
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        raise OverflowError("this date is outside of the years 1 to 9999, which are all that Python has") from None
