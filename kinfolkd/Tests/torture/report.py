"""What the experiments found: lines while they run, and the rows of the table at the end."""

from __future__ import annotations

import dataclasses
import threading

MOST_FAULTS = 20


@dataclasses.dataclass
class Row:
    experiment: str
    store: str
    tried: str
    found: str
    promise: str


class Report:
    """Counts broken promises. May be used from several threads."""

    def __init__(self, side: str = "") -> None:
        self._side = side
        self.rows: list[Row] = []
        self.faults = 0
        self._lock = threading.Lock()

    def say(self, text: str) -> None:
        # In one piece: others print meanwhile.
        print(f"{self._side}: {text}\n", end="", flush=True)

    def broken(self, text: str) -> None:
        with self._lock:
            self.faults += 1
            number = self.faults
        if number <= MOST_FAULTS:
            self.say(f"BROKEN: {text}"[:2500])

    def expect(self, condition: object, text: str) -> bool:
        """Notes a broken promise unless the condition holds."""
        if not condition:
            self.broken(text)
        return bool(condition)

    def row(self, experiment: str, store: str, tried: str, found: str, faults_before: int) -> None:
        promise = "BROKEN" if self.faults > faults_before else "held"
        self.rows.append(Row(experiment, store, tried, found, promise))

    def left_out(self, experiment: str, store: str, why: str) -> None:
        self.rows.append(Row(experiment, store, why, "", "not tried"))

    def table(self) -> str:
        lines = [f"{'experiment':<18} {'store':<11} {'tried':<38} {'found':<38} promise", "-" * 114]
        lines += [f"{row.experiment:<18} {row.store:<11} {row.tried:<38} {row.found:<38} {row.promise}" for row in self.rows]
        return "\n".join(lines)
