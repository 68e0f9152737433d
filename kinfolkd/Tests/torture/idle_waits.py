"""idle_waits: thousands of people wait for notifications by long polls and event streams, and nothing happens.

The service needs little memory for them, and almost no processor time. Then one public record is created, and all of them are told.
"""

from __future__ import annotations

import re
import time

from connections import Connections, One
from drains import head
from scene import Connection, Experiment, Scene, wait_until
from stores import fixed_port

from world import Person

KINDS = ("long polls", "event streams")


def run(experiment: Experiment) -> None:
    if experiment.is_short:
        return wait(experiment, KINDS, 500)
    for kind in KINDS:
        wait(experiment, (kind,), 10_000)
    return None


def wait(experiment: Experiment, kinds: tuple[str, ...], count: int) -> None:
    report = experiment.report
    metrics = fixed_port()
    scene = experiment.scene(f"-{kinds[0][0]}", options=("--max-connections", str(count + 1_000), "--metrics-listen", f"127.0.0.1:{metrics}"))
    everyone = 10 if experiment.is_short else 100
    people = [scene.sign_in(f"p{number}@example.com", keep=True) for number in range(everyone)]
    for person in people:
        scene.subscribe(person, "public")
    author = scene.sign_in("author@example.com", keep=True)
    idle = scene.memory()
    # Long polls end after 50 seconds, and are sent again, each for a device of its own.
    requests = make_requests(scene, people, kinds, count)
    crowd = Connections(scene.port)
    answered = 0

    def arrived(one: One) -> None:
        nonlocal answered
        if one.received.startswith(b"HTTP/1.1 204") and one.received.endswith(b"\r\n\r\n"):
            one.received = b""
            answered += 1
            crowd.send(one, requests[one.number])

    try:
        for number in range(count):
            crowd.open(requests[number])
            crowd.read(0, arrived)

        def waiting() -> bool:
            """Whether all have come, and the service has nothing to do any more: other requests may overtake those in its queue."""
            used = scene.processor_time()
            crowd.read(0.5, arrived)
            return waits(metrics) >= count and scene.processor_time() - used < 0.05

        report.expect(wait_until(waiting), f"only {waits(metrics)} of {count} requests wait")
        figures = measure(scene, crowd, arrived, 0 if experiment.is_short else 60, lambda: answered)
        memory = scene.memory()
        if not experiment.is_short:
            report.expect(memory < 200, f"{count} {kinds[0]} need {memory:.0f} MB")
        began = time.monotonic()
        created = scene.create("news", author, "public")
        report.expect(created.status == 200 and not created.code, f"the record is not created: {created.body[:200]!r}")
        end = time.monotonic() + 300
        while time.monotonic() < end and not all(one.is_done for one in crowd.all):
            crowd.read(0.2, arrived)
            for one in crowd.all:
                one.is_done = one.is_done or b'"rid": "news"' in one.received or b'"rid":"news"' in one.received
        told = sum(one.is_done for one in crowd.all)
        last = time.monotonic() - began
        report.expect(told == count, f"only {told} of {count} were told: {[o.received[-200:] for o in crowd.all if not o.is_done][:2]}")
    finally:
        crowd.close()
    scene.stop_and_expect_0()
    report.say(f"{count} {' and '.join(kinds)}: {memory:.0f} MB ({idle:.0f} MB before them), the last was told after {last:.1f} s")
    for line in figures:
        report.say(line)
    name = "idle waits" if experiment.is_short else f"idle {kinds[0]}"
    experiment.row(f"{count}, one change", f"all told, {memory:.0f} MB", name)


def make_requests(scene: Scene, people: list[Person], kinds: tuple[str, ...], count: int) -> list[bytes]:
    requests = []
    for number in range(count):
        person = people[number % len(people)]
        if kinds[number // len(people) % len(kinds)] == "long polls":
            requests.append(head("GET", scene.courier(person, f"device{number}")))
        else:
            requests.append(head("GET", scene.target("notifications", person, "kinfolk")))
    return requests


def waits(metrics: int) -> int:
    """How many requests wait for their answers, and how many streams are open, as the service counts."""
    connection = Connection(metrics)
    try:
        page = connection.send("GET", "/metrics").body.decode()
    finally:
        connection.close()
    return sum(int(value) for value in re.findall(r"^kinfolkd_(?:waits|event_streams) (\d+)", page, re.MULTILINE))


def measure(scene: Scene, crowd: Connections, arrived: object, seconds: int, answered: object) -> list[str]:
    """The processor time in each ten seconds, and how many long polls ended and began in them."""
    lines = []
    for _ in range(seconds // 10):
        used, polls = scene.processor_time(), answered()  # type: ignore[operator]
        crowd.read(10, arrived)  # type: ignore[arg-type]
        share = (scene.processor_time() - used) * 10
        lines.append(f"{share:.1f} % of a core in ten seconds, with {answered() - polls} new long polls")  # type: ignore[operator]
    return lines
