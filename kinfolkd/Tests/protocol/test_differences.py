"""The table of deliberate differences: docs/web-services.md says the same, and each row is shown by a test."""

from __future__ import annotations

import ast
import functools
import pathlib

import differences
import pytest
from comparison import TEXT, WHOLE, Each, Maybe, assert_as_manual, deviations

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


# ---- The comparison itself


@pytest.mark.parametrize(
    ("answer", "manual", "found"),
    [
        ({"a": 1}, {"a": WHOLE}, []),
        ({"a": 1}, {"a": 1, "b": Maybe(TEXT)}, []),
        ([{"a": 1}, {"a": 2}], Each({"a": WHOLE}), []),
        ({"a": 1}, {}, ["answer.a is new"]),
        ({}, {"a": TEXT}, ["answer.a is missing"]),
        ({"a": "1"}, {"a": WHOLE}, ["answer.a is not a whole number: '1'"]),
        ({"a": True}, {"a": WHOLE}, ["answer.a is not a whole number: True"]),
        ({"a": True}, {"a": 1}, ["answer.a is not 1: True"]),
        ({"a": 1.0}, {"a": 1}, ["answer.a is not 1: 1.0"]),
        ({"a": 1}, {"a": Maybe(TEXT)}, ["answer.a is not a text: 1"]),
        ([1], [1, 2], ["answer is not an array of 2: [1]"]),
        ([{"a": 1}, {"b": 1}], Each({"a": WHOLE}), ["answer[].a is missing", "answer[].b is new"]),
        (None, {"a": 1}, ["answer is not a dictionary: None"]),
    ],
)
def test_a_comparison_finds_what_differs(answer, manual, found):
    assert deviations(answer, manual) == found


def test_a_difference_must_be_named_and_be_there():
    manual = {"records": [{"recordName": "a"}]}
    answer = {"records": [{"recordName": "a", "pluginFields": {}}]}
    assert_as_manual(answer, manual, "keys of records")
    for arguments in ((answer, manual), (answer, manual, "zone types"), (manual, manual, "keys of records")):
        with pytest.raises(AssertionError):
            assert_as_manual(*arguments)
