"""What a change of a schema does."""

from __future__ import annotations

from enum import IntEnum


class SchemaChangeKind(IntEnum):
    """What a change of a schema does."""

    ADD_ROLE = 1
    """Create a role."""
    REMOVE_ROLE = 2
    """Remove a role."""
    ADD_RECORD_TYPE = 3
    """Add a record type."""
    REMOVE_RECORD_TYPE = 4
    """Remove a record type, with all its records."""
    ADD_FIELD = 5
    """Add a field to a record type."""
    REMOVE_FIELD = 6
    """Remove a field from a record type, with its values."""
    ADD_INDEX = 7
    """Index a field, also for the records that exist."""
    REMOVE_INDEX = 8
    """Remove an index of a field."""
    ADD_GRANT = 9
    """Give a role permissions for the records of a type."""
    REMOVE_GRANT = 10
    """Take permissions for the records of a type from a role."""
