"""examples/python: friends.py does the main job, contact_hash.py needs no library."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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


def test_the_example_finds_only_people_who_opted_in() -> None:
    done = run()
    assert done.stderr == ""
    assert done.returncode == 0
    assert "Yusuf Weber  (your contact Yusuf from chess)" in done.stdout
    assert "Victor" not in done.stdout
    assert "1 of 3 contacts" in done.stdout


def test_the_example_reads_a_given_file_and_keeps_a_given_store(tmp_path: Path) -> None:
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


def test_a_missing_file_is_reported_without_a_traceback(tmp_path: Path) -> None:
    done = run(str(tmp_path / "kinfolk.db"), str(tmp_path / "missing.vcf"))
    assert done.returncode == 1
    assert done.stderr.startswith("friends.py: ")
    assert "Traceback" not in done.stderr
