"""What deleting a container removed."""

from __future__ import annotations

from typing import NamedTuple


class ContainerDeletion(NamedTuple):
    """What Service.delete_container() removed."""

    people: int
    """How many people of the container this call removed. Their accounts stay."""
    is_pending: bool
    """Whether the store's write-ahead log may still hold what was deleted, as with an Erasure."""
