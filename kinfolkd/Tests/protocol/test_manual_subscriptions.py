"""The manual's chapters about subscriptions: subscriptions/modify, subscriptions/list and subscriptions/lookup."""

from __future__ import annotations

import cloudkit_manual as manual
import pytest
from comparison import assert_as_manual, difference
from small_client import ServiceError

ZONE = {"zoneName": "myCustomZone"}
INFO = {
    "alertBody": "An artist was added",
    "alertLocalizationKey": "NEW_ARTIST",
    "alertLocalizationArgs": ["firstName"],
    "alertActionLocalizationKey": "SHOW",
    "alertLaunchImage": "artist.png",
    "soundName": "ping",
    "shouldBadge": True,
    "shouldSendContentAvailable": True,
}


@pytest.fixture
def owner(user):
    user.post("private/zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": ZONE}}]})
    user.modify("private", {"operationType": "create", "record": {"recordType": "Artist", "fields": {"firstName": {"value": "Mei"}}}})
    return user


def query(name: str, **more) -> dict:
    question = {"recordType": "Artist", "filterBy": [{"fieldName": "firstName", "comparator": "EQUALS", "fieldValue": {"value": "Mei"}}]}
    return {"subscriptionID": name, "subscriptionType": "query", "query": question, "firesOn": ["create"], **more}


def modify(client, kind: str, *subscriptions: dict, database: str = "private") -> dict:
    operations = [{"operationType": kind, "subscription": subscription} for subscription in subscriptions]
    return client.post(f"{database}/subscriptions/modify", {"operations": operations})


def test_a_query_subscription(owner):
    answer = modify(owner, "create", query("artists", firesOn=["create", "update", "delete"], notificationInfo=INFO))
    assert_as_manual(answer, {"subscriptions": [manual.SUBSCRIPTION]})
    (saved,) = answer["subscriptions"]
    assert saved["notificationInfo"] == INFO
    assert (saved["firesOn"], saved["firesOnce"]) == (["create", "update", "delete"], False)
    assert saved["query"]["filterBy"][0]["comparator"] == "EQUALS"
    # "The default value for the zoneWide key is true."
    assert saved["zoneWide"] is True
    assert "zoneID" not in saved


def test_where_a_query_subscription_looks(owner):
    wide, default, custom = modify(owner, "create", query("a", zoneWide=True), query("b", zoneWide=False), query("c", zoneID=ZONE))["subscriptions"]
    assert [one["zoneWide"] for one in (wide, default, custom)] == [True, False, False]
    assert default["zoneID"]["zoneName"] == "_defaultZone"
    assert custom["zoneID"]["zoneName"] == "myCustomZone"


def test_a_zone_subscription(owner):
    difference("zone subscriptions")
    answer = modify(owner, "create", {"subscriptionID": "zone", "subscriptionType": "zone", "zoneID": ZONE})
    assert_as_manual(answer, {"subscriptions": [manual.SUBSCRIPTION]}, "zone types")
    # As the manual has it, without a zone.
    (error,) = modify(owner, "create", {"subscriptionID": "other", "subscriptionType": "zone"})["subscriptions"]
    assert_as_manual({"subscriptions": [error]}, {"subscriptions": [manual.subscription_error("BAD_REQUEST", "other")]}, "IDs of errors")


def test_a_database_subscription(owner):
    answer = modify(owner, "create", {"subscriptionID": "all", "subscriptionType": "database"})
    assert_as_manual(answer, {"subscriptions": [manual.SUBSCRIPTION]}, "database subscriptions")


def test_a_subscription_gets_an_id(owner):
    subscription = query("")
    del subscription["subscriptionID"]
    (saved,) = modify(owner, "create", subscription)["subscriptions"]
    assert owner.post("private/subscriptions/lookup", {"subscriptions": [{"subscriptionID": saved["subscriptionID"]}]}) == {"subscriptions": [saved]}


def test_create_update_and_delete(owner):
    modify(owner, "create", query("a"))
    (exists,) = modify(owner, "create", query("a"))["subscriptions"]
    assert exists["serverErrorCode"] == "EXISTS"
    (updated,) = modify(owner, "update", query("a", firesOnce=True))["subscriptions"]
    assert updated["firesOnce"] is True
    answer = modify(owner, "update", query("b"))
    assert_as_manual(answer, {"subscriptions": [manual.subscription_error("NOT_FOUND", "b")]}, "IDs of errors")
    assert modify(owner, "delete", {"subscriptionID": "a"}) == {"subscriptions": [{"subscriptionID": "a", "deleted": True}]}
    answer = modify(owner, "delete", {"subscriptionID": "a"})
    assert_as_manual(answer, {"subscriptions": [manual.subscription_error("NOT_FOUND", "a")]}, "IDs of errors")
    assert owner.get("private/subscriptions/list") == {"subscriptions": []}


def test_list_and_lookup(owner):
    difference("other paths of tokens and subscriptions")
    saved = modify(owner, "create", query("a"), {"subscriptionID": "b", "subscriptionType": "zone", "zoneID": ZONE})["subscriptions"]
    answer = owner.get("private/subscriptions/list")
    assert_as_manual(answer, {"subscriptions": [manual.SUBSCRIPTION] * 2}, "zone types")
    assert answer["subscriptions"] == saved
    wanted = {"subscriptions": [{"subscriptionID": "b"}, {"subscriptionID": "x"}]}
    answer = owner.post("private/subscriptions/lookup", wanted)
    error = manual.subscription_error("NOT_FOUND", "x")
    assert_as_manual(answer, {"subscriptions": [manual.SUBSCRIPTION, error]}, "zone types", "IDs of errors")
    # Some clients send the IDs alone.
    assert owner.post("private/subscriptions/lookup", {"subscriptions": ["b"]})["subscriptions"] == saved[1:]
    # The path of the manual has no database: then it is the public one.
    modify(owner, "create", query("p"), database="public")
    found, other = owner.post("subscriptions/lookup", {"subscriptions": [{"subscriptionID": "p"}, {"subscriptionID": "b"}]})["subscriptions"]
    assert found["subscriptionID"] == "p"
    assert other["serverErrorCode"] == "NOT_FOUND"


def test_the_public_database_has_query_subscriptions(owner, server):
    for client in (owner, server):
        (saved,) = modify(client, "create", query("a"), database="public")["subscriptions"]
        assert saved["zoneWide"] is True
        (error,) = modify(client, "create", {"subscriptionID": "d", "subscriptionType": "database"}, database="public")["subscriptions"]
        assert error["serverErrorCode"] == "BAD_REQUEST"


def test_two_subscriptions_with_the_same_question(owner):
    difference("equal subscriptions")
    answer = modify(owner, "create", query("a"), query("b"))
    assert_as_manual(answer, {"subscriptions": [manual.SUBSCRIPTION] * 2})


def test_malformed_subscriptions(owner):
    bad = [query("a", firesOn=["sometimes"]), query("a", firesOn=[]), query("a", query=None), {"subscriptionID": "a"}, query("ä")]
    bad.append(query("a", query={"recordType": "Artist", "sortBy": [{"fieldName": "firstName"}]}))
    for subscription in bad:
        (error,) = modify(owner, "create", subscription)["subscriptions"]
        assert error["serverErrorCode"] == "BAD_REQUEST", subscription
    for body in ({}, {"operations": [{"operationType": "create"}]}, {"operations": [{"operationType": "save", "subscription": query("a")}]}):
        with pytest.raises(ServiceError) as caught:
            owner.post("private/subscriptions/modify", body)
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
    assert owner.get("private/subscriptions/list") == {"subscriptions": []}
