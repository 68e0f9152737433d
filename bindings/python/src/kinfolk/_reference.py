"""A pointer to another user record."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented


@documented
class Reference(NamedTuple):
    """A field's pointer to a user record of the same container. When that person is erased, it stays and dangles.

    user_record_id  "_" and 32 lower-case hexadecimal digits.
    """

    user_record_id: str
