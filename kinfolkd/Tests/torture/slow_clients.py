"""slow_clients: thousands of connections that send nothing, or a byte from time to time, and some that do not read their answers.

Meanwhile others are answered. The slow ones are cut off by the timeouts, and the memory of the service stays bounded: a few KB for each
connection, and a limit for all answers that are not read.
"""

from __future__ import annotations

import json
import threading
import time

from connections import Connections, One
from drains import head
from scene import Connection, Experiment, Lost, Scene
from writers import noise

from programs import Answer
from world import Person

# In MB, for all answers that wait: as much as the bodies of requests may take (--max-body-memory), and some more.
ANSWERS = 320


def run(experiment: Experiment) -> None:
    slow(experiment)
    large_answers(experiment)


def slow(experiment: Experiment) -> None:
    report = experiment.report
    count = 500 if experiment.is_short else 10_000
    # In the long form, a byte a minute arrives before the timeouts.
    timeout, period = (5, 2.0) if experiment.is_short else (90, 60.0)
    seconds = str(timeout)
    scene = experiment.scene(
        options=(
            *("--header-timeout", seconds, "--body-timeout", seconds, "--write-timeout", seconds, "--idle-timeout", seconds),
            *("--max-connections", str(count + 1_000)),
        )
    )
    person = scene.sign_in("ada@example.com", keep=True)
    file = large_file(scene, person)
    before = scene.memory()
    others = Others(scene, person)
    others.start()
    crowd = Connections(scene.port)
    try:
        lookup = head("POST", scene.target("records/lookup", person), 50_000)
        readers = 0
        for number in range(count):
            if number % 20 == 19:
                crowd.open(head("GET", file), reads=False)
                readers += 1
            elif number % 4 == 0:
                crowd.open(b"")
            elif number % 4 == 1:
                crowd.open(b"GET /healthz HTTP/1.1\r\n", drip=b"X-Slow: " + b"a" * 1000)
            elif number % 4 == 2:
                crowd.open(lookup + b'{"records": [', drip=b" " * 1000)
            else:
                crowd.open(b"G", drip=b"ET /healthz HTTP/1.1\r\n" + b"a" * 1000)
            if number % 50 == 0:
                crowd.read(0)
        most = peak = 0.0
        # Until all were cut off; those who do not read find out when they read.
        end = time.monotonic() + 2 * timeout + 120
        next_byte = time.monotonic() + period
        while time.monotonic() < end and any(not one.is_closed for one in crowd.all if one.reads):
            crowd.read(0.5)
            most, peak = max(most, crowd.opened), max(peak, scene.memory())
            if time.monotonic() > next_byte:
                crowd.send_byte()
                next_byte += period
        left = sum(not one.is_closed for one in crowd.all if one.reads)
        report.expect(not left, f"{left} slow connections were not cut off")
        # Reads are slow for as long as the write timeout.
        wait_for_cuts(scene, crowd, timeout)
        report.expect(not others.faults, f"others: {others.faults[:3]}")
        others.is_over.set()
        others.join(120)
        report.expect(others.answered > 0 and not others.is_alive(), "others were not answered")
        check_ends(experiment, crowd)
    finally:
        others.is_over.set()
        crowd.close()
    bound = 64 + count * 0.016 + min(readers * 2.5, ANSWERS)
    report.expect(peak - before < bound, f"the memory grew by {peak - before:.0f} MB, and may grow by {bound:.0f} MB")
    scene.stop_and_expect_0()
    report.say(f"{most:.0f} connections at the same time; {before:.0f} MB before, {peak:.0f} MB at most; {others.answered} others answered")
    experiment.row(f"{count} connections", f"{others.answered} others served, {peak:.0f} MB")


