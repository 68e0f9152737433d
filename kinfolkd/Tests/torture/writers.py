"""Clients that write, and remember exactly what was acknowledged."""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import json
import random
import threading
import time
from typing import Any

from scene import Answer, Connection, Lost, Scene, wait_until

from world import Person

ZONE = "Work"
Key = tuple[str, str]  # ("", name) for the default zone, (ZONE, name), or ("key", name) for the key-value store


def noise(seed: str, length: int) -> bytes:
    """Always the same bytes for the same seed."""
    return random.Random(seed).randbytes(length)


@dataclasses.dataclass(frozen=True)
class Note:
    """A version of a record. All its fields follow from its name and its number."""

    name: str
    number: int
    data_length: int
    photo: bytes | None = None  # the SHA-256

    @property
    def title(self) -> str:
        return f"{self.name} {self.number}"

    @property
    def data(self) -> bytes:
        return noise(self.title, self.data_length)

    def fields(self, single_file: Any = None) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "title": {"value": self.title},
            "count": {"value": self.number},
            "data": {"value": base64.b64encode(self.data).decode(), "type": "BYTES"},
        }
        if single_file is not None:
            fields["photo"] = {"value": single_file, "type": "ASSETID"}
        return fields

    def summary(self) -> tuple[Any, ...]:
        return (self.title, self.number, hashlib.sha256(self.data).hexdigest(), self.photo)


def summary_of(record: dict[str, Any]) -> tuple[Any, ...]:
    """The same of a record as the service has it."""
    fields = {name: field.get("value") for name, field in record.get("fields", {}).items()}
    data = base64.b64decode(fields.get("data") or "")
    photo = fields.get("photo")
    checksum = base64.b64decode(photo["fileChecksum"]) if photo else None
    return (fields.get("title"), fields.get("count"), hashlib.sha256(data).hexdigest(), checksum)


