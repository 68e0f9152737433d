"""Additional tests of packaging/wheel-test, which calls pytest with them: an installed wheel needs no libraries of the system."""

from __future__ import annotations

import ctypes
import os
import re
from pathlib import Path

import pytest

import kinfolk

SITE = Path(kinfolk.__file__).parents[1]
BUNDLED = ["libkinfolk", "libsodium", "libsqlite3", "libunistring"]


def mapped(name: str) -> set[Path]:
    """The files of this library that are mapped into this process."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    files = {Path(line.split(maxsplit=5)[5]) for line in lines if len(line.split(maxsplit=5)) == 6}
    return {file for file in files if re.fullmatch(rf"{name}[-.].*", file.name)}


def test_the_package_is_the_installed_one() -> None:
    assert SITE.name == "site-packages"
    assert "KINFOLK_LIBRARY" not in os.environ
    assert "LD_LIBRARY_PATH" not in os.environ


@pytest.mark.parametrize("name", BUNDLED)
def test_what_is_loaded_came_with_the_wheel(name: str) -> None:
    kinfolk.canonical_email("Ada@BÜCHER.example")
    inside = {file for file in mapped(name) if SITE in file.parents}
    assert len(inside) == 1
    # Python's own sqlite3 may have loaded the system's SQLite, in addition to the bundled one.
    if name != "libsqlite3":
        assert mapped(name) == inside


@pytest.mark.parametrize("name", os.environ.get("HIDDEN_LIBRARIES", "").split())
def test_the_systems_library_cannot_be_loaded(name: str) -> None:
    with pytest.raises(OSError, match=re.escape(name)):
        ctypes.CDLL(name)
