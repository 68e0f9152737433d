"""Compares an answer of the service with the answer of the manual, field by field.

The manual's answer is written as JSON. Where it has a placeholder, such as [WRAPPING_KEY], or describes a value in words, it has a `Kind`. A
difference that is deliberate is a row of the table in `differences.py`; any other one fails the test.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable
from typing import Any, NamedTuple

from differences import DIFFERENCES, Difference


class Kind(NamedTuple):
    """Any value of a type."""

    name: str
    holds: Callable[[Any], bool]


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


TEXT = Kind("a text", lambda value: isinstance(value, str))
FLAG = Kind("true or false", lambda value: isinstance(value, bool))
NUMBER = Kind("a number", is_number)
WHOLE = Kind("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool))
DICTIONARY = Kind("a dictionary", lambda value: isinstance(value, dict))


def one_of(*values: Any) -> Kind:
    return Kind("one of " + ", ".join(map(str, values)), lambda value: value in values)


class Maybe(NamedTuple):
    """A key that the manual does not always have."""

    value: Any


class Each(NamedTuple):
    """An array whose elements are all of one form."""

    value: Any


def deviations(answer: Any, manual: Any, place: str = "answer") -> list[str]:
    """Where the answer is not what the manual says."""
    if isinstance(manual, Maybe):
        return deviations(answer, manual.value, place)
    if isinstance(manual, Kind):
        return [] if manual.holds(answer) else [f"{place} is not {manual.name}: {answer!r}"]
    if isinstance(manual, Each):
        if not isinstance(answer, list):
            return [f"{place} is not an array: {answer!r}"]
        return [found for element in answer for found in deviations(element, manual.value, f"{place}[]")]
    if isinstance(manual, list):
        if not isinstance(answer, list) or len(answer) != len(manual):
            return [f"{place} is not an array of {len(manual)}: {answer!r}"]
        return [found for one, other in zip(answer, manual) for found in deviations(one, other, f"{place}[]")]
    if isinstance(manual, dict):
        return members(answer, manual, place)
    return [] if (answer, type(answer)) == (manual, type(manual)) else [f"{place} is not {manual!r}: {answer!r}"]


def members(answer: Any, manual: dict[str, Any], place: str) -> list[str]:
    if not isinstance(answer, dict):
        return [f"{place} is not a dictionary: {answer!r}"]
    found = [f"{place}.{key} is missing" for key, value in manual.items() if key not in answer and not isinstance(value, Maybe)]
    found += [f"{place}.{key} is new" for key in answer if key not in manual]
    for key, value in manual.items():
        if key in answer:
            found += deviations(answer[key], value, f"{place}.{key}")
    return found


def assert_as_manual(answer: Any, manual: Any, *names: str) -> None:
    """Fails unless the answer is that of the manual, but for the named differences. Each of those must be there."""
    found = list(dict.fromkeys(deviations(answer, manual)))
    rows = [difference(name) for name in names]
    unexpected = [one for one in found if not any(covers(row, one) for row in rows)]
    assert not unexpected, (unexpected, answer)
    absent = [row.name for row in rows if not any(covers(row, one) for one in found)]
    assert not absent, (f"no difference of this kind: {absent}", answer)


def covers(row: Difference, deviation: str) -> bool:
    return any(fnmatch.fnmatchcase(deviation, pattern.replace("[", "[[]")) for pattern in row.patterns)


def difference(name: str) -> Difference:
    """A row of the table. Tests name the rows that they show."""
    return next(row for row in DIFFERENCES if row.name == name)
