"""How far the indexes of a record type are built."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


@documented
class IndexBuild(NamedTuple):
    """How far the indexes of a record type are built: see Container.index_builds().

    record_type  The record type.
    done         How many of its records have been indexed.
    total        How many records it had when the build began.
    """

    record_type: str
    done: int
    total: int


def take_builds(builds: Any) -> list[IndexBuild]:
    """The builds of a kinfolk_index_builds; frees it."""
    try:
        return [
            IndexBuild(
                text(lib.kinfolk_index_builds_record_type(builds, index)),
                lib.kinfolk_index_builds_done(builds, index),
                lib.kinfolk_index_builds_total(builds, index),
            )
            for index in range(lib.kinfolk_index_builds_count(builds))
        ]
    finally:
        lib.kinfolk_index_builds_free(builds)
