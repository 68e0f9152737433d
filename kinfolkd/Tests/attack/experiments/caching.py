"""No cache keeps an answer, no browser guesses its type, no header comes twice: looked at in all answers of all experiments before."""

from __future__ import annotations

from ..finding import Finding, Length
from ..scene import Scene
from ..wire import Watch

NAME = "caching"
PROMISE = "every answer"


def run(scene: Scene, length: Length) -> list[Finding]:
    scene.wire.ask("GET", "/healthz")
    scene.wire.ask("GET", "/nothing")
    problems = [f"{text} ({count})" for text, count in sorted(Watch.problems.items(), key=lambda item: -item[1])]
    tried = f"headers of all {Watch.count:,} answers before"
    return [Finding(tried, "; ".join(problems[:8]) or "private, of one type, no fault", not problems)]
