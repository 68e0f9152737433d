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
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(60)

    def ask(self, *numbers: int) -> float:
        """Sends a line of numbers, and returns the number that is answered."""
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(" ".join(map(str, numbers)) + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())