class Writer(threading.Thread):
    """One person, who makes one change after the other.

    `stay` says whether it goes on when the service cannot be reached.
    """

    def __init__(self, scene: Scene, person: Person, number: int, seed: str) -> None:
        super().__init__(daemon=True)
        self.scene = scene
        self.person = person
        self.number = number
        self.dice = random.Random(seed)
        self.connection = Connection(scene.port)
        self.notes: dict[Key, Note] = {}
        self.tags: dict[Key, str] = {}
        self.values: dict[Key, int] = {}
        self.doubt: dict[Key, Note | int | None] | None = None
        self.made = 0
        self.acknowledged = 0
        self.refused = 0
        self.throttled = 0
        self.lost: Lost | None = None
        self.stay = False
        self.is_over = threading.Event()
        self.most = 1_000_000

    def clone(self) -> Writer:
        """The same person with the same memory, as a thread that can be started."""
        copy = Writer(self.scene, self.person, self.number, "")
        copy.dice, copy.notes, copy.tags, copy.values = self.dice, self.notes, self.tags, self.values
        copy.doubt, copy.made, copy.stay = self.doubt, self.made, self.stay
        return copy

    # ---- Steps

    def run(self) -> None:
        try:
            while not self.is_over.is_set() and self.acknowledged < self.most:
                try:
                    if self.doubt is not None and not self.resolve():
                        self.is_over.wait(0.2)
                        continue
                    self.step()
                except Lost as lost:
                    self.lost = lost
                    if not self.stay:
                        return
                    self.is_over.wait(0.2)
        except Exception as error:
            self.scene.report.broken(f"writer {self.number}: {type(error).__name__}: {error}")
        finally:
            self.connection.close()

    def step(self) -> None:
        owned = [key for key in self.notes if not key[0]]
        kinds = ["create", "batch", "zone", "asset", "key", "key"] + (["update", "update", "delete"] if owned else [])
        kind = self.dice.choice(kinds)
        self.made += 1
        if kind == "key":
            return self.set_value()
        if kind in ("update", "delete"):
            key = self.dice.choice(owned)
            old = self.notes[key]
            if kind == "delete":
                operation = {"operationType": "delete", "record": {"recordName": key[1], "recordChangeTag": self.tags[key]}}
                return self.modify([operation], {key: None})
            note = dataclasses.replace(old, number=self.made, data_length=self.dice.randrange(3000))
            record = {"recordName": key[1], "recordChangeTag": self.tags[key], "fields": note.fields()}
            return self.modify([{"operationType": "update", "record": record}], {key: note})
        count = self.dice.randrange(2, 30) if kind in ("batch", "zone") else 1
        zone = ZONE if kind == "zone" else ""
        single_file, checksum = None, None
        if kind == "asset":
            content = noise(f"{self.number} {self.made}", self.dice.choice([1, 1_000, 70_000, 300_000]))
            checksum = hashlib.sha256(content).digest()
            single_file = self.upload(content)
            if single_file is None:
                return None
        changes: dict[Key, Note | int | None] = {}
        operations = []
        for place in range(count):
            name = f"w{self.number}-{self.made}-{place}"
            note = Note(name, self.made, self.dice.randrange(3000), checksum)
            changes[(zone, name)] = note
            record = {"recordType": "Note", "recordName": name, "fields": note.fields(single_file)}
            operations.append({"operationType": "create", "record": record})
        return self.modify(operations, changes, zone)

    def modify(self, operations: list[Any], changes: dict[Key, Note | int | None], zone: str = "") -> None:
        body: dict[str, Any] = {"operations": operations}
        if zone:
            body["zoneID"] = {"zoneName": zone}
        answer = self.send("records/modify", body, changes)
        if answer is None:
            return
        items = answer.json["records"]
        errors = [item for item in items if "serverErrorCode" in item]
        if errors:
            # A request is one transaction, and nobody else changes these records: nothing was changed, or the service is wrong.
            if {item["serverErrorCode"] for item in errors} - {"TRY_AGAIN_LATER", "ATOMIC_ERROR"}:
                self.scene.report.broken(f"writer {self.number}: {errors[0]}")
            self.refused += 1
            self.doubt = changes
            return
        for item in items:
            self.tags[(zone, item["recordName"])] = item.get("recordChangeTag", "")
        self.note(changes)

    def set_value(self) -> None:
        key = f"key{self.dice.randrange(50)}"
        body = {"operations": [{"operationType": "set", "key": key, "value": self.made}]}
        changes: dict[Key, Note | int | None] = {("key", key): self.made}
        answer = self.send("keyvalue/modify", body, changes, "kinfolk")
        if answer is None:
            return
        entry = answer.json["entries"][0]
        if "serverErrorCode" in entry:
            self.refused += 1
            self.doubt = changes
            if entry["serverErrorCode"] != "TRY_AGAIN_LATER":
                self.scene.report.broken(f"writer {self.number}: {entry}")
            return
        self.note(changes)

    def upload(self, content: bytes) -> Any:
        answer = self.send("assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}, None)
        if answer is None:
            return None
        url = answer.json["tokens"][0]["url"]
        answer = self.take(self.connection.send("POST", url[url.index("/asset/") :], content), None)
        return answer.json["singleFile"] if answer else None

    def send(self, operation: str, body: Any, changes: dict[Key, Note | int | None] | None, database: str = "private") -> Answer | None:
        """The answer, if the operation succeeded."""
        target = self.scene.target(operation, self.person, database)
        self.doubt = changes
        answer = self.connection.send("POST", target, json.dumps(body).encode())
        return self.take(answer, changes)

    def take(self, answer: Answer, changes: dict[Key, Note | int | None] | None) -> Answer | None:
        fault = answer.fault()
        if fault:
            self.scene.report.broken(f"writer {self.number}: {fault}")
        self.doubt = changes if answer.is_in_doubt else None
        if answer.status == 200:
            return answer
        if answer.status == 429:
            self.throttled += 1
            self.is_over.wait(0.1)
        elif answer.status == 503:
            self.refused += 1
            self.is_over.wait(0.1)
        elif not fault:
            self.scene.report.broken(f"writer {self.number}: {answer.body[:300]!r}")
        return None

    def note(self, changes: dict[Key, Note | int | None]) -> None:
        for key, change in changes.items():
            if isinstance(change, Note):
                self.notes[key] = change
            elif isinstance(change, int):
                self.values[key] = change
            else:
                self.notes.pop(key, None)
        self.doubt = None
        self.acknowledged += 1

    # ---- Comparing

    def ask(self, operation: str, body: Any, database: str = "private") -> Any:
        """Reads, and waits while there are too many requests. Nil if the service is not ready."""
        for _ in range(200):
            answer = self.connection.send("POST", self.scene.target(operation, self.person, database), json.dumps(body).encode())
            if answer.status != 429:
                break
            time.sleep(0.1)
        if answer.status == 503 and not answer.fault():
            return None
        if answer.status != 200:
            self.scene.report.broken(f"writer {self.number} reads: {answer.status} {answer.body[:300]!r}")
            return None
        return answer.json

    def resolve(self) -> bool:
        """Finds out what became of a change that was not acknowledged: all of it is there, or nothing."""
        if self.doubt is None:
            return True
        found: dict[Key, Any] = {}
        tags: dict[Key, str] = {}
        records = [key for key in self.doubt if key[0] != "key"]
        if records:
            zone = records[0][0]
            body: dict[str, Any] = {"records": [{"recordName": name} for _, name in records]}
            if zone:
                body["zoneID"] = {"zoneName": zone}
            answer = self.ask("records/lookup", body)
            if answer is None:
                return False
            for key, item in zip(records, answer["records"], strict=True):
                if item.get("serverErrorCode") == "TRY_AGAIN_LATER":
                    return False
                found[key] = None if item.get("serverErrorCode") == "NOT_FOUND" else summary_of(item)
                tags[key] = item.get("recordChangeTag", "")
        else:
            answer = self.ask("keyvalue/list", {}, "kinfolk")
            if answer is None:
                return False
            values = {("key", entry["key"]): entry["value"] for entry in answer["entries"]}
            found = {key: values.get(key) for key in self.doubt}
        before = {key: self._expected(self.notes.get(key, self.values.get(key))) for key in self.doubt}
        after = {key: self._expected(change) for key, change in self.doubt.items()}
        if found == after:
            self.tags.update(tags)
            self.note(self.doubt)
        elif found != before:
            self.scene.report.broken(f"writer {self.number}: a change is half there: {found} after {before} and {after}")
        self.doubt = None
        return True

    @staticmethod
    def _expected(change: Note | int | None) -> Any:
        return change.summary() if isinstance(change, Note) else change

    def compare(self, downloads: int) -> None:
        """Checks that the service has exactly what was acknowledged."""
        try:
            self._compare(downloads)
        except Lost as lost:
            self.scene.report.broken(f"writer {self.number} cannot read what it wrote: {lost}")
        finally:
            self.connection.close()

    def _compare(self, downloads: int) -> None:
        report = self.scene.report
        if not wait_until(self.resolve):
            return report.broken(f"writer {self.number}: the service does not say what became of a change")
        found: dict[Key, dict[str, Any]] = {}
        for zone in ("", ZONE):
            marker = None
            for _ in range(1_000):
                body: dict[str, Any] = {"query": {"recordType": "Note"}, "resultsLimit": 200}
                if zone:
                    body["zoneID"] = {"zoneName": zone}
                if marker:
                    body["continuationMarker"] = marker
                answer = self.ask("records/query", body)
                if answer is None:
                    return report.broken(f"writer {self.number} cannot read what it wrote")
                found |= {(zone, record["recordName"]): record for record in answer["records"]}
                marker = answer.get("continuationMarker")
                if not marker:
                    break
        self._differences({key: summary_of(record) for key, record in found.items()}, {key: note.summary() for key, note in self.notes.items()})
        answer = self.ask("keyvalue/list", {}, "kinfolk")
        if answer is not None:
            self._differences({("key", entry["key"]): entry["value"] for entry in answer["entries"]}, self.values)
        photos = [key for key, note in self.notes.items() if note.photo]
        for key in self.dice.sample(photos, min(downloads, len(photos))):
            if key not in found:
                continue
            url = found[key]["fields"]["photo"]["value"]["downloadURL"]
            content = self.connection.send("GET", url[url.index("/asset/") :])
            if content.status != 200 or hashlib.sha256(content.body).digest() != self.notes[key].photo:
                report.broken(f"writer {self.number}: the file of {key} is not what was stored: {content.status}")
        return None

    def _differences(self, found: dict[Key, Any], expected: dict[Key, Any]) -> None:
        for key in expected:
            if key not in found:
                self.scene.report.broken(f"writer {self.number}: {key} was acknowledged and is not there")
            elif found[key] != expected[key]:
                self.scene.report.broken(f"writer {self.number}: {key} is {found[key]}, and not {expected[key]}")
        for key in found:
            if key not in expected:
                self.scene.report.broken(f"writer {self.number}: {key} is there, and should not be")


class Newcomers(threading.Thread):
    """Signs new people in, one after the other."""

    def __init__(self, scene: Scene, prefix: str, pause: float) -> None:
        super().__init__(daemon=True)
        self.scene = scene
        self.prefix = prefix
        self.pause = pause
        self.signed_in: list[tuple[str, Person]] = []
        self.is_over = threading.Event()

    def run(self) -> None:
        number = 0
        while not self.is_over.is_set() and number < 10_000:
            number += 1
            address = f"{self.prefix}{number}@example.com"
            try:
                self.signed_in.append((address, self.scene.sign_in(address, "Ben", "Miller", keep=True)))
            except (Lost, OSError, AssertionError, KeyError, ValueError):
                # The service was ended within the steps. Nothing was acknowledged.
                if self.scene.is_down:
                    return
            self.is_over.wait(self.pause)


def check_people(scene: Scene, people: list[tuple[str, Person]], again: int) -> None:
    """Checks that people who have signed in still are, and that their addresses lead to the same accounts."""
    users = {}
    for address, person in people:
        answer = scene.call("users/current", {}, person, "public")
        if scene.report.expect(answer.status == 200, f"{address} is not signed in: {answer.status} {answer.body[:200]!r}"):
            users[address] = answer.json["userRecordName"]
    scene.report.expect(len(set(users.values())) == len(users), "two people have one account")
    for address in list(users)[:again]:
        person = scene.sign_in(address)
        user = scene.must("users/current", {}, person, "public")["userRecordName"]
        scene.report.expect(user == users[address], f"{address} is another account after a sign-in")


def make_writers(scene: Scene, count: int, seed: str) -> list[Writer]:
    """Signs people in who will write, each with a custom zone."""
    writers = []
    for number in range(count):
        person = scene.sign_in(f"writer{number}@example.com", "Ada", f"Miller {number}", keep=True)
        zone = {"operationType": "create", "zone": {"zoneID": {"zoneName": ZONE}}}
        scene.must("zones/modify", {"operations": [zone]}, person)
        writers.append(Writer(scene, person, number, f"{seed} {number}"))
    return writers


def total(writers: list[Writer]) -> int:
    return sum(writer.acknowledged for writer in writers)


def join(scene: Scene, threads: list[Any]) -> None:
    """Waits for threads that are about to end."""
    for thread in threads:
        thread.join(120)
        if thread.is_alive():
            scene.report.broken("a request is not answered within 120 s")
