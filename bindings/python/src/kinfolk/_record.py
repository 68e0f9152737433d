"""A record of a database."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from ctypes import byref, c_int
from datetime import datetime
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from . import _field_values as values
from ._asset import Asset
from ._closable import Closable
from ._database_scope import DatabaseScope
from ._errors import InvalidArgument, UnknownItem
from ._ffi import lib
from ._field_type import FieldType
from ._field_values import FieldValue
from ._handle import Handle
from ._outputs import moment, optional_text, text
from ._reference import Reference
from ._reference_action import ReferenceAction


class Record(Closable, MutableMapping[str, Any]):
    """A record: a mapping of field names to values, in the order of the names.

        note = kinfolk.Record("Note", title="Groceries", priority=2)        # its name is a random UUID
        note = kinfolk.Record("Note", "shopping", title="Groceries")        # its name is "shopping"
        note["tags"] = ["food", "home"]
        session.private_database.save(note)
        note = kinfolk.Record("Note", zone="Notes", title="Groceries")      # in a zone: see Database.save_zone()

    Database.fetch() and Session.fetch_record() return records, too; Database.save() stores changes. A record is a copy:
    it does not change when the store does. It need not be closed. Two records are equal if their fields are.

    The record type has 1 to 255 ASCII letters, digits and "_", and starts with a letter; so does a field's name. The
    record's name has 1 to 255 printable ASCII characters, and is unique in its zone. Names that begin with "_" are
    reserved. `zone` is the name of a custom zone; without it, the record belongs to "_defaultZone". Set a field of the
    name "zone" by note["zone"]. A user record has the type "Users", and its name is a user record ID: it exists
    already, so fetch it. A record has at most 1,000 fields, and all names and values together have at most 1,000,000
    bytes: more is LimitExceeded.

        str                 STRING
        int                 INT64     -2**63 to 2**63 - 1
        float               DOUBLE
        bool                BOOLEAN
        bytes               BYTES     also bytearray and memoryview; read as bytes
        datetime            DATE      aware; to the microsecond; read in UTC
        Location            LOCATION
        Reference           REFERENCE also to a Record that is not saved yet
        Asset               ASSET     a file: see Database.upload()
        list, tuple         a list of one of these types; read as a tuple, since changing it would not change the field

    The first use of a field fixes its type for all records of this record type: 2 and 2.0 differ. If the value does not
    tell the type, as with an empty list, use set(); record[name] = [] keeps the type of a list that exists already.

    A record that was fetched or saved keeps its database open, for the content of its assets. Close the service to
    close it.
    """

    __slots__ = ("_source",)
    _source: Handle | None
    """The database from which the content of assets is read."""

    def __init__(
        self,
        record_type: str,
        record_name: str | None = None,
        /,
        *,
        zone: str | None = None,
        **fields: FieldValue,
    ) -> None:
        encoded = (
            arguments.text(record_type, "record_type"),
            arguments.optional_text(record_name, "record_name"),
            arguments.optional_text(zone, "zone"),
        )
        record = c.Record()
        lib.kinfolk_record_new(*encoded, byref(record))
        super().__init__(Handle(record, lib.kinfolk_record_free, "record"))
        self._source = None
        self.update(fields)

    @classmethod
    def adopt(cls, pointer: Any, source: Handle | None = None) -> Record:
        """Takes over a kinfolk_record, which came from a database."""
        record = cls.__new__(cls)
        Closable.__init__(record, Handle(pointer, lib.kinfolk_record_free, "record"))
        record._source = source
        return record

    @property
    def type(self) -> str:
        """The record type: "Note", for example. "Users" for a user record."""
        with self._handle as record:
            return text(lib.kinfolk_record_type(record))

    @property
    def name(self) -> str:
        """The record's name, which is unique in its zone. The name of a user record is its user record ID."""
        with self._handle as record:
            return text(lib.kinfolk_record_name(record))

    @property
    def zone(self) -> str:
        """The name of the record's zone: "_defaultZone", or a custom zone of a private database."""
        with self._handle as record:
            return text(lib.kinfolk_record_zone(record))

    @property
    def parent(self) -> Reference | None:
        """A reference to the record to which this one belongs; None if it has no parent.

            item.parent = shopping   # a Record, a Reference without an action, or the name of a record of the same zone
            item.parent = None

        The parent need not exist, and its deletion does not delete this record.
        """
        with self._handle as record:
            name = optional_text(lib.kinfolk_record_parent(record))
            return None if name is None else Reference(name, zone=text(lib.kinfolk_record_zone(record)))

    @parent.setter
    def parent(self, parent: Record | Reference | str | None) -> None:
        if parent is None:
            name = None
        else:
            if isinstance(parent, Reference):
                given = parent
            else:
                given = Reference(parent, zone=self.zone) if isinstance(parent, str) else Reference(parent)
            if given.action is not ReferenceAction.NONE:
                raise InvalidArgument("a parent's reference has the action NONE")
            if given.zone != self.zone and given.user_record_id is None:
                raise InvalidArgument("a parent is in the zone of the record")
            name = given.name.encode()
        with self._handle as record:
            lib.kinfolk_record_set_parent(record, name)

    @property
    def user_record_id(self) -> str:
        """The user record ID to which a user record belongs: the same as `name`."""
        with self._handle as record:
            return text(lib.kinfolk_record_id(record))

    @property
    def database(self) -> DatabaseScope | None:
        """The database from which the record was fetched, or in which it was saved; None if neither."""
        with self._handle as record:
            number = lib.kinfolk_record_database(record)
        return DatabaseScope(number) if number in tuple(DatabaseScope) else None

    @property
    def change_tag(self) -> str | None:
        """An opaque text that identifies this state of the record; None if it was not saved yet."""
        with self._handle as record:
            return optional_text(lib.kinfolk_record_change_tag(record))

    @property
    def created_at(self) -> datetime | None:
        """When the record was first saved, in UTC; None if it was not saved yet.

        A user record is created by the person's first session in the container. Of that moment only the day is kept.
        """
        return self._moment(lib.kinfolk_record_created_at)

    @property
    def modified_at(self) -> datetime | None:
        """When the record was last saved, in UTC; None if it was not saved yet."""
        return self._moment(lib.kinfolk_record_modified_at)

    @property
    def created_by(self) -> str | None:
        """The user record ID of the user who created the record.

        None if it was not saved yet, or if the user's account was erased and the operator kept the record.
        """
        with self._handle as record:
            return optional_text(lib.kinfolk_record_created_by(record))

    @property
    def modified_by(self) -> str | None:
        """The user record ID of the user who last saved the record; None as for `created_by`."""
        with self._handle as record:
            return optional_text(lib.kinfolk_record_modified_by(record))

    def field_type(self, name: str) -> FieldType:
        """The type of a field. UnknownItem, which is a KeyError, if the record has no such field."""
        encoded, number = arguments.text(name, "field name"), c_int()
        with self._handle as record:
            lib.kinfolk_record_field_type(record, encoded, byref(number))
        return FieldType(number.value)

    def set(self, name: str, value: FieldValue, field_type: FieldType) -> None:
        """Sets a field to a value of a given type: for example an empty list, or an int to be stored as a double."""
        encoded = arguments.text(name, "field name")
        kind = FieldType(arguments.member(field_type, "field_type", FieldType))
        if kind in (FieldType.ARRAY, FieldType.DICTIONARY):
            raise InvalidArgument("a record has no arrays and dictionaries of the key-value store")
        with self._handle as record:
            values.write(record, encoded, kind, value, name)
        self._take_source(kind, value)

    def __getitem__(self, name: str) -> Any:
        encoded = arguments.text(name, "field name")
        with self._handle as record:
            return values.read(record, encoded, self._source)

    def __setitem__(self, name: str, value: FieldValue) -> None:
        encoded = arguments.text(name, "field name")
        with self._handle as record:
            field_type = values.infer(value, name)
            if field_type is None:
                field_type = self.field_type(name) if name in self else FieldType.STRING
                if not field_type.is_list:
                    raise TypeError(
                        f"{name} needs a type for an empty list: record.set(name, [], kinfolk.FieldType.STRING_LIST)"
                    )
            values.write(record, encoded, field_type, value, name)
        self._take_source(field_type, value)

    def __delitem__(self, name: str) -> None:
        encoded = arguments.text(name, "field name")
        with self._handle as record:
            lib.kinfolk_record_remove(record, encoded)

    def __contains__(self, name: object) -> bool:
        with self._handle:
            try:
                return isinstance(name, str) and bool(self.field_type(name))
            except (UnknownItem, InvalidArgument):
                return False

    def __iter__(self) -> Iterator[str]:
        with self._handle as record:
            count = lib.kinfolk_record_field_count(record)
            names = [lib.kinfolk_record_field_name(record, index) for index in range(count)]
        # Another thread may have removed some meanwhile: those are NULL.
        return iter([text(name) for name in names if name is not None])

    def __len__(self) -> int:
        with self._handle as record:
            count: int = lib.kinfolk_record_field_count(record)
        return count

    def __repr__(self) -> str:
        if self.closed:
            return super().__repr__()
        # Without the name, which the application chose: it may be an address. A user record ID is random.
        kind = f"Users {self.name}" if self.type == "Users" else self.type
        place = "not saved" if self.database is None else self.database.name.lower()
        return f"<kinfolk.Record {kind} {place} fields={len(self)}>"

    def _moment(self, get: Any) -> datetime | None:
        with self._handle as record:
            return None if lib.kinfolk_record_change_tag(record) is None else moment(get(record))

    def _take_state(self, pointer: Any, source: Handle) -> None:
        """Takes over a kinfolk_record that has a newer state of this record. Part of Batch.run()."""
        handle = Handle(pointer, lib.kinfolk_record_free, "record")
        if not self.closed:
            self._handle = handle
            self._source = source

    def _take_source(self, field_type: FieldType, value: Any) -> None:
        """Lets a record that is not saved yet read its assets from the database to which they were written."""
        if self._source is None and field_type.element is FieldType.ASSET:
            assets = value if field_type.is_list else (value,)
            self._source = next((each._database for each in assets if isinstance(each, Asset)), None)
