"""The manual's chapters about changes: changes/database, changes/zone, and the older records/changes and zones/changes."""

from __future__ import annotations

import cloudkit_manual as manual
import pytest
from comparison import FLAG, TEXT, Each, assert_as_manual, difference
from small_client import ServiceError

ZONE = {"zoneName": "myCustomZone"}
ZONE_CHANGES = {"zoneID": manual.ZONE_ID, "syncToken": TEXT, "moreComing": FLAG}


@pytest.fixture
def owner(user):
    zones(user, "create", "myCustomZone")
    return user


def zones(client, kind: str, *names: str) -> None:
    operations = [{"operationType": kind, "zone": {"zoneID": {"zoneName": name}}} for name in names]
    client.post("private/zones/modify", {"operations": operations})


def save(client, *names: str, record_type: str = "Artist", **fields) -> None:
    values = {key: {"value": value} for key, value in fields.items()}
    records = [{"recordType": record_type, "recordName": name, "fields": values} for name in names]
    client.modify("private", *({"operationType": "forceUpdate", "record": record} for record in records), zoneID=ZONE)


def delete(client, *names: str) -> None:
    client.modify("private", *({"operationType": "forceDelete", "record": {"recordName": name}} for name in names), zoneID=ZONE)


def one(client, **more) -> dict:
    (answer,) = client.post("private/changes/zone", {"zones": [{"zoneID": ZONE, **more}]})["zones"]
    return answer


def names(records: list[dict]) -> list[str]:
    return sorted(record["recordName"] for record in records)


# ---- changes/database and zones/changes


@pytest.mark.parametrize(("subpath", "name"), [("changes/database", "syncToken"), ("zones/changes", "metaSyncToken")])
def test_changed_zones(owner, subpath, name):
    expected = {"zones": Each(manual.ZONE), name: TEXT, "moreComing": FLAG}
    first = owner.post(f"private/{subpath}", {})
    assert_as_manual(first, expected, "both tokens", "zone tokens", "zone types")
    assert [zone["zoneID"]["zoneName"] for zone in first["zones"]] == ["myCustomZone"]
    assert first["syncToken"] == first["metaSyncToken"]
    nothing = owner.post(f"private/{subpath}", {name: first[name]})
    assert (nothing["zones"], nothing["moreComing"]) == ([], False)
    zones(owner, "create", "other")
    save(owner, "a")
    second = owner.post(f"private/{subpath}", {name: nothing[name]})
    assert sorted(zone["zoneID"]["zoneName"] for zone in second["zones"]) == ["myCustomZone", "other"]
    zones(owner, "delete", "other")
    third = owner.post(f"private/{subpath}", {name: second[name]})
    assert_as_manual(third, {"zones": [{"zoneID": manual.ZONE_ID, "deleted": FLAG}], name: TEXT, "moreComing": FLAG}, "both tokens", "zone types")
    # The same token gives the same answer.
    again = owner.post(f"private/{subpath}", {name: second[name]})
    assert again["zones"] == third["zones"]


def test_either_name_of_the_token(owner):
    difference("both tokens")
    token = owner.post("private/changes/database", {})["syncToken"]
    for subpath in ("changes/database", "zones/changes"):
        assert owner.post(f"private/{subpath}", {"syncToken": token})["zones"] == []
    assert owner.post("private/zones/changes", {"metaSyncToken": token})["zones"] == []


def test_all_changed_zones_are_on_one_page(owner):
    difference("paging of zones")
    zones(owner, "create", "b", "c")
    for subpath in ("changes/database", "zones/changes"):
        answer = owner.post(f"private/{subpath}", {"resultsLimit": 1})
        assert (len(answer["zones"]), answer["moreComing"]) == (3, False)


# ---- changes/zone


def test_changes_of_zones(owner):
    save(owner, "a", "b", firstName="Mei")
    answer = owner.post("private/changes/zone", {"zones": [{"zoneID": ZONE}, {"zoneID": {"zoneName": "nowhere"}}]})
    records = [manual.record(name, "Artist", {"firstName": "Mei"}) for name in ("a", "b")]
    error = {"reason": TEXT, "serverErrorCode": "ZONE_NOT_FOUND", "zoneID": {"zoneName": "nowhere"}}
    expected = {"zones": [ZONE_CHANGES | {"records": records}, error]}
    assert_as_manual(answer, expected, "keys of records", "zone types", "IDs of errors")
    delete(owner, "a")
    token = answer["zones"][0]["syncToken"]
    answer = owner.post("private/changes/zone", {"zones": [{"zoneID": ZONE, "syncToken": token}]})
    expected = {"zones": [ZONE_CHANGES | {"records": [manual.deleted("a")]}]}
    assert_as_manual(answer, expected, "keys of records", "zone types", "types of deleted records")


def test_more_is_coming(owner):
    for number in range(7):
        save(owner, f"a{number}")
    first = one(owner, resultsLimit=3)
    assert (first["moreComing"], len(first["records"])) == (True, 3)
    rest = one(owner, resultsLimit=100, syncToken=first["syncToken"])
    assert (rest["moreComing"], len(rest["records"])) == (False, 4)
    assert names(first["records"] + rest["records"]) == [f"a{number}" for number in range(7)]
    records, token = owner.changes("private", "myCustomZone", resultsLimit=2)
    assert names(records) == [f"a{number}" for number in range(7)]
    assert owner.changes("private", "myCustomZone", token)[0] == []


def test_options_of_a_zone_override_those_of_the_request(owner):
    save(owner, "a", firstName="Mei", lastName="Chen", number=7)
    body = {"zones": [{"zoneID": ZONE}, {"zoneID": ZONE, "desiredKeys": ["number"], "numbersAsStrings": True}], "desiredKeys": ["lastName"]}
    outer, inner = owner.post("private/changes/zone", body)["zones"]
    assert list(outer["records"][0]["fields"]) == ["lastName"]
    assert inner["records"][0]["fields"] == {"number": {"value": "7", "type": "INT64"}}


