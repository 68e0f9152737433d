"""examples/python: friends.py does the main job, contact_hash.py needs no library."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import kinfolk

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "python" / "friends.py"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments],
        env={**os.environ, "PYTHONPATH": str(Path(kinfolk.__file__).parents[1]), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_it_finds_who_opted_in_and_nobody_else() -> None:
    done = run()
    assert done.stderr == ""
    assert done.returncode == 0
    assert "Yusuf Weber  (your contact Yusuf from chess)" in done.stdout
    assert "Victor" not in done.stdout
    assert "1 of 3 contacts" in done.stdout


def test_it_reads_a_given_file_and_keeps_a_given_store(tmp_path: Path) -> None:
    cards = tmp_path / "contacts.vcf"
    cards.write_text("BEGIN:VCARD\nVERSION:4.0\nFN:Chess club\nEMAIL:WEBER.YUSUF9@example.com\nEND:VCARD\n")
    store = tmp_path / "kinfolk.db"
    for _ in range(2):
        done = run(str(store), str(cards))
        assert done.stderr == ""
        assert "Yusuf Weber" in done.stdout
        assert "Chess club" in done.stdout
        assert "1 of 1 contacts" in done.stdout
    with kinfolk.open(store, create=False) as service:
        assert service.find_account("weber.yusuf9@example.com").given_name == "Yusuf"


def test_a_missing_file_is_said_without_a_traceback(tmp_path: Path) -> None:
    done = run(str(tmp_path / "kinfolk.db"), str(tmp_path / "missing.vcf"))
    assert done.returncode == 1
    assert done.stderr.startswith("friends.py: ")
    assert "Traceback" not in done.stderr


def test_the_contact_hash_without_the_library_agrees_with_the_vectors_in_ascii() -> None:
    spec = importlib.util.spec_from_file_location("contact_hash", EXAMPLE.with_name("contact_hash.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    vectors = json.loads((ROOT / "Tests/KinfolkTests/Contacts/canonical-email-vectors.json").read_text())
    # An A-label takes the rules of UTS #46 to check: it is refused.
    valid = [each for each in vectors["valid"] if each["input"].isascii() and "xn--" not in each["input"].lower()]
    refused = [each for each in vectors["refused"] if each["input"].isascii()]
    assert len(valid) > 10
    assert len(refused) > 10
    for each in valid:
        assert module.contact_hash(each["input"]).hex() == each["sha256"]
    for each in refused:
        with pytest.raises(ValueError, match=r"too long|not an ASCII"):
            module.contact_hash(each["input"])
