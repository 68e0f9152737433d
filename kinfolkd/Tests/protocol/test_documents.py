"""Documents and settings of a person, as a program on a phone or in a browser uses them."""

from __future__ import annotations

import base64
import hashlib
import itertools
import pathlib
from collections.abc import Iterator
from typing import Any

import pytest
import requests

from programs import PATIENCE, binary
from world import CONTAINER, Person, World

ADDRESS = "ada@example.com"
_numbers = itertools.count(1)


class Device:
    """One device of a person: each operation is one request."""

    def __init__(self, world: World, person: Person, name: str) -> None:
        self.world, self.person, self.name = world, person, name

    def ask(self, operation: str, body: Any = None) -> requests.Response:
        return requests.post(self.world.kinfolk_url(operation), params=self.person.items, json=body or {}, timeout=PATIENCE)

    def answer(self, operation: str, body: Any = None) -> dict[str, Any]:
        response = self.ask(operation, body)
        assert response.status_code == 200, response.text
        return response.json()

    def upload(self, content: bytes) -> dict[str, Any]:
        sent = requests.post(self.answer("documents/upload")["url"], data=content, timeout=PATIENCE)
        assert sent.status_code == 200, sent.text
        return sent.json()["singleFile"]

    def modify(self, kind: str, **members: Any) -> dict[str, Any]:
        body = {"device": self.name, "operations": [{"operationType": kind, **members}]}
        (document,) = self.answer("documents/modify", body)["documents"]
        return document

    def create(self, path: str, content: bytes) -> dict[str, Any]:
        return self.modify("create", path=path, contents=self.upload(content))

    def save(self, document: dict[str, Any], content: bytes) -> dict[str, Any]:
        return self.modify("save", document=document, contents=self.upload(content))

    def look_up(self, **name: str) -> dict[str, Any]:
        (document,) = self.answer("documents/lookup", {"documents": [name]})["documents"]
        return document

    def read(self, version: dict[str, Any]) -> bytes:
        return requests.get(version["downloadURL"], timeout=PATIENCE).content


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder: pathlib.Path = tmp_path_factory.mktemp("documents")
    world = World(folder, binary("KINFOLK", "kinfolk-cli"), binary("KINFOLKD", "kinfolkd"))
    world.serve()
    yield world
    world.end()


@pytest.fixture(scope="module")
def devices(served: World) -> tuple[Device, Device]:
    """Two devices of the same person."""
    phone = Device(served, served.sign_in(ADDRESS, "Ada", "Miller"), "phone")
    return phone, Device(served, served.sign_in(ADDRESS), "tablet")


@pytest.fixture
def folder() -> str:
    """A folder for one test: the tests share a person."""
    return f"folder {next(_numbers)}"


def test_what_one_device_saves_another_one_reads_and_moves(devices, folder):
    phone, tablet = devices
    content = bytes(range(256)) * 5_000
    created = phone.create(f"{folder}/drawing", content)
    assert created["currentVersion"]["size"] == len(content)
    found = tablet.look_up(path=f"{folder}/drawing")
    assert tablet.read(found["currentVersion"]) == content
    checksum = base64.b64encode(hashlib.sha256(content).digest()).decode()
    assert found["currentVersion"]["fileChecksum"] == checksum
    saved = tablet.save(found, b"Hello")
    assert saved["conflicts"] == [] and saved["currentVersion"]["device"] == "tablet"
    moved = tablet.modify("move", document=saved, path=f"{folder}/letter é")
    assert moved["path"] == f"{folder}/letter é" and moved["documentID"] == created["documentID"]
    now = phone.look_up(documentID=created["documentID"])
    assert [phone.read(version) for version in [now["currentVersion"], *now["olderVersions"]]] == [b"Hello", content]


def test_a_save_replaces_nothing_that_the_device_has_not_seen(devices, folder):
    phone, tablet = devices
    base = phone.create(f"{folder}/list", b"base")
    phone.save(base, b"phone")
    both = tablet.save(base, b"tablet")
    assert both["currentVersion"]["device"] == "phone"
    assert [version["device"] for version in both["conflicts"]] == ["tablet"]
    assert both["baseVersionID"] == both["conflicts"][0]["versionID"]
    assert phone.modify("delete", document=base)["serverErrorCode"] == "CONFLICT"
    resolved = phone.modify("resolve", document=both, versionID=both["conflicts"][0]["versionID"])
    assert resolved["conflicts"] == []
    now = tablet.look_up(path=f"{folder}/list")
    assert tablet.read(now["currentVersion"]) == b"tablet"
    restored = tablet.modify("restore", document=now, versionID=now["olderVersions"][-1]["versionID"])
    assert tablet.read(tablet.look_up(documentID=restored["documentID"])["currentVersion"]) == b"base"


def test_a_request_that_is_repeated_saves_nothing_twice(devices, folder):
    phone, _ = devices
    operation = {"path": f"{folder}/a", "contents": phone.upload(b"one")}
    created = phone.modify("create", **operation)
    assert phone.modify("create", **operation) == created
    operation = {"document": created, "contents": phone.upload(b"two")}
    saved = phone.modify("save", **operation)
    assert phone.modify("save", **operation) == saved and saved["conflicts"] == []


