"""The manual's chapters "Modifying Records", "Fetching Records Using a Query" and "Fetching Records by Record Name"."""

from __future__ import annotations

import copy

import cloudkit_manual as manual
import pytest
from comparison import assert_as_manual, difference
from small_client import ServiceError

ZONE = {"zoneName": "myCustomZone"}


@pytest.fixture(scope="module")
def owner(manual_world):
    """A user with the custom zone of the examples."""
    client = manual_world.user()
    client.post("private/zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": ZONE}}]})
    return client


def create(name: str, record_type: str = "Artist", **fields) -> dict:
    values = {key: {"value": value} for key, value in fields.items()}
    return {"operationType": "create", "record": {"recordType": record_type, "recordName": name, "fields": values}}


def operation(kind: str, name: str, tag: str = "", record_type: str = "", **fields) -> dict:
    record = {"recordName": name, "fields": {key: {"value": value} for key, value in fields.items()}}
    if tag:
        record["recordChangeTag"] = tag
    if record_type:
        record["recordType"] = record_type
    return {"operationType": kind, "record": record}


def values(record: dict) -> dict:
    return {key: field["value"] for key, field in record["fields"].items()}


# ---- records/modify: the examples


def test_the_example_creates_an_artist(manual_world):
    """In the container and the database of the example's URL."""
    gallery = manual_world.user(container=manual.GALLERY)
    answer = gallery.post("public/records/modify", {"operations": [manual.CREATE_ARTIST]})
    artist = manual.record("Mei Chen", "Artist", {"firstName": "Mei", "lastName": "Chen"})
    assert_as_manual(answer, {"records": [artist]}, "keys of records")
    assert answer["records"][0]["created"] == answer["records"][0]["modified"]
    again = gallery.post("public/records/modify", {"operations": [manual.CREATE_ARTIST]})
    assert_as_manual(again, {"records": [manual.record_error("EXISTS", "Mei Chen")]})


def test_the_example_updates_a_record(user):
    """The tag of the example, "e", is none of this service."""
    difference("foreign tags")
    user.modify("private", create("101", "Artwork", width=1, depth=2))
    answer = user.post("private/records/modify", {"operations": [manual.UPDATE_SIZE]})
    assert_as_manual(answer, {"records": [manual.record_error("CONFLICT", "101")]})
    example = copy.deepcopy(manual.UPDATE_SIZE)
    example["record"]["recordChangeTag"] = user.lookup("private", "101")[0]["recordChangeTag"]
    answer = user.post("private/records/modify", {"operations": [example]})
    fields = {"width": 18, "height": 24, "depth": 2}
    assert_as_manual(answer, {"records": [manual.record("101", "Artwork", fields)]}, "keys of records")


def test_the_example_with_a_short_guid_has_none(owner):
    answer = owner.post("private/records/modify", manual.CREATE_SHORT_GUID)
    expected = manual.record("RecordA", "myType", {}) | {"shortGUID": manual.TEXT}
    assert_as_manual(answer, {"records": [expected]}, "keys of records", "shared records")


def test_the_example_of_a_share_is_refused(owner):
    difference("shared records")
    with pytest.raises(ServiceError) as caught:
        owner.post("private/records/modify", manual.CREATE_SHARE)
    assert caught.value.status == 400
    assert_as_manual(caught.value.answer, manual.error("ATOMIC_ERROR"), "answer of an atomic error")
    assert_as_manual(caught.value.answer["records"], [manual.record_error("BAD_REQUEST")])