def large_file(scene: Scene, person: Person, size: int = 8_000_000) -> str:
    """The path of a file that is larger than what sockets hold."""
    connection = Connection(scene.port)
    found = scene.must("assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}, person)
    url = found["tokens"][0]["url"]
    single_file = connection.send("POST", url[url.index("/asset/") :], noise("file", size)).json["singleFile"]
    connection.close()
    record = {"recordType": "Note", "fields": {"photo": {"value": single_file, "type": "ASSETID"}}}
    found = scene.must("records/modify", {"operations": [{"operationType": "create", "record": record}]}, person)
    url = found["records"][0]["fields"]["photo"]["value"]["downloadURL"]
    return str(url[url.index("/asset/") :])


def wait_for_cuts(scene: Scene, crowd: Connections, timeout: int) -> None:
    """Waits until the service has only the connection that asks."""
    end = time.monotonic() + 2 * timeout + 120
    silent = [one for one in crowd.all if not one.reads and not one.is_closed]
    while time.monotonic() < end and any(not is_cut(one) for one in silent):
        time.sleep(0.2)
    left = sum(not is_cut(one) for one in silent)
    scene.report.expect(not left, f"{left} of {len(silent)} connections that do not read were not cut off")


def is_cut(one: One) -> bool:
    """Whether the other side has closed the connection, although bytes may still wait to be read."""
    try:
        one.socket.send(b"G")
    except BlockingIOError:
        return False
    except OSError:
        return True
    return False


def check_ends(experiment: Experiment, crowd: Connections) -> None:
    """Those who had begun a request were told why it failed."""
    wrong = []
    for one in crowd.all:
        if one.received:
            answers = Answer.all(one.received)
            if [answer.status for answer in answers] not in ([408], [503]):
                wrong.append(one.received[:100])
    experiment.report.expect(not wrong, f"{len(wrong)} slow requests have a wrong answer: {wrong[:2]}")


class Others(threading.Thread):
    """Somebody who writes and reads as always."""

    def __init__(self, scene: Scene, person: Person) -> None:
        super().__init__(daemon=True)
        self.scene = scene
        self.person = person
        self.answered = 0
        self.faults: list[str] = []
        self.is_over = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.is_over.is_set() and number < 100_000:
            number += 1
            try:
                created = self.scene.create(f"other{number}", self.person)
                found = self.scene.call("records/lookup", {"records": [{"recordName": f"other{number}"}]}, self.person)
                for answer in (created, found):
                    if answer.status != 200 or b"serverErrorCode" in answer.body:
                        self.faults.append(f"{answer.status} {answer.body[:200]!r}")
                    self.answered += 1
            except Lost as lost:
                self.faults.append(str(lost))
            self.is_over.wait(0.2)


# ---- Answers that are not read


def large_answers(experiment: Experiment) -> None:
    """Many clients ask for answers of 11 MB, and do not read them."""
    report = experiment.report
    count = 10 if experiment.is_short else 200
    seconds = "4" if experiment.is_short else "30"
    scene = experiment.scene("-large", options=("--write-timeout", seconds, "--idle-timeout", seconds))
    person = scene.sign_in("ada@example.com", keep=True)
    # JSON needs six bytes for each of these characters.
    names = [f"large{number}" for number in range(3)]
    for name in names:
        record = {"recordType": "Note", "recordName": name, "fields": {"title": {"value": "\x01" * 600_000}}}
        scene.must("records/modify", {"operations": [{"operationType": "create", "record": record}]}, person)
    body = json.dumps({"records": [{"recordName": name} for name in names]}).encode()
    request = head("POST", scene.target("records/lookup", person), len(body)) + body
    before = peak = scene.memory()
    crowd = Connections(scene.port)
    try:
        for number in range(count):
            crowd.open(request, reads=False)
            if number % 20 == 0:
                peak = max(peak, scene.memory())
        end = time.monotonic() + (3 if experiment.is_short else 20)
        while time.monotonic() < end:
            time.sleep(0.1)
            peak = max(peak, scene.memory())
        wait_for_cuts(scene, crowd, 30)
        report.expect(scene.create("after", person).status == 200, "others are not served afterwards")
    finally:
        crowd.close()
    report.expect(peak - before < ANSWERS, f"the memory grew by {peak - before:.0f} MB for {count} answers that nobody reads")
    scene.stop_and_expect_0()
    experiment.row(f"{count} answers of 11 MB not read", f"{peak - before:.0f} MB more", "large answers")
