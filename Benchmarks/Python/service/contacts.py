"""1,000 contacts against a directory of 1,000,000 people, and the start of the service with that store."""

from __future__ import annotations

import base64
import hashlib
import http.client
import statistics
import time
from typing import Any

from library import Library
from load import Load, Request, text
from processes import PATIENCE, Process, free_port
from rows import at_most, ratio_at_most, row, row_of_pairs
from served import Served, command_line, serving
from setting import CONTAINER, Setting

CONTACTS = 1_000
PRESENT = 50
BOOKS = 16
PEOPLE = 8


def measure(setting: Setting) -> None:
    with serving(setting) as served, Library("discover", setting) as library:
        person = served.sign_in("ada@example.com")
        books = [[hash_of(address) for address in book(number, setting.size)] for number in range(BOOKS)]
        bodies = [text({"hashes": hashes, "syncState": discover(served, person, {"hashes": hashes})["syncState"]}) for hashes in books]
        # The first searches make the filter of the directory, in the background.
        time.sleep(3)
        values, floors = [], []
        target = served.target("discovery/hashes", person, "kinfolk")
        for run in range(2 * BOOKS if setting.is_quick else 8 * BOOKS):
            start = time.monotonic()
            status, _ = served.exchange("POST", target, bodies[run % BOOKS].encode())
            values.append((time.monotonic() - start) * 1e3)
            if status != 200:
                raise SystemExit(f"The discovery answers {status}.")
            floors.append(library.ask(run % BOOKS) * 1e3)
        name = f"{CONTACTS:,} contacts, {setting.size:,} people; floor: library"
        row_of_pairs(name, values[BOOKS:], floors[BOOKS:], "ms", ratio_at_most(1.5))
        load_with_many(served, bodies, setting)
    starts(setting)


def load_with_many(served: Served, bodies: list[str], setting: Setting) -> None:
    """The memory after many of these requests at the same time."""
    people = served.sign_in_many([f"searcher.{number}@example.com" for number in range(PEOPLE)])
    requests = [Request("POST", served.target("discovery/hashes", people[number % PEOPLE], "kinfolk"), body) for number, body in enumerate(bodies)]
    rate = Load(served.process, requests, setting.scratch, "contacts").rate(16, setting.seconds)
    row(f"{CONTACTS:,} contacts, 16 connections", rate, "/s")
    row("resident memory under that load, the most", served.process.peak, "MB", at_most(100))


def discover(served: Served, person: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = served.post(served.target("discovery/hashes", person, "kinfolk"), body)
    if len(answer["users"]) != PRESENT:
        raise SystemExit(f"{len(answer['users'])} people were found.")
    return answer


def book(number: int, people: int) -> list[str]:
    """The contacts that `BookText` of kinfolk-bench has in its book with this number."""
    step = CONTACTS // PRESENT
    return [
        f"person.{(number * PRESENT + line // step) * 7_919 % people}@example.com"
        if line % step == 0
        else f"nobody.{number * CONTACTS + line}@example.org"
        for line in range(CONTACTS)
    ]


def hash_of(address: str) -> str:
    return base64.b64encode(hashlib.sha256(address.encode()).digest()).decode()


def starts(setting: Setting) -> None:
    """From the start of the process to an answer that has read the store."""
    times = [start(setting) for _ in range(2 * setting.runs + 1)]
    name = f"started with {setting.size:,} people, to the first answer"
    row(name, statistics.median(times[1:]), "s", at_most(0.3))


def start(setting: Setting) -> float:
    port = free_port()
    process = Process(command_line(setting, port), port)
    try:
        end = process.started + PATIENCE
        while time.monotonic() < end:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
                # An unknown API token is looked up.
                connection.request("GET", f"/database/1/{CONTAINER}/production/public/users/current?ckAPIToken={'0' * 64}")
                status = connection.getresponse().status
                if status == 401:
                    return time.monotonic() - process.started
                raise SystemExit(f"The first answer is {status}.")
            except ConnectionError:
                time.sleep(0.001)
        raise SystemExit("The service does not start.")
    finally:
        process.end()
