"""The manual's chapters "Fetching Zones", "Fetching Zones by Identifier" and "Modifying Zones"."""

from __future__ import annotations

import cloudkit_manual as manual
import pytest
from comparison import FLAG, Each, assert_as_manual, difference
from small_client import ServiceError


def operation(kind: str, name: str, **more) -> dict:
    return {"operationType": kind, "zone": {"zoneID": {"zoneName": name, **more}}}


def modify(client, *operations: dict) -> list[dict]:
    answer = client.post("private/zones/modify", {"operations": list(operations)})
    assert list(answer) == ["zones"]
    return answer["zones"]


def test_zones_are_created_and_deleted(user):
    answer = user.post("private/zones/modify", {"operations": [operation("create", "myCustomZone"), operation("create", "other")]})
    assert_as_manual(answer, {"zones": [manual.ZONE, manual.ZONE]}, "zone tokens", "zone types")
    assert [zone["zoneID"]["zoneName"] for zone in answer["zones"]] == ["myCustomZone", "other"]
    assert [zone["atomic"] for zone in answer["zones"]] == [True, True]
    own = user.get("public/users/current")["userRecordName"]
    assert answer["zones"][0]["zoneID"]["ownerRecordName"] == own
    answer = user.post("private/zones/modify", {"operations": [operation("delete", "other")]})
    assert_as_manual(answer, {"zones": [{"zoneID": manual.ZONE_ID, "deleted": FLAG}]}, "zone types")
    assert answer["zones"][0]["deleted"] is True
    assert [zone["zoneID"]["zoneName"] for zone in user.get("private/zones/list")["zones"]] == ["_defaultZone", "myCustomZone"]


def test_the_list_has_all_zones(user):
    modify(user, operation("create", "myCustomZone"))
    answer = user.get("private/zones/list")
    assert_as_manual(answer, {"zones": Each(manual.ZONE)}, "zone tokens", "zone types", "end of the list of zones")
    assert answer["moreComing"] is False
    assert [(zone["zoneID"]["zoneName"], zone["atomic"]) for zone in answer["zones"]] == [("_defaultZone", False), ("myCustomZone", True)]


def test_the_public_database_has_one_zone(user, application, server):
    for client in (user, application, server):
        answer = client.get("public/zones/list")
        assert_as_manual(answer, {"zones": [manual.ZONE]}, "zone tokens", "zone types", "end of the list of zones")
        assert answer["zones"][0]["zoneID"]["ownerRecordName"] == "__defaultOwner__"
    (error,) = user.post("public/zones/modify", {"operations": [operation("create", "myCustomZone")]})["zones"]
    assert_as_manual({"zones": [error]}, {"zones": [manual.zone_error("BAD_REQUEST", "myCustomZone")]}, "IDs of errors")


def test_zones_are_found_by_their_names(user):
    modify(user, operation("create", "myCustomZone"))
    answer = user.post("private/zones/lookup", {"zones": [{"zoneName": "nowhere"}, {"zoneName": "myCustomZone"}, {"zoneName": "_defaultZone"}]})
    expected = [manual.zone_error("ZONE_NOT_FOUND", "nowhere"), manual.ZONE, manual.ZONE]
    assert_as_manual(answer, {"zones": expected}, "zone tokens", "zone types", "IDs of errors")
    # The table of the manual has a dictionary, and its text an array.
    answer = user.post("private/zones/lookup", {"zones": {"zoneName": "myCustomZone"}})
    assert_as_manual(answer, {"zones": [manual.ZONE]}, "zone tokens", "zone types")
    assert user.post("private/zones/lookup", {"zones": [{"zoneID": {"zoneName": "myCustomZone"}}]}) == answer


def test_owners_of_zones(user, mei):
    difference("foreign zones")
    own, other = (client.get("public/users/current")["userRecordName"] for client in (user, mei))
    modify(user, operation("create", "myCustomZone"))
    for key in ("ownerRecordName", "ownerName"):
        for owner in (own, "__defaultOwner__", None):
            (zone,) = user.post("private/zones/lookup", {"zones": [{"zoneName": "myCustomZone", key: owner}]})["zones"]
            assert zone["zoneID"]["ownerRecordName"] == own
        (zone,) = user.post("private/zones/lookup", {"zones": [{"zoneName": "myCustomZone", key: other}]})["zones"]
        assert zone["serverErrorCode"] == "ZONE_NOT_FOUND"
    with pytest.raises(ServiceError) as caught:
        user.query("private", {"recordType": "Artist"}, zoneID={"zoneName": "myCustomZone", "ownerRecordName": other})
    assert caught.value.code == "ZONE_NOT_FOUND"


def test_operations_that_change_nothing_or_fail(user):
    modify(user, operation("create", "myCustomZone"))
    (again,) = modify(user, operation("create", "myCustomZone"))
    assert again["atomic"] is True
    answers = modify(user, operation("delete", "nowhere"), operation("create", "_mine"), operation("create", "other"))
    assert [zone.get("serverErrorCode") for zone in answers] == ["ZONE_NOT_FOUND", "BAD_REQUEST", None]
    (default,) = modify(user, operation("delete", "_defaultZone"))
    assert default["serverErrorCode"] == "BAD_REQUEST"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"operations": [operation("update", "a")]},
        {"operations": [{"operationType": "create"}]},
        {"operations": [{"operationType": "create", "zone": {}}]},
        {"operations": [operation("create", "a"), operation("delete", "a")]},
    ],
)
def test_malformed_requests_are_refused(user, body):
    with pytest.raises(ServiceError) as caught:
        user.post("private/zones/modify", body)
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_a_deleted_zone_takes_its_records_with_it(user):
    modify(user, operation("create", "myCustomZone"))
    record = {"recordType": "Artist", "recordName": "a"}
    user.modify("private", {"operationType": "create", "record": record}, zoneID={"zoneName": "myCustomZone"})
    modify(user, operation("delete", "myCustomZone"))
    modify(user, operation("create", "myCustomZone"))
    assert user.lookup("private", "a", zoneID={"zoneName": "myCustomZone"})[0]["serverErrorCode"] == "NOT_FOUND"
