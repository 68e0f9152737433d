"""One write, of which 1,000 streams of server-sent events are told: until the last one has received it."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence

from processes import Process
from rows import at_most, progress, row
from served import Served, floor, kinfolk, serving
from setting import CONTAINER, RECORD_TYPE, Setting
from streams import Streams

STREAMS = 1_000
# People with several streams, as with several windows of a browser.
FEW = 10
SUBSCRIPTION = {
    "subscriptionID": "bench",
    "subscriptionType": "query",
    "query": {"recordType": RECORD_TYPE},
    "firesOn": ["create"],
}


def measure(setting: Setting) -> None:
    with floor(setting) as empty:
        times = measure_streams(empty, ["/events"] * STREAMS, lambda text: send(empty, text), setting)
        of_floor = statistics.median(times) * 1e3
    progress(f"Signing {STREAMS:,} people in ...")
    with serving(setting) as served:
        import_people(setting)
        people = served.sign_in_many([address(number) for number in range(STREAMS)])
        writer = served.sign_in("writer@example.com")
        targets = [served.target("notifications", person, "kinfolk") for person in people]

        def write(text: str) -> None:
            save(served, writer, text)

        subscribe(served, people[:FEW])
        times = measure_streams(served.process, targets[:FEW] * (STREAMS // FEW), write, setting)
        report(f"one write to {STREAMS:,} streams of {FEW} people", times, of_floor)
        subscribe(served, people[FEW:])
        times = measure_streams(served.process, targets, write, setting)
        report(f"one write to {STREAMS:,} streams of {STREAMS:,} people", times, of_floor)


def report(name: str, times: Sequence[float], of_floor: float) -> None:
    row(f"{name}; floor: Hummingbird", statistics.median(times) * 1e3, "ms", at_most(40), of_floor)


def measure_streams(process: Process, targets: Sequence[str], write: Callable[[str], None], setting: Setting) -> list[float]:
    """The seconds from each write to its last receipt."""
    streams = Streams()
    streams.open(process, targets)
    try:
        streams.wait_for(b"\n\n")
        time.sleep(1)
        times = []
        for number in range(15 if setting.is_quick else 51):
            text = f"event-{number:05}"
            start = time.monotonic()
            write(text)
            times.append(streams.wait_for(text.encode()) - start)
            time.sleep(0.2)
        return times
    finally:
        streams.close()


def send(empty: Process, text: str) -> None:
    """Sends an event of about the size of a notification to all streams of the floor."""
    body = f"id: {text}\nevent: notification\ndata: {'x' * 300}\n\n".encode()
    with empty.connect() as connection:
        connection.sendall(b"POST /write HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
        connection.recv(4_096)


def save(served: Served, person: str, name: str) -> None:
    """Creates a record whose name is in the notification."""
    record = {"recordType": RECORD_TYPE, "recordName": f"{name}-{time.monotonic_ns()}", "fields": {"group": {"value": name}}}
    answer = served.post(served.target("records/modify", person), {"operations": [{"operationType": "create", "record": record}]})
    if "fields" not in answer["records"][0]:
        raise SystemExit(f"The record was not created: {answer}")


def subscribe(served: Served, people: Sequence[str]) -> None:
    for person in people:
        operations = [{"operationType": "create", "subscription": SUBSCRIPTION}]
        answer = served.post(served.target("subscriptions/modify", person), {"operations": operations})
        if "serverErrorCode" in answer["subscriptions"][0]:
            raise SystemExit(f"The subscription was not saved: {answer}")


def address(number: int) -> str:
    return f"reader.{number}@example.com"


def import_people(setting: Setting) -> None:
    """Makes their accounts at once, so that signing in asks for no name."""
    path = setting.scratch / "people.csv"
    rows = [f"Reader,Number {number},{address(number)}" for number in range(STREAMS)]
    path.write_text("\n".join(["given_name,family_name,email", *rows]) + "\n", encoding="utf-8")
    kinfolk(setting, "account", "import", str(path), "--container", CONTAINER)
