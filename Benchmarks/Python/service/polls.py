"""10,000 long polls that wait: the memory of the service, and its processor time."""

from __future__ import annotations

import concurrent.futures
import time
import urllib.parse

from processes import allow_many_files
from rows import at_most, progress, row
from served import Served, serving
from setting import Setting
from streams import Streams

POLLS = 10_000
PEOPLE = 25
# A poll ends after 50 seconds, and its client asks again.
POLL_SECONDS = 50
IDLE_SECONDS = 10


def measure(setting: Setting) -> None:
    allow_many_files()
    with serving(setting) as served:
        row("resident memory, idle", served.process.resident, "MB", at_most(40))
        people = served.sign_in_many([f"waiter.{number}@example.com" for number in range(PEOPLE)])
        progress(f"Making {POLLS:,} devices ...")
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            targets = [target for some in pool.map(lambda person: devices(served, person), people) for target in some]
        streams = Streams()
        try:
            before = served.process.processor_time
            streams.open(served.process, targets)
            time.sleep(3)
            opened = served.process.processor_time
            time.sleep(IDLE_SECONDS)
            idle = (served.process.processor_time - opened) / IDLE_SECONDS
            if not streams.have_received_nothing():
                raise SystemExit("Some polls were answered although nothing happened.")
            row(f"resident memory with {POLLS:,} idle long polls", served.process.resident, "MB", at_most(200))
            row(f"processor time of {POLLS:,} idle polls, in a second", idle * 1e3, "ms", at_most(10))
            row("the same if they ask again every 50 s", ((opened - before) / POLL_SECONDS + idle) * 1e3, "ms")
        finally:
            streams.close()


def devices(served: Served, person: str) -> list[str]:
    """The targets of the polls of a person."""
    target = f"/device/1{served.target('tokens/create', person, 'kinfolk').removeprefix('/kinfolk/1')}"
    urls = [served.post(target, {})["webcourierURL"] for _ in range(POLLS // PEOPLE)]
    return [urllib.parse.urlparse(url).path for url in urls]
