"""The table of deliberate differences: docs/web-services.md says the same, and each row is shown by a test."""

from __future__ import annotations

import ast
import functools
import pathlib

import differences
import pytest

HERE = pathlib.Path(__file__).parent
DOCUMENT = HERE.parents[2] / "docs" / "web-services.md"


def test_the_document_has_the_same_table():
    text = DOCUMENT.read_text()
    section = text[text.index(differences.HEADING) :]
    following = section.find("\n## ", 1)
    section = section if following < 0 else section[: following + 1]
    assert section.strip() == differences.section().strip()


@pytest.mark.parametrize("row", differences.DIFFERENCES, ids=lambda row: row.name)
def test_a_row_is_shown_by_a_test(row):
    """A test names the row, with `difference` or in a comparison."""
    assert row.name in named()


@functools.cache
def named() -> set[str]:
    names = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and path.name != pathlib.Path(__file__).name:
                names.add(node.value)
    return names


def test_names_are_unique():
    names = [row.name for row in differences.DIFFERENCES]
    assert len(set(names)) == len(names)


def test_a_cell_is_one_line():
    cells = [cell for row in differences.DIFFERENCES for cell in (row.here, row.apple, row.why)]
    assert not [cell for cell in cells if "\n" in cell or "|" in cell]
