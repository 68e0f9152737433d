"""A served store with a container and people, for one experiment."""

from __future__ import annotations

import contextlib
import email
import email.policy
import http.client
import json
import os
import pathlib
import random
import re
import signal
import time
import urllib.parse
from collections.abc import Callable
from typing import Any

from report import Report
from stores import Files, Server, fixed_port

import programs
from world import CONTAINER, Person, World

PATIENCE = 60.0
# The status of each code when a whole request fails with it (docs/web-services.md).
STATUSES = {
    "ACCESS_DENIED": {403},
    "ATOMIC_ERROR": {400},
    "AUTHENTICATION_FAILED": {401},
    "AUTHENTICATION_REQUIRED": {421},
    "BAD_REQUEST": {400, 405, 413},
    "CONFLICT": {409},
    "EXISTS": {409},
    "NOT_FOUND": {404},
    "QUOTA_EXCEEDED": {413},
    "THROTTLED": {429},
    "TRY_AGAIN_LATER": {503},
    "VALIDATING_REFERENCE_ERROR": {412},
    "ZONE_NOT_FOUND": {404},
}


def wait_until(condition: Callable[[], object], patience: float = PATIENCE) -> bool:
    """Whether the condition came true; tests it every 20 ms."""
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Lost(Exception):
    """The connection ended without an answer: the request may have been carried out or not."""

    def __init__(self, why: str, *, sent: float | None = None, began: bool = False, reused: bool = False) -> None:
        super().__init__(why)
        self.sent = sent
        self.began = began
        self.reused = reused


class Answer:
    """What the service has answered to a request."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error; empty if it is none."""
        try:
            found = self.json
        except ValueError:
            return ""
        return str(found.get("serverErrorCode", "")) if isinstance(found, dict) else ""

    @property
    def is_in_doubt(self) -> bool:
        return self.status == 503 and b"may have been made" in self.body

    def fault(self) -> str:
        """Why this is no documented answer of an operation; empty if it is one."""
        if self.status == 200:
            return ""
        if self.status not in STATUSES.get(self.code, set()):
            return f"status {self.status}: {self.body[:300]!r}"
        if self.status in (429, 503) and not self.headers.get("retry-after", "").isdigit():
            return f"status {self.status} without Retry-After"
        return ""


class Connection:
    """Sends requests over one connection, which is made again if it was closed."""

    def __init__(self, port: int, timeout: float = PATIENCE, source: str | None = None) -> None:
        self.port = port
        self.timeout = timeout
        self._source = (source, 0) if source else None
        self._connection: http.client.HTTPConnection | None = None
        self._has_answered = False

    def close(self) -> None:
        if self._connection:
            self._connection.close()
        self._connection = None
        self._has_answered = False

    def send(self, method: str, target: str, body: bytes | None = None, headers: dict[str, str] | None = None) -> Answer:
        reused = self._connection is not None and self._has_answered
        sent = None
        began = False
        try:
            if self._connection is None:
                self._connection = http.client.HTTPConnection("127.0.0.1", self.port, self.timeout, self._source)
            self._connection.request(method, target, body, headers or {})
            sent = time.monotonic()
            response = self._connection.getresponse()
            began = True
            answer = Answer(response.status, {k.lower(): v for k, v in response.headers.items()}, response.read())
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Lost(f"{type(error).__name__}: {error}", sent=sent, began=began, reused=reused) from error
        self._has_answered = True
        if answer.headers.get("connection") == "close":
            self.close()
        return answer


