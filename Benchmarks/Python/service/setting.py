"""What the scripts of the service are given: the programs, the stores, and how long they may take."""

from __future__ import annotations

import argparse
import pathlib
from dataclasses import dataclass

# The container and the record type of the stores that kinfolk-bench makes.
CONTAINER = "com.example.bench"
RECORD_TYPE = "Note"


@dataclass
class Setting:
    kinfolkd: str
    kinfolk: str
    floor: str
    bench: str
    store: str
    scratch: pathlib.Path
    size: int
    is_quick: bool

    @property
    def seconds(self) -> int:
        """How long wrk sends requests in one run."""
        return 2 if self.is_quick else 5

    @property
    def runs(self) -> int:
        """How often the product and the floor are measured by turns."""
        return 3 if self.is_quick else 7

    @staticmethod
    def read() -> tuple[str, Setting]:
        parser = argparse.ArgumentParser(description="Measures one part of the network service.")
        parser.add_argument("part")
        for name in ("kinfolkd", "kinfolk", "floor", "bench", "store"):
            parser.add_argument(f"--{name}", required=True)
        parser.add_argument("--scratch", required=True, type=pathlib.Path)
        parser.add_argument("--size", required=True, type=int)
        parser.add_argument("--quick", dest="is_quick", action="store_true")
        values = vars(parser.parse_args())
        return values.pop("part"), Setting(**values)
