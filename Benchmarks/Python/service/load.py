"""Requests by wrk: as many as the server answers in some seconds."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass

from processes import Process
from rows import row_of_pairs
from setting import Setting

# The requests are formatted once, and sent one after the other, each connection where the last one stopped. An answer that is not
# 200 ends the run. The texts have no line breaks and no `]==]`.
SCRIPT = """
local requests = {}
local number = 0
function init()
%s
end
function request()
    number = number %% #requests + 1
    return requests[number]
end
"""
LINE = "    requests[#requests + 1] = wrk.format([==[%s]==], [==[%s]==], nil, [==[%s]==])"


@dataclass(frozen=True)
class Request:
    method: str
    target: str
    body: str = ""


class Load:
    """Requests that are sent in turn."""

    def __init__(self, process: Process, requests: Sequence[Request], scratch: pathlib.Path, name: str) -> None:
        self._process = process
        self._script = scratch / f"{name}.lua"
        lines = [LINE % (request.method, request.target, request.body) for request in requests]
        self._script.write_text(SCRIPT % "\n".join(lines))

    def rate(self, connections: int, seconds: int) -> float:
        """How many requests a second are answered."""
        command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "--timeout", "30s", "-s", str(self._script)]
        url = f"http://127.0.0.1:{self._process.port}"
        output = subprocess.run([*command, url], check=True, capture_output=True, text=True, timeout=seconds + 120).stdout
        if "Non-2xx" in output or "Socket errors" in output:
            raise SystemExit(f"Requests failed: {output}")
        found = re.search(r"^Requests/sec: *([\d.]+)$", output, re.MULTILINE)
        if not found:
            raise SystemExit(f"wrk printed no rate: {output}")
        return float(found[1])


def compare(name: str, load: Load, floor: Load, connections: int, goal: str, setting: Setting) -> None:
    """A row with the rate of the product and of its floor, measured by turns."""
    values, floors = [], []
    for run in range(setting.runs + 1):
        value, of_floor = load.rate(connections, setting.seconds), floor.rate(connections, setting.seconds)
        # The first run warms up.
        if run > 0:
            values.append(value)
            floors.append(of_floor)
    row_of_pairs(name, values, floors, "/s", goal)


def text(body: object) -> str:
    """The shortest JSON."""
    return json.dumps(body, separators=(",", ":"))


def connections_text(count: int) -> str:
    return "1 connection" if count == 1 else f"{count} connections"
