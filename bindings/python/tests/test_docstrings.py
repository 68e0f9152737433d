"""The examples in the docstrings of settings and documents run as they are written."""

from __future__ import annotations

import inspect
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest

import kinfolk

CLASSES = [kinfolk.KeyValueStore, kinfolk.ChangeWatch, kinfolk.Documents, kinfolk.Document, kinfolk.DocumentUpload]


def examples(thing: Any) -> list[str]:
    """The indented parts of a docstring that are programs. A table is none."""
    parts = re.findall(r"(?:^ {4}.*\n?|^\n(?= {4}))+", inspect.getdoc(thing) or "", flags=re.M)
    found = []
    for part in map(textwrap.dedent, parts):
        try:
            compile(part, "example", "exec")
        except SyntaxError:
            assert "print(" not in part, part
        else:
            found.append(part)
    return found


def found() -> list[Any]:
    things: list[Any] = [kinfolk.Session.key_value_store, kinfolk.Session.documents]
    for each in CLASSES:
        members = [member for name, member in vars(each).items() if not name.startswith("_")]
        things += [each, *members]
    texts = [text for each in things for text in examples(each)]
    return [pytest.param(text, id=f"{number}") for number, text in enumerate(texts)]


@pytest.mark.parametrize("text", found())
def test_an_example_runs(text: str, session: kinfolk.Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_bytes(b"Hello again")
    (tmp_path / "garden.jpg").write_bytes(b"a photo")
    (tmp_path / "copies").mkdir()
    documents = session.documents
    token = documents.changes().token
    names: dict[str, Any] = {
        "session": session,
        "documents": documents,
        "settings": session.key_value_store,
        "token": token,
        "pieces": [b"a", b"b"],
        "kinfolk": kinfolk,
    }
    if "settings.watch()" in text:
        text = text.replace("settings.watch()", "settings.watch(timeout=0)")
    if "letter = " not in text and 'create("letters/test.txt"' not in text:
        names["letter"] = documents.create("letters/test.txt", b"Hello")
        names["letter"].save(b"Hello again")
    exec(compile(text, "example", "exec"), names)  # noqa: S102


def test_there_are_examples() -> None:
    assert len(found()) > 20
