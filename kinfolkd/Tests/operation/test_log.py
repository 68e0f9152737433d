"""The log and the metrics hold nothing of what people and programs send, whatever they do, at the level that logs most."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import re
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from signing import ServerKey

from programs import PATIENCE, Answer, Client, Service, free_port
from world import CONTAINER, Person, World

# Words that are in nothing but what the test sends. Each kind of content has its own, so that a failure says what was logged.
ADDRESS = "needleaddress@needledomain.example"
OTHER_ADDRESS = "needleother@needledomain.example"
UNKNOWN_ADDRESS = "needleunknown@needledomain.example"
GIVEN, FAMILY = "Needlegiven", "Needlefamily"
WORDS = {
    "an address": ["needleaddress", "needleother", "needleunknown", "needledomain"],
    "a name": [GIVEN, FAMILY, "needlename"],
    "a container": [CONTAINER, "needlecontainer"],
    "a record": ["NeedleType", "needlerecord", "needlefield", "needlevalue", "needlezone", "needlesubscription", "needlealert"],
    "a file": ["needlefile"],
    "a key or a block": ["needlekey", "needletext"],
    "a part of a request": ["needlepath", "needlequery", "needleheader", "needlejson", "needlemethod", "needleorigin", "needlecookie"],
    "a path of the protocol": ["/database/1", "/kinfolk/1", "/sign-in/", "/asset/", "/courier/", "/device/1"],
}


class Run:
    """What was logged and counted, and all that must not be there."""

    def __init__(self, log: str, metrics: str, needles: dict[str, list[str]], requests: int) -> None:
        self.log = log
        self.metrics = metrics
        self.needles = needles
        self.requests = requests


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    from programs import binary

    folder = tmp_path_factory.mktemp("log")
    world = World(folder, binary("KINFOLK", "kinfolk-cli"), binary("KINFOLKD", "kinfolkd"))
    metrics_port = free_port()
    try:
        options = ["--log-level", "debug", "--log-format", "json", "--metrics-listen", f"127.0.0.1:{metrics_port}"]
        service = world.serve(*options)
        needles = {kind: list(words) for kind, words in WORDS.items()}
        everything(world, service, needles)
        with Client(metrics_port, PATIENCE) as client:
            client.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            metrics = client.answer().body.decode()
        assert service.stop() == 0
        log = "\n".join(service.log.to_end()).replace(f"127.0.0.1:{service.port}", "")
        yield Run(log, metrics, needles, log.count("Answered a request."))
    finally:
        world.end()


def everything(world: World, service: Service, needles: dict[str, list[str]]) -> None:
    """Operations of every kind, that succeed and that fail. Adds the tokens, IDs and hashes that they bring."""
    tokens, users, hashes = needles["a token"], needles["an ID of a user"], needles["a hash"] = [], [], []
    ben, anna = sign_in(world, ADDRESS, tokens), sign_in(world, OTHER_ADDRESS, tokens)
    users += [world.post("users/current", None, person).json()["userRecordName"] for person in (ben, anna)]
    wrong_codes(world, tokens)
    records(world, ben)
    discovery(world, ben, users, hashes)
    assets(world, ben, tokens, hashes)
    settings(world, ben, users)
    notifications(world, ben, tokens)
    server_key(world, tokens)
    malformed(world, service, ben)
    account(world, anna, users[1])
    world.post("users/current", None, Person(world.api_token, "needletoken"))
    requests.post(world.kinfolk_url("sign-out"), params=ben.items, timeout=PATIENCE)
    tokens += [world.api_token, "needletoken"]


def sign_in(world: World, address: str, tokens: list[str]) -> Person:
    person = world.sign_in(address, GIVEN, FAMILY)
    tokens.append(person.items["ckWebAuthToken"])
    return person


def wrong_codes(world: World, tokens: list[str]) -> None:
    """A sign-in that does not end, with an address that nobody has."""
    url = world.post("users/current").json()["redirectURL"]
    tokens.append(url.rsplit("/", 1)[1])
    browser = requests.Session()
    browser.cookies.set("needlecookie", "needlecookie")
    page = browser.get(url, headers={"Accept-Language": "needleheader"}, timeout=PATIENCE)
    page = World.send_form(browser, url, page, step="address", email=UNKNOWN_ADDRESS)
    for code in ("NEEDLE1CODE", "ABCD-EFGH"):
        page = World.send_form(browser, url, page, step="code", code=code)
    tokens += ["NEEDLE1CODE", "ABCD-EFGH", world.code_for(UNKNOWN_ADDRESS), *browser.cookies.get_dict().values()]


def records(world: World, person: Person) -> None:
    fields = {"needlefield": {"value": "needlevalue"}, "title": {"value": "needlevalue"}}
    record = {"recordType": "Note", "recordName": "needlerecord", "fields": fields}
    for database in ("public", "private"):
        for kind in ("create", "create", "update", "forceUpdate"):  # the second fails, and so does the update without a tag
            world.post("records/modify", {"operations": [{"operationType": kind, "record": record}]}, person, database)
        filters = [{"fieldName": "title", "comparator": "EQUALS", "fieldValue": {"value": "needlevalue"}}]
        world.post("records/query", {"query": {"recordType": "Note", "filterBy": filters}}, person, database)
        world.post("records/query", {"query": {"recordType": "NeedleType"}}, person, database)
        world.post("records/lookup", {"records": ["needlerecord", "needlerecordtoo"]}, person, database)
    zone = {"operationType": "create", "zone": {"zoneID": {"zoneName": "needlezone"}}}
    world.post("zones/modify", {"operations": [zone]}, person, "private")
    world.post("zones/lookup", {"zones": [{"zoneName": "needlezone"}, {"zoneName": "needlezonetoo"}]}, person, "private")
    world.post("zones/list", None, person, "private")
    world.post("changes/database", {"syncToken": "needlevalue"}, person, "private")
    world.post("changes/zone", {"zones": [{"zoneID": {"zoneName": "needlezone"}}]}, person, "private")
    requests.post(world.kinfolk_url("records/count"), params=person.items, data='{"query": {"recordType": "NeedleType"}}', timeout=PATIENCE)


def discovery(world: World, person: Person, users: list[str], hashes: list[str]) -> None:
    wording = {"text": "needletext", "version": "1"}
    body = json.dumps({"discoverability": "GRANTED", "wording": wording})
    requests.post(world.kinfolk_url("discoverability"), params=person.items, data=body, timeout=PATIENCE)
    people = [{"emailAddress": OTHER_ADDRESS}, {"emailAddress": "needleaddress"}, {"userRecordName": users[1]}]
    world.post("users/discover", {"lookupInfos": people}, person)
    world.post("users/lookup/email", {"users": people[:1]}, person)
    world.post("users/lookup/id", {"users": people[2:]}, person)
    for address in (OTHER_ADDRESS, UNKNOWN_ADDRESS):
        digest = hashlib.sha256(address.encode()).digest()
        hashes += [base64.b64encode(digest).decode(), digest.hex()]
    body = json.dumps({"hashes": hashes[::2]})
    requests.post(world.kinfolk_url("discovery/hashes"), params=person.items, data=body, timeout=PATIENCE)
    requests.post(world.kinfolk_url("discovery/private"), params=person.items, data=b"needlejson", timeout=PATIENCE)


def assets(world: World, person: Person, tokens: list[str], hashes: list[str]) -> None:
    asked = world.post("assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}, person, "private").json()
    url = asked["tokens"][0]["url"]
    content = b"needlefile" * 50
    file = requests.post(url, data=content, timeout=PATIENCE).json()["singleFile"]
    record = {"recordType": "Note", "recordName": "needlerecordfile", "fields": {"photo": {"value": file}}}
    body = {"operations": [{"operationType": "create", "record": record}]}
    saved = world.post("records/modify", body, person, "private").json()["records"][0]["fields"]["photo"]["value"]
    assert requests.get(saved["downloadURL"], timeout=PATIENCE).content == content
    requests.get(saved["downloadURL"][:-8] + "needlepa", timeout=PATIENCE)
    requests.post(url[:-8] + "needlepa", data=content, timeout=PATIENCE)
    tokens += [url.rsplit("/", 1)[1], saved["downloadURL"].rsplit("/", 1)[1], file["receipt"]]
    hashes += [file["fileChecksum"], hashlib.sha256(content).hexdigest()]


def settings(world: World, person: Person, users: list[str]) -> None:
    sets = {"operationType": "set", "key": "needlekey", "value": "needletext"}
    blocks = {"operationType": "block", "userRecordName": users[1]}
    for operation, body in (
        ("keyvalue/modify", {"operations": [sets]}),
        ("keyvalue/list", None),
        ("keyvalue/synchronize", None),
        ("blocks/modify", {"operations": [blocks]}),
        ("blocks/list", None),
    ):
        requests.post(world.kinfolk_url(operation), params=person.items, data=json.dumps(body) if body else None, timeout=PATIENCE)


def notifications(world: World, person: Person, tokens: list[str]) -> None:
    """A long poll and a stream of events, and a change of which both are told."""
    asks = {
        "subscriptionID": "needlesubscription",
        "subscriptionType": "query",
        "query": {"recordType": "Note"},
        "firesOn": ["create"],
        "notificationInfo": {"alertBody": "needlealert"},
    }
    saved = world.post("subscriptions/modify", {"operations": [{"operationType": "create", "subscription": asks}]}, person, "private")
    assert "serverErrorCode" not in saved.text, saved.text
    for operation in ("subscriptions/list", "subscriptions/lookup"):
        world.post(operation, {"subscriptions": [{"subscriptionID": "needlesubscription"}]}, person, "private")
    url = world.post("tokens/create", {"apnsEnvironment": "production"}, person, "private").json()["webcourierURL"]
    tokens.append(url.rsplit("/", 1)[1])
    record = {"recordType": "Note", "recordName": "needlerecordnew", "fields": {"title": {"value": "needlevalue"}}}
    # By another sign-in: a client is not told of its own changes.
    other = sign_in(world, ADDRESS, tokens)
    world.post("records/modify", {"operations": [{"operationType": "create", "record": record}]}, other, "private")
    polled = requests.get(url, timeout=60)
    assert "needlesubscription" in polled.text, polled.text
    tokens.append(polled.json()["ck"]["nid"])
    with requests.get(world.kinfolk_url("notifications"), params=person.items, stream=True, timeout=PATIENCE) as events:
        assert events.status_code == 200


def server_key(world: World, tokens: list[str]) -> None:
    """A signed request, the same once more, and one with a wrong signature."""
    key, url, body = ServerKey(world, "needlename"), world.url("records/query"), b'{"query": {"recordType": "Note"}}'
    headers = key.headers(url, body)
    name = "X-Apple-CloudKit-Request-SignatureV1"
    sent = [requests.post(url, data=body, headers=each, timeout=PATIENCE) for each in (headers, headers, headers | {name: "needleheader"})]
    assert [answer.status_code for answer in sent] == [200, 401, 401]
    tokens += [key.id, headers[name]]


def malformed(world: World, service: Service, person: Person) -> None:
    """Requests that are refused, at every layer."""
    items = urllib.parse.urlencode(person.items)
    for body in ('{"needlejson', '{"records": "needlejson"}', '{"records": [{"recordName": {"needlejson": 1}}]}', "[" * 40 + '"needlejson"'):
        requests.post(world.url("records/lookup", "private"), params=person.items, data=body, timeout=PATIENCE)
    for path in ("/needlepath?needlequery=1", f"/database/1/needlecontainer/production/public/records/query?{items}", "/asset/1/needlepath"):
        requests.post(world.base + path, data="{}", headers={"Origin": "https://needleorigin.example"}, timeout=PATIENCE)
    for data in (
        b"NEEDLEMETHOD /needlepath HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /needlepath HTTP/9.9\r\nHost: needleheader\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nneedleheader\r\n\r\n",
        b"POST /needlepath HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: needleheader\r\n\r\n",
        b"\x16\x03\x01needlepath\r\n\r\n",
    ):
        service.exchange(data)
    assert Answer.all(service.exchange(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))[0].status == 200


def account(world: World, person: Person, user: str) -> None:
    """The export and the end of an account; and the page of accounts."""
    requests.get(world.base + "/account", timeout=PATIENCE)
    exported = requests.get(world.kinfolk_url("account/export"), params=person.items, timeout=PATIENCE)
    assert user in exported.text
    erased = requests.post(world.kinfolk_url("account/erase"), params=person.items, data=json.dumps({"userRecordName": user}), timeout=PATIENCE)
    assert erased.status_code == 200, erased.text


# ---- What is searched


def forms(needle: str) -> set[str]:
    """How a text could be written: as it is, percent-encoded, in base64 and in hexadecimal digits, in small letters."""
    data = needle.encode()
    written = {needle, urllib.parse.quote(needle, safe=""), data.hex(), json.dumps(needle)[1:-1]}
    # The middle of a longer base64 text, at each of the three positions.
    for shift in range(3):
        written.add(base64.b64encode(bytes(shift) + data).decode()[4:-4])
    return {text.lower() for text in written if len(text) >= 6}


KINDS = [*WORDS, "a token", "an ID of a user", "a hash"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_log_holds_none(run: Run, kind: str) -> None:
    log = run.log.lower()
    found = {needle for needle in run.needles[kind] for form in forms(needle) if form in log}
    assert not found, f"{kind} is in the log"


@pytest.mark.parametrize("kind", KINDS)
def test_the_metrics_hold_none(run: Run, kind: str) -> None:
    metrics = run.metrics.lower()
    found = {needle for needle in run.needles[kind] for form in forms(needle) if form in metrics}
    assert not found, f"{kind} is in the metrics"


def test_the_addresses_of_clients_are_not_there(run: Run) -> None:
    assert "127.0.0.1" not in run.log
    assert "127.0.0.1" not in run.metrics


def test_each_line_has_only_words_and_numbers_of_the_service(run: Run) -> None:
    """Whatever the needles are: no value of a request's line is free text."""
    values = {
        "method": r"GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other",
        "operation": r"[a-z]+(-[a-z]+)?(/[a-z]+)?",
        "status": r"\d{3}",
        "microseconds": r"\d+",
        "received": r"\d+",
        "sent": r"\d+",
        "request": r"[0-9A-Za-z-]{1,40}",
        "level": r"debug|info|notice|warning|error",
        "time": r"[0-9T:.Z-]+",
    }
    lines = [json.loads(line) for line in run.log.splitlines()]
    for line in lines:
        if line["message"] == "Answered a request.":
            for name, value in line.items():
                if name != "message":
                    assert re.fullmatch(values[name], str(value)), (name, value)
    assert run.requests > 60, "few requests were logged, so the search says little"


