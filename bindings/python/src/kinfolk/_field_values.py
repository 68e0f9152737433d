"""Python values as the fields of a record: one row for each type."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int64, c_size_t, c_void_p, cast, string_at
from datetime import datetime
from typing import Any, NamedTuple, Union

from . import _arguments as arguments
from ._arguments import Bytes
from ._asset import Asset, take_asset
from ._declarations import Asset as AssetPointer
from ._declarations import Enum, Value
from ._ffi import lib
from ._field_type import FieldType
from ._handle import Handle
from ._location import Location
from ._outputs import moment, text
from ._reference import Reference
from ._reference_action import ReferenceAction

FieldValue = Union[
    str,
    int,
    float,
    bool,
    bytes,
    bytearray,
    memoryview,
    datetime,
    Location,
    Reference,
    Asset,
    "list[Any]",
    "tuple[Any, ...]",
]


class Kind(NamedTuple):
    """How one type of value is passed to C and read back."""

    field_type: FieldType
    classes: tuple[type, ...]
    encode: Callable[[Any, str], tuple[Any, ...]]
    """The arguments for one value."""
    arrays: Callable[[Sequence[Any], str], tuple[Any, ...]]
    """The arrays for a list of values."""
    read: Callable[[Any], list[Any]]
    """All elements of a kinfolk_value; the only element, if it is not a list."""

    @property
    def word(self) -> str:
        """The type's word in the names of C functions."""
        return self.field_type.name.lower()


# What is passed to C.


def _string(value: str, what: str) -> tuple[bytes, int]:
    octets = arguments.utf8(value, what)
    return octets, len(octets)


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


def _reference(value: Reference, what: str) -> tuple[bytes, bytes, int]:
    if not isinstance(value, Reference):
        raise arguments.wrong_type(what, "a kinfolk.Reference", value)
    return value.name.encode(), value.zone.encode(), int(value.action)


def _asset(value: Asset, what: str) -> tuple[Asset]:
    if not isinstance(value, Asset):
        raise arguments.wrong_type(what, "a kinfolk.Asset", value)
    return (value,)  # its pointer may be used only while its handle is held: see made()


def _asset_array(values: Sequence[Asset], what: str) -> tuple[list[Asset]]:
    return ([_asset(each, what)[0] for each in values],)


def _arrays(encode: Callable[[Any, str], tuple[Any, ...]], *types: Any) -> Callable[..., tuple[Any, ...]]:
    """Makes arrays of these C types, with one value after the other."""

    def arrays(values: Sequence[Any], what: str) -> tuple[Any, ...]:
        rows = [encode(each, what) for each in values]
        columns = zip(*rows) if rows else [()] * len(types)
        return tuple([(each * len(rows))(*column) for each, column in zip(types, columns)])

    return arrays


def _octet_arrays(encode: Callable[[Any, str], bytes]) -> Callable[..., tuple[Any, ...]]:
    """Makes an array of texts or bytes, and one of their lengths."""

    def arrays(values: Sequence[Any], what: str) -> tuple[Any, ...]:
        octets = [encode(each, what) for each in values]
        return (c_char_p * len(octets))(*octets), (c_size_t * len(octets))(*map(len, octets))

    return arrays


def _number_arrays(encode: Callable[[Any, str], tuple[Any, ...]], c_type: Any, code: str, *classes: type) -> Any:
    """The same for numbers, at once if all of them are of these classes."""
    one_by_one, plain = _arrays(encode, c_type), frozenset(classes)

    def arrays(values: Sequence[Any], what: str) -> tuple[Any, ...]:
        if values and plain.issuperset(map(type, values)):
            try:
                numbers = array(code, values)
            except OverflowError:
                pass  # reported below
            else:
                return ((c_type * len(numbers)).from_buffer(numbers),)
        return one_by_one(values, what)

    return arrays


# What C passes back.

_Texts, _Addresses, _Sizes, _Doubles, _Enums = map(POINTER, (c_char_p, c_void_p, c_size_t, c_double, Enum))


