"""The types of a record's fields."""

from __future__ import annotations

from enum import IntEnum


class FieldType(IntEnum):
    """The type of a field. A list holds values of one type; its number is the number of that type, plus 16.

    Only key-value stores have arrays and dictionaries, which hold values of any types. No field has them.
    """

    STRING = 1
    INT64 = 2
    DOUBLE = 3
    BOOLEAN = 4
    BYTES = 5
    DATE = 6
    LOCATION = 7
    REFERENCE = 8
    ASSET = 9
    STRING_LIST = 17
    INT64_LIST = 18
    DOUBLE_LIST = 19
    BOOLEAN_LIST = 20
    BYTES_LIST = 21
    DATE_LIST = 22
    LOCATION_LIST = 23
    REFERENCE_LIST = 24
    ASSET_LIST = 25
    ARRAY = 32
    DICTIONARY = 33

    @property
    def is_list(self) -> bool:
        """Whether the field holds a list."""
        return FieldType.STRING_LIST <= self <= FieldType.ASSET_LIST

    @property
    def element(self) -> FieldType:
        """The type of a list's values; for a field that is not a list, its own type."""
        return FieldType(self - 16) if self.is_list else self
