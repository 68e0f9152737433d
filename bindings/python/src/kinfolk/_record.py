"""The fields that are stored for a user record ID."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from ctypes import byref, c_int
from datetime import datetime
from typing import Any

from . import _arguments as arguments
from . import _field_values as values
from ._closable import Closable
from ._database import Database
from ._errors import InvalidArgument, UnknownItem
from ._ffi import lib
from ._field_type import FieldType
from ._field_values import FieldValue
from ._handle import Handle
from ._outputs import moment, text


class Record(Closable, MutableMapping[str, Any]):
    """A user record: a mapping of field names to values, in the order of the names.

    Made by Session.fetch_record(); Session.save_record() stores changes. It is a copy: it does not change when the
    store does. It need not be closed. A field's name has 1 to 255 ASCII letters, digits and "_", and starts with a
    letter. A record has at most 1,000 fields, and all names and values together have at most 1,000,000 bytes: more is
    LimitExceeded.

        str                 STRING
        int                 INT64     -2**63 to 2**63 - 1
        float               DOUBLE
        bool                BOOLEAN
        bytes               BYTES     also bytearray and memoryview; read as bytes
        datetime            DATE      aware; to the microsecond; read in UTC
        Location            LOCATION
        Reference           REFERENCE
        list, tuple         a list of one of these types; read as a tuple, since changing it would not change the field

    The first use of a field fixes its type for the whole container: 2 and 2.0 differ. If the value does not tell the
    type, as with an empty list, use set(); record[name] = [] keeps the type of a list that exists already.
    """

    __slots__ = ()

    @classmethod
    def adopt(cls, pointer: Any) -> Record:
        """Takes over a kinfolk_record."""
        return cls(Handle(pointer, lib.kinfolk_record_free, "record"))

    @property
    def user_record_id(self) -> str:
        """The user record ID to which the record belongs."""
        with self._handle as record:
            return text(lib.kinfolk_record_id(record))

    @property
    def database(self) -> Database:
        """The database that holds the record."""
        with self._handle as record:
            return Database(lib.kinfolk_record_database(record))

    @property
    def change_tag(self) -> str:
        """An opaque text that identifies this state of the record."""
        with self._handle as record:
            return text(lib.kinfolk_record_change_tag(record))

    @property
    def created_at(self) -> datetime:
        """When the record was created, in UTC."""
        with self._handle as record:
            return moment(lib.kinfolk_record_created_at(record))

    @property
    def modified_at(self) -> datetime:
        """When the record was last saved, in UTC."""
        with self._handle as record:
            return moment(lib.kinfolk_record_modified_at(record))

    @property
    def created_by(self) -> str:
        """The user record ID of the user who created the record."""
        with self._handle as record:
            return text(lib.kinfolk_record_created_by(record))

    @property
    def modified_by(self) -> str:
        """The user record ID of the user who last saved the record."""
        with self._handle as record:
            return text(lib.kinfolk_record_modified_by(record))

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
        with self._handle as record:
            values.write(record, encoded, kind, value, name)

    def __getitem__(self, name: str) -> Any:
        encoded = arguments.text(name, "field name")
        with self._handle as record:
            return values.read(record, encoded)

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
        return f"<kinfolk.Record {self.user_record_id} {self.database.name.lower()} fields={len(self)}>"
