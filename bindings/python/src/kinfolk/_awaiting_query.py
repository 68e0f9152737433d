"""kinfolk.aio.Query."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

from ._arguments import Bytes
from ._awaiting import Calls
from ._handle import Handle
from ._query_calls import Order, QueryCalls
from ._query_explanation import QueryExplanation
from ._query_page import QueryPage
from ._record import Record


class Query(QueryCalls):
    """The records of one type that satisfy a predicate, in an order.

    Database.query() makes it, without asking the store. A loop fetches the records, page by page:

        query = db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt")
        async for note in query:
            print(note["title"])
        print(await query.count())

    Each loop begins with the first record. help(kinfolk.Query) says how the calls fail.
    """

    __slots__ = ("_calls",)

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
        calls: Calls,
    ) -> None:
        super().__init__(database, record_type, predicate, values, sort, zone, keys, limit)
        self._calls = calls

    async def __aiter__(self) -> AsyncIterator[Record]:
        async for page in self.pages():
            for record in page.records:
                yield record

    async def pages(self, cursor: Bytes | None = None) -> AsyncIterator[QueryPage]:
        """The pages, one after the other: from the first one, or from a cursor on.

        There is at least one page, which may be empty.
        """
        while True:
            page = await self.page(cursor)
            yield page
            cursor = page.cursor
            if cursor is None:
                return

    async def page(self, cursor: Bytes | None = None) -> QueryPage:
        """A page: the first one, or the one after the page with this `cursor`.

        A cursor is valid for the same query, zone and user, also in another process, and survives a rotation of keys.

        InvalidArgument: also if the cursor belongs to another query.
        """
        return await self._calls.run(lambda: self._page(cursor))

    async def count(self) -> int:
        """How many records there are. Where indexes answer the predicate, no record is read."""
        return await self._calls.run(self._count)

    async def explain(self) -> QueryExplanation:
        """Runs the first page, and says how it was answered: which indexes were used, and which are missing."""
        return await self._calls.run(self._explain)
