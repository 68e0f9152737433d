"""The rows that are measured: printed for kinfolk-bench, one a line, with tabs between name, value, unit, floor, ratio and goal."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence


def at_least(limit: float) -> str:
    return f">={limit}"


def at_most(limit: float) -> str:
    return f"<={limit}"


def ratio_at_least(limit: float) -> str:
    return f"ratio>={limit}"


def ratio_at_most(limit: float) -> str:
    return f"ratio<={limit}"


def row(name: str, value: float, unit: str, goal: str = "", floor: float | None = None, ratio: float | None = None) -> None:
    """Prints a figure. Without a ratio, it is the figure divided by its floor."""
    if floor is not None and ratio is None:
        ratio = value / floor
    cells = [name, repr(value), unit, "" if floor is None else repr(floor), "" if ratio is None else repr(ratio), goal]
    print("\t".join(cells), flush=True)


def row_of_pairs(name: str, values: Sequence[float], floors: Sequence[float], unit: str, goal: str = "") -> None:
    """Prints medians. The ratio is the median of the ratios of adjacent runs."""
    ratio = statistics.median(value / floor for value, floor in zip(values, floors, strict=True))
    row(name, statistics.median(values), unit, goal, statistics.median(floors), ratio)


def progress(text: str) -> None:
    """Says on standard error what is done now."""
    print(text, file=sys.stderr, flush=True)
