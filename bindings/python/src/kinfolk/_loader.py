"""Finds the shared library."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator, Mapping

from ._declarations import VERSION_NUMBER

NAMES = ("libkinfolk.so.0", "libkinfolk.so")


def candidates(environment: Mapping[str, str], package: str) -> Iterator[str]:
    """The files to try, in this order. If the user sets KINFOLK_LIBRARY, nothing else is tried."""
    if environment.get("KINFOLK_LIBRARY"):
        yield environment["KINFOLK_LIBRARY"]
        return
    for name in NAMES:
        yield os.path.join(package, name)
    repository = _repository(package)
    if repository:
        for folder in ("stage/lib", "release", "debug"):
            yield os.path.join(repository, ".build", folder, "libkinfolk.so")
    yield from NAMES


def _repository(folder: str) -> str | None:
    while not os.path.exists(os.path.join(folder, "Include", "kinfolk.h")):
        folder, below = os.path.dirname(folder), folder
        if folder == below:
            return None
    return folder


def load() -> ctypes.CDLL:
    """Loads the first library that exists and has this version. The ImportError lists everything that was tried."""
    tried = []
    for candidate in candidates(os.environ, os.path.dirname(os.path.abspath(__file__))):
        if os.path.dirname(candidate) and not os.path.exists(candidate):
            tried.append(f"{candidate}: there is no such file")
            continue
        try:
            library = ctypes.CDLL(candidate)
            number = library.kinfolk_version_number
        except (OSError, AttributeError) as error:
            tried.append(f"{candidate}: {error}")
            continue
        number.restype = ctypes.c_uint32
        # Before version 1 each minor version may change the C API.
        if number() // 1000 == VERSION_NUMBER // 1000:
            return library
        tried.append(f"{candidate}: is version {_dotted(number())}, {_dotted(VERSION_NUMBER)} is needed")
    raise ImportError(
        f"kinfolk found no usable libkinfolk.so. {_advice()} Tried, on {sys.platform}:\n  " + "\n  ".join(tried)
    )


def _advice() -> str:
    if os.environ.get("KINFOLK_LIBRARY"):
        return "KINFOLK_LIBRARY is set, so nothing else is tried: correct it, or unset it."
    return (
        "In a clone of Kinfolk, `make stage` builds it (or swift build -c release --product kinfolk); elsewhere "
        "`make install` installs it, or KINFOLK_LIBRARY says where it is."
    )


def _dotted(number: int) -> str:
    return f"{number // 1_000_000}.{number // 1000 % 1000}.{number % 1000}"
