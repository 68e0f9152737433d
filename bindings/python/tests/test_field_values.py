"""The values of fields: what goes in comes out."""

from __future__ import annotations

import math
import struct
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

import kinfolk
from kinfolk import FieldType, Location, Reference, ReferenceAction

SOMEBODY = "_" + "0123456789abcdef" * 2
NOON = datetime(2024, 2, 29, 12, 0, 0, 1, tzinfo=timezone.utc)

VALUES: list[tuple[FieldType, list[Any]]] = [
    (FieldType.STRING, ["", "plain", "Zoë 李 🌱", "line\nbreak", "a\0b", "\0", "x" * 100_000]),
    (FieldType.INT64, [0, 1, -1, 2**63 - 1, -(2**63)]),
    (FieldType.DOUBLE, [0.0, -0.0, 0.1, 5e-324, math.inf, -math.inf, math.nan, 1.7976931348623157e308]),
    (FieldType.BOOLEAN, [True, False]),
    (FieldType.BYTES, [b"", b"\0", b"\0\xff" * 1000]),
    (
        FieldType.DATE,
        [
            NOON,
            datetime(1970, 1, 1, tzinfo=timezone.utc),
            datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc),
            datetime(1, 1, 1, tzinfo=timezone.utc),
            datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=timezone.utc),
        ],
    ),
    (FieldType.LOCATION, [Location(0.0, 0.0), Location(-90.0, 180.0), Location(48.85661, 2.35222)]),
    (
        FieldType.REFERENCE,
        [Reference(SOMEBODY), Reference("_" + "f" * 32), Reference("a list, ~"), Reference("x" * 255)],
    ),
]
SINGLES = [(field_type, value) for field_type, values in VALUES for value in values]
LISTS = [(FieldType(field_type + 16), values) for field_type, values in VALUES]


def bits(value: Any) -> Any:
    """A value with its type, and a float by its bits: -0.0 is not 0.0, and nan is nan."""
    if isinstance(value, (list, tuple)) and not isinstance(value, (Location, Reference)):
        return [bits(each) for each in value]
    return type(value), struct.pack("<d", value) if isinstance(value, float) else value


@pytest.fixture
def record(session: kinfolk.Session) -> kinfolk.Record:
    return session.fetch_record()


def test_values_round_trip_through_the_store(session: kinfolk.Session) -> None:
    record = session.fetch_record()
    for number, (_, value) in enumerate(SINGLES):
        record[f"f{number}"] = value
        assert bits(record[f"f{number}"]) == bits(value)
    session.save_record(record)
    for copy in (record, session.fetch_record()):
        for number, (field_type, value) in enumerate(SINGLES):
            assert copy.field_type(f"f{number}") is field_type
            assert bits(copy[f"f{number}"]) == bits(value)


@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_is_read_as_a_tuple_in_its_order(session: kinfolk.Session, kind: type) -> None:
    record = session.fetch_record()
    for field_type, values in LISTS:
        record[field_type.name] = kind(values)
    session.save_record(record)
    copy = session.fetch_record()
    for field_type, values in LISTS:
        assert copy.field_type(field_type.name) is field_type
        assert isinstance(copy[field_type.name], tuple)
        assert bits(copy[field_type.name]) == bits(values)


def test_an_empty_list_keeps_its_type(session: kinfolk.Session) -> None:
    record = session.fetch_record()
    for field_type, _ in LISTS:
        record.set(field_type.name, [], field_type)
    session.save_record(record)
    copy = session.fetch_record()
    for field_type, _ in LISTS:
        assert copy[field_type.name] == ()
        assert copy.field_type(field_type.name) is field_type
        copy[field_type.name] = []  # it has a type by now
        assert copy.field_type(field_type.name) is field_type


def test_an_empty_list_without_a_type_is_refused_with_advice(record: kinfolk.Record) -> None:
    with pytest.raises(TypeError, match=r"record\.set"):
        record["field"] = []
    record["field"] = 1
    with pytest.raises(TypeError, match=r"record\.set"):
        record["field"] = ()
    assert record["field"] == 1


def test_a_list_of_mixed_types_is_refused(record: kinfolk.Record) -> None:
    for mixed in ([1, 1.0], [1.0, 1], ["a", b"a"], [True, 1]):
        with pytest.raises(TypeError, match="must not mix types"):
            record["field"] = mixed