def test_a_folder_is_listed_in_pages(devices, folder):
    phone, tablet = devices
    paths = [f"{folder}/{name}" for name in ["a", "b.txt", "c/d", "é"]]
    file = phone.upload(b"the same")
    phone.answer("documents/modify", {"operations": [{"operationType": "create", "path": path, "contents": file} for path in paths]})
    found, body = [], {"folder": folder, "resultsLimit": 3}
    for _ in range(2):
        page = tablet.answer("documents/list", body)
        found += [document["path"] for document in page["documents"]]
        body["continuationMarker"] = page.get("continuationMarker")
    assert found == paths and body["continuationMarker"] is None
    named = tablet.answer("documents/list", {"folder": folder, "name": "*.txt"})
    assert [document["path"] for document in named["documents"]] == paths[1:2]
    listed = requests.get(tablet.world.kinfolk_url("documents/list"), params=tablet.person.items, timeout=PATIENCE).json()
    assert {document["path"] for document in listed["documents"]} >= set(paths)


def test_changes_are_told_after_a_token(devices, folder):
    phone, tablet = devices

    def changes(token: str | None) -> tuple[list[dict[str, Any]], str]:
        found: list[dict[str, Any]] = []
        for _ in range(100):
            page = tablet.answer("documents/changes", {"syncToken": token})
            found += page["documents"]
            token = page["syncToken"]
            if not page["moreComing"]:
                return found, token
        raise AssertionError("the changes have no end")

    _, start = changes(None)
    created = phone.create(f"{folder}/a", b"a")
    phone.create(f"{folder}/b", b"b")
    found, middle = changes(start)
    assert [document["path"] for document in found] == [f"{folder}/a", f"{folder}/b"]
    phone.modify("delete", document=created)
    found, end = changes(middle)
    assert found == [{"documentID": created["documentID"], "deleted": True}]
    assert changes(end)[0] == [] and len(changes(start)[0]) == 2
    assert tablet.ask("documents/changes", {"syncToken": "AAAA"}).json()["serverErrorCode"] == "BAD_REQUEST"


def test_the_command_sees_the_same_documents(devices, folder, served):
    phone, _ = devices
    phone.create(f"{folder}/a.txt", b"Hello")
    place = ["--container", CONTAINER, "--account", ADDRESS]
    assert served.kinfolk("document", "get", f"{folder}/a.txt", *place) == "Hello"
    excluded = phone.modify("exclude", document=phone.look_up(path=f"{folder}/a.txt"))
    assert excluded["isExcludedFromBackup"] is True


def test_the_contents_of_a_document_belong_to_its_owner(devices, folder, served):
    phone, _ = devices
    created = phone.create(f"{folder}/diary", b"secret")
    ben = Device(served, served.sign_in("ben@example.com", "Ben", "Miller"), "laptop")
    assert ben.look_up(documentID=created["documentID"])["serverErrorCode"] == "NOT_FOUND"
    assert ben.modify("delete", document=created)["serverErrorCode"] == "NOT_FOUND"
    stolen = ben.modify("create", path="copy", contents=phone.upload(b"not yet a document"))
    assert stolen["serverErrorCode"] == "NOT_FOUND"
    url = phone.look_up(documentID=created["documentID"])["currentVersion"]["downloadURL"]
    answer = requests.get(url, timeout=PATIENCE)
    assert answer.content == b"secret" and answer.headers["content-disposition"] == "attachment"
    assert requests.post(url, data=b"x", timeout=PATIENCE).status_code == 404
    for operation in ["list", "lookup", "modify", "changes", "upload"]:
        asked = requests.post(served.kinfolk_url(f"documents/{operation}"), params={"ckAPIToken": served.api_token}, timeout=PATIENCE)
        assert asked.status_code == 421, (operation, asked.text)


def test_a_device_is_told_once_which_settings_others_have_changed(devices):
    phone, tablet = devices

    def set_key(device: Device, key: str, value: Any) -> dict[str, Any]:
        (entry,) = device.answer("keyvalue/modify", {"operations": [{"operationType": "set", "key": key, "value": value}]})["entries"]
        return entry

    set_key(phone, "theme", "dark")
    first = tablet.answer("keyvalue/synchronize")
    assert first["changes"] == [{"reason": "INITIAL_SYNC_CHANGE", "keys": ["theme"]}]
    set_key(tablet, "own", 1)
    set_key(phone, "size", 12)
    second = tablet.answer("keyvalue/synchronize", {"syncToken": first["syncToken"]})
    assert second["changes"] == [{"reason": "SERVER_CHANGE", "keys": ["size"]}]
    assert tablet.answer("keyvalue/synchronize", {"syncToken": second["syncToken"]})["changes"] == []
    # What has no room is said at once, and not later.
    refused = set_key(phone, "large", "a" * 1_000_000)
    assert refused["key"] == "large" and refused["serverErrorCode"] == "QUOTA_EXCEEDED"
    assert [change["keys"] for change in phone.answer("keyvalue/synchronize")["changes"]] == [["own"]]
