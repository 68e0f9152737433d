"""The result of deleting a container."""

from __future__ import annotations

from typing import NamedTuple


class ContainerDeletion(NamedTuple):
    """The result of Service.delete_container()."""

    people: int
    """How many people of the container this call removed. Their accounts stay."""
    is_pending: bool
    """Whether the store's write-ahead log may still hold deleted data, as in Erasure.is_pending."""
