"""The methods of kinfolk.aio.Database that are written by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator

from . import _arguments as arguments
from ._arguments import Bytes
from ._awaiting import Awaiting
from ._awaiting_batch import Batch
from ._database import Database
from ._database_changes import DatabaseChanges
from ._zone_changes import ZoneChanges


class AwaitingDatabase(Awaiting[Database]):
    """The base of kinfolk.aio.Database."""

    __slots__ = ()

    def batch(self, *, atomic: bool = False) -> Batch:
        """Makes a batch: at most 400 saves and deletions in one transaction, with a result for each.

            async with db.batch() as batch:
                for note in notes:
                    batch.create(note)
                batch.force_delete("shopping")

        The end of the block runs the batch, and raises BatchError if an item failed. `atomic=True` changes everything
        or nothing: if one item fails, the others fail with BatchRequestFailed. Otherwise each item is done or fails
        alone.
        """
        return Batch(self._blocking._handle, arguments.boolean(atomic, "atomic"), self._calls)

    async def all_zone_changes(
        self, zone: str, since: Bytes | None = None, *, limit: int = 400
    ) -> AsyncIterator[ZoneChanges]:
        """The pages of zone_changes(), one after the other, until no more changes are coming.

            async for page in db.all_zone_changes("Notes", since=token):
                for note in page.records:
                    print(note["title"])
                token = page.token

        There is at least one page. Each step of the loop fails as zone_changes() does.
        """
        more_coming = True
        while more_coming:
            page = await self._page_of_zone(zone, since, limit)
            yield page
            since, more_coming = page.token, page.more_coming

    async def all_changes(self, since: Bytes | None = None) -> AsyncIterator[DatabaseChanges]:
        """The pages of changes(), one after the other, until no more changes are coming.

        There is at least one page. Each step of the loop fails as changes() does.
        """
        more_coming = True
        while more_coming:
            page = await self._page_of_database(since)
            yield page
            since, more_coming = page.token, page.more_coming

    async def _page_of_zone(self, zone: str, since: Bytes | None, limit: int) -> ZoneChanges:
        return await self._calls.run(lambda: self._blocking.zone_changes(zone, since, limit=limit))

    async def _page_of_database(self, since: Bytes | None) -> DatabaseChanges:
        return await self._calls.run(lambda: self._blocking.changes(since))
