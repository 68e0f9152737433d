"""Finding the library, and what is said when there is none."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import kinfolk
from kinfolk import _loader
from kinfolk._ffi import lib

PACKAGE = Path(kinfolk.__file__).parent


def run(code: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "KINFOLK_LIBRARY"}
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**inherited, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def copied(folder: Path) -> Path:
    """The package away from its repository."""
    shutil.copytree(PACKAGE, folder / "kinfolk", ignore=shutil.ignore_patterns("__pycache__", "*.so*"))
    return folder


def test_the_library_has_the_version_of_the_package() -> None:
    assert kinfolk.library_version == kinfolk.__version__


def test_the_library_is_searched_bundled_then_built_then_in_the_system(tmp_path: Path) -> None:
    package = tmp_path / "a" / "b" / "kinfolk"
    (tmp_path / "Include").mkdir()
    (tmp_path / "Include" / "kinfolk.h").touch()
    assert list(_loader.candidates({}, str(package))) == [
        str(package / "libkinfolk.so.0"),
        str(package / "libkinfolk.so"),
        str(tmp_path / ".build" / "stage" / "lib" / "libkinfolk.so"),
        str(tmp_path / ".build" / "release" / "libkinfolk.so"),
        str(tmp_path / ".build" / "debug" / "libkinfolk.so"),
        "libkinfolk.so.0",
        "libkinfolk.so",
    ]


def test_with_the_environment_variable_nothing_else_is_tried() -> None:
    assert list(_loader.candidates({"KINFOLK_LIBRARY": "lib/x.so"}, "package")) == ["lib/x.so"]


def test_the_environment_variable_names_the_library(tmp_path: Path) -> None:
    done = run("import kinfolk", copied(tmp_path), KINFOLK_LIBRARY=os.path.abspath(lib._name))
    assert done.stderr == ""
    assert done.returncode == 0


def test_a_bundled_library_loads(tmp_path: Path) -> None:
    (copied(tmp_path) / "kinfolk" / "libkinfolk.so").symlink_to(os.path.abspath(lib._name))
    # Where the library came with a wheel, what it needs lies in this folder.
    (tmp_path / "kinfolk.libs").symlink_to(PACKAGE.parent / "kinfolk.libs")
    done = run("import kinfolk._ffi; print(kinfolk._ffi.lib._name)", tmp_path)
    assert done.stdout.strip() == str(tmp_path / "kinfolk" / "libkinfolk.so")


def test_without_a_library_the_error_lists_what_was_tried_and_what_to_do(tmp_path: Path) -> None:
    broken = copied(tmp_path) / "kinfolk" / "libkinfolk.so"
    broken.write_text("no library")
    done = run("import kinfolk", tmp_path, LD_LIBRARY_PATH=str(tmp_path / "kinfolk"))
    assert done.returncode == 1
    assert "ImportError" in done.stderr
    assert f"{broken}.0: there is no such file" in done.stderr
    assert f"{broken}: " in done.stderr
    assert "  libkinfolk.so.0: " in done.stderr
    assert "make stage" in done.stderr
    assert "KINFOLK_LIBRARY" in done.stderr


def test_a_wrong_path_in_the_environment_is_named_with_what_to_do(tmp_path: Path) -> None:
    done = run("import kinfolk", PACKAGE.parent, KINFOLK_LIBRARY=str(tmp_path / "missing.so"))
    assert done.returncode == 1
    assert f"{tmp_path / 'missing.so'}: there is no such file" in done.stderr
    assert "correct it, or unset it" in done.stderr
    assert "make stage" not in done.stderr


def test_without_libpq_a_server_is_unavailable_and_the_error_names_its_package(tmp_path: Path) -> None:
    (tmp_path / "libpq.so.5").write_bytes(b"")  # a file that is no library hides the one that is
    code = """
import kinfolk
try:
    kinfolk.open("postgresql://kinfolk@/kinfolk", key=bytes(32))
except kinfolk.ServiceUnavailable as error:
    print(error)
"""
    done = run(code, PACKAGE.parent, KINFOLK_LIBRARY=os.path.abspath(lib._name), LD_LIBRARY_PATH=str(tmp_path))
    assert done.stderr == ""
    assert "libpq5" in done.stdout


def test_a_library_of_another_version_is_refused(tmp_path: Path) -> None:
    table = (PACKAGE / "_declarations.py").read_text()
    (copied(tmp_path) / "kinfolk" / "_declarations.py").write_text(
        re.sub(r"VERSION_NUMBER = \d+", "VERSION_NUMBER = 99003", table)
    )
    done = run("import kinfolk", tmp_path, KINFOLK_LIBRARY=os.path.abspath(lib._name))
    assert f"is version {kinfolk.library_version}, 0.99.3 is needed" in done.stderr


def test_a_library_without_a_function_is_refused(tmp_path: Path) -> None:
    table = (PACKAGE / "_declarations.py").read_text()
    (copied(tmp_path) / "kinfolk" / "_declarations.py").write_text(
        table.replace('"kinfolk_free": (', '"kinfolk_fly": (None,),\n    "kinfolk_free": (')
    )
    done = run("import kinfolk", tmp_path, KINFOLK_LIBRARY=os.path.abspath(lib._name))
    assert "ImportError" in done.stderr
    assert "lacks kinfolk_fly" in done.stderr


def test_no_heavy_module_is_imported() -> None:
    heavy = ["asyncio", "dataclasses", "inspect", "json", "logging", "pathlib", "subprocess", "sqlite3", "tempfile"]
    code = f"import sys; b = set(sys.modules); import kinfolk; print(*(set(sys.modules) - b).intersection({heavy}))"
    done = run(code, PACKAGE.parent, KINFOLK_LIBRARY=os.path.abspath(lib._name))
    assert done.stdout.strip() == ""
    assert done.returncode == 0
