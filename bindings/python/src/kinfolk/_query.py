"""A query: the records of one type that satisfy a predicate."""

from __future__ import annotations

from collections.abc import Iterator

from ._arguments import Bytes
from ._query_calls import QueryCalls
from ._query_explanation import QueryExplanation
from ._query_page import QueryPage
from ._record import Record


class Query(QueryCalls):
    """The records of one type that satisfy a predicate, in an order.

    Database.query() makes it, without asking the store. A loop fetches the records, page by page:

        query = db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt")
        for note in query:
            print(note["title"])
        print(query.count())
        print(query.explain().missing_indexes)

    Each loop begins with the first record. A record that does not change meanwhile is returned exactly once; a record
    that is saved while the loop runs may be returned twice or not at all.

    All calls, and each step of a loop that fetches a page, fail as follows. InvalidArgument: the predicate is not valid
    (the message says where), it has more or fewer placeholders than values, the record type has no such field, or a
    value has another type than its field. LimitExceeded: the query would read more than 10,000 records because it lacks
    an index, which the message names; or the predicate is too large. UnknownItem: there is no such record type.
    ZoneNotFound: there is no such zone. PermissionFailure: the session may read no records of the type.
    NotAuthenticated: private database, and the session has no account in good standing.
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[Record]:
        for page in self.pages():
            yield from page.records

    def pages(self, cursor: Bytes | None = None) -> Iterator[QueryPage]:
        """The pages, one after the other: from the first one, or from a cursor on.

            for page in query.pages():
                show(page.records)

        There is at least one page, which may be empty.
        """
        while True:
            page = self.page(cursor)
            yield page
            cursor = page.cursor
            if cursor is None:
                return

    def page(self, cursor: Bytes | None = None) -> QueryPage:
        """A page: the first one, or the one after the page with this `cursor`.

            page = query.page()
            more = db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt").page(page.cursor)

        A cursor is valid for the same query, zone and user, also in another process, and survives a rotation of keys.

        InvalidArgument: also if the cursor belongs to another query.
        """
        return self._page(cursor)

    def count(self) -> int:
        """How many records there are. Where indexes answer the predicate, no record is read."""
        return self._count()

    def explain(self) -> QueryExplanation:
        """Runs the first page, and says how it was answered: which indexes were used, and which are missing."""
        return self._explain()
