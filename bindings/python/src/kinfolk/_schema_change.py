"""One change of a schema."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import optional_text, text
from ._schema_change_kind import SchemaChangeKind


@documented
class SchemaChange(NamedTuple):
    """One change of a schema. `print(change)` describes it: "Add the field title to Note: STRING QUERYABLE".

    kind         What it does.
    record_type  The record type; None for a role.
    name         The name of the field or of the role; None for a record type.
    detail       In the schema language: the type and the indexes of a new field, the indexes, or the permissions. None
                 for other changes.
    sentence     The change, described for people.
    """

    kind: SchemaChangeKind
    record_type: str | None
    name: str | None
    detail: str | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence


def take_changes(changes: Any) -> list[SchemaChange]:
    """The changes of a kinfolk_schema_changes; frees it."""
    try:
        return [
            SchemaChange(
                SchemaChangeKind(lib.kinfolk_schema_changes_kind(changes, index)),
                optional_text(lib.kinfolk_schema_changes_record_type(changes, index)),
                optional_text(lib.kinfolk_schema_changes_name(changes, index)),
                optional_text(lib.kinfolk_schema_changes_detail(changes, index)),
                text(lib.kinfolk_schema_changes_sentence(changes, index)),
            )
            for index in range(lib.kinfolk_schema_changes_count(changes))
        ]
    finally:
        lib.kinfolk_schema_changes_free(changes)
