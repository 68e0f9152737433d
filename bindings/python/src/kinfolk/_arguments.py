"""Converts the arguments of Python callers to what C takes.

A wrong type is a TypeError. A value that C cannot represent is an InvalidArgument. No message holds the value.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import datetime, timedelta
from enum import Enum
from math import isnan
from typing import Any, Protocol, TypeVar, Union

from ._errors import InvalidArgument
from ._outputs import EPOCH

Bytes = Union[bytes, bytearray, memoryview]
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]


class Readable(Protocol):
    """A binary file object that can be read."""

    def read(self, count: int, /) -> Bytes:
        """Reads at most `count` bytes; none at the end."""


class Writable(Protocol):
    """A binary file object that can be written."""

    def write(self, data: bytes, /) -> object:
        """Writes bytes, and returns how many, or None for all."""


Source = Union[str, "os.PathLike[str]", "os.PathLike[bytes]", Bytes, Readable]

E = TypeVar("E", bound=Enum)


def wrong_type(what: str, wanted: str, value: object) -> TypeError:
    """The TypeError for an argument of the wrong type."""
    return TypeError(f"{what} must be {wanted}, not {type(value).__name__}")


def function(value: object, what: str) -> None:
    """Checks a function that is called and not awaited. None is accepted too."""
    if value is None:
        return
    if not callable(value):
        raise wrong_type(what, "callable or None", value)
    from inspect import iscoroutinefunction  # not at the top: the import takes milliseconds

    if iscoroutinefunction(value) or iscoroutinefunction(type(value).__call__):
        raise TypeError(f"{what} must not be an async function: it is called, and not awaited")


def utf8(value: str, what: str) -> bytes:
    """A text as UTF-8; the text may hold NUL characters."""
    if not isinstance(value, str):
        raise wrong_type(what, "str", value)
    try:
        return value.encode("utf-8")
    except UnicodeEncodeError:
        pass
    # Not raised inside the handler: the UnicodeEncodeError holds the text (the same in path()).
    raise InvalidArgument(f"{what} holds a surrogate, which is no character")


def text(value: str, what: str) -> bytes:
    """UTF-8 for a NUL-terminated text."""
    encoded = utf8(value, what)
    if b"\0" in encoded:
        raise InvalidArgument(f"{what} holds a NUL character")
    return encoded


def optional_text(value: str | None, what: str) -> bytes | None:
    """UTF-8 for a NUL-terminated text; NULL for None."""
    return None if value is None else text(value, what)


def path(value: Path, what: str) -> bytes:
    """The bytes of a file name."""
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError:
        encoded = None
    if encoded is None:
        raise InvalidArgument(f"{what} holds a surrogate, which is no character")
    if b"\0" in encoded:
        raise InvalidArgument(f"{what} holds a NUL character")
    return encoded


def octets(value: Bytes, what: str) -> bytes:
    """Bytes from any of the three built-in types."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    raise wrong_type(what, "bytes, bytearray or memoryview", value)


def octets_or_utf8(value: str | Bytes, what: str) -> bytes:
    """Bytes unchanged, and a text as UTF-8."""
    if isinstance(value, str):
        return utf8(value, what)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return octets(value, what)
    raise wrong_type(what, "str or bytes", value)


def boolean(value: bool, what: str) -> bool:
    """True or False only: a text such as "no" would count as true."""
    if not isinstance(value, bool):
        raise wrong_type(what, "bool", value)
    return value


def integer(value: int, what: str, lowest: int, highest: int) -> int:
    """An int within a range, both ends included."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise wrong_type(what, "int", value)
    if not lowest <= value <= highest:
        raise InvalidArgument(f"{what} must be from {lowest} to {highest}")
    return value


def byte_count(value: int, what: str) -> int:
    """A number of bytes."""
    return integer(value, what, 0, 2**63 - 1)


def thread_count(value: int, what: str) -> int:
    """The number of threads that compute; 0 for one for each core."""
    return integer(value, what, 0, 2**32 - 1)


def number(value: float, what: str) -> float:
    """A float; an int is accepted too."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        raise wrong_type(what, "float", value)
    try:
        return float(value)
    except OverflowError:
        raise InvalidArgument(f"{what} is out of range") from None


def seconds(value: float, what: str) -> float:
    """A duration that is not negative."""
    duration = number(value, what)
    if isnan(duration) or duration < 0:
        raise InvalidArgument(f"{what} must be a number of seconds, 0 or more")
    return duration


def moment(value: datetime, what: str) -> int:
    """Microseconds since 1970-01-01 00:00 UTC, exact."""
    if not isinstance(value, datetime):
        raise wrong_type(what, "datetime", value)
    if value.utcoffset() is None:
        raise InvalidArgument(f"{what} must be an aware datetime: give it a tzinfo, timezone.utc for example")
    return (value - EPOCH) // timedelta(microseconds=1)


def member(value: E, what: str, kind: type[E]) -> Any:
    """The number of an enum's member."""
    if not isinstance(value, kind):
        raise wrong_type(what, f"a kinfolk.{kind.__name__}", value)
    return value.value


def position(index: int, count: int, what: str) -> int:
    """An index from 0; a negative index counts from the end."""
    if not isinstance(index, int):
        raise wrong_type("index", "int", index)
    if index < 0:
        index += count
    if not 0 <= index < count:
        raise IndexError(f"{what} index out of range")
    return index


def states(value: Bytes | Iterable[Bytes], what: str) -> bytes:
    """One sync state, or several one after the other."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return octets(value, what)
    if isinstance(value, (list, tuple)):
        return b"".join(octets(each, what) for each in value)
    raise wrong_type(what, "bytes or a list of them", value)