def test_a_date_outside_of_pythons_range_is_reported(record: kinfolk.Record) -> None:
    from kinfolk._ffi import lib

    with record._handle as pointer:
        lib.kinfolk_record_set_date(pointer, b"far", 2**62)
    with pytest.raises(OverflowError, match="years 1 to 9999"):
        record["far"]


def test_set_stores_an_int_as_a_double_on_request(record: kinfolk.Record) -> None:
    record.set("height", 2, FieldType.DOUBLE)
    assert bits(record["height"]) == (float, struct.pack("<d", 2.0))
    record.set("heights", [1, 2.5], FieldType.DOUBLE_LIST)
    assert record["heights"] == (1.0, 2.5)
    record.set("heights", (1, 2), FieldType.DOUBLE_LIST)
    assert bits(record["heights"]) == bits([1.0, 2.0])
    with pytest.raises(kinfolk.InvalidArgument, match="an element of heights is out of range"):
        record.set("heights", [2.5, 10**400], FieldType.DOUBLE_LIST)


def test_set_refuses_a_value_of_another_type(record: kinfolk.Record) -> None:
    wrong: list[tuple[FieldType, Any]] = [
        (FieldType.STRING, 1),
        (FieldType.INT64, 1.0),
        (FieldType.INT64, True),
        (FieldType.DOUBLE, True),
        (FieldType.BOOLEAN, 1),
        (FieldType.BYTES, "text"),
        (FieldType.DATE, 0),
        (FieldType.LOCATION, (1.0, 2.0)),
        (FieldType.REFERENCE, SOMEBODY),
        (FieldType.STRING_LIST, "text"),
        (FieldType.DOUBLE_LIST, Location(1.0, 2.0)),
        (FieldType.INT64_LIST, [1, "2"]),
        (FieldType.INT64_LIST, [1, True]),
        (FieldType.INT64_LIST, [1.0]),
        (FieldType.DOUBLE_LIST, [1.0, True]),
    ]
    for field_type, value in wrong:
        with pytest.raises(TypeError):
            record.set("field", value, field_type)
    assert "field" not in record


def test_all_kinds_of_bytes_are_accepted(record: kinfolk.Record) -> None:
    for kind in (bytearray, memoryview):
        record["field"] = kind(b"\0abc")
        assert record["field"] == b"\0abc"


def test_a_date_in_any_time_zone_is_stored_to_the_microsecond(record: kinfolk.Record) -> None:
    zone = timezone(timedelta(hours=-5, minutes=-30))
    record["at"] = NOON.astimezone(zone)
    assert record["at"] == NOON
    assert record["at"].tzinfo is timezone.utc


def test_a_value_outside_of_the_range_is_a_value_error(record: kinfolk.Record) -> None:
    for value in (
        2**63,
        -(2**63) - 1,
        [0, 2**64],
        NOON.replace(tzinfo=None),
        [NOON, NOON.replace(tzinfo=None)],
        Location(90.1, 0.0),
        Location(0.0, -180.5),
        Location(math.nan, 0.0),
        Reference("_ada"),
        Reference(""),
        Reference("größe"),
        Reference(SOMEBODY, ReferenceAction.VALIDATE),
        [Reference("list"), Reference("")],
        "\ud800",
        ["a", "\ud800"],
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            record["field"] = value
    assert "field" not in record


def test_a_value_of_an_unsupported_type_is_a_type_error(record: kinfolk.Record) -> None:
    for value in (
        None,
        object(),
        1j,
        {"a": 1},
        {1},
        date(2024, 2, 29),
        [1, "a"],
        ["a", None],
        [[1], [2]],
        [[]],
        Location("a", "b"),  # type: ignore[arg-type]
        kinfolk.Identity("_", "", "", ()),
    ):
        with pytest.raises(TypeError):
            record["field"] = value
    assert "field" not in record


def test_a_malformed_name_is_refused(record: kinfolk.Record) -> None:
    for name in ("", "größe", "a\0", "\ud800"):
        with pytest.raises(kinfolk.InvalidArgument):
            record[name] = 1
        assert name not in record
