"""A file of 10 MB, on disk when it is answered."""

from __future__ import annotations

import os
import pathlib
import time
import urllib.parse

import pocketbase
from rows import at_least, row_of_pairs
from served import Served, serving
from setting import RECORD_TYPE, Setting

MEGABYTES = 10


def measure(setting: Setting) -> None:
    content = os.urandom(MEGABYTES * 1_000_000)
    values, floors = [], []
    with serving(setting) as served:
        person = served.sign_in("uploader@example.com")
        for run in range(3 * setting.runs + 1):
            value, of_floor = upload(served, person, content), write(setting.scratch / "file", content)
            if run > 0:
                values.append(MEGABYTES / value)
                floors.append(MEGABYTES / of_floor)
    goal = at_least(1.2 * pocketbase.UPLOAD)
    row_of_pairs(f"a file of {MEGABYTES} MB uploaded, durable; floor: a file written", values, floors, "MB/s", goal)


def upload(served: Served, person: str, content: bytes) -> float:
    """How many seconds it takes to send the bytes and get the answer."""
    tokens = {"tokens": [{"recordType": RECORD_TYPE, "fieldName": "photo"}]}
    answer = served.post(served.target("assets/upload", person, database="private"), tokens)
    url = urllib.parse.urlparse(answer["tokens"][0]["url"])
    start = time.monotonic()
    status, result = served.exchange("POST", url.path, content)
    seconds = time.monotonic() - start
    if status != 200 or b"receipt" not in result:
        raise SystemExit(f"The upload answers {status}: {result!r}")
    return seconds


def write(path: pathlib.Path, content: bytes) -> float:
    """How many seconds it takes to write the bytes to a new file and to the disk."""
    start = time.monotonic()
    with path.open("wb", buffering=0) as file:
        file.write(content)
        os.fdatasync(file.fileno())
    seconds = time.monotonic() - start
    path.unlink()
    return seconds
