"""The manual's chapters "Creating APNs Tokens" and "Registering APNs Tokens", and the long poll of a webcourierURL."""

from __future__ import annotations

import threading

import cloudkit_manual as manual
import pytest
import requests
from comparison import TEXT, assert_as_manual, difference
from small_client import TIMEOUT, ServiceError

TOKEN = {"apnsEnvironment": "development", "apnsToken": TEXT, "webcourierURL": TEXT}
SUBSCRIPTION = {
    "subscriptionID": "artists",
    "subscriptionType": "query",
    "query": {"recordType": "Artist"},
    "firesOn": ["create", "update", "delete"],
    "notificationInfo": {"alertBody": "Something has changed", "desiredKeys": ["firstName"]},
}


@pytest.fixture
def devices(manual_world):
    """Two clients of one person: one saves, and the other is told."""
    address = f"devices{manual_world.people}@example.com"
    saver, other = manual_world.user(address), manual_world.user(address)
    save(saver, "forceUpdate", "before")
    saver.post("private/subscriptions/modify", {"operations": [{"operationType": "create", "subscription": SUBSCRIPTION}]})
    return saver, other


def save(client, kind: str, name: str, first_name: str = "Mei") -> None:
    record = {"recordType": "Artist", "recordName": name, "fields": {"firstName": {"value": first_name}}}
    (saved,) = client.modify("private", {"operationType": kind, "record": record})
    assert "serverErrorCode" not in saved, saved


def poll(url: str, **items: str) -> dict:
    """The next notification: an empty answer means that there is none yet."""
    for _ in range(5):
        response = requests.get(url, params=items, timeout=TIMEOUT)
        if response.content:
            assert response.status_code == 200, response.text
            return response.json()
        assert response.status_code == 204
    raise AssertionError("no notification came")


@pytest.mark.parametrize("root", ["/database/1/{}/tokens/create", "/device/1/{}/tokens/create", "/database/1/{}/private/tokens/create"])
def test_a_token_is_created(user, root):
    difference("other paths of tokens and subscriptions")
    url = user.url("x").replace(f"/database/1/{manual.CONTAINER}/development/x", root.format(f"{manual.CONTAINER}/development"))
    answer = user.answer(user.session.post(url, json={"apnsEnvironment": "development"}, timeout=TIMEOUT))
    assert_as_manual(answer, TOKEN)
    assert answer["webcourierURL"].startswith(user.path)


def test_a_token_is_registered(user):
    difference("answer of tokens/register")
    answer = user.post("tokens/register", {"apnsEnvironment": "development", "apnsToken": "7f3a"})
    assert_as_manual(answer, TOKEN | {"apnsToken": "7f3a"})


def test_the_environment_changes_nothing(user):
    difference("push")
    answers = [user.post("tokens/create", {"apnsEnvironment": one}) for one in ("development", "production")]
    assert [one["apnsEnvironment"] for one in answers] == ["development", "production"]
    assert answers[0]["apnsToken"] == answers[1]["apnsToken"]


def test_malformed_tokens_are_refused(user, application):
    for subpath, body in (
        ("tokens/create", {"apnsEnvironment": "testing"}),
        ("tokens/register", {"apnsEnvironment": "production"}),
        ("tokens/register", {"apnsEnvironment": "production", "apnsToken": 7}),
    ):
        with pytest.raises(ServiceError) as caught:
            user.post(subpath, body)
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
    with pytest.raises(ServiceError) as caught:
        application.post("tokens/create", {"apnsEnvironment": "production"})
    assert_as_manual(caught.value.answer, manual.AUTHENTICATION_REQUIRED)


def test_notifications_arrive_at_the_url(devices):
    saver, other = devices
    url = other.post("tokens/create", {"apnsEnvironment": "production"})["webcourierURL"]
    for number, kind in ((1, "create"), (2, "forceUpdate"), (3, "forceDelete")):
        save(saver, kind, "a")
        notification = poll(url)
        assert notification["aps"] == {"alert": {"body": "Something has changed"}}
        assert notification["ck"]["cid"] == manual.CONTAINER
        asked = notification["ck"]["qry"]
        assert (asked["sid"], asked["rid"], asked["fo"], asked["zid"], asked["dbs"]) == ("artists", "a", number, "_defaultZone", 1)
        assert asked["zoid"] == saver.get("public/users/current")["userRecordName"]
        if kind != "forceDelete":
            assert asked["af"] == {"firstName": {"value": "Mei", "type": "STRING"}}


