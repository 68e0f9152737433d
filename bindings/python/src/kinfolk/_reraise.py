"""Raises an exception of a function that C called, once C has returned."""

from __future__ import annotations


def reraise(raised: list[BaseException]) -> None:
    """Raises the first exception of the list, if there is one, and empties the list."""
    if raised:
        try:
            raise raised[0]
        finally:
            raised.clear()  # the exception holds the frames of its callers, which hold the list