def _numbers(get: Any, c_type: Any) -> Callable[[Any], list[Any]]:
    array_type = POINTER(c_type)

    def read(value: Any) -> list[Any]:
        numbers, count = array_type(), c_size_t()
        get(value, byref(numbers), byref(count))
        elements: list[Any] = numbers[: count.value]
        return elements

    return read


def _read_strings(value: Any) -> list[str]:
    texts, lengths, count = _Texts(), _Sizes(), c_size_t()
    lib.kinfolk_value_get_strings(value, byref(texts), byref(lengths), byref(count))
    found, sizes = texts[: count.value], lengths[: count.value]
    if list(map(len, found)) != sizes:  # a text holds a NUL, at which it was cut
        found = list(map(string_at, cast(texts, _Addresses)[: count.value], sizes))
    return [each.decode("utf-8") for each in found]


def _read_bytes(value: Any) -> list[bytes]:
    addresses, lengths, count = _Addresses(), _Sizes(), c_size_t()
    lib.kinfolk_value_get_bytes(value, byref(addresses), byref(lengths), byref(count))
    return list(map(string_at, addresses[: count.value], lengths[: count.value]))


def _read_locations(value: Any) -> list[Location]:
    latitudes, longitudes, count = _Doubles(), _Doubles(), c_size_t()
    lib.kinfolk_value_get_locations(value, byref(latitudes), byref(longitudes), byref(count))
    return list(map(Location, latitudes[: count.value], longitudes[: count.value]))


def _read_references(value: Any) -> list[Reference]:
    names, zones, actions, count = _Texts(), _Texts(), _Enums(), c_size_t()
    lib.kinfolk_value_get_references(value, byref(names), byref(zones), byref(actions), byref(count))
    rows = zip(names[: count.value], zones[: count.value], actions[: count.value])
    return [Reference(text(name), ReferenceAction(action), zone=text(zone)) for name, zone, action in rows]


def _read_assets(value: Any, database: Handle | None = None) -> list[Asset]:
    return [take_asset(value, index, database) for index in range(lib.kinfolk_value_count(value))]


_read_dates = _numbers(lib.kinfolk_value_get_dates, c_int64)


# bool stands before int, because a bool is an int too.
KINDS = (
    Kind(FieldType.STRING, (str,), _string, _octet_arrays(arguments.utf8), _read_strings),
    Kind(
        FieldType.BOOLEAN,
        (bool,),
        _boolean,
        _arrays(_boolean, c_bool),
        _numbers(lib.kinfolk_value_get_booleans, c_bool),
    ),
    Kind(
        FieldType.INT64,
        (int,),
        _int64,
        _number_arrays(_int64, c_int64, "q", int),
        _numbers(lib.kinfolk_value_get_int64s, c_int64),
    ),
    Kind(
        FieldType.DOUBLE,
        (float,),
        _double,
        _number_arrays(_double, c_double, "d", float, int),
        _numbers(lib.kinfolk_value_get_doubles, c_double),
    ),
    Kind(FieldType.BYTES, (bytes, bytearray, memoryview), _bytes, _octet_arrays(arguments.octets), _read_bytes),
    Kind(
        FieldType.DATE,
        (datetime,),
        _date,
        _arrays(_date, c_int64),
        lambda value: list(map(moment, _read_dates(value))),
    ),
    Kind(FieldType.LOCATION, (Location,), _location, _arrays(_location, c_double, c_double), _read_locations),
    Kind(
        FieldType.REFERENCE,
        (Reference,),
        _reference,
        _arrays(_reference, c_char_p, c_char_p, Enum),
        _read_references,
    ),
    Kind(FieldType.ASSET, (Asset,), _asset, _asset_array, _read_assets),
)
_LIST_OF = {kind.field_type: FieldType(kind.field_type + 16) for kind in KINDS}
_BY_TYPE = {kind.field_type: (kind, False) for kind in KINDS}
_BY_TYPE |= {_LIST_OF[kind.field_type]: (kind, True) for kind in KINDS}
_BY_CLASS = {each: kind.field_type for kind in KINDS for each in kind.classes}
_READERS = {int(field_type): (kind.read, is_list) for field_type, (kind, is_list) in _BY_TYPE.items()}
_SETTERS = {kind.field_type: getattr(lib, f"kinfolk_record_set_{kind.word}") for kind in KINDS}
_MAKERS = {kind.field_type: getattr(lib, f"kinfolk_value_new_{kind.word}") for kind in KINDS}
_LIST_MAKERS = {kind.field_type: getattr(lib, f"kinfolk_value_new_{kind.word}_list") for kind in KINDS}