@pytest.mark.parametrize(
    ("subpath", "body"),
    [
        ("public/records/resolve", {"shortGUIDs": [{"value": "0A2kbbXgAVz2nWwKdBVcNTkGw", "shouldFetchRootRecord": True}]}),
        ("public/records/accept", {"shortGUIDs": [{"value": "0A2kbbXgAVz2nWwKdBVcNTkGw"}]}),
        ("shared/records/query", {"query": {"recordType": "Artist"}}),
        ("shared/records/modify", {"operations": []}),
        ("shared/records/lookup", {"records": []}),
        ("shared/records/changes", {"zoneID": ZONE}),
        ("shared/changes/database", {}),
        ("shared/changes/zone", {"zones": []}),
    ],
)
def test_there_are_no_shared_records(owner, subpath, body):
    difference("shared records")
    with pytest.raises(ServiceError) as caught:
        owner.post(subpath, body)
    assert caught.value.status == 400
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


# ---- records/modify: the operation types


def test_create_makes_a_name_if_there_is_none(user):
    body = {"operations": [{"operationType": "create", "record": {"recordType": "Artist", "fields": None}}]}
    answer = user.post("private/records/modify", body)
    assert_as_manual(answer, {"records": [manual.record(manual.TEXT, "Artist", {})]}, "keys of records")


def test_update_changes_only_the_fields_that_are_sent(user):
    (saved,) = user.modify("private", create("a", firstName="Mei", lastName="Chen"))
    (updated,) = user.modify("private", operation("update", "a", saved["recordChangeTag"], firstName="May"))
    assert values(updated) == {"firstName": "May", "lastName": "Chen"}
    assert updated["recordChangeTag"] != saved["recordChangeTag"]
    (stale,) = user.modify("private", operation("update", "a", saved["recordChangeTag"], firstName="x"))
    assert_as_manual(stale, manual.record_error("CONFLICT", "a"))
    (missing,) = user.modify("private", operation("update", "b", saved["recordChangeTag"], "Artist"))
    assert_as_manual(missing, manual.record_error("NOT_FOUND", "b"))


def test_replace_removes_the_fields_that_are_not_sent(user):
    (saved,) = user.modify("private", create("a", firstName="Mei", lastName="Chen"))
    (replaced,) = user.modify("private", operation("replace", "a", saved["recordChangeTag"], firstName="May"))
    assert values(replaced) == {"firstName": "May"}
    (stale,) = user.modify("private", operation("replace", "a", saved["recordChangeTag"]))
    assert_as_manual(stale, manual.record_error("CONFLICT", "a"))


def test_update_and_replace_need_a_tag(user):
    user.modify("private", create("a"))
    for kind in ("update", "replace"):
        with pytest.raises(ServiceError) as caught:
            user.modify("private", operation(kind, "a"))
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_forced_operations_ignore_tags_and_create(user):
    for kind in ("forceUpdate", "forceReplace"):
        (created,) = user.modify("private", operation(kind, kind, record_type="Artist", firstName="Mei", lastName="Chen"))
        assert values(created) == {"firstName": "Mei", "lastName": "Chen"}
        (changed,) = user.modify("private", operation(kind, kind, "e", firstName="May"))
        assert values(changed) == {"firstName": "May"} | ({"lastName": "Chen"} if kind == "forceUpdate" else {})
        with pytest.raises(ServiceError) as caught:
            user.post("private/records/modify", {"operations": [{"operationType": kind, "record": {}}]})
        assert caught.value.code == "BAD_REQUEST"


def test_delete_checks_the_tag(user):
    difference("deletion without a tag")
    saved = user.modify("private", create("a"), create("b"))
    user.modify("private", operation("update", "a", saved[0]["recordChangeTag"], firstName="Mei"))
    (stale,) = user.modify("private", operation("delete", "a", saved[0]["recordChangeTag"]))
    assert_as_manual(stale, manual.record_error("CONFLICT", "a"))
    (deleted,) = user.modify("private", operation("delete", "b", saved[1]["recordChangeTag"]))
    assert_as_manual(deleted, manual.deleted("b"), "keys of records")


