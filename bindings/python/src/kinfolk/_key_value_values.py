"""Python values as the values of a key-value store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_size_t, c_void_p, cast, string_at
from datetime import datetime
from typing import Any, Union

from . import _arguments as arguments
from . import _field_values as fields
from ._declarations import Text, Value
from ._errors import InvalidArgument, LimitExceeded
from ._ffi import lib
from ._field_type import FieldType
from ._location import Location

KeyValue = Union[
    str,
    int,
    float,
    bool,
    bytes,
    bytearray,
    memoryview,
    datetime,
    "list[Any]",
    "tuple[Any, ...]",
    "dict[str, Any]",
]

_TYPES = "str, int, float, bool, bytes, datetime, list, tuple or dict"
# How many arrays and dictionaries can be inside each other.
_DEPTH = 32
# More elements than this exceed the most bytes of a value, because each has one byte for its type.
_ELEMENTS = 1_000_000


@contextmanager
def made(value: KeyValue) -> Iterator[Value]:
    """A kinfolk_value, for as long as the block."""
    whole = _Maker().make(value, "the value", ())
    try:
        yield whole
    finally:
        lib.kinfolk_value_free(whole)


class _Maker:
    """Makes a kinfolk_value of a value with all elements in it."""

    def __init__(self) -> None:
        self._elements = 0

    def make(self, value: Any, what: str, around: tuple[int, ...]) -> Value:
        """Makes a value. `around` has the identities of the lists and dicts that contain it."""
        self._elements += 1
        if self._elements > _ELEMENTS:  # a few lists can contain each other very many times
            raise LimitExceeded("the value is larger than a value of a key-value store may be")
        # A Location is a tuple, but would be read back as a list.
        if isinstance(value, (list, tuple, dict)) and not isinstance(value, Location):
            if id(value) in around:
                raise ValueError("the value contains itself")
            if len(around) == _DEPTH:
                raise InvalidArgument(f"at most {_DEPTH} lists and dicts can be inside each other")
            return self._make_compound(value, what, (*around, id(value)))
        return _make_simple(value, what)

    def _make_compound(self, value: Any, what: str, around: tuple[int, ...]) -> Value:
        elements: list[Value] = []
        whole, element = Value(), what if what.startswith("an element") else f"an element of {what}"
        try:
            if isinstance(value, dict):
                items = list(value.items())
                texts = [arguments.utf8(text, "a key of a dict in the value") for text, _ in items]
                elements.extend(self.make(each, element, around) for _, each in items)
                keys, lengths = (c_char_p * len(texts))(*texts), (c_size_t * len(texts))(*map(len, texts))
                lib.kinfolk_value_new_dictionary(
                    keys, lengths, (Value * len(elements))(*elements), len(elements), byref(whole)
                )
            else:
                elements.extend(self.make(each, element, around) for each in value)
                lib.kinfolk_value_new_array((Value * len(elements))(*elements), len(elements), byref(whole))
        finally:
            for each in elements:
                lib.kinfolk_value_free(each)
        return whole


def _make_simple(value: Any, what: str) -> Value:
    kind = next((each for each in _KINDS if isinstance(value, each.classes)), None)
    if kind is None:
        raise arguments.wrong_type(what, _TYPES, value)
    whole = Value()
    _MAKERS[kind.field_type](*kind.encode(value, what), byref(whole))
    return whole


def take(value: Any) -> Any:
    """The content of a kinfolk_value, with lists for arrays and dicts for dictionaries; frees it."""
    kind = lib.kinfolk_value_type(value)
    if kind not in (FieldType.ARRAY, FieldType.DICTIONARY):
        return fields.take(value)
    try:
        indexes = range(lib.kinfolk_value_count(value))
        if kind == FieldType.DICTIONARY:
            return {_text(value, index): _element(value, index) for index in indexes}
        return [_element(value, index) for index in indexes]
    finally:
        lib.kinfolk_value_free(value)


def _element(value: Any, index: int) -> Any:
    element = Value()
    lib.kinfolk_value_get_element(value, index, byref(element))
    return take(element)


def _text(value: Any, index: int) -> str:
    text, length = Text(), c_size_t()
    lib.kinfolk_value_get_text(value, index, byref(text), byref(length))
    # Not text.value, which ends at a NUL.
    return string_at(cast(text, c_void_p), length.value).decode("utf-8")


# bool stands before int here too.
_KINDS = tuple(
    kind for kind in fields.KINDS if kind.field_type not in (FieldType.LOCATION, FieldType.REFERENCE, FieldType.ASSET)
)
_MAKERS = {kind.field_type: getattr(lib, f"kinfolk_value_new_{kind.word}") for kind in _KINDS}
