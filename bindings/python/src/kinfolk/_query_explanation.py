"""How a query is answered."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


@documented
class QueryExplanation(NamedTuple):
    """How a query is answered: which indexes it uses, and what its first page reads.

    indexes            The indexes that it uses: "SORTABLE start" for example, the kind and the field.
    missing_indexes    The indexes that it lacks: they would spare it from reading records.
                       "SORTABLE start (being built)" is in the schema, and used once it is complete.
    exceeds_limit      Whether the query fails with LimitExceeded: it would read more than 10,000 records.
    evaluates_records  Whether some conditions are evaluated on the records themselves.
    sorts_records      Whether the records are sorted, because no index has their order.
    entries_read       How many entries of indexes were read.
    records_opened     How many records were opened.
    records_discarded  How many of these did not satisfy the predicate.
    """

    indexes: tuple[str, ...]
    missing_indexes: tuple[str, ...]
    exceeds_limit: bool
    evaluates_records: bool
    sorts_records: bool
    entries_read: int
    records_opened: int
    records_discarded: int


def take_explanation(explanation: Any) -> QueryExplanation:
    """The content of a kinfolk_explanation; frees it."""

    def texts(count: Any, get: Any) -> tuple[str, ...]:
        return tuple(text(get(explanation, index)) for index in range(count(explanation)))

    try:
        return QueryExplanation(
            texts(lib.kinfolk_explanation_index_count, lib.kinfolk_explanation_index),
            texts(lib.kinfolk_explanation_missing_count, lib.kinfolk_explanation_missing),
            lib.kinfolk_explanation_exceeds_limit(explanation),
            lib.kinfolk_explanation_evaluates_records(explanation),
            lib.kinfolk_explanation_sorts_records(explanation),
            lib.kinfolk_explanation_entries_read(explanation),
            lib.kinfolk_explanation_records_opened(explanation),
            lib.kinfolk_explanation_records_discarded(explanation),
        )
    finally:
        lib.kinfolk_explanation_free(explanation)
