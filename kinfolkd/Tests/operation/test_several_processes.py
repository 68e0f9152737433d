"""Several services on one PostgreSQL store behind one address: whatever one of them gives, the others accept, and what one takes back is gone.

`packaging/postgresql` names the database in KINFOLK_TEST_STORE; without it, these tests are skipped.
"""

from __future__ import annotations

import html
import json
import os
import re
import secrets
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Any

import pytest
import requests
from balancer import Balancer
from signing import ServerKey

from programs import PATIENCE
from world import CONTAINER, Person, World

STORE = os.environ.get("KINFOLK_TEST_STORE", "")
pytestmark = pytest.mark.skipif(not STORE, reason="KINFOLK_TEST_STORE names no database: packaging/postgresql makes one")


class Pair:
    """A world whose one address leads to two services in turn. Their addresses are that of the balancer."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.balancer = Balancer([])
        origin = f"http://127.0.0.1:{self.balancer.port}"
        self.services = [world.serve("--origin", origin), world.serve("--origin", origin)]
        self.balancer.ports = [service.port for service in self.services]
        self.balancer.given = dict.fromkeys(self.balancer.ports, 0)
        world.services.insert(0, self.balancer)  # type: ignore[arg-type]

    def at(self, number: int, url: str) -> str:
        """The URL at one of the two services."""
        assert url.startswith(self.world.base), url
        return f"http://127.0.0.1:{self.services[number].port}{url.removeprefix(self.world.base)}"

    def post(self, number: int, operation: str, body: Any = None, person: Person | None = None, database: str = "private") -> requests.Response:
        items = person.items if person else {"ckAPIToken": self.world.api_token}
        data = None if body is None else json.dumps(body)
        return requests.post(self.at(number, self.world.url(operation, database)), params=items, data=data, timeout=PATIENCE)

    def statuses(self, person: Person) -> list[int]:
        return [self.post(number, "users/current", None, person).status_code for number in (0, 1)]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    from programs import binary

    folder = tmp_path_factory.mktemp("pair")
    store = f"{STORE}&schema=operation_{secrets.token_hex(6)}"
    world = World(folder, binary("KINFOLK", "kinfolk-cli"), binary("KINFOLKD", "kinfolkd"), store)
    try:
        yield Pair(world)
    finally:
        world.end()


def create(name: str, **fields: Any) -> dict[str, Any]:
    values = {key: {"value": value} for key, value in fields.items()}
    return {"operations": [{"operationType": "create", "record": {"recordType": "Note", "recordName": name, "fields": values}}]}


def test_a_sign_in_goes_through_both_services(pair: Pair) -> None:
    """Each page, and each form, is at the other one."""
    world = pair.world
    url = pair.post(0, "users/current").json()["redirectURL"]
    browser = requests.Session()
    page = browser.get(pair.at(1, url), timeout=PATIENCE)
    page = World.send_form(browser, pair.at(0, url), page, step="address", email="ben@example.com")
    page = World.send_form(browser, pair.at(1, url), page, step="code", code=world.code_for("ben@example.com"))
    page = World.send_form(browser, pair.at(0, url), page, step="names", given="Ben", family="Miller")
    found = re.search(r'content="0; url=([^"]*)"', page.text)
    assert found, page.text
    items = urllib.parse.parse_qs(urllib.parse.urlparse(html.unescape(found[1])).query)
    person = Person(world.api_token, items["ckWebAuthToken"][0])
    names = {pair.post(number, "users/current", None, person).json()["userRecordName"] for number in (0, 1)}
    assert len(names) == 1


def test_a_code_of_one_service_is_used_up_at_the_other(pair: Pair) -> None:
    url = pair.post(0, "users/current").json()["redirectURL"]
    browser = requests.Session()
    page = browser.get(pair.at(0, url), timeout=PATIENCE)
    page = World.send_form(browser, pair.at(0, url), page, step="address", email="eve@example.com")
    code = pair.world.code_for("eve@example.com")
    answers = [World.send_form(browser, pair.at(number, url), page, step="code", code=code) for number in (0, 1)]
    assert 'value="names"' in answers[0].text
    assert 'value="code"' in answers[1].text, "the code was accepted twice"


def test_through_the_one_address_all_of_it_works(pair: Pair) -> None:
    before = dict(pair.balancer.given)
    anna = pair.world.sign_in("anna@example.com", "Anna", "Fischer")
    assert pair.world.post("records/modify", create("balanced", title="Milk"), anna, "private").status_code == 200
    for _ in range(6):
        found = pair.world.post("records/lookup", {"records": ["balanced"]}, anna, "private").json()
        assert found["records"][0]["fields"]["title"]["value"] == "Milk"
    assert all(pair.balancer.given[port] - before[port] >= 3 for port in pair.balancer.ports)


def test_a_sign_out_at_one_ends_the_session_at_both(pair: Pair) -> None:
    person = pair.world.sign_in("clara@example.com", "Clara", "Roth")
    assert pair.statuses(person) == [200, 200]
    url = pair.at(0, pair.world.kinfolk_url("sign-out"))
    assert requests.post(url, params=person.items, timeout=PATIENCE).status_code == 200
    assert pair.statuses(person) == [421, 421]


def test_a_suspended_account_is_signed_out_at_both(pair: Pair) -> None:
    person = pair.world.sign_in("dora@example.com", "Dora", "Klein")
    user = pair.post(0, "users/current", None, person).json()["userRecordName"]
    assert pair.statuses(person) == [200, 200]
    account = json.loads(pair.world.kinfolk("account", "lookup", CONTAINER, user, "--reason", "test", "--json"))
    pair.world.kinfolk("account", "suspend", account["account_id"])
    assert pair.statuses(person) == [421, 421]


def test_an_api_token_that_was_deleted_is_refused_by_both(pair: Pair) -> None:
    token = pair.world.make_token("short-lived")
    person = Person(token, "")
    del person.items["ckWebAuthToken"]

    def statuses() -> list[int]:
        return [pair.post(number, "records/query", {"query": {"recordType": "Note"}}, person, "public").status_code for number in (0, 1)]

    assert statuses() == [200, 200]
    pair.world.kinfolk("token", "delete", CONTAINER, "short-lived")
    assert statuses() == [401, 401]


def test_a_signature_is_accepted_once_by_all(pair: Pair) -> None:
    key, url, body = ServerKey(pair.world, "first"), pair.world.url("records/query"), b'{"query": {"recordType": "Note"}}'
    for first in (0, 1):
        headers = key.headers(url, body)
        answers = [requests.post(pair.at(number, url), data=body, headers=headers, timeout=PATIENCE) for number in (first, 1 - first, first)]
        assert [answer.status_code for answer in answers] == [200, 401, 401], [answer.text for answer in answers]


def test_a_signature_that_is_sent_to_both_at_once_is_accepted_by_one(pair: Pair) -> None:
    key, url, body = ServerKey(pair.world, "second"), pair.world.url("records/query"), b'{"query": {"recordType": "Note"}}'
    for _ in range(5):
        headers = key.headers(url, body)
        statuses: list[int] = []

        def send(number: int, headers: dict[str, str] = headers, statuses: list[int] = statuses) -> None:
            statuses.append(requests.post(pair.at(number, url), data=body, headers=headers, timeout=PATIENCE).status_code)

        threads = [threading.Thread(target=send, args=(number,)) for number in (0, 1, 0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert sorted(statuses) == [200, 401, 401, 401]


def test_what_one_service_saves_is_told_by_the_other(pair: Pair) -> None:
    """By the stream of events, and by the long poll. Another sign-in saves: a client is not told of its own changes."""
    listener, writer = (pair.world.sign_in("finn@example.com", "Finn", "Weber") for _ in range(2))
    asks = {"subscriptionID": "notes", "subscriptionType": "query", "query": {"recordType": "Note"}, "firesOn": ["create"]}
    saved = pair.post(0, "subscriptions/modify", {"operations": [{"operationType": "create", "subscription": asks}]}, listener)
    assert "serverErrorCode" not in saved.text, saved.text
    courier = pair.post(0, "tokens/register", {"apnsToken": "a" * 64, "apnsEnvironment": "production"}, listener).json()["webcourierURL"]
    polled: list[requests.Response] = []
    poll = threading.Thread(target=lambda: polled.append(requests.get(pair.at(1, courier), timeout=60)), daemon=True)
    stream = requests.get(pair.at(1, pair.world.kinfolk_url("notifications")), params=listener.items, stream=True, timeout=60)
    lines = stream.iter_lines(chunk_size=1)
    assert next(lines).startswith(b":")  # it is open
    poll.start()
    assert pair.post(0, "records/modify", create("told", title="Milk"), writer).status_code == 200
    event = next(line for line in lines if line.startswith(b"data:"))
    assert json.loads(event.removeprefix(b"data:"))["ck"]["qry"]["rid"] == "told"
    stream.close()
    poll.join(60)
    assert [answer.status_code for answer in polled] == [200]
    assert polled[0].json()["ck"]["qry"]["rid"] == "told"
    # Acknowledged at one, it does not come again at the other.
    seen = polled[0].json()["ck"]["nid"]
    assert pair.post(1, "records/modify", create("next", title="Tea"), writer).status_code == 200
    following = requests.get(pair.at(0, courier), params={"acknowledged": seen}, timeout=60)
    assert following.json()["ck"]["qry"]["rid"] == "next"


def test_a_file_that_one_service_took_is_fetched_from_the_other(pair: Pair) -> None:
    """The URL of the upload is from one and used at the other, and so is the URL of the download."""
    person = pair.world.sign_in("gina@example.com", "Gina", "Lang")
    content = os.urandom(3_000_000)
    asked = pair.post(0, "assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}, person).json()
    uploaded = requests.post(pair.at(1, asked["tokens"][0]["url"]), data=content, timeout=PATIENCE)
    assert uploaded.status_code == 200, uploaded.text
    saved = pair.post(0, "records/modify", create("picture", photo=uploaded.json()["singleFile"]), person).json()
    url = saved["records"][0]["fields"]["photo"]["value"]["downloadURL"]
    for number in (1, 0):
        assert requests.get(pair.at(number, url), timeout=PATIENCE).content == content


def test_changes_are_followed_across_both(pair: Pair) -> None:
    """A token of one service continues at the other."""
    person = pair.world.sign_in("hugo@example.com", "Hugo", "Stein")
    zone = {"zoneName": "Notes"}
    pair.post(0, "zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": zone}}]}, person)
    token = None
    for number in range(6):
        body = create(f"n{number}", title="Milk") | {"zoneID": zone}
        assert pair.post(number % 2, "records/modify", body, person).status_code == 200
        asked = {"zoneID": zone} | ({"syncToken": token} if token else {})
        answer = pair.post((number + 1) % 2, "changes/zone", {"zones": [asked]}, person).json()["zones"][0]
        assert [record["recordName"] for record in answer["records"]] == [f"n{number}"]
        token = answer["syncToken"]


def test_one_service_stops_and_the_other_goes_on(pair: Pair) -> None:
    person = pair.world.sign_in("ida@example.com", "Ida", "Wolf")
    third = pair.world.serve("--origin", pair.world.base)
    url = f"http://127.0.0.1:{third.port}{pair.world.url('records/modify', 'private').removeprefix(pair.world.base)}"
    saved = requests.post(url, params=person.items, data=json.dumps(create("kept", title="Milk")), timeout=PATIENCE)
    assert saved.status_code == 200
    third.kill()
    found = pair.post(1, "records/lookup", {"records": ["kept"]}, person).json()
    assert found["records"][0]["fields"]["title"]["value"] == "Milk"