def test_delete_works_with_the_name_alone(user):
    """As the how-to of the chapter says: a dictionary with the single key recordName."""
    difference("deletion without a tag")
    user.modify("private", create("a"))
    (deleted,) = user.modify("private", {"operationType": "delete", "record": {"recordName": "a"}})
    assert_as_manual(deleted, manual.deleted("a"), "keys of records")
    (missing,) = user.modify("private", {"operationType": "delete", "record": {"recordName": "a"}})
    assert_as_manual(missing, manual.record_error("NOT_FOUND", "a"))


def test_force_delete_succeeds_always(user):
    user.modify("private", create("a"))
    for name in ("a", "a", "b"):
        (deleted,) = user.modify("private", operation("forceDelete", name))
        assert_as_manual(deleted, manual.deleted(name), "keys of records")


def test_answers_are_in_the_order_of_the_operations(user):
    user.modify("private", create("there"))
    answers = user.modify("private", create("a"), create("there"), operation("forceDelete", "b"), create("c"))
    assert [one["recordName"] for one in answers] == ["a", "there", "b", "c"]
    assert [one.get("serverErrorCode") for one in answers] == [None, "EXISTS", None, None]


def test_one_operation_per_record_is_allowed(user):
    with pytest.raises(ServiceError) as caught:
        user.modify("private", create("a"), operation("forceDelete", "a"))
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_an_unknown_operation_type_is_refused(user):
    with pytest.raises(ServiceError) as caught:
        user.modify("private", operation("erase", "a"))
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
    assert caught.value.answer["reason"].startswith("operations[0].operationType")


def test_custom_zones_are_atomic_unless_the_client_says_otherwise(owner):
    difference("atomic")
    owner.modify("private", create("there"), zoneID=ZONE)
    for more in ({}, {"atomic": True}, {"atomic": 1}):
        with pytest.raises(ServiceError) as caught:
            owner.modify("private", create("new"), create("there"), zoneID=ZONE, **more)
        assert caught.value.status == manual.STATUSES["ATOMIC_ERROR"]
        assert_as_manual(caught.value.answer, manual.error("ATOMIC_ERROR"), "answer of an atomic error")
        expected = [manual.record_error("ATOMIC_ERROR", "new"), manual.record_error("EXISTS", "there")]
        assert_as_manual(caught.value.answer["records"], expected)
        (missing,) = owner.lookup("private", "new", zoneID=ZONE)
        assert_as_manual(missing, manual.record_error("NOT_FOUND", "new"))
    saved, error = owner.modify("private", create("partial"), create("there"), zoneID=ZONE, atomic=False)
    assert "fields" in saved
    assert_as_manual(error, manual.record_error("EXISTS", "there"))


def test_the_default_zone_is_atomic_only_if_the_client_says_so(user):
    difference("atomic")
    for database in ("private", "public"):
        names = [f"{database} {user.web_auth_token[:8]} {name}" for name in ("there", "new", "other")]
        user.modify(database, create(names[0]))
        saved, error = user.modify(database, create(names[1]), create(names[0]))
        assert ("fields" in saved, error["serverErrorCode"]) == (True, "EXISTS")
        with pytest.raises(ServiceError) as caught:
            user.modify(database, create(names[2]), create(names[0]), atomic=True)
        assert caught.value.code == "ATOMIC_ERROR"
        assert user.lookup(database, names[2])[0]["serverErrorCode"] == "NOT_FOUND"


def test_desired_keys_limit_the_answer(user):
    """Those of an operation override those of the request; an example has them within the record."""
    record = create("a", firstName="Mei", lastName="Chen")
    (answer,) = user.modify("private", record, desiredKeys=["firstName"])
    assert values(answer) == {"firstName": "Mei"}
    (answer,) = user.modify("private", operation("forceUpdate", "a") | {"desiredKeys": ["lastName"]}, desiredKeys=["firstName"])
    assert values(answer) == {"lastName": "Chen"}
    within = operation("forceUpdate", "a")
    within["record"]["desiredKeys"] = []
    assert user.modify("private", within)[0]["fields"] == {}
    assert values(user.modify("private", operation("forceUpdate", "a"), desiredKeys=None)[0]) == {"firstName": "Mei", "lastName": "Chen"}


