"""A database of records, as one session sees it."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_char_p
from typing import Any, ClassVar

from . import _arguments as arguments
from . import _declarations as c
from ._batch import Batch
from ._closable import Closable
from ._database_scope import DatabaseScope
from ._errors import InvalidArgument
from ._fetched_records import FetchedRecords, take_records
from ._ffi import lib
from ._handle import Handle
from ._record import Record
from ._save_policy import SavePolicy


class Database(Closable):
    """A database of records, as one session sees it: the public one, or the private one of the session's user.

    Session.public_database and Session.private_database make it; it stays usable when the session is closed.

        db = session.private_database
        note = kinfolk.Record("Note", "shopping", title="Groceries")
        db.save(note)
        note = db.fetch("shopping")
        db.delete(note)

    Everybody reads the public database, also an anonymous session. A signed-in user creates records in it, and changes
    and deletes the records that this user created. A private database is read and written by its own user only. A
    suspended account reads the public database, and nothing else.

    The schema of the development environment grows with use: the first save of a new record type or field adds it, and
    fixes the field's type. The schema of the production environment grows in this way through the public database only,
    and not at all after the operator has deployed a schema.
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

    def fetch(self, name: str) -> Record:
        """Fetches the record with this name. The name of a user record is its user record ID.

        UnknownItem: the database has no record with this name. InvalidArgument: this is not a record name.
        NotAuthenticated: private database, and the session has no account in good standing.
        """
        encoded = arguments.text(name, "name")
        record = c.Record()
        with self._handle as database:
            lib.kinfolk_database_fetch(database, encoded, byref(record))
        return Record.adopt(record)

    def fetch_many(self, names: Iterable[str]) -> FetchedRecords:
        """Fetches at most 400 records, as they are at one moment, by their names.

            notes = db.fetch_many(["shopping", "travel"])
            for name, note in notes.items():
                print(name, note["title"])
            for name, error in notes.errors.items():
                print(name, error)

        The result maps each name to its record, in the order of `names`. A name whose record could not be fetched is in
        `errors` instead: UnknownItem, or LimitExceeded if the records before it have 2,000,000 bytes. Fetch the latter
        by another call.

        LimitExceeded: there are more than 400 names. InvalidArgument: one of them is not a record name.
        NotAuthenticated: private database, and the session has no account in good standing.
        """
        if isinstance(names, (str, bytes)):
            raise arguments.wrong_type("names", "a list of str", names)
        listed = list(names)
        encoded = [arguments.text(name, "an element of names") for name in listed]
        records = c.Records()
        with self._handle as database:
            texts = (c_char_p * len(encoded))(*encoded)
            lib.kinfolk_database_fetch_records(database, texts, len(encoded), byref(records))
        return take_records(records, listed)

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
        belongs to another database or container. PermissionFailure: another user created it. InvalidArgument: a field
        has another type in the schema; the schema lacks the record type or a field, and may not grow; or the stored
        record has another record type. LimitExceeded: names and values of its fields are more than 1,000,000 bytes, or
        it needs more new types and fields than the person may add. NotAuthenticated: the session has no account in good
        standing.
        """
        if not isinstance(record, Record):
            raise arguments.wrong_type("record", "a kinfolk.Record", record)
        number = arguments.member(policy, "policy", SavePolicy)
        with self._handle as database, record._handle as own:
            lib.kinfolk_database_save(database, own, number)

    def delete(self, record: Record | str, change_tag: str | None = None) -> None:
        """Deletes a record.

            db.delete(note)        # fails with ServerRecordChanged if another call saved it since it was fetched
            db.delete("shopping")  # deletes it in any case
            db.delete("shopping", change_tag)  # deletes it if it still has this tag

        UnknownItem: the database has no record with this name. InvalidArgument: the record was not saved yet, or this
        is not a record name. PermissionFailure: another user created it, or it is a user record. NotAuthenticated: the
        session has no account in good standing.
        """
        if isinstance(record, Record):
            name, change_tag = record.name, change_tag or record.change_tag
            if change_tag is None:
                raise InvalidArgument("a record that was not saved yet cannot be deleted")
        else:
            name = record
        encoded = arguments.text(name, "record"), arguments.optional_text(change_tag, "change_tag")
        with self._handle as database:
            lib.kinfolk_database_delete(database, *encoded)

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

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"<kinfolk.Database {self._scope.name.lower()}>"
