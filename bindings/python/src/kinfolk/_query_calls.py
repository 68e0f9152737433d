"""The calls of a query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from ctypes import byref, c_char_p, c_size_t
from typing import Any, Union

from . import _arguments as arguments
from . import _declarations as c
from . import _field_values as fields
from ._arguments import Bytes
from ._ffi import lib
from ._field_type import FieldType
from ._handle import Handle
from ._location import Location
from ._query_explanation import QueryExplanation, take_explanation
from ._query_page import QueryPage, take_page

Order = Union[str, "tuple[str, Location]"]


class QueryCalls:
    """A kinfolk_query and its calls. The base of kinfolk.Query and kinfolk.aio.Query."""

    __slots__ = ("__weakref__", "_database", "_handle")

    def __init__(
        self,
        database: Handle,
        record_type: str,
        predicate: str | None,
        values: Sequence[Any],
        sort: Order | Iterable[Order] | None,
        zone: str | None,
        keys: Iterable[str] | None,
        limit: int,
    ) -> None:
        self._database = database
        self._handle = make_query(record_type, predicate, values, sort, zone, keys, limit)

    def _page(self, cursor: Bytes | None) -> QueryPage:
        start = b"" if cursor is None else arguments.octets(cursor, "cursor")
        page = c.Page()
        with self._database as database, self._handle as query:
            lib.kinfolk_query_run(query, database, start, len(start), byref(page))
        return take_page(page, self._database)

    def _count(self) -> int:
        count = c_size_t()
        with self._database as database, self._handle as query:
            lib.kinfolk_query_count(query, database, byref(count))
        return count.value

    def _explain(self) -> QueryExplanation:
        explanation = c.Explanation()
        with self._database as database, self._handle as query:
            lib.kinfolk_query_explain(query, database, byref(explanation))
        return take_explanation(explanation)

    def __reduce__(self) -> Any:
        raise TypeError("a Query can be neither copied nor pickled")


def make_query(
    record_type: str,
    predicate: str | None,
    values: Sequence[Any],
    sort: Order | Iterable[Order] | None,
    zone: str | None,
    keys: Iterable[str] | None,
    limit: int,
) -> Handle:
    """A kinfolk_query."""
    encoded = arguments.text(record_type, "record_type"), arguments.optional_text(predicate, "predicate")
    query = c.Query()
    lib.kinfolk_query_new(*encoded, byref(query))
    handle = Handle(query, lib.kinfolk_query_free, "query")
    for value in values:
        _bind(query, value)
    for order in _orders(sort):
        _sort(query, order)
    if zone is not None:
        lib.kinfolk_query_zone(query, arguments.text(zone, "zone"))
    if keys is not None:
        if isinstance(keys, (str, bytes)):
            raise arguments.wrong_type("keys", "a list of str", keys)
        names = [arguments.text(each, "an element of keys") for each in keys]
        lib.kinfolk_query_keys(query, (c_char_p * len(names))(*names), len(names))
    lib.kinfolk_query_limit(query, arguments.integer(limit, "limit", 1, 400))
    return handle


def _bind(query: Any, value: Any) -> None:
    """Binds a value to the next placeholder."""
    what = "an argument of the predicate"
    if value is None:
        raise TypeError(f"{what} must not be None: write NULL in the predicate")
    # An empty list has no type, and needs none: nothing is in it.
    with fields.made(fields.infer(value, what) or FieldType.STRING_LIST, value, what) as bound:
        lib.kinfolk_query_bind(query, bound)


def _orders(sort: Order | Iterable[Order] | None) -> list[Order]:
    """The orders, of which one may be given alone."""
    if sort is None:
        return []
    if isinstance(sort, str) or (isinstance(sort, tuple) and len(sort) == 2 and isinstance(sort[1], Location)):
        return [sort]
    if not isinstance(sort, (list, tuple)):
        raise arguments.wrong_type("sort", "str, (str, Location) or a list of these", sort)
    return list(sort)


def _sort(query: Any, order: Order) -> None:
    """Adds an order."""
    if isinstance(order, str):
        field = order[1:] if order.startswith("-") else order
        lib.kinfolk_query_sort(query, arguments.text(field, "sort"), not order.startswith("-"))
    elif isinstance(order, tuple) and len(order) == 2 and isinstance(order[1], Location):
        place = [arguments.number(each, "sort") for each in order[1]]
        lib.kinfolk_query_sort_by_distance(query, arguments.text(order[0], "sort"), *place)
    else:
        raise arguments.wrong_type("an element of sort", "str or (str, Location)", order)