def test_numbers_can_be_texts(user):
    large = 2**53 + 1
    (answer,) = user.modify("private", create("a", "Measure", whole=large, part=0.5), numbersAsStrings=True)
    assert values(answer) == {"whole": str(large), "part": "0.5"}
    assert values(user.modify("private", operation("forceUpdate", "a", whole=str(large), part="0.25"))[0]) == {"whole": large, "part": 0.25}
    for subpath, body in (
        ("private/records/lookup", {"records": [{"recordName": "a"}]}),
        ("private/records/query", {"query": {"recordType": "Measure"}}),
    ):
        (record,) = user.post(subpath, body | {"numbersAsStrings": True})["records"]
        assert values(record) == {"whole": str(large), "part": "0.25"}


def test_what_an_answer_has_can_be_sent_back(user):
    (saved,) = user.modify("private", create("a", firstName="Mei"))
    (again,) = user.modify("private", {"operationType": "update", "record": saved})
    assert values(again) == {"firstName": "Mei"}


# ---- records/lookup


def test_lookup_answers_for_each_name(user):
    user.modify("private", create("a", firstName="Mei", lastName="Chen"), create("b"))
    answer = user.post("private/records/lookup", {"records": [{"recordName": name} for name in ("b", "x", "a")]})
    found = [manual.record("b", "Artist", {}), manual.record_error("NOT_FOUND", "x")]
    found.append(manual.record("a", "Artist", {"firstName": "Mei", "lastName": "Chen"}))
    assert_as_manual(answer, {"records": found}, "keys of records")
    wanted = [{"recordName": "a", "desiredKeys": ["lastName"]}, {"recordName": "b"}]
    one, _ = user.post("private/records/lookup", {"records": wanted, "desiredKeys": ["firstName"]})["records"]
    assert values(one) == {"lastName": "Chen"}
    assert user.post("private/records/lookup", {"records": []}) == {"records": []}


def test_lookup_in_a_zone(owner):
    owner.modify("private", create("in the zone"), zoneID=ZONE)
    (found,) = owner.lookup("private", "in the zone", zoneID=ZONE)
    assert found["zoneID"]["zoneName"] == "myCustomZone"
    assert owner.lookup("private", "in the zone")[0]["serverErrorCode"] == "NOT_FOUND"
    (error,) = owner.lookup("private", "a", zoneID={"zoneName": "nowhere"})
    assert_as_manual(error, manual.record_error("ZONE_NOT_FOUND", "a"))


def test_without_records_a_lookup_is_refused(user):
    with pytest.raises(ServiceError) as caught:
        user.post("private/records/lookup", {})
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


# ---- records/query


def test_the_example_finds_what_a_user_has_made(owner):
    """As printed, it looks for the records of a user who does not exist."""
    owner.modify("private", create("first", "myRecordType"), zoneID=ZONE)
    owner.modify("private", create("second", "myRecordType"), zoneID=ZONE)
    assert_as_manual(owner.post("private/records/query", manual.QUERY), {"records": []})
    example = copy.deepcopy(manual.QUERY)
    own = owner.get("public/users/current")["userRecordName"]
    example["query"]["filterBy"][0]["fieldValue"]["value"]["recordName"] = own
    answer = owner.post("private/records/query", example)
    found = [manual.record(name, "myRecordType", {}) for name in ("second", "first")]
    assert_as_manual(answer, {"records": found}, "keys of records")


