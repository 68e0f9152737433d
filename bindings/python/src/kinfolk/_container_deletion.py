"""The result of deleting a container."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented


@documented
class ContainerDeletion(NamedTuple):
    """The result of Service.delete_container().

    people      How many people of the container this call removed. Their accounts stay.
    is_pending  Whether the store's write-ahead log may still hold deleted data, as in Erasure.is_pending.
    """

    people: int
    is_pending: bool
