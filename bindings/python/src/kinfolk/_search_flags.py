"""The flags of a search for documents."""

from __future__ import annotations

from enum import IntFlag


class SearchFlags(IntFlag):
    """Which documents a search finds. Documents.search() has an argument for each."""

    SHALLOW = 1
    """Only those in the folder itself."""
    CONFLICTS = 2
    """Only those with conflicts."""
