"""Python values as the fields of a record: one row for each type."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_bool, c_char_p, c_double, c_int64, c_size_t, c_void_p
from datetime import datetime
from typing import Any, NamedTuple, Union

from . import _arguments as arguments
from ._arguments import Bytes
from ._ffi import lib
from ._field_type import FieldType
from ._location import Location
from ._outputs import borrowed_bytes, moment, text
from ._reference import Reference

FieldValue = Union[
    str, int, float, bool, bytes, bytearray, memoryview, datetime, Location, Reference, "list[Any]", "tuple[Any, ...]"
]


class Kind(NamedTuple):
    """How one type of value is passed to C and read back."""

    field_type: FieldType
    classes: tuple[type, ...]
    encode: Callable[[Any, str], tuple[Any, ...]]
    decode: Callable[..., Any]
    inputs: tuple[Any, ...]
    """The C types of one value's arguments, and of the elements of a list's arrays."""
    outputs: tuple[Any, ...]

    @property
    def word(self) -> str:
        """The type's word in the names of C functions."""
        return self.field_type.name.lower()


def _string(value: str, what: str) -> tuple[bytes]:
    return (arguments.text(value, what),)


def _int64(value: int, what: str) -> tuple[int]:
    return (arguments.integer(value, what, -(2**63), 2**63 - 1),)


def _double(value: float, what: str) -> tuple[float]:
    return (arguments.number(value, what),)


def _boolean(value: bool, what: str) -> tuple[bool]:
    return (arguments.boolean(value, what),)


def _bytes(value: Bytes, what: str) -> tuple[bytes, int]:
    octets = arguments.octets(value, what)
    return octets, len(octets)


def _date(value: datetime, what: str) -> tuple[int]:
    return (arguments.moment(value, what),)


def _location(value: Location, what: str) -> tuple[float, float]:
    if not isinstance(value, Location):
        raise arguments.wrong_type(what, "a kinfolk.Location", value)
    latitude, longitude = value
    return arguments.number(latitude, f"{what}.latitude"), arguments.number(longitude, f"{what}.longitude")


def _reference(value: Reference, what: str) -> tuple[bytes]:
    if not isinstance(value, Reference):
        raise arguments.wrong_type(what, "a kinfolk.Reference", value)
    return (arguments.text(value.user_record_id, f"{what}.user_record_id"),)


def _same(value: Any) -> Any:
    return value


def _to_reference(user_record_id: bytes) -> Reference:
    return Reference(text(user_record_id))


# bool stands before int, because a bool is an int too.
KINDS = (
    Kind(FieldType.STRING, (str,), _string, text, (c_char_p,), (c_char_p,)),
    Kind(FieldType.BOOLEAN, (bool,), _boolean, _same, (c_bool,), (c_bool,)),
    Kind(FieldType.INT64, (int,), _int64, _same, (c_int64,), (c_int64,)),
    Kind(FieldType.DOUBLE, (float,), _double, _same, (c_double,), (c_double,)),
    Kind(FieldType.BYTES, (bytes, bytearray, memoryview), _bytes, _same, (c_char_p, c_size_t), (c_void_p, c_size_t)),
    Kind(FieldType.DATE, (datetime,), _date, moment, (c_int64,), (c_int64,)),
    Kind(FieldType.LOCATION, (Location,), _location, Location, (c_double, c_double), (c_double, c_double)),
    Kind(FieldType.REFERENCE, (Reference,), _reference, _to_reference, (c_char_p,), (c_char_p,)),
)
_BY_TYPE = {kind.field_type: kind for kind in KINDS}
_SETTERS = {kind.field_type: getattr(lib, f"kinfolk_record_set_{kind.word}") for kind in KINDS}
_LIST_SETTERS = {kind.field_type: getattr(lib, f"kinfolk_record_set_{kind.word}_list") for kind in KINDS}
_GETTERS = {kind.field_type: getattr(lib, f"kinfolk_record_get_{kind.word}") for kind in KINDS}


def infer(value: Any, what: str) -> FieldType | None:
    """The type of a value; None for an empty list, which fits every list type. TypeError if no field type fits."""
    for kind in KINDS:
        if isinstance(value, kind.classes):
            return kind.field_type
    if not isinstance(value, (list, tuple)):
        raise arguments.wrong_type(
            what, "str, int, float, bool, bytes, datetime, Location, Reference or a list of one of these", value
        )
    if not value:
        return None
    types = {infer(each, f"an element of {what}") for each in value}
    element = types.pop()
    if types:
        raise TypeError(f"{what} must not mix types in one list")
    if element is None or element.is_list:
        raise TypeError(f"{what} must not hold a list in a list")
    return FieldType(element + 16)


def write(record: Any, name: bytes, field_type: FieldType, value: Any, what: str) -> None:
    """Sets a field in a kinfolk_record."""
    kind = _BY_TYPE[field_type.element]
    if not field_type.is_list:
        _SETTERS[kind.field_type](record, name, *kind.encode(value, what))
        return
    if not isinstance(value, (list, tuple)) or isinstance(value, (Location, Reference)):
        raise arguments.wrong_type(what, "a list or tuple", value)
    rows = [kind.encode(each, f"an element of {what}") for each in value]
    columns = zip(*rows) if rows else [()] * len(kind.inputs)
    arrays = [(c_type * len(rows))(*column) for c_type, column in zip(kind.inputs, columns)]
    _LIST_SETTERS[kind.field_type](record, name, *arrays, len(rows))


def read(record: Any, name: bytes, field_type: FieldType, count: int) -> Any:
    """A field's value; a tuple for a list of `count` values."""
    kind = _BY_TYPE[field_type.element]
    outputs = [c_type() for c_type in kind.outputs]
    references = [byref(output) for output in outputs]
    get = _GETTERS[kind.field_type]
    is_bytes = kind.field_type is FieldType.BYTES

    def one(index: int) -> Any:
        get(record, name, index, *references)
        return borrowed_bytes(*outputs) if is_bytes else kind.decode(*[output.value for output in outputs])

    return tuple(one(index) for index in range(count)) if field_type.is_list else one(0)