def test_every_operation_has_its_name(run: Run) -> None:
    """The name is in the log and the metrics, so that an operator sees what is slow or fails."""
    named = set(re.findall(r'"operation":"([^"]+)"', run.log))
    assert named >= {
        *("records/modify", "records/query", "records/lookup", "records/count", "users/current", "users/discover", "lookup/email", "lookup/id"),
        *("zones/modify", "zones/lookup", "zones/list", "changes/database", "changes/zone", "assets/upload", "asset", "courier", "tokens/create"),
        *("subscriptions/modify", "subscriptions/list", "subscriptions/lookup", "notifications", "discoverability", "discovery/hashes"),
        *("discovery/private", "keyvalue/modify", "keyvalue/list", "keyvalue/synchronize", "blocks/modify", "blocks/list", "sign-in", "sign-out"),
        *("account", "account/export", "account/erase", "other", "healthz"),
    }
    counted = dict(re.findall(r'^kinfolkd_requests_total\{operation="([^"]+)",status="200"\} (\d+)', run.metrics, re.MULTILINE))
    assert int(counted["asset"]) >= 2


def test_the_manual_has_every_metric(run: Run) -> None:
    manual = (pathlib.Path(__file__).parents[3] / "docs" / "service.md").read_text()
    names = set(re.findall(r"^# TYPE (\w+)", run.metrics, re.MULTILINE))
    assert names == set(re.findall(r"`(kinfolkd_\w+)(?:\{[a-z,]+\})?`", manual))


def found_any(text: str, needles: Any) -> bool:
    return any(form in text.lower() for needle in needles for form in forms(needle))


def test_the_search_finds_what_is_there() -> None:
    """A log that held these would be found."""
    token = "q83vAbCdEf+/=="
    for line in (token, urllib.parse.quote(token, safe=""), token.encode().hex(), base64.b64encode(f"ab{token}cd".encode()).decode()):
        assert found_any(f'{{"message":"{line}"}}', [token])
    assert found_any("NeedleGiven", [GIVEN])
    assert not found_any('{"message":"The service has started."}', [token, GIVEN])
