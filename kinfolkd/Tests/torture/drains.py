"""drains: kinfolkd is stopped by SIGTERM while clients write, upload, download and wait.

Every request that was accepted is answered: on connections that were in use, all that arrived before the signal; bodies and downloads that
take longer; long polls and event streams end properly. No answer is cut off. The exit status is 0, and what was acknowledged is there
afterwards. A second SIGTERM ends the service at once.
"""

from __future__ import annotations

import json
import signal
import socket
import time

from scene import PATIENCE, Connection, Experiment, Scene, wait_until
from writers import Newcomers, Writer, check_people, join, make_writers, noise, total

from programs import Answer, Client
from world import Person

# So long that no request is ended by it.
DRAIN = ("--drain-timeout", "100")


def run(experiment: Experiment) -> None:
    under_load(experiment)
    second_signal(experiment)


# ---- Under load


def under_load(experiment: Experiment) -> None:
    report, dice = experiment.report, experiment.dice
    rounds = 1 if experiment.is_short else 15
    scene = experiment.scene(options=DRAIN)
    writers = make_writers(scene, 4 if experiment.is_short else 6, str(dice.random()))
    guest = scene.sign_in("guest@example.com", keep=True)
    acknowledged = late = 0
    for turn in range(rounds):
        if turn > 0:
            writers = [writer.clone() for writer in writers]
        newcomers = Newcomers(scene, f"new{turn}-", 0.1)
        guests = Guests(scene, guest, f"guest{turn}")
        threads = [*writers, newcomers]
        for thread in threads:
            thread.start()
        goal = dice.randrange(5, 30 if experiment.is_short else 150)
        wait_until(lambda writers=writers, goal=goal: total(writers) >= goal or scene.is_down)
        report.expect(total(writers), "nothing was acknowledged in 60 s")
        time.sleep(dice.random() * 0.02)
        signalled = time.monotonic()
        scene.service.process.send_signal(signal.SIGTERM)
        guests.finish()
        newcomers.is_over.set()
        join(scene, threads)
        status = scene.service.process.wait(PATIENCE + 100)
        report.expect(status == 0, f"after SIGTERM the exit status is {status}: {scene.service.log.all[-3:]}")
        for writer in writers:
            late += check_loss(writer, signalled)
        acknowledged += total(writers)
        scene.restart()
        for writer in writers:
            writer.compare(downloads=1)
        check_people(scene, newcomers.signed_in, again=1)
        scene.check_store()
    experiment.row(f"{rounds} SIGTERM, {len(writers)} clients", f"{acknowledged} kept, {late} came too late")


def check_loss(writer: Writer, signalled: float) -> int:
    """Checks how the connection of a writer has ended. Returns 1 if a request was not answered and did not have to be."""
    lost = writer.lost
    if lost is None or lost.sent is None:
        return 0
    report = writer.scene.report
    report.expect(not lost.began, f"an answer was cut off: {lost}")
    accepted = lost.reused and lost.sent < signalled
    report.expect(not accepted, f"a request that arrived {signalled - lost.sent:.6f} s before SIGTERM was not answered: {lost}")
    return 1


