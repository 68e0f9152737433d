"""The loaded library, with its functions declared. _failures makes exceptions of their status."""

from __future__ import annotations

from ctypes import c_int

from ._declarations import FUNCTIONS, Status
from ._loader import load

lib = load()


def _declare():
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(lib, name)
        except AttributeError:
            raise ImportError(f"{lib._name} lacks {name}: it is not the library of this package's version") from None
        function.argtypes = arguments
        function.restype = c_int if result is Status else result


_declare()