def test_a_poll_waits(devices):
    saver, other = devices
    url = other.post("tokens/create", {"apnsEnvironment": "production"})["webcourierURL"]
    received: list[dict] = []
    waiting = threading.Thread(target=lambda: received.append(poll(url)))
    waiting.start()
    save(saver, "create", "while it waits")
    waiting.join(TIMEOUT)
    assert received[0]["ck"]["qry"]["rid"] == "while it waits"


def test_a_client_is_not_told_of_what_it_has_saved(devices):
    saver, other = devices
    urls = {client: client.post("tokens/create", {})["webcourierURL"] for client in devices}
    save(saver, "create", "a")
    save(other, "create", "b")
    assert poll(urls[saver])["ck"]["qry"]["rid"] == "b"
    assert poll(urls[other])["ck"]["qry"]["rid"] == "a"


def test_notifications_are_acknowledged(devices):
    difference("acknowledging")
    saver, other = devices
    url = other.post("tokens/create", {})["webcourierURL"]
    save(saver, "create", "a")
    save(saver, "create", "b")
    first = poll(url)
    # With `acknowledged` a client that lost an answer gets it again.
    before = poll(url)
    assert [one["ck"]["qry"]["rid"] for one in (first, before)] == ["a", "b"]
    again = poll(url, acknowledged=first["ck"]["nid"])
    assert again["ck"]["qry"] == before["ck"]["qry"]
    save(saver, "create", "c")
    assert poll(url, acknowledged=before["ck"]["nid"])["ck"]["qry"]["rid"] == "c"
    assert requests.get(url, params={"acknowledged": "x"}, timeout=TIMEOUT).status_code == 400


def test_the_same_device_each_time(devices):
    saver, other = devices
    old = other.post("tokens/create", {})
    new = other.post("tokens/create", {})
    registered = other.post("tokens/register", {"apnsEnvironment": "production", "apnsToken": old["apnsToken"]})
    assert old["apnsToken"] == new["apnsToken"] == registered["apnsToken"]
    for number, token in enumerate((registered, new, old)):
        save(saver, "create", f"n{number}")
        assert poll(token["webcourierURL"])["ck"]["qry"]["rid"] == f"n{number}"


def test_zone_and_database_subscriptions(devices):
    saver, other = devices
    zone = {"zoneName": "myCustomZone"}
    saver.post("private/zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": zone}}]})
    subscriptions = [
        {"subscriptionID": "zone", "subscriptionType": "zone", "zoneID": zone},
        {"subscriptionID": "all", "subscriptionType": "database", "notificationInfo": {"shouldSendContentAvailable": True}},
    ]
    operations = [{"operationType": "delete", "subscription": {"subscriptionID": "artists"}}]
    operations += [{"operationType": "create", "subscription": subscription} for subscription in subscriptions]
    saver.post("private/subscriptions/modify", {"operations": operations})
    url = other.post("tokens/create", {})["webcourierURL"]
    saver.modify("private", {"operationType": "create", "record": {"recordType": "Artist"}}, zoneID=zone)
    received = [poll(url), poll(url)]
    (of_zone,) = [one["ck"]["fet"] for one in received if "fet" in one["ck"]]
    assert (of_zone["sid"], of_zone["zid"], of_zone["dbs"]) == ("zone", "myCustomZone", 1)
    (of_database,) = [one for one in received if "met" in one["ck"]]
    assert (of_database["ck"]["met"]["sid"], of_database["aps"]) == ("all", {"content-available": 1})


def test_a_server_receives_notifications(server, mei):
    subscription = SUBSCRIPTION | {"query": {"recordType": "Bulletin"}, "notificationInfo": {"alertBody": "x"}}
    mei.modify("public", {"operationType": "create", "record": {"recordType": "Bulletin"}})
    server.post("public/subscriptions/modify", {"operations": [{"operationType": "create", "subscription": subscription}]})
    url = server.post("public/tokens/create", {})["webcourierURL"]
    mei.modify("public", {"operationType": "create", "record": {"recordType": "Bulletin", "recordName": "news"}})
    asked = poll(url)["ck"]["qry"]
    assert (asked["rid"], asked["dbs"], "zoid" in asked) == ("news", 0, False)


def test_a_wrong_url_is_not_found(user):
    url = user.post("tokens/create", {})["webcourierURL"]
    for wrong in (url[:-2], url + "A", url.rsplit("/", 1)[0] + "/"):
        assert requests.get(wrong, timeout=TIMEOUT).status_code == 404
