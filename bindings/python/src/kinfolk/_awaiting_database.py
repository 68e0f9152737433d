"""The methods of kinfolk.aio.Database that are written by hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from . import _arguments as arguments
from ._arguments import Bytes, Path
from ._asset import Asset
from ._awaiting import Awaiting
from ._awaiting_batch import Batch
from ._awaiting_query import Query
from ._awaiting_upload import Upload
from ._database import Database
from ._database_changes import DatabaseChanges
from ._field_values import FieldValue
from ._progress import Progress
from ._query_calls import Order
from ._upload import Upload as _Upload
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

    def begin_upload(self, *, zone: str | None = None) -> Upload:
        """Begins to write a file to the database, a piece at a time.

            async with db.begin_upload() as upload:
                async for piece in pieces:
                    await upload.write(piece)
                note["sound"] = await upload.finish()

        `zone` is the zone of the records that will have the asset; without it, "_defaultZone". Nothing is stored before
        the first pieces, and the call reads nothing.

        InvalidArgument: this is not the name of a zone, or the database is public and has no custom zones.
        """
        return Upload(_Upload.begin(self._blocking._handle, zone), self._calls)

    async def read_asset(self, asset: Asset, offset: int = 0, count: int | None = None) -> bytes:
        """Reads bytes of an asset into memory, as Asset.read() does, without blocking the event loop.

            photo = (await db.fetch("shopping"))["photo"]
            header = await db.read_asset(photo, 0, 512)

        The asset may be of any record, also of another database.
        """
        own = _asset(asset)
        return await self._calls.run(lambda: own.read(offset, count))

    async def save_asset(self, asset: Asset, path: Path, *, progress: Progress | None = None) -> None:
        """Writes an asset to a file of the disk, as Asset.save() does, without blocking the event loop.

        `progress(done, total)` is called on the event loop, with bytes. An exception of it ends the work and is raised
        by this call: then there is no new file.
        """
        own = _asset(asset)
        await self._calls.run_told(progress, lambda tell: own.save(path, progress=tell))

    def query(
        self,
        record_type: str,
        predicate: str | None = None,
        *values: FieldValue,
        sort: Order | Iterable[Order] | None = None,
        zone: str | None = None,
        keys: Iterable[str] | None = None,
        limit: int = 100,
    ) -> Query:
        """The records of one type that satisfy a predicate: a query, which fetches them page by page in a loop.

            async for note in db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt"):
                print(note["title"])
            db.query("Event", "start > %@ AND name = %@", now, "Meeting", sort=["start", "-name"], limit=20)
            db.query("Note", "tags CONTAINS %@ OR title IN %@", "home", ["Roses", "Zoo"], keys=["title"])
            db.query("Shop", "distanceToLocation:fromLocation:(place, %@) < 1000", here, sort=("place", here))

        The predicate is a text as for NSPredicate; without it, all records of the type are found. `values` are the
        arguments of its placeholders, in their order: %@ stands for a value of any field type, or for a list after IN
        and BETWEEN; %K for the name of a field. A value is never read as text of the predicate. NULL is written in the
        text: "due = NULL".

        sort   The name of a field, with "-" before it for descending order; a field and a Location, for the distance
               from near to far; or a list of at most 8 of these. Without it, the order is not specified.
        zone   Only records of this zone; without it, of all zones of the database.
        keys   The names of the fields that the records get; without it, all of them.
        limit  How many records a page has at most, 1 to 400.

        The call asks nothing of the store: what fails then is said at Query. InvalidArgument: this is not the name of a
        record type, of a field to sort by, or of a zone. LimitExceeded: the predicate has more than 16,384 bytes, or
        there are more than 8 orders.
        """
        return Query(self._blocking._handle, record_type, predicate, values, sort, zone, keys, limit, self._calls)

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


def _asset(asset: Asset) -> Asset:
    if not isinstance(asset, Asset):
        raise arguments.wrong_type("asset", "a kinfolk.Asset", asset)
    return asset