def test_pages_follow_the_continuation_marker(user):
    user.modify("private", *(create(f"{number:02}", "Page", number=number) for number in range(25)))
    query = {"recordType": "Page", "sortBy": [{"fieldName": "number"}]}
    first = user.post("private/records/query", {"query": query, "resultsLimit": 10})
    assert isinstance(first["continuationMarker"], str)
    pages = list(user.pages("private", query, resultsLimit=10))
    assert [len(page) for page in pages] == [10, 10, 5]
    assert [record["recordName"] for page in pages for record in page] == [f"{number:02}" for number in range(25)]
    assert "continuationMarker" not in user.post("private/records/query", {"query": query, "continuationMarker": None})
    descending = query | {"sortBy": [{"fieldName": "number", "ascending": False}]}
    assert user.query("private", descending, resultsLimit=7)[0]["recordName"] == "24"
    for wrong in ("x", first["continuationMarker"][:-4]):
        with pytest.raises(ServiceError) as caught:
            user.post("private/records/query", {"query": query, "continuationMarker": wrong})
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_desired_keys_of_a_query(user):
    user.modify("private", create("a", firstName="Mei", lastName="Chen"))
    (found,) = user.query("private", {"recordType": "Artist"}, desiredKeys=["lastName"])
    assert values(found) == {"lastName": "Chen"}


def test_all_zones_can_be_searched(owner):
    difference("zoneWide")
    owner.modify("private", create("one", "Wide"))
    owner.modify("private", create("two", "Wide"), zoneID=ZONE)
    query = {"recordType": "Wide"}

    def names(**more) -> list[str]:
        return sorted(record["recordName"] for record in owner.query("private", query, **more))

    assert names(zoneWide=True) == ["one", "two"]
    assert names(zoneWide=False) == names() == ["one"]
    assert names(zoneID=ZONE) == names(zoneID=ZONE, zoneWide=True) == ["two"]
    owner.modify("public", create("three", "Wide"))
    assert [record["recordName"] for record in owner.query("public", query, zoneWide=True)] == ["three"]


def test_queries_that_cannot_be_answered(user):
    user.modify("private", create("a"))
    for query, code in (
        ({"recordType": "Unheard"}, "NOT_FOUND"),
        ({}, "BAD_REQUEST"),
        ({"recordType": "Artist", "filterBy": [{"fieldName": "age", "comparator": "EQUALS", "fieldValue": {"value": 1}}]}, "BAD_REQUEST"),
        ({"recordType": "Artist", "filterBy": [{"fieldName": "age", "comparator": "LIKE", "fieldValue": {"value": 1}}]}, "BAD_REQUEST"),
        ({"recordType": "Artist", "filterBy": [{"comparator": "EQUALS", "fieldValue": {"value": 1}}]}, "BAD_REQUEST"),
        ({"recordType": "Artist", "sortBy": [{"ascending": True}]}, "BAD_REQUEST"),
    ):
        with pytest.raises(ServiceError) as caught:
            user.post("private/records/query", {"query": query})
        assert caught.value.status == manual.STATUSES[code]
        assert_as_manual(caught.value.answer, manual.error(code))
    with pytest.raises(ServiceError) as caught:
        user.post("private/records/query", {"query": {"recordType": "Artist"}, "zoneID": {"zoneName": "nowhere"}})
    assert_as_manual(caught.value.answer, manual.error("ZONE_NOT_FOUND"))


def test_a_query_finds_what_was_just_saved(user):
    difference("indexes are current")
    difference("queries without indexes")
    for number in range(5):
        user.modify("private", create(f"n{number}", "Fresh", number=number))
        query = {"recordType": "Fresh", "filterBy": [{"fieldName": "number", "comparator": "EQUALS", "fieldValue": {"value": number}}]}
        assert [record["recordName"] for record in user.query("private", query)] == [f"n{number}"]


def test_production_has_its_own_schema(manual_world):
    """A save in a private database adds nothing to the schema there; one in the public database does until the schema is deployed."""
    difference("schema of production")
    person = manual_world.production_user()
    (refused,) = person.modify("private", create("a", "Poem", title="x"))
    assert_as_manual(refused, manual.record_error("BAD_REQUEST", "a"))
    (saved,) = person.modify("public", create("a", "Poem", title="x"))
    assert values(saved) == {"title": "x"}
    assert "fields" in person.modify("private", create("a", "Poem", title="x"))[0]