def infer(value: Any, what: str) -> FieldType | None:
    """The type of a value; None for an empty list, which fits every list type. TypeError if no field type fits."""
    found = _BY_CLASS.get(type(value))
    if found is not None:
        return found
    if type(value) not in (list, tuple):
        for kind in KINDS:
            if isinstance(value, kind.classes):
                return kind.field_type
    if not isinstance(value, (list, tuple)):
        raise arguments.wrong_type(
            what, "str, int, float, bool, bytes, datetime, Location, Reference, Asset or a list of one of these", value
        )
    if not value:
        return None
    # One element of each class tells the type of all of them.
    examples = dict(zip(map(type, value), value))
    if len(examples) == 1 and (found := _BY_CLASS.get(next(iter(examples)))) is not None:
        return _LIST_OF[found]
    types = {infer(each, f"an element of {what}") for each in examples.values()}
    element = types.pop()
    if types:
        raise TypeError(f"{what} must not mix types in one list")
    if element is None or element.is_list:
        raise TypeError(f"{what} must not hold a list in a list")
    return _LIST_OF[element]


def write(record: Any, name: bytes, field_type: FieldType, value: Any, what: str) -> None:
    """Sets a field in a kinfolk_record."""
    kind, is_list = _BY_TYPE[field_type]
    if not is_list and kind.field_type is not FieldType.ASSET:
        encoded = kind.encode(value, what)
        if kind.field_type is not FieldType.STRING:
            _SETTERS[kind.field_type](record, name, *encoded)
            return
        if b"\0" not in encoded[0]:
            _SETTERS[kind.field_type](record, name, encoded[0])
            return
    with made(field_type, value, what) as whole:
        lib.kinfolk_record_set_value(record, name, whole)


@contextmanager
def made(field_type: FieldType, value: Any, what: str) -> Iterator[Value]:
    """A kinfolk_value, for as long as the block."""
    kind, is_list = _BY_TYPE[field_type]
    if not is_list:
        make, given = _MAKERS[kind.field_type], kind.encode(value, what)
    else:
        if not isinstance(value, (list, tuple)) or isinstance(value, (Location, Reference)):
            raise arguments.wrong_type(what, "a list or tuple", value)
        arrays = kind.arrays(value, f"an element of {what}")
        make, given = _LIST_MAKERS[kind.field_type], (*arrays, len(arrays[0]))
    whole = Value()
    try:
        if kind.field_type is FieldType.ASSET:
            _make_of_assets(make, given, is_list, whole)
        else:
            make(*given, byref(whole))
        yield whole
    finally:
        lib.kinfolk_value_free(whole)


def _make_of_assets(make: Any, given: tuple[Any, ...], is_list: bool, whole: Value) -> None:
    """Makes a value, while no other thread can free the handles of the assets."""
    assets = given[0] if is_list else given
    with ExitStack() as held:
        pointers = [held.enter_context(each._handle) for each in assets]
        if is_list:
            make((AssetPointer * len(pointers))(*pointers), len(pointers), byref(whole))
        else:
            make(pointers[0], byref(whole))


def read(record: Any, name: bytes, database: Handle | None = None) -> Any:
    """A field's value; a tuple for a list. The content of assets is read from the database."""
    value = Value()
    lib.kinfolk_record_get_value(record, name, byref(value))
    return take(value, lambda: database)


def take(value: Any, database: Callable[[], Handle | None] = lambda: None) -> Any:
    """The content of a kinfolk_value, a tuple for a list; frees it. `database` is called only if there are assets."""
    try:
        elements, is_list = _READERS[lib.kinfolk_value_type(value)]
        found = _read_assets(value, database()) if elements is _read_assets else elements(value)
        return tuple(found) if is_list else found[0]
    finally:
        lib.kinfolk_value_free(value)