class Guests:
    """Requests that are in progress when the service is stopped, one of each kind."""

    def __init__(self, scene: Scene, person: Person, name: str) -> None:
        self.scene = scene
        self.name = name
        content = noise(name, 3_000_000)
        connection = Connection(scene.port)
        self.record = {"recordType": "Note", "recordName": name, "fields": {"title": {"value": name}}}
        body = json.dumps({"operations": [{"operationType": "create", "record": self.record}]}).encode()
        self.person = person
        # A body of which one half comes later.
        self.half = begin(scene.port, scene.target("records/modify", person), len(body))
        self.half.send(body[:20])
        self.half_rest = body[20:]
        # An upload of which a half comes later.
        self.upload = begin(scene.port, self._upload_path(), len(content))
        self.upload.send(content[:1_000_000])
        self.upload_rest = content[1_000_000:]
        # A download that is read slowly.
        single_file = connection.send("POST", self._upload_path(), content).json["singleFile"]
        photo = {"recordType": "Note", "recordName": f"{name}-photo", "fields": {"photo": {"value": single_file, "type": "ASSETID"}}}
        stored = scene.must("records/modify", {"operations": [{"operationType": "create", "record": photo}]}, person)
        url = stored["records"][0]["fields"]["photo"]["value"]["downloadURL"]
        self.download = slow_reader(scene.port)
        self.download.send(head("GET", url[url.index("/asset/") :]))
        self.first = self.download.socket.recv(10_000)
        self.content = content
        # A long poll and an event stream.
        self.poll = Client(scene.port, PATIENCE)
        self.poll.send(head("GET", "/healthz"))
        self.poll.answer()
        self.poll.send(head("GET", scene.courier(person, name)))
        self.stream = Client(scene.port, PATIENCE)
        self.stream.send(head("GET", scene.target("notifications", person, "kinfolk")))
        self.stream.until(b": Kinfolk\n\n")
        connection.close()

    def _upload_path(self) -> str:
        found = self.scene.must("assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}, self.person)
        url: str = found["tokens"][0]["url"]
        return url[url.index("/asset/") :]

    def finish(self) -> None:
        """Goes on with all of them after the signal, and checks how they end."""
        report = self.scene.report
        try:
            self.scene.service.log.wait_for("The service stops")
            wait_until(lambda: is_closed(self.scene.port))
            report.expect(not self.scene.is_down, "the service did not wait for its requests")
            self.half.send(self.half_rest)
            answer = self.half.answer()
            report.expect(answer.status == 200, f"a body that came late: {answer.status} {answer.body[:200]!r}")
            self.upload.send(self.upload_rest)
            answer = self.upload.answer()
            report.expect(answer.status == 200, f"an upload that ended late: {answer.status} {answer.body[:200]!r}")
            received = Answer.all(self.first + self.download.rest())[0].body
            report.expect(received == self.content, f"a download was cut off: {len(received)} bytes of {len(self.content)}")
            answer = self.poll.answer()
            report.expect(answer.status in (200, 204), f"a long poll ends with {answer.status}")
            end = self.stream.rest()
            report.expect(end.endswith(b"0\r\n\r\n"), f"an event stream is cut off: {end[-60:]!r}")
        except (OSError, AssertionError) as error:
            report.broken(f"a request that was accepted before SIGTERM: {type(error).__name__} {error}")
        finally:
            for client in (self.half, self.upload, self.download, self.poll, self.stream):
                client.socket.close()


def begin(port: int, target: str, length: int) -> Client:
    """A connection on which the service waits for a body."""
    client = Client(port, PATIENCE)
    client.send(head("POST", target, length, "Expect: 100-continue\r\n"))
    client.until(b"100 Continue\r\n\r\n")
    return client


def slow_reader(port: int) -> Client:
    client = Client(port, PATIENCE)
    client.socket.close()
    client.socket = socket.socket()
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    client.socket.settimeout(PATIENCE)
    client.socket.connect(("127.0.0.1", port))
    return client


def head(method: str, target: str, length: int | None = None, more: str = "") -> bytes:
    if length is not None:
        more += f"Content-Length: {length}\r\n"
    return f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode()


def is_closed(port: int) -> bool:
    """Whether the service accepts no more connections."""
    try:
        socket.create_connection(("127.0.0.1", port), PATIENCE).close()
    except OSError:
        return True
    return False


# ---- The second signal


def second_signal(experiment: Experiment) -> None:
    report = experiment.report
    scene = experiment.scene("-second", options=("--drain-timeout", "600", "--body-timeout", "600"))
    person = scene.sign_in("ada@example.com", keep=True)
    with begin(scene.port, scene.target("records/lookup", person), 1000):
        scene.service.process.send_signal(signal.SIGTERM)
        scene.service.log.wait_for("The service stops")
        report.expect(not scene.is_down, "the first SIGTERM did not wait for a request")
        scene.service.process.send_signal(signal.SIGTERM)
        ended = wait_until(lambda: scene.is_down)
        report.expect(ended, "the second SIGTERM did not end the service")
        status = scene.service.process.poll()
        report.expect(status not in (0, None), f"after the second SIGTERM the exit status is {status}")
    scene.restart()
    scene.check_store()
    experiment.row("a second SIGTERM", f"ended with status {status}", "drains, twice")
