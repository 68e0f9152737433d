"""The same work by a call of the library, in a process of kinfolk-bench that has the store open."""

from __future__ import annotations

import subprocess
from types import TracebackType

from setting import Setting


class Library:
    def __init__(self, work: str, setting: Setting) -> None:
        command = [setting.bench, "--child", f"service-{work}", setting.store, str(setting.size)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __enter__(self) -> Library:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.communicate(timeout=60)

    def ask(self, *numbers: int) -> float:
        """Sends a line of numbers, and returns the number that is answered."""
        print(*numbers, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline() if self._process.stdout else ""
        if not answer:
            raise SystemExit("The process with the library has ended.")
        return float(answer)
