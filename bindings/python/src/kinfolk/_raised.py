"""Exceptions of functions that C calls."""

from __future__ import annotations

from ctypes import CFUNCTYPE


def report(error: BaseException) -> None:
    """Passes an exception to sys.unraisablehook, as ctypes does with those of functions that return nothing."""

    def raise_again() -> None:
        raise error

    CFUNCTYPE(None)(raise_again)()
