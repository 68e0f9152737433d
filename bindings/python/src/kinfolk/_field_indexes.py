"""The indexes of a field."""

from __future__ import annotations

from enum import IntFlag


class FieldIndexes(IntFlag):
    """The indexes of a field, combined by `|`.

    A stolen store shows which records have the same value in a QUERYABLE field, and the order of the values of a
    SORTABLE field.
    """

    QUERYABLE = 1
    """Records can be found by a value."""
    SORTABLE = 2
    """Records can be put in the order of the values, and found by a range of them."""
    SEARCHABLE = 4
    """Records can be found by a word of a text."""
    STANDARD = 256
    """Alone: the indexes of a field that a save adds."""
