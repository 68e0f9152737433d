"""How well a number distinguishes two kinds."""

from __future__ import annotations

import bisect
import math


def area_under_curve(first: list[int], second: list[int]) -> float:
    """The probability that a value of the second kind is larger than one of the first. A tie counts half.

    One half means no information; 1 or 0 means certainty.
    """
    ordered = sorted(first)
    total = 0.0
    for value in second:
        below = bisect.bisect_left(ordered, value)
        total += below + (bisect.bisect_right(ordered, value) - below) / 2
    return total / (len(first) * len(second))


def half_width(area: float, first: int, second: int) -> float:
    """Half of the 95 % confidence interval of an area (Hanley and McNeil 1982), for that many values of each kind."""
    one, two = area / (2 - area), 2 * area * area / (1 + area)
    variance = area * (1 - area) + (second - 1) * (one - area * area) + (first - 1) * (two - area * area)
    return 1.96 * math.sqrt(max(0.0, variance) / (first * second))
