"""Documents the fields of named tuples."""

from __future__ import annotations

import re
from typing import TypeVar

Class = TypeVar("Class", bound=type)


def documented(kind: Class) -> Class:
    """Gives each field of a named tuple the lines that the class's docstring has about it.

    Otherwise help() says "Alias for field number 0". A line has the field's name and at least two spaces before the
    text; further lines are indented as far as the text.
    """
    for name, text in re.findall(r"^ *(\w+)  +(.+(?:\n {5,}.+)*)", kind.__doc__ or "", flags=re.M):
        getattr(kind, name).__doc__ = " ".join(text.split())
    return kind
