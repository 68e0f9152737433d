"""What an application does, from the sign-in to the last record, with the small client that was written from the manual alone."""

from __future__ import annotations

import json
import threading

import pytest
import requests
from comparison import difference
from small_client import TIMEOUT, ServiceError

ZONE = {"zoneName": "Sketches"}


def record(name: str, /, **fields) -> dict:
    return {"recordType": "Sketch", "recordName": name, "fields": {key: {"value": value} for key, value in fields.items()}}


def operation(kind: str, name: str, tag: str = "", /, **fields) -> dict:
    content = record(name, **fields)
    if tag:
        content["recordChangeTag"] = tag
    return {"operationType": kind, "record": content}


def test_an_application_from_beginning_to_end(manual_world, mei):
    # Without a user the application may read, and learns where people sign in.
    application = manual_world.application()
    with pytest.raises(ServiceError) as caught:
        application.get("public/users/caller")
    assert caught.value.answer["redirectURL"]

    # The current user, and a friend.
    user = manual_world.user("flow@example.com", "Flo", "Winter")
    own = user.get("public/users/caller")["userRecordName"]
    friend = mei.get("public/users/current")["userRecordName"]
    infos = [{"emailAddress": "mei.chen@example.com"}, {"userRecordName": friend}, {"emailAddress": "flow@example.com"}]
    found = user.post("public/users/discover", {"lookupInfos": infos})["users"]
    assert [person.get("userRecordName") for person in found] == [friend, friend, None]

    # A zone, and all seven types of operations in it.
    user.post("private/zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": ZONE}}]})
    created = user.modify("private", *(operation("create", f"s{number}", number=number, kind="pencil") for number in range(6)), zoneID=ZONE)
    tags = [one["recordChangeTag"] for one in created]
    changed = user.modify(
        "private",
        operation("update", "s0", tags[0], kind="ink"),
        operation("forceUpdate", "s1", kind="ink"),
        operation("replace", "s2", tags[2], kind="ink"),
        operation("forceReplace", "s3", kind="ink"),
        operation("delete", "s4", tags[4]),
        operation("forceDelete", "s5"),
        operation("create", "s6", number=6, kind="ink"),
        zoneID=ZONE,
    )
    assert [sorted(one.get("fields", {})) for one in changed[:4]] == [["kind", "number"], ["kind", "number"], ["kind"], ["kind"]]
    assert [one.get("deleted") for one in changed] == [False] * 4 + [True] * 2 + [False]

    # An atomic batch that fails changes nothing.
    with pytest.raises(ServiceError) as caught:
        user.modify("private", operation("create", "s7"), operation("update", "s0", tags[0]), zoneID=ZONE)
    codes = [one["serverErrorCode"] for one in caught.value.answer["records"]]
    assert codes == ["ATOMIC_ERROR", "CONFLICT"]
    assert user.lookup("private", "s0", "s7", zoneID=ZONE)[1]["serverErrorCode"] == "NOT_FOUND"

    # Queries, over pages.
    ink = {"fieldName": "kind", "comparator": "EQUALS", "fieldValue": {"value": "ink"}}
    query = {"recordType": "Sketch", "filterBy": [ink], "sortBy": [{"fieldName": "number"}]}
    assert [one["recordName"] for one in user.query("private", query, zoneID=ZONE, resultsLimit=2)] == ["s2", "s3", "s0", "s1", "s6"]

    # The same user on another machine follows the changes.
    other = manual_world.user("flow@example.com")
    assert other.get("public/users/caller")["userRecordName"] == own
    database = other.post("private/changes/database", {})
    assert [zone["zoneID"]["zoneName"] for zone in database["zones"]] == ["Sketches"]
    records, token = other.changes("private", "Sketches", resultsLimit=2)
    assert sorted(one["recordName"] for one in records if not one["deleted"]) == ["s0", "s1", "s2", "s3", "s6"]

    # It subscribes, and hears of what happens next.
    subscription = {"subscriptionType": "query", "query": {"recordType": "Sketch"}, "firesOn": ["create"], "notificationInfo": {"alertBody": "New"}}
    other.post("private/subscriptions/modify", {"operations": [{"operationType": "create", "subscription": subscription}]})
    poll = other.post("tokens/create", {"apnsEnvironment": "production"})["webcourierURL"]
    asset = user.upload("private", "Sketch", "picture", b"the picture")
    heard: list[requests.Response] = []
    waiting = threading.Thread(target=lambda: heard.append(requests.get(poll, timeout=TIMEOUT)))
    waiting.start()
    # A file belongs to a zone, and the client uploads to the default one.
    user.modify("private", operation("create", "with picture", picture=asset))
    waiting.join(TIMEOUT)
    notification = heard[0].json()
    assert notification["aps"]["alert"]["body"] == "New"
    (new,) = other.lookup("private", notification["ck"]["qry"]["rid"])
    assert requests.get(new["fields"]["picture"]["value"]["downloadURL"], timeout=TIMEOUT).content == b"the picture"
    user.modify("private", operation("forceDelete", "s0"), zoneID=ZONE)
    records, token = other.changes("private", "Sketches", token)
    assert [(one["recordName"], one["deleted"]) for one in records] == [("s0", True)]
    assert other.changes("private", "Sketches", token)[0] == []

    # What others may read, and nobody else's private records.
    user.modify("public", operation("create", "shown"))
    assert application.lookup("public", "shown")[0]["created"]["userRecordName"] == own
    assert mei.lookup("private", "with picture")[0]["serverErrorCode"] == "NOT_FOUND"
    user.post("private/zones/modify", {"operations": [{"operationType": "delete", "zone": {"zoneID": ZONE}}]})
    database = other.post("private/changes/database", {"syncToken": database["syncToken"]})
    assert [zone.get("deleted") for zone in database["zones"]] == [True]