def test_the_spelling_of_the_manual(owner):
    """Its chapter about changes/zone has numberAsStrings, and all others numbersAsStrings."""
    save(owner, "a", number=7)
    for name in ("numberAsStrings", "numbersAsStrings"):
        answer = owner.post("private/changes/zone", {"zones": [{"zoneID": ZONE}], name: True})
        assert answer["zones"][0]["records"][0]["fields"]["number"]["value"] == "7"


def test_desired_record_types(owner):
    save(owner, "a")
    save(owner, "b", record_type="Artwork")
    answer = owner.post("private/changes/zone", {"zones": [{"zoneID": ZONE}], "desiredRecordTypes": ["Artwork"]})
    assert names(answer["zones"][0]["records"]) == ["b"]
    assert names(one(owner, desiredRecordTypes=None)["records"]) == ["a", "b"]


def test_changes_are_not_reversed(owner):
    difference("reverse")
    assert one(owner, reverse=False)["records"] == []
    for body in ({"zones": [{"zoneID": ZONE}], "reverse": True}, {"zones": [{"zoneID": ZONE, "reverse": True}]}):
        with pytest.raises(ServiceError) as caught:
            owner.post("private/changes/zone", body)
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_tokens_that_are_none(owner):
    save(owner, "a")
    token = one(owner)["syncToken"]
    of_database = owner.post("private/changes/database", {})["syncToken"]
    for wrong in ("garbage", token[:-4], of_database):
        assert one(owner, syncToken=wrong)["serverErrorCode"] == "BAD_REQUEST"
    with pytest.raises(ServiceError) as caught:
        owner.post("private/changes/database", {"syncToken": token})
    assert caught.value.code == "BAD_REQUEST"


def test_a_token_is_of_one_user_and_zone(owner, mei):
    zones(owner, "create", "other")
    zones(mei, "create", "myCustomZone")
    token = one(owner)["syncToken"]
    assert one(mei, syncToken=token)["serverErrorCode"] == "BAD_REQUEST"
    (answer,) = owner.post("private/changes/zone", {"zones": [{"zoneID": {"zoneName": "other"}, "syncToken": token}]})["zones"]
    assert answer["serverErrorCode"] == "BAD_REQUEST"


def test_an_empty_token_is_none(owner):
    difference("empty tokens")
    save(owner, "a")
    assert names(one(owner, syncToken="")["records"]) == names(one(owner, syncToken=None)["records"]) == ["a"]


def test_what_one_request_saved_is_on_one_page(owner):
    save(owner, *(f"a{number}" for number in range(5)))
    page = one(owner, resultsLimit=2)
    assert names(page["records"]) == [f"a{number}" for number in range(5)]
    assert owner.changes("private", "myCustomZone", page["syncToken"])[0] == []


def test_a_large_answer_ends_early(owner):
    """Zones that do not fit any more are to be asked for again."""
    names_of_zones = [f"large{number}" for number in range(6)]
    zones(owner, "create", *names_of_zones)
    for name in names_of_zones:
        records = [{"recordType": "Large", "recordName": str(number), "fields": {"text": {"value": "x" * 980_000}}} for number in range(2)]
        operations = ({"operationType": "create", "record": record} for record in records)
        owner.modify("private", *operations, zoneID={"zoneName": name}, desiredKeys=[])
    wanted = [{"zoneID": {"zoneName": name}} for name in names_of_zones]
    answer = owner.post("private/changes/zone", {"zones": wanted})["zones"]
    assert "records" in answer[0]
    assert answer[-1]["serverErrorCode"] == "TRY_AGAIN_LATER"
    assert answer[-1]["retryAfter"] > 0
    assert "records" in owner.post("private/changes/zone", {"zones": wanted[-1:]})["zones"][0]


# ---- records/changes


def test_the_older_form(owner):
    save(owner, "a", firstName="Mei")
    answer = owner.post("private/records/changes", {"zoneID": ZONE})
    expected = {"moreComing": FLAG, "records": [manual.record("a", "Artist", {"firstName": "Mei"})], "reverse": FLAG, "syncToken": TEXT}
    assert_as_manual(answer, expected, "keys of records")
    assert (answer["moreComing"], answer["reverse"]) == (False, False)
    delete(owner, "a")
    save(owner, "b")
    answer = owner.post("private/records/changes", {"zoneID": ZONE, "syncToken": answer["syncToken"], "desiredKeys": [], "resultsLimit": 100})
    assert [(record["recordName"], record["deleted"]) for record in answer["records"]] == [("b", False), ("a", True)]


def test_only_custom_zones_have_changes(owner, application, server):
    for database in ("private", "public"):
        with pytest.raises(ServiceError) as caught:
            owner.post(f"{database}/records/changes", {"zoneID": {"zoneName": "_defaultZone"}})
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
    for client in (owner, application, server):
        with pytest.raises(ServiceError) as caught:
            client.post("public/changes/database", {})
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
    (answer,) = owner.post("private/changes/zone", {"zones": [{"zoneID": {"zoneName": "_defaultZone"}}]})["zones"]
    assert answer["serverErrorCode"] == "BAD_REQUEST"


@pytest.mark.parametrize(("subpath", "body"), [("records/changes", {}), ("changes/zone", {}), ("changes/zone", {"zones": [{}]})])
def test_without_zones_a_request_is_refused(owner, subpath, body):
    with pytest.raises(ServiceError) as caught:
        owner.post(f"private/{subpath}", body)
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
