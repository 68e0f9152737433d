"""What an experiment tried and found, and the table in which it is printed."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Iterable


@dataclasses.dataclass(frozen=True)
class Finding:
    """An attack that was tried, and its result."""

    tried: str
    found: str
    is_held: bool


class Length:
    """How much is tried: everything, or only what `make test` has time for."""

    def __init__(self, *, is_short: bool) -> None:
        self.is_short = is_short

    def choose(self, short: int, long: int) -> int:
        return short if self.is_short else long


class ExperimentError(Exception):
    """An experiment could not be run as intended, so that its result would say nothing."""


def require(condition: object, what: str) -> None:
    """Ends the experiment unless what it is built on holds."""
    if not condition:
        raise ExperimentError(what)


class Tally:
    """Counts attempts, and remembers those that succeeded although they must not."""

    SHOWN = 6

    def __init__(self) -> None:
        self.count = 0
        self.broken: list[str] = []

    def check(self, is_held: object, what: str) -> None:
        """One attempt: `what` is shown if it was not repelled."""
        self.count += 1
        if not is_held:
            self.broken.append(what)

    def finding(self, tried: str, held: str) -> Finding:
        """`{}` in `tried` becomes the number of attempts. `held` is the result if all were repelled."""
        tried = tried.format(f"{self.count:,}")
        if not self.count:
            return Finding(tried, "nothing was tried", False)
        if not self.broken:
            return Finding(tried, held, True)
        shown = "; ".join(self.broken[: self.SHOWN])
        more = f"; and {len(self.broken) - self.SHOWN} more" if len(self.broken) > self.SHOWN else ""
        return Finding(tried, f"{len(self.broken)} of {self.count}: {shown}{more}", False)


WIDTHS = (12, 28, 28, 6)


def _row(cells: Iterable[str]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS)).rstrip()


RULE = _row("-" * width for width in WIDTHS)
HEAD = _row(("promise", "tried", "found", "")) + "\n" + RULE


def rows(promise: str, findings: list[Finding]) -> str:
    """The lines of an experiment, as `kinfolk-attack` prints them."""
    lines = []
    for index, finding in enumerate(findings):
        texts = (promise if index == 0 else "", finding.tried, finding.found, "held" if finding.is_held else "BROKEN")
        cells = [textwrap.wrap(text, width) or [""] for text, width in zip(texts, WIDTHS)]
        for number in range(max(len(cell) for cell in cells)):
            lines.append(_row(cell[number] if number < len(cell) else "" for cell in cells))
    return "\n".join([*lines, RULE])