def test_an_erased_user_has_no_name(manual_world):
    """The records of the public database may stay. The manual has no erasure."""
    difference("devices and erased users")
    user = manual_world.user()
    own = user.get("public/users/current")["userRecordName"]
    user.modify("public", operation("create", f"of {own}"))
    url = user.url("account/erase").replace("/database/", "/kinfolk/")
    body = {"userRecordName": own, "keepsPublicRecords": True}
    user.answer(user.session.post(url, data=json.dumps(body), timeout=TIMEOUT))
    (left,) = manual_world.application().lookup("public", f"of {own}")
    assert left["created"]["userRecordName"] == left["modified"]["userRecordName"] == "__erased__"
    assert left["created"]["deviceID"] == "kinfolk"
    with pytest.raises(ServiceError) as caught:
        user.get("public/users/current")
    assert caught.value.code == "AUTHENTICATION_REQUIRED"


def test_a_server_from_beginning_to_end(manual_world):
    """A key made by openssl, registered by the operator, in the public database."""
    server = manual_world.server("flow")
    own = server.get("public/users/current")["userRecordName"]
    saved = server.modify("public", *(operation("create", f"of {own} {number}", number=number) for number in range(5)))
    assert {one["created"]["userRecordName"] for one in saved} == {own}
    by_server = {"systemFieldName": "createdUserRecordName", "comparator": "EQUALS", "fieldValue": {"value": {"recordName": own}}}
    query = {"recordType": "Sketch", "filterBy": [by_server], "sortBy": [{"fieldName": "number", "ascending": False}]}
    assert [one["fields"]["number"]["value"] for one in server.query("public", query, resultsLimit=2)] == [4, 3, 2, 1, 0]
    asset = server.upload("public", "Sketch", "picture", b"x")
    (record,) = server.modify("public", operation("update", saved[0]["recordName"], saved[0]["recordChangeTag"], picture=asset))
    assert requests.get(record["fields"]["picture"]["value"]["downloadURL"], timeout=TIMEOUT).content == b"x"
    deleted = server.modify("public", *(operation("forceDelete", one["recordName"]) for one in saved), atomic=True)
    assert all(one["deleted"] for one in deleted)
    assert server.query("public", query) == []
