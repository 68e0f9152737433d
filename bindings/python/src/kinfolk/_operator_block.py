"""The operator's blocks."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import text


@documented
class OperatorBlock(NamedTuple):
    """Two people whom the operator prevents from finding each other: what Container.blocks() lists.

    user_record_id        The user record ID of one of the two.
    other_user_record_id  The user record ID of the other.
    """

    user_record_id: str
    other_user_record_id: str


def take_blocks(blocks: Any) -> list[OperatorBlock]:
    """The pairs of a kinfolk_operator_blocks; frees it."""
    try:
        return [
            OperatorBlock(
                text(lib.kinfolk_operator_blocks_record_id(blocks, index)),
                text(lib.kinfolk_operator_blocks_other_record_id(blocks, index)),
            )
            for index in range(lib.kinfolk_operator_blocks_count(blocks))
        ]
    finally:
        lib.kinfolk_operator_blocks_free(blocks)
