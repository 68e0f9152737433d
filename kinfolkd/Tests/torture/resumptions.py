"""resumptions: kinfolkd is killed and restarted while people wait for notifications.

An event stream that resumes with Last-Event-ID, and a long poll that acknowledges, receive each change at least once, also of those that were
saved while the service was ending. Of each record they receive its creation before its change, and its change before its deletion.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from scene import Experiment, Lost, Scene, wait_until
from streams import Listener, Poll, Stream

from world import Person

KINDS = {"create": 1, "update": 2, "delete": 3}


class Author(threading.Thread):
    """Creates, changes and deletes records, and repeats what was not acknowledged."""

    def __init__(self, scene: Scene, person: Person, count: int) -> None:
        super().__init__(daemon=True)
        self.scene = scene
        self.person = person
        self.count = count
        self.done = 0
        self.expected: list[tuple[str, int]] = []
        self.may_begin: list[threading.Event] = [threading.Event() for _ in range(count)]

    def run(self) -> None:
        for number in range(self.count):
            self.may_begin[number].wait(120)
            name = f"r{number}"
            kinds = ["create"] + (["update"] if number % 3 == 0 else [])
            # Of a record that is gone, only its deletion is told.
            for kind in kinds:
                self.repeat(kind, name)
                self.expected.append((name, KINDS[kind]))
            if number % 4 == 3:
                self.repeat("delete", f"r{number - 2}")
                self.expected.append((f"r{number - 2}", 3))
            self.done += 1

    def repeat(self, kind: str, name: str) -> None:
        record: dict[str, Any] = {"recordName": name}
        if kind != "delete":
            record |= {"recordType": "Note", "fields": {"title": {"value": kind}}}
        operation = "forceUpdate" if kind == "update" else kind
        body = {"operations": [{"operationType": operation, "record": record}]}
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                answer = self.scene.call("records/modify", body, self.person)
            except Lost:
                time.sleep(0.02)
                continue
            code = answer.code or answer.json.get("records", [{}])[0].get("serverErrorCode", "")
            # An attempt before may have been carried out.
            if not code or code == {"create": "EXISTS", "delete": "NOT_FOUND"}.get(kind):
                return
            if code not in ("TRY_AGAIN_LATER", "THROTTLED"):
                self.scene.report.broken(f"{kind}: {answer.body[:200]!r}")
                return
            time.sleep(0.1)
        self.scene.report.broken(f"{kind} {name} does not succeed")


def run(experiment: Experiment) -> None:
    report, dice = experiment.report, experiment.dice
    rounds = 3 if experiment.is_short else 30
    each = 6 if experiment.is_short else 30
    scene = experiment.scene()
    people = [scene.sign_in("ada@example.com", keep=True) for _ in range(3)]
    scene.subscribe(people[0])
    listeners: list[Listener] = [Stream(scene, people[1]), Poll(scene, people[2], "courier")]
    for listener in listeners:
        listener.start()
        report.expect(listener.is_ready.wait(60), "a listener does not start")
    author = Author(scene, people[0], rounds * each)
    author.start()
    for turn in range(rounds):
        for event in author.may_begin[turn * each : (turn + 1) * each]:
            event.set()
        goal = turn * each + dice.randrange(each)
        report.expect(wait_until(lambda goal=goal: author.done >= goal), "the author does not go on")
        if turn % 3 == 2:
            scene.stop_and_expect_0()
        else:
            scene.kill9()
        scene.restart()
    author.join(240)
    report.expect(not author.is_alive(), "the author does not end")
    # Of records that are gone, creations and changes may be left out.
    gone = {record for record, kind in author.expected if kind == 3}
    needed = {(record, kind) for record, kind in author.expected if kind == 3 or record not in gone}
    again = strange = 0
    for listener in listeners:
        name = type(listener).__name__
        came = wait_until(lambda listener=listener: set_of(listener) >= needed, 120)
        missing = needed - set_of(listener)
        report.expect(came and not missing, f"{name}: {len(missing)} notifications are missing: {sorted(missing)[:5]}")
        report.expect(not listener.dropped, f"{name}: notifications were dropped")
        unknown = set_of(listener) - set(author.expected)
        report.expect(not unknown, f"{name}: nobody made these changes: {sorted(unknown)[:5]}")
        for record in {record for record, _ in listener.received}:
            firsts = list(dict.fromkeys(kind for other, kind in listener.received if other == record))
            report.expect(firsts == sorted(firsts), f"{name}: {record} came in the order {firsts}")
        again += len(listener.received) - len(set_of(listener))
        strange += disorder(listener)
        report.expect(listener.connections != 1 or isinstance(listener, Poll), "the event stream outlived its service")
    for listener in listeners:
        listener.stop()
    scene.stop_and_expect_0()
    experiment.row(f"{rounds} restarts, {len(needed)} changes", f"0 missing, {again} came again, {strange} not in order")


def set_of(listener: Listener) -> set[tuple[str, int]]:
    return set(listener.received)


def disorder(listener: Listener) -> int:
    """How many creations first came after one of a later record: allowed for different records."""
    firsts = dict.fromkeys(int(record[1:]) for record, kind in listener.received if kind == 1)
    numbers = list(firsts)
    return sum(later < earlier for earlier, later in zip(numbers, numbers[1:], strict=False))
