"""A database of records, as one session sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from ctypes import byref, c_char_p
from typing import Any, ClassVar

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Source
from ._asset import Asset
from ._back_reference import BackReference, take_back_references
from ._batch import Batch
from ._closable import Closable
from ._database_changes import DatabaseChanges, take_database_changes
from ._database_scope import DatabaseScope
from ._deleted_record import DeletedRecord, take_deleted
from ._errors import InvalidArgument
from ._fetched_records import FetchedRecords, take_records
from ._ffi import lib
from ._field_values import FieldValue
from ._file_writer import add
from ._handle import Handle
from ._outputs import take_texts
from ._progress import Progress
from ._query import Query
from ._query_calls import Order
from ._record import Record
from ._record_place import name_and_zone
from ._save_policy import SavePolicy
from ._server_record_changed import ServerRecordChanged
from ._subscription import Subscription, take_subscriptions
from ._upload import Upload
from ._zone_changes import ZoneChanges, take_zone_changes

# How many back references a call of C returns.
_PAGE = 400


class Database(Closable):
    """A database of records, as one session sees it: the public one, or the private one of the session's user.

    Session.public_database and Session.private_database make it; it stays usable when the session is closed.

        db = session.private_database
        note = kinfolk.Record("Note", "shopping", title="Groceries")
        db.save(note)
        note = db.fetch("shopping")
        db.delete(note)
        for note in db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt"):
            print(note["title"])

    Everybody reads the public database, also an anonymous session. A signed-in user creates records in it, and changes
    and deletes the records that this user created. The grants of a record type can say otherwise: a record that the
    session may neither read nor write is then treated as if it did not exist. A private database is read and written by
    its own user only. A suspended account reads of the public database what everybody may read, and nothing else.

    The schema of the development environment grows with use: the first save of a new record type or field adds it, and
    fixes the field's type. The schema of the production environment grows in this way through the public database only,
    and not at all after the operator has deployed a schema.

    A private database can have custom zones, which are groups of records. A custom zone keeps track of its changes, so
    that another device can follow them:

        db.save_zone("Notes")
        db.save(kinfolk.Record("Note", zone="Notes", title="Groceries"))
        for page in db.all_zone_changes("Notes", since=token):
            copy.update((note.name, note) for note in page.records)
            for deleted in page.deleted:
                copy.pop(deleted.name, None)
            token = page.token

    A record can have files, which are called assets. A file is written to the database first:

        note["photo"] = db.upload("photo.jpg")
        db.save(note)
        photo = db.fetch("shopping")["photo"]
        photo.save("copy.jpg")
    """

    __slots__ = ("_scope",)
    _scope: DatabaseScope

    # The members of kinfolk.Database in 0.1.0, which was an enum.
    PUBLIC: ClassVar = DatabaseScope.PUBLIC
    PRIVATE: ClassVar = DatabaseScope.PRIVATE

    @classmethod
    def adopt(cls, pointer: Any, service: Handle, scope: DatabaseScope) -> Database:
        """Takes over a kinfolk_database."""
        database = cls(Handle(pointer, lib.kinfolk_database_free, "database", service))
        database._scope = scope
        return database

    @property
    def scope(self) -> DatabaseScope:
        """PUBLIC or PRIVATE."""
        with self._handle:
            return self._scope

    def fetch(self, name: str, *, zone: str | None = None) -> Record:
        """Fetches the record with this name in a zone; without `zone`, in "_defaultZone".

        The name of a user record is its user record ID.

        UnknownItem: the zone has no record with this name. ZoneNotFound: there is no such zone. InvalidArgument: this
        is not a record name, or not the name of a zone. NotAuthenticated: private database, and the session has no
        account in good standing.
        """
        encoded = arguments.text(name, "name"), arguments.optional_text(zone, "zone")
        record = c.Record()
        with self._handle as database:
            lib.kinfolk_database_fetch(database, *encoded, byref(record))
        return Record.adopt(record, self._handle)

    def fetch_many(self, names: Iterable[str], *, zone: str | None = None) -> FetchedRecords:
        """Fetches at most 400 records of a zone, as they are at one moment, by their names.

            notes = db.fetch_many(["shopping", "travel"])
            for name, note in notes.items():
                print(name, note["title"])
            for name, error in notes.errors.items():
                print(name, error)

        Without `zone`, the records are those of "_defaultZone". The result maps each name to its record, in the order
        of `names`. A name whose record could not be fetched is in `errors` instead: UnknownItem, ZoneNotFound, or
        LimitExceeded if the records before it have 2,000,000 bytes. Fetch the latter by another call.

        LimitExceeded: there are more than 400 names. InvalidArgument: one of them is not a record name, or `zone` is
        not the name of a zone. NotAuthenticated: private database, and the session has no account in good standing.
        """
        if isinstance(names, (str, bytes)):
            raise arguments.wrong_type("names", "a list of str", names)
        listed = list(names)
        encoded = [arguments.text(name, "an element of names") for name in listed]
        encoded_zone = arguments.optional_text(zone, "zone")
        records = c.Records()
        with self._handle as database:
            texts = (c_char_p * len(encoded))(*encoded)
            zones = (c_char_p * len(encoded))(*[encoded_zone] * len(encoded))
            lib.kinfolk_database_fetch_records(database, texts, zones, len(encoded), byref(records))
        return take_records(records, listed, self._handle)

    def save(self, record: Record, policy: SavePolicy = SavePolicy.IF_UNCHANGED) -> None:
        """Saves a record, which then has the change tag, the times, the users and the fields of the stored record.

        If the save fails, the record stays as it was.

            try:
                db.save(note)
            except kinfolk.ServerRecordChanged as changed:
                note = changed.server_record  # somebody else saved it first: merge, and save again
                note["title"] = "Groceries"
                db.save(note)

        ServerRecordChanged: another call saved it since it was fetched, or a new record has the name of an existing
        one; `server_record` of the exception is the record in the store. UnknownItem: it was deleted since, or it
        belongs to another database or container. ZoneNotFound: its zone does not exist. ReferenceViolation: the target
        of a reference with DELETE_SELF or VALIDATE does not exist, or the session may not read it. PermissionFailure:
        the grants of the record type do not allow it, or those of such a target do not allow to write the target.
        InvalidArgument: a field has another type in the schema; the schema lacks the record type or a field, and may
        not grow; a reference is to another zone; or the stored record has another record type. LimitExceeded: names and
        values of its fields are more than 1,000,000 bytes; it has more than 750 references with DELETE_SELF or
        VALIDATE; 750 other records refer to a target with DELETE_SELF; or it needs more new types and fields than the
        person may add. AssetNotAvailable: an asset was deleted, was written to another database, or is another user's
        in the public database. QuotaExceeded: the record would exceed a quota. NotAuthenticated: the session has no
        account in good standing.
        """
        if not isinstance(record, Record):
            raise arguments.wrong_type("record", "a kinfolk.Record", record)
        number = arguments.member(policy, "policy", SavePolicy)
        try:
            with self._handle as database, record._handle as own:
                lib.kinfolk_database_save(database, own, number)
        except ServerRecordChanged as changed:
            changed._bind(self._handle)
            raise
        record._source = self._handle

    def delete(
        self, record: Record | str, change_tag: str | None = None, *, zone: str | None = None
    ) -> tuple[DeletedRecord, ...]:
        """Deletes a record, and all records that refer to it with ReferenceAction.DELETE_SELF, and so on.

        Returns all records that were deleted and the session may read, this one first.

            db.delete(note)        # fails with ServerRecordChanged if another call saved it since it was fetched
            db.delete("shopping")  # deletes it in any case
            db.delete("shopping", change_tag)  # deletes it if it still has this tag

        `zone` is the zone of a record that is given by its name; without it, "_defaultZone".

        ReferenceViolation: another record refers with ReferenceAction.VALIDATE to one that would be deleted.
        LimitExceeded: more than 10,000 records would be deleted, or more than 100,000 references between them.
        UnknownItem: the zone has no record with this name. ZoneNotFound: there is no such zone. InvalidArgument: the
        record was not saved yet, or this is not a record name, or not the name of a zone. PermissionFailure: the grants
        of the record type do not allow it, or it is a user record. NotAuthenticated: the session has no account in good
        standing.
        """
        name, zone = name_and_zone(record, zone)
        if isinstance(record, Record):
            change_tag = change_tag or record.change_tag
            if change_tag is None:
                raise InvalidArgument("a record that was not saved yet cannot be deleted")
        encoded = name.encode(), zone.encode(), arguments.optional_text(change_tag, "change_tag")
        deleted = c.Deleted()
        try:
            with self._handle as database:
                lib.kinfolk_database_delete(database, *encoded, byref(deleted))
        except ServerRecordChanged as changed:
            changed._bind(self._handle)
            raise
        return take_deleted(deleted)

    def back_references(self, record: Record | str, *, zone: str | None = None) -> list[BackReference]:
        """The records that refer to a record: its children, and those with DELETE_SELF or VALIDATE, in this order.

            for reference in db.back_references(shopping):
                print(reference.name, reference.kind)

        A record that refers to it in two ways is listed twice. Records that the session may not read are left out.

        UnknownItem: the database has no record with this name. ZoneNotFound: it has no such zone. InvalidArgument: this
        is not a record name or a zone. NotAuthenticated: private database, and the session has no account in good
        standing.
        """
        name, zone = name_and_zone(record, zone)
        encoded = name.encode(), zone.encode()
        pages: list[c.BackReferences] = []
        try:
            with self._handle as database:
                while not pages or lib.kinfolk_back_references_count(pages[-1]):
                    page = c.BackReferences()
                    last = pages[-1] if pages else None
                    lib.kinfolk_database_back_references(database, *encoded, last, _PAGE, byref(page))
                    pages.append(page)
        except BaseException:
            take_back_references(pages)
            raise
        return take_back_references(pages)

    def batch(self, *, atomic: bool = False) -> Batch:
        """Makes a batch: at most 400 saves and deletions in one transaction, with a result for each.

            with db.batch() as batch:
                for note in notes:
                    batch.create(note)
                batch.force_delete("shopping")

        The end of the block runs the batch, and raises BatchError if an item failed. `atomic=True` changes everything
        or nothing: if one item fails, the others fail with BatchRequestFailed. Otherwise each item is done or fails
        alone.
        """
        return Batch(self._handle, arguments.boolean(atomic, "atomic"))

    # Assets

    def upload(self, source: Source, *, zone: str | None = None, progress: Progress | None = None) -> Asset:
        """Writes a file to the database, and returns the asset for fields of records.

            note["photo"] = db.upload("photo.jpg")
            note["texts"] = [db.upload(b"first"), db.upload(b"second")]
            db.save(note)

        `source` is the path of a regular file (str or os.PathLike), bytes, or a binary file object, which is read from
        its position to its end, 1 MB at a time. `zone` is the zone of the records that will have the asset; without it,
        "_defaultZone". If no record has the asset within 24 hours, it is deleted.

        `progress(done, total)` is called on this thread, with bytes; it may use the service, but not fork. `total` is 0
        if the size is not known. An exception of it, or Ctrl-C, ends the work and is raised by this call: then nothing
        stays in the store.

        LimitExceeded: the file is larger than an asset may be. QuotaExceeded: there is no room for it.
        AssetFileNotFound: the file does not exist. AssetFileModified: it was changed while it was read.
        PermissionFailure: the process may not read it. InvalidArgument: the path leads to a folder, a device or another
        special file, or this is not the name of a zone that the database can have. ZoneNotFound: there is no such zone.
        NotAuthenticated: the session has no account in good standing.
        """
        with self.begin_upload(zone=zone) as upload:
            add(upload, source, progress)
            return upload.finish()

    def begin_upload(self, *, zone: str | None = None) -> Upload:
        """Begins to write a file to the database, a piece at a time.

            with db.begin_upload() as upload:
                for piece in pieces:
                    upload.write(piece)
                note["sound"] = upload.finish()

        `zone` is the zone of the records that will have the asset; without it, "_defaultZone". Nothing is stored before
        the first pieces, and the call reads nothing.

        InvalidArgument: this is not the name of a zone, or the database is public and has no custom zones.
        """
        return Upload.begin(self._handle, zone)

    # Queries

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

            for note in db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt"):
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
        return Query(self._handle, record_type, predicate, values, sort, zone, keys, limit)

    # Zones and changes

    def save_zone(self, name: str) -> None:
        """Makes a custom zone in a private database. If there is a zone with this name, nothing happens.

        The name has 1 to 255 printable ASCII characters. Names that begin with "_" are reserved.

        InvalidArgument: this is not the name of a custom zone, or the database is public. LimitExceeded: the database
        has 1,000 custom zones. NotAuthenticated: the session has no account in good standing.
        """
        encoded = arguments.text(name, "name")
        with self._handle as database:
            lib.kinfolk_zone_save(database, encoded)

    def delete_zone(self, name: str) -> None:
        """Deletes a custom zone with all its records, however many they are.

        When the call returns, the records cannot be read any more. A thread of the service removes their rows from the
        store afterwards. A new zone with the same name begins empty.

        ZoneNotFound: there is no such zone. InvalidArgument: this is not the name of a custom zone, or the database is
        public. NotAuthenticated: the session has no account in good standing.
        """
        encoded = arguments.text(name, "name")
        with self._handle as database:
            lib.kinfolk_zone_delete(database, encoded)

    def zones(self) -> tuple[str, ...]:
        """The names of the zones: "_defaultZone", and then the custom zones in the order in which they were made.

        NotAuthenticated: private database, and the session has no account in good standing.
        """
        zones = c.ZoneList()
        with self._handle as database:
            lib.kinfolk_zones(database, byref(zones))
        return take_texts(zones, "zone_list", "name")

    def zone_changes(self, zone: str, since: Bytes | None = None, *, limit: int = 400) -> ZoneChanges:
        """The records of a custom zone that were saved or deleted since a change token: a page of them.

        `since` is the `token` of an earlier page of this zone. Without it, the changes begin with all records of the
        zone. Each record is returned once, as it is now. What one batch changed is never split between two pages.
        `limit` is about how many changes a page has, 1 to 400; a page can have more than that, because it holds whole
        batches. If `more_coming` of the page is true, call again with its `token`, as all_zone_changes() does.

        A token is sealed, and survives a rotation of keys. Of the deletions of a zone, the store remembers the last
        10,000, and those of the last 30 days up to 20,000.

        ChangeTokenExpired: the token is too old, the store was restored from a backup since, or the token was made for
        something else: discard what was fetched, and begin without a token. ZoneNotFound: there is no such zone.
        InvalidArgument: this is not the name of a custom zone, `since` is longer than 256 bytes, or `limit` is out of
        range. NotAuthenticated: the session has no account in good standing.
        """
        encoded, token = arguments.text(zone, "zone"), _token(since)
        count = arguments.integer(limit, "limit", 1, 400)
        changes = c.Changes()
        with self._handle as database:
            lib.kinfolk_zone_changes(database, encoded, token, len(token), count, byref(changes))
        return take_zone_changes(changes, self._handle)

    def all_zone_changes(self, zone: str, since: Bytes | None = None, *, limit: int = 400) -> Iterator[ZoneChanges]:
        """The pages of zone_changes(), one after the other, until no more changes are coming.

            for page in db.all_zone_changes("Notes", since=token):
                for note in page.records:
                    print(note["title"])
                token = page.token

        There is at least one page. Each step of the loop fails as zone_changes() does.
        """
        more_coming = True
        while more_coming:
            page = self.zone_changes(zone, since, limit=limit)
            yield page
            since, more_coming = page.token, page.more_coming

    def changes(self, since: Bytes | None = None) -> DatabaseChanges:
        """The custom zones that were made, changed or deleted since a change token: a page of them.

        `since` is the `token` of an earlier page; tokens of zones are other ones. Without it, the changes begin with
        all custom zones. If `more_coming` of the page is true, call again with its `token`, as all_changes() does.

        ChangeTokenExpired: as for zone_changes(). InvalidArgument: the database is public, or `since` is longer than
        256 bytes. NotAuthenticated: the session has no account in good standing.
        """
        token = _token(since)
        changes = c.Changes()
        with self._handle as database:
            lib.kinfolk_database_changes(database, token, len(token), byref(changes))
        return take_database_changes(changes)

    def all_changes(self, since: Bytes | None = None) -> Iterator[DatabaseChanges]:
        """The pages of changes(), one after the other, until no more changes are coming.

        There is at least one page. Each step of the loop fails as changes() does.
        """
        more_coming = True
        while more_coming:
            page = self.changes(since)
            yield page
            since, more_coming = page.token, page.more_coming

    # Subscriptions

    def save_subscription(self, subscription: Subscription) -> None:
        """Saves a subscription of the session's user, and replaces the one with the same ID.

            garden = kinfolk.Subscription.query("Message", "room = 'garden'", on="created", id="garden")
            db.save_subscription(garden)

        From then on the session is a device of the user, which receives notifications, if it was none before. A public
        database has subscriptions to queries only.

        UnknownItem: there is no such record type. ZoneNotFound: there is no such zone. InvalidArgument: the type does
        not have the fields of the predicate, a value has another type than its field, or the database is public and
        this is not a subscription to a query. PermissionFailure: the session may read no records of the type.
        LimitExceeded: the subscription has more than 16,384 bytes, or the user would have more than 1,000 subscriptions
        in the database or 2,000 devices. NotAuthenticated: the session has no account in good standing.
        """
        if not isinstance(subscription, Subscription):
            raise arguments.wrong_type("subscription", "a kinfolk.Subscription", subscription)
        with self._handle as database, subscription._handle as own:
            lib.kinfolk_subscription_save(database, own)

    def delete_subscription(self, subscription_id: str) -> None:
        """Deletes a subscription of the session's user, with its notifications that wait.

        UnknownItem: there is no subscription with this ID. InvalidArgument: the ID is malformed. NotAuthenticated: the
        session has no account in good standing.
        """
        encoded = arguments.text(subscription_id, "subscription_id")
        with self._handle as database:
            lib.kinfolk_subscription_delete(database, encoded)

    def subscription(self, subscription_id: str) -> Subscription:
        """The subscription of the session's user with this ID. It fails as delete_subscription() does."""
        encoded = arguments.text(subscription_id, "subscription_id")
        subscription = c.Subscription()
        with self._handle as database:
            lib.kinfolk_subscription_fetch(database, encoded, byref(subscription))
        return Subscription.adopt(subscription)

    def subscriptions(self) -> tuple[Subscription, ...]:
        """The subscriptions of the session's user to this database, in the order of their IDs.

        NotAuthenticated: the session has no account in good standing.
        """
        subscriptions = c.SubscriptionList()
        with self._handle as database:
            lib.kinfolk_subscriptions(database, byref(subscriptions))
        return take_subscriptions(subscriptions)

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"<kinfolk.Database {self._scope.name.lower()}>"


def _token(since: Bytes | None) -> bytes:
    """The bytes of a change token; none to begin without one."""
    return b"" if since is None else arguments.octets(since, "since")
