"""generate-aio, which writes kinfolk.aio."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(not (FOLDER / "generate-aio").exists(), reason="only the source tree has generate-aio")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(FOLDER / "generate-aio", tmp_path)
    shutil.copytree(FOLDER / "src" / "kinfolk", tmp_path / "src" / "kinfolk", ignore=shutil.ignore_patterns("*.pyc"))
    return tmp_path


def generate(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, folder / "generate-aio", "-"], capture_output=True, text=True)


def reword(file: Path, found: str, written: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert found in text
    file.write_text(text.replace(found, written), encoding="utf-8")


def test_the_output_equals_the_file_of_the_package(copy: Path) -> None:
    result = generate(copy)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (FOLDER / "src" / "kinfolk" / "aio.py").read_text(encoding="utf-8")


def test_unused_replacements_are_reported(copy: Path) -> None:
    reword(copy / "src" / "kinfolk" / "_private_client.py", "client.set_contacts(book)", "client.set_contacts(friends)")
    result = generate(copy)
    assert result.returncode != 0
    assert "client.set_contacts(book)" in result.stderr


@pytest.mark.parametrize("words", ["runs on this thread", "is called on the calling thread"])
def test_documentation_that_would_name_the_wrong_thread_is_reported(copy: Path, words: str) -> None:
    reword(copy / "src" / "kinfolk" / "_container.py", "The present rate limit", f"It {words}. The present rate limit")
    result = generate(copy)
    assert result.returncode != 0
    assert "permits" in result.stderr
