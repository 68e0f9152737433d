"""docs/web-services.md: its commands work, its requests are accepted, and its answers have the keys of the real ones."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse
from typing import Any

import pytest
import requests

from world import CONTAINER, Person, World

ROOT = pathlib.Path(__file__).parents[3]
DOCUMENT = ROOT / "docs" / "web-services.md"
EXAMPLE = ROOT / "examples" / "python" / "signed_request.py"
TIMEOUT = 60
VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)


def shape(value: Any) -> Any:
    """The keys and types of a value. Arrays have one form of elements."""
    if isinstance(value, dict):
        return {key: shape(member) for key, member in value.items()}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    return type(value).__name__


class Shell:
    """A reader of the document, in a folder of their own, with a container and people."""

    def __init__(self, world: World) -> None:
        self.world, self.people, self.key_id = world, 0, ""
        self.folder = world.folder / "reader"
        (self.folder / "bin").mkdir(parents=True)
        (self.folder / "bin" / "kinfolk").symlink_to(world.kinfolk_path)
        (self.folder / "photo.jpg").write_bytes(b"\xff\xd8 a photo")
        self.environment = {"PATH": f"{self.folder}/bin:/usr/bin:/bin", "KINFOLK_STORE": world.store}

    def person(self, address: str = "") -> Person:
        self.people += 1
        return self.world.sign_in(address or f"reader{self.people}@example.com")

    def post(self, person: Person, operation: str, body: dict, database: str = "private") -> dict:
        answer = self.world.post(operation, body, person, database)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def run(self, block: str, person: Person, **names: str) -> list[dict]:
        """Runs a block with real values in the place of those of the document. Returns the JSON that it prints."""
        return self.answers(self.start(block, person, **names).communicate(timeout=TIMEOUT)[0])

    def start(self, block: str, person: Person, **names: str) -> subprocess.Popen[str]:
        token = urllib.parse.quote(person.items["ckWebAuthToken"], safe="")
        values = {"http://127.0.0.1:8080": self.world.base, "API_TOKEN": self.world.api_token, "q83v…%3D": token, "KEY_ID": self.key_id} | names
        for old, new in values.items():
            block = block.replace(old, new)
        command = ["bash", "-euc", block]
        return subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )

    def answers(self, output: str) -> list[dict]:
        answers, decoder = [], json.JSONDecoder()
        while (start := output.find("{")) >= 0:
            answer, end = decoder.raw_decode(output[start:])
            answers.append(answer)
            output = output[start + end :]
        assert not [answer for answer in answers if "serverErrorCode" in answer], answers
        return answers


@pytest.fixture(scope="module")
def shell(kinfolk, kinfolkd, tmp_path_factory):
    world = World(tmp_path_factory.mktemp("documentation"), kinfolk, kinfolkd)
    world.serve()
    yield Shell(world)
    world.end()


@pytest.fixture
def reader(shell) -> Person:
    return shell.person()


def the_block(language: str, *texts: str) -> str:
    """The only block with these texts."""
    (found,) = [block for block in blocks(language) if all(text in block for text in texts)]
    return found


# ---- Commands


def test_every_command_is_run_below():
    """Each block is run by one of these tests, which finds it by its texts."""
    known = [
        ("query?ckAPIToken",),
        ("X-Apple-CloudKit-API-Token",),
        ("/token?",),
        ("private/records/modify",),
        ("sign-out",),
        ("server-key add",),
        ("signature=",),
        ("tokens/create",),
        ("--no-buffer",),
        ("assets/upload",),
        ("documents/upload",),
    ]
    assert sorted(blocks("console")) == sorted(the_block("console", *texts) for texts in known)


def test_reading_with_an_api_token(shell, reader):
    shell.post(reader, "records/modify", {"operations": [{"operationType": "create", "record": {"recordType": "Note"}}]}, "public")
    for texts in (("query?ckAPIToken",), ("X-Apple-CloudKit-API-Token",)):
        (answer,) = shell.run(the_block("console", *texts), reader)
        assert len(answer["records"]) == 1


def test_saving_with_a_web_auth_token(shell, reader):
    (answer,) = shell.run(the_block("console", "private/records/modify"), reader)
    assert answer["records"][0]["fields"]["title"]["value"] == "Milk"


def test_redeeming_a_code(shell):
    world = shell.world
    url = requests.get(world.url("users/current"), params={"ckAPIToken": world.api_token}, timeout=TIMEOUT).json()["redirectURL"]
    challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
    url += "?" + urllib.parse.urlencode({"code_challenge": challenge, "code_challenge_method": "S256", "lang": "fr"})
    browser = requests.Session()
    page = browser.get(url, timeout=TIMEOUT)
    assert 'lang="fr"' in page.text
    page = world.send_form(browser, url, page, step="address", email="code@example.com")
    page = world.send_form(browser, url, page, step="code", code=world.code_for("code@example.com"))
    page = world.send_form(browser, url, page, step="names", given="", family="")
    found = re.search(r'content="0; url=([^"]*)"', page.text)
    assert found, page.text
    (code,) = urllib.parse.parse_qs(urllib.parse.urlparse(html.unescape(found[1])).query)["code"]
    nobody = Person("", "")
    (answer,) = shell.run(the_block("console", "/token?"), nobody, CODE=code, VERIFIER=VERIFIER)
    assert shape(answer) == shape(json.loads(the_block("json", "expires")))
    person = Person(world.api_token, answer["ckWebAuthToken"])
    assert shell.post(person, "users/current", {}, "public")["userRecordName"]


def test_signing_out(shell):
    person = shell.person()
    assert shell.run(the_block("console", "sign-out"), person) == [{}]
    assert shell.world.post("users/current", {}, person).status_code == 421


def test_signing_requests(shell, reader):
    made = shell.start(the_block("console", "server-key add"), reader)
    shell.key_id = made.communicate(timeout=TIMEOUT)[0].split()[-1]
    assert made.returncode == 0
    (answer,) = shell.run(the_block("console", "signature="), reader)
    assert answer["records"]
    # The same with the example in Python, whose function is in the document.
    assert the_block("python", "def signed_headers") in EXAMPLE.read_text()
    path = f"/database/1/{CONTAINER}/production/public/records/query"
    arguments = ["private.pem", shell.key_id, shell.world.base, path, '{"query": {"recordType": "Note"}}']
    made = subprocess.run(
        [sys.executable, str(EXAMPLE), *arguments], cwd=shell.folder, env=os.environ, capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    assert json.loads(made.stdout) == answer


def test_receiving_notifications(shell):
    """By long poll, and by the stream: the same notification, as the document shows it."""
    saver, poller, listener = (shell.person("notified@example.com") for _ in range(3))
    for person in (poller, listener):
        url = shell.post(person, "tokens/create", {})["webcourierURL"]
        if person is poller:
            ticket = url.rsplit("/", 1)[1]
    request = json.loads(the_block("json", '"subscriptionType": "query"'))
    shell.post(saver, "subscriptions/modify", request)
    record = {"recordType": "Note", "recordName": "groceries", "fields": {"title": {"value": "Groceries"}}}
    shell.post(saver, "records/modify", {"operations": [{"operationType": "create", "record": record}]})
    token, received = shell.run(the_block("console", "tokens/create"), poller, c2VhbGVk=ticket)
    assert sorted(token) == ["apnsEnvironment", "apnsToken", "webcourierURL"]
    documented = json.loads(the_block("json", '"aps"'))
    assert shape(received) == shape(documented)
    assert without_names(received) == without_names(documented)
    stream = shell.start(the_block("console", "--no-buffer"), listener)
    lines = []
    for line in stream.stdout:
        lines.append(line.strip())
        if line.startswith("data: "):
            break
    os.killpg(stream.pid, 9)
    stream.communicate(timeout=TIMEOUT)
    assert lines[-2] == "event: notification"
    assert without_names(json.loads(lines[-1].removeprefix("data: "))) == without_names(documented)


def without_names(notification: dict) -> dict:
    """A notification without what differs each time."""
    ck = notification["ck"]
    return notification | {"ck": ck | {"nid": "", "qry": ck["qry"] | {"zoid": ""}}}


def test_uploading_a_file(shell, reader):
    (token,) = shell.post(reader, "assets/upload", {"tokens": [{"fieldName": "photo"}]})["tokens"]
    answers = shell.run(the_block("console", "assets/upload"), reader, c2VhbGVk=token["url"].rsplit("/", 1)[1])
    assert answers[0]["tokens"][0]["fieldName"] == "image"
    assert answers[1]["singleFile"]["size"] == len(b"\xff\xd8 a photo")


def test_saving_a_document(shell, reader):
    contents = b"milk\neggs\n"
    (shell.folder / "list.txt").write_bytes(contents)
    url = requests.post(shell.world.kinfolk_url("documents/upload"), params=reader.items, json={}, timeout=TIMEOUT).json()["url"]
    receipt = requests.post(url, data=contents, timeout=TIMEOUT).json()["singleFile"]["receipt"]
    block = the_block("console", "documents/upload")
    _, uploaded, saved, found = shell.run(block, reader, **{"c2VhbGVk": url.rsplit("/", 1)[1], "q1Zf…": receipt})
    assert uploaded["singleFile"]["size"] == saved["documents"][0]["currentVersion"]["size"] == len(contents)
    documented = json.loads(the_block("json", '"olderVersions"'))
    assert shape(found) == shape(documented)
    assert found["documents"][0]["path"] == documented["documents"][0]["path"]


# ---- Requests and answers


def test_every_json_block_is_json():
    assert len([json.loads(block) for block in blocks("json")]) >= 10


def test_the_records(shell):
    person = shell.person()
    answer = shell.post(person, "records/modify", json.loads(the_block("json", "forceDelete")))
    documented = json.loads(the_block("json", '"deleted": true'))
    assert [shape(record) for record in answer["records"]] == [shape(record) for record in documented["records"]]
    assert shell.post(person, "records/query", json.loads(the_block("json", "GREATER_THAN"))) == {"records": []}


def test_zones_and_changes(shell):
    person = shell.person()
    zones = shell.post(person, "zones/modify", json.loads(the_block("json", '"zone"')))
    assert zones["zones"][0]["zoneID"]["zoneName"] == "Notes"
    request = json.loads(the_block("json", '"syncToken"'))
    request["zones"][0]["syncToken"] = None
    assert shell.post(person, "changes/zone", request)["zones"][0]["records"] == []


def test_users(shell):
    person = shell.world.sign_in("named@example.com", "Mei", "Chen")
    own = shell.world.kinfolk_url("discoverability")
    decision = json.loads(the_block("json", "GRANTED"))
    answer = requests.post(own, params=person.items, json=decision, timeout=TIMEOUT)
    assert answer.json() == {"discoverability": "GRANTED"}
    current = shell.post(person, "users/current", {}, "public")
    documented = json.loads(the_block("json", '"firstName"'))
    assert shape(current) == shape(documented)
    assert (current["firstName"], current["lastName"]) == ("Mei", "Chen")
    request = json.loads(the_block("json", "lookupInfos"))
    assert shell.post(person, "users/discover", request, "public") == {"users": [{"lookupInfo": info} for info in request["lookupInfos"]]}


def test_key_value_pairs(shell, reader):
    documented = json.loads(the_block("json", '"key": "fonts"'))
    body = {"operations": [{"operationType": "set", **documented}]}
    answer = requests.post(shell.world.kinfolk_url("keyvalue/modify"), params=reader.items, json=body, timeout=TIMEOUT)
    assert answer.json() == {"entries": [documented]}


def test_errors(shell, reader):
    documented = json.loads(the_block("json", '"BAD_REQUEST"'))
    body = {"operations": [{"operationType": "create", "record": {"recordName": 1}}]}
    answer = shell.world.post("records/modify", body, reader, "private")
    assert answer.json() | {"uuid": ""} == documented | {"uuid": ""}


def test_names_of_operations(shell, reader):
    """Each operation that the document names is there."""
    text = DOCUMENT.read_text()
    roots = "records|zones|changes|users|subscriptions|tokens|assets|discovery|blocks|keyvalue|account|documents"
    names = set(re.findall(rf"`((?:{roots})/[a-z/]+)`", text)) - {"users/lookup/contacts"}
    assert len(names) > 30
    for name in names:
        of_kinfolk = name.split("/")[0] in ("discovery", "blocks", "keyvalue", "account", "documents") or name == "records/count"
        url = shell.world.kinfolk_url(name) if of_kinfolk else shell.world.url(name, "private")
        answer = requests.post(url, params=reader.items, data="{}", timeout=TIMEOUT)
        assert "There is no such operation" not in answer.text, name


def test_links_of_the_document():
    text = DOCUMENT.read_text()
    headings = {re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines() if line.startswith("#")}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        path, _, anchor = target.partition("#")
        assert not path or (DOCUMENT.parent / path).exists(), target
        assert path or anchor in headings, target
