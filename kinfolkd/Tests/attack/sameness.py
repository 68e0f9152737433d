"""Compares answers that must not differ, apart from IDs and dates."""

from __future__ import annotations

import re

from .wire import Reply

# Headers whose values differ between any two answers.
VARIABLE = {"date", "x-apple-cloudkit-web-auth-token", "set-cookie"}
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
SEALED = re.compile(r'(name="flow" value="|flow=|"syncState": ")[A-Za-z0-9+/=_-]+')


def shown(reply: Reply, *names: str) -> str:
    """An answer as text. What the caller has sent, or names itself, is `names`: each becomes a word that is as long."""
    headers = "\n".join(f"{name}: {value}" for name, value in reply.headers if name not in VARIABLE)
    text = f"{reply.status}\n{headers}\n\n{reply.text}"
    for name in names:
        if name:
            text = text.replace(name, "#" * len(name))
    text = UUID.sub("UUID", text)
    # Of what is sealed, the length can be read.
    return SEALED.sub(lambda found: f"{found[1]}{len(found[0])}", text)


def difference(first: str, second: str) -> str:
    """The first line in which two texts differ; an empty text if they are the same."""
    for left, right in zip([*first.splitlines(), ""], [*second.splitlines(), ""]):
        # The length differs with anything else, and says less.
        if left != right and not left.startswith("content-length:"):
            start = next((index for index, pair in enumerate(zip(left, right)) if pair[0] != pair[1]), 0)
            return f"{left[start : start + 50]!r} instead of {right[start : start + 50]!r}"
    return "" if first == second else "one is longer"
