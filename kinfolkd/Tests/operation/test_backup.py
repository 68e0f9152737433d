"""A backup that is made while the service takes writes."""

from __future__ import annotations

import pathlib
import shutil
import threading

import requests

from world import CONTAINER, Person, World

PAIR = ("left", "right")


class Writer(threading.Thread):
    """Counts up in two records, by one atomic request, and creates a record with each number."""

    def __init__(self, world: World, person: Person) -> None:
        super().__init__(daemon=True)
        self.world = world
        self.person = person
        self.acknowledged = 0
        self.failure: object = None
        self.is_stopped = threading.Event()
        self.has_written = threading.Condition()

    def run(self) -> None:
        while not self.is_stopped.is_set() and self.acknowledged < 2000:
            number = self.acknowledged + 1
            operations = [operation("forceUpdate", name, number) for name in PAIR] + [operation("create", f"n{number}", number)]
            try:
                answer = self.world.post("records/modify", {"operations": operations, "atomic": True}, self.person, "private")
            except requests.RequestException as error:
                self.failure = error
                break
            if answer.status_code != 200:
                self.failure = answer.text
                break
            with self.has_written:
                self.acknowledged = number
                self.has_written.notify_all()

    def wait_for(self, count: int) -> int:
        """Waits until so many were acknowledged; returns how many are."""
        with self.has_written:
            assert self.has_written.wait_for(lambda: self.acknowledged >= count or self.failure, 60), self.acknowledged
        assert self.failure is None, self.failure
        return self.acknowledged

    def stop(self) -> None:
        self.is_stopped.set()
        self.join(60)
        assert self.failure is None, self.failure


def operation(kind: str, name: str, number: int) -> dict[str, object]:
    return {"operationType": kind, "record": {"recordType": "Note", "recordName": name, "fields": {"count": {"value": number}}}}


def test_a_backup_under_writes_is_one_moment_and_can_be_restored(world: World) -> None:
    service = world.serve()
    person = world.sign_in("ben@example.com")
    writer = Writer(world, person)
    writer.start()
    backups: list[tuple[pathlib.Path, int, int]] = []
    try:
        for number in range(3):
            before = writer.wait_for(10 * (number + 1))
            path = world.folder / f"backup{number}.db"
            world.kinfolk("backup", str(path))
            backups.append((path, before, writer.acknowledged + 1))
        writer.wait_for(backups[-1][2])  # the service goes on
    finally:
        writer.stop()
    assert service.stop() == 0
    for path, before, after in backups:
        # In the place of the store of this world, with its key.
        shutil.copy(path, world.folder / "copy.db")
        world.kinfolk("restore", str(world.folder / "copy.db"), "--yes")
        world.kinfolk("check")
        world.services.clear()
        restored = world.serve()
        # What ended after the backup was made must not be valid again, so all web sessions end.
        assert world.post("users/current", None, person).status_code == 421
        person = world.sign_in("ben@example.com")
        found = numbers(world, person, [*PAIR, *(f"n{number}" for number in range(max(1, before - 5), after + 5))])
        left = found["left"]
        assert left == found["right"], "half of an atomic request is in the backup"
        assert before <= left <= after, "a write that was acknowledged before the backup began is missing, or a later one is there"
        assert {name for name in found if name not in PAIR} == {f"n{number}" for number in range(max(1, before - 5), left + 1)}
        # It takes writes again.
        assert world.post("records/modify", {"operations": [operation("create", "later", 1)]}, person, "private").status_code == 200
        assert restored.stop() == 0
    assert CONTAINER in world.kinfolk("container", "list")


def numbers(world: World, person: Person, names: list[str]) -> dict[str, int]:
    """The numbers of those of the records that exist."""
    answer = world.post("records/lookup", {"records": names}, person, "private")
    assert answer.status_code == 200, answer.text
    records = answer.json()["records"]
    errors = {record["serverErrorCode"] for record in records if "serverErrorCode" in record}
    assert errors <= {"NOT_FOUND"}, records
    return {record["recordName"]: record["fields"]["count"]["value"] for record in records if "fields" in record}