class Scene(World):
    """A container whose service can be killed and started again at the same address."""

    def __init__(self, report: Report, engine: Files | Server, folder: pathlib.Path, *, store: str | None = None) -> None:
        self.report = report
        self.engine = engine
        self.port = fixed_port()
        self.options: list[str] = []
        self.environment: dict[str, str] = {}
        folder.mkdir()
        self.name = re.sub(r"\W", "_", folder.name.lower())
        super().__init__(
            folder,
            os.environ["KINFOLK"],
            os.environ["KINFOLKD"],
            store or engine.address(self.name),
        )

    # ---- The service

    @property
    def service(self) -> programs.Service:
        return self.services[-1]

    @property
    def pid(self) -> int:
        return self.service.process.pid

    @property
    def is_down(self) -> bool:
        return not self.services or self.service.process.poll() is not None

    def start(self, *options: str) -> None:
        """Starts the service; options of earlier starts stay."""
        self.options += options
        self.services = [service for service in self.services if service.process.poll() is None]
        self.serve("--listen", f"127.0.0.1:{self.port}", *self.options, port=self.port, environment=self.environment)
        up = wait_until(lambda: self.is_down or not programs.is_refused(self.port))
        if not up or self.is_down:
            raise RuntimeError(f"the service does not start: {self.service.log.all}")

    def kill9(self) -> None:
        self.service.kill()

    def restart(self) -> None:
        self.engine.wait_until_alone(self.name)
        self.start()

    def stop_and_expect_0(self) -> None:
        """Ends the service by SIGTERM."""
        self.service.process.send_signal(signal.SIGTERM)
        status = self.service.process.wait(2 * PATIENCE)
        self.report.expect(status == 0, f"after SIGTERM the exit status is {status}: {self.service.log.all[-3:]}")

    def memory(self) -> float:
        """The resident memory of the service, in MB."""
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]

    def processor_time(self) -> float:
        """The processor time that the service has used, in seconds."""
        values = pathlib.Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")

    def check_store(self) -> None:
        """Checks that the store is undamaged."""
        try:
            self.kinfolk("check")
        except AssertionError as error:
            self.report.broken(f"kinfolk check: {error}")

    # ---- Requests

    def target(self, operation: str, person: Person | None, database: str = "private") -> str:
        """The path and the query of an operation."""
        items = person.items if person else {"ckAPIToken": self.api_token}
        place = f"/database/1/{CONTAINER}/production/{database}/{operation}"
        if database in ("kinfolk", "device"):
            place = f"/{database}/1/{CONTAINER}/production/{operation}"
        return f"{place}?{urllib.parse.urlencode(items)}"

    def call(self, operation: str, body: Any = None, person: Person | None = None, database: str = "private") -> Answer:
        """Sends one operation on a connection of its own."""
        connection = Connection(self.port)
        try:
            return connection.send("POST", self.target(operation, person, database), json.dumps(body or {}).encode())
        finally:
            connection.close()

    def must(self, operation: str, body: Any = None, person: Person | None = None, database: str = "private") -> Any:
        answer = self.call(operation, body, person, database)
        if answer.status != 200 or "serverErrorCode" in answer.body.decode():
            raise RuntimeError(f"{operation}: {answer.status} {answer.body[:500]!r}")
        return answer.json

    def get(self, path: str) -> Answer:
        connection = Connection(self.port)
        try:
            return connection.send("GET", path)
        finally:
            connection.close()

    def create(self, name: str, person: Person, database: str = "private", title: str = "Milk") -> Answer:
        """Creates one record."""
        record = {"recordType": "Note", "recordName": name, "fields": {"title": {"value": title}}}
        return self.call("records/modify", {"operations": [{"operationType": "create", "record": record}]}, person, database)

    def subscribe(self, person: Person, database: str = "private") -> None:
        """Subscribes a person to all changes of notes."""
        subscription = {
            "subscriptionID": f"notes-{database}",
            "subscriptionType": "query",
            "query": {"recordType": "Note"},
            "firesOn": ["create", "update", "delete"],
        }
        operation = {"operationType": "create", "subscription": subscription}
        self.must("subscriptions/modify", {"operations": [operation]}, person, database)

    def courier(self, person: Person, name: str) -> str:
        """The path of the long poll of a new device."""
        found = self.must("tokens/register", {"apnsToken": name}, person, "device")
        return urllib.parse.urlparse(found["webcourierURL"]).path

    # ---- People

    def code_for(self, address: str) -> str:
        """The code in the newest mail to an address. Gives up if the service has ended."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and not self.is_down:
            for path in sorted(self.mails.glob("*.mail"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
                with contextlib.suppress(FileNotFoundError):
                    mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
                    if mail["To"] == address:
                        path.unlink()
                        found = re.search(r"^ {4}(\S+)$", mail.get_content(), re.MULTILINE)
                        if found:
                            return found[1]
            time.sleep(0.02)
        raise Lost("no mail came")


class Experiment:
    """What an experiment has: where it reports, which store it uses, and how long it may take."""

    def __init__(self, name: str, report: Report, engine: Files | Server, folder: pathlib.Path, *, is_short: bool, seed: int) -> None:
        self.name = name
        self.report = report
        self.engine = engine
        self.folder = folder
        self.is_short = is_short
        self.dice = random.Random(f"{seed} {name} {engine.name}")
        # Those that the table shows already.
        self.faults = report.faults
        self._scenes: list[Scene] = []

    def scene(self, part: str = "", *, store: str | None = None, options: tuple[str, ...] = ()) -> Scene:
        """A new store and its service, which has started."""
        name = f"{self.name}{part}-{self.engine.name}"
        scene = Scene(self.report, self.engine, self.folder / name, store=store)
        self._scenes.append(scene)
        scene.start(*options)
        return scene

    def row(self, tried: str, found: str, name: str | None = None) -> None:
        self.report.row(name or self.name, self.engine.name, tried, found, self.faults)
        self.faults = self.report.faults

    def left_out(self, why: str, name: str | None = None) -> None:
        self.report.left_out(name or self.name, self.engine.name, why)

    def end(self) -> None:
        for scene in self._scenes:
            scene.end()
