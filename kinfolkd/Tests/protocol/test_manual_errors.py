"""The manual's chapters "Error Codes" and "Data Size Limits"."""

from __future__ import annotations

import json
import re

import cloudkit_manual as manual
import pytest
import requests
from comparison import assert_as_manual, difference
from small_client import TIMEOUT, ServiceError


def send(client, subpath: str, body: str | bytes | dict) -> requests.Response:
    data = json.dumps(body) if isinstance(body, dict) else body
    return requests.post(client.url(subpath), data=data, timeout=TIMEOUT)


def create(name: str, **fields) -> dict:
    values = {key: {"value": value} for key, value in fields.items()}
    return {"operationType": "create", "record": {"recordType": "Sample", "recordName": name, "fields": values}}


# ---- Error codes. Those that a healthy service does not have, such as INTERNAL_ERROR, are tested where it is broken.


def test_statuses_of_whole_requests(application, mei, user, manual_world):
    without = manual_world.signed_in(manual_world.application_without_discovery("no status"))
    user.modify("private", create("there"))
    cases = [
        ("ACCESS_DENIED", without, "public/users/discover", {"lookupInfos": [{"emailAddress": "mei.chen@example.com"}]}),
        ("ATOMIC_ERROR", user, "private/records/modify", {"operations": [create("there")], "atomic": True}),
        ("AUTHENTICATION_REQUIRED", application, "private/records/query", {"query": {"recordType": "Sample"}}),
        ("BAD_REQUEST", user, "private/records/query", {}),
        ("NOT_FOUND", user, "private/records/query", {"query": {"recordType": "Unheard"}}),
        ("ZONE_NOT_FOUND", user, "private/records/query", {"query": {"recordType": "Sample"}, "zoneID": {"zoneName": "nowhere"}}),
    ]
    for code, client, subpath, body in cases:
        answer = send(client, subpath, body)
        assert answer.status_code == manual.STATUSES[code], code
        differences = ["answer of an atomic error"] if code == "ATOMIC_ERROR" else []
        assert_as_manual(answer.json(), manual.error(code), *differences)


def test_errors_of_items_have_the_status_200(user):
    user.modify("private", create("there"))
    validate = {"operationType": "create", "record": {"recordType": "Sample", "recordName": "v", "fields": {}}}
    validate["record"]["fields"]["owner"] = {"value": {"recordName": "nothing", "action": "VALIDATE"}}
    update = {"operationType": "update", "record": {"recordName": "there", "recordChangeTag": "0123456789abcdef"}}
    away = create("z")
    away["record"]["zoneID"] = {"zoneName": "nowhere"}
    operations = [update, create("new"), validate, away, create("bad", due={"x": 1})]
    answer = send(user, "private/records/modify", {"operations": operations, "atomic": False})
    assert answer.status_code == 200
    codes = [record.get("serverErrorCode") for record in answer.json()["records"]]
    assert codes == ["CONFLICT", None, "VALIDATING_REFERENCE_ERROR", "ZONE_NOT_FOUND", "BAD_REQUEST"]
    for record, code in zip(answer.json()["records"], codes):
        if code:
            assert_as_manual(record, manual.record_error(code))


def test_others_may_not_change_a_record(user, mei):
    name = f"of {user.get('public/users/current')['userRecordName']}"
    (saved,) = user.modify("public", create(name, text="x"))
    assert mei.lookup("public", name) == [saved]
    for kind in ("forceUpdate", "forceReplace", "forceDelete"):
        (error,) = mei.modify("public", {"operationType": kind, "record": {"recordName": name, "recordType": "Sample"}})
        assert_as_manual(error, manual.record_error("ACCESS_DENIED", name))


def test_a_quota(manual_world):
    """The operator's limit for the bytes of a person."""
    user = manual_world.user(container=manual.GALLERY)
    user.modify("private", create("small"))
    options = ["--environment", manual.ENVIRONMENT]
    manual_world.kinfolk("container", "quota", manual.GALLERY, "--user", "100KB", *options)
    try:
        (error,) = user.modify("private", create("large", text="x" * 200_000))
    finally:
        manual_world.kinfolk("container", "quota", manual.GALLERY, "--user", "none", *options)
    assert_as_manual(error, manual.record_error("QUOTA_EXCEEDED", "large"))


def test_every_error_has_another_id(user):
    ids = {send(user, "private/records/query", {}).json()["uuid"] for _ in range(5)}
    assert len(ids) == 5
    assert all(re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", one) for one in ids)


# ---- Bodies


@pytest.mark.parametrize(
    "body",
    ["{", "[]", "null", '"x"', "operations=1", '{"query": {"recordType": "Sample"}} {}', b"\xff\xfe{}", '{"query": {"recordType": "\\ud800"}}'],
)
def test_a_body_that_is_no_object_is_refused(user, body):
    answer = send(user, "private/records/query", body)
    assert answer.status_code == 400
    assert_as_manual(answer.json(), manual.error("BAD_REQUEST"))


@pytest.mark.parametrize(
    ("subpath", "body", "place"),
    [
        ("records/modify", {"operations": {}}, "operations"),
        ("records/modify", {"operations": [1]}, "operations[0]"),
        ("records/modify", {"operations": [{"operationType": "create", "record": []}]}, "operations[0].record"),
        ("records/modify", {"operations": [{"operationType": "create", "record": {"recordName": 1}}]}, "operations[0].record.recordName"),
        ("records/modify", {"operations": [], "atomic": "yes"}, "atomic"),
        ("records/lookup", {"records": [{"recordName": 1}]}, "records[0].recordName"),
        ("records/lookup", {"records": [], "zoneID": "x"}, "zoneID"),
        ("records/query", {"query": {"recordType": 1}}, "query.recordType"),
        ("records/query", {"query": {"recordType": "Sample", "filterBy": [{"fieldName": 1}]}}, "query.filterBy[0]"),
        ("records/query", {"query": {"recordType": "Sample"}, "resultsLimit": "10"}, "resultsLimit"),
        ("changes/zone", {"zones": [{"zoneID": 1}]}, "zones[0].zoneID"),
        ("zones/lookup", {"zones": [{"zoneName": 1}]}, "zones[0].zoneName"),
        ("zones/modify", {"operations": [{"operationType": 1}]}, "operations[0].operationType"),
        ("subscriptions/lookup", {"subscriptions": [1]}, "subscriptions[0]"),
        ("assets/upload", {"tokens": [{"fieldName": 1}]}, "tokens[0].fieldName"),
    ],
)
def test_the_reason_names_the_place(user, subpath, body, place):
    answer = send(user, f"private/{subpath}", body)
    assert answer.status_code == 400
    assert_as_manual(answer.json(), manual.error("BAD_REQUEST"))
    assert answer.json()["reason"].startswith(place)


def test_a_wrong_type_in_one_zone_is_an_error_of_that_zone(user):
    answer = user.post("private/changes/zone", {"zones": [{"zoneID": {"zoneName": 1}}, {"zoneID": {"zoneName": "nowhere"}}]})
    assert [zone["serverErrorCode"] for zone in answer["zones"]] == ["BAD_REQUEST", "ZONE_NOT_FOUND"]


def test_what_the_service_does_not_know_is_ignored(user):
    user.modify("private", create("a"))
    query = {"recordType": "Sample", "color": "red", "limit": 10**40}
    body = {"query": query, "zoneWide": 0, "zoneID": None, "desiredKeys": None, "clientId": "x", "big": 1e20}
    assert len(send(user, "private/records/query", body).json()["records"]) == 1


def test_two_members_of_one_name_are_refused(user):
    difference("strict JSON")
    answer = send(user, "private/records/query", '{"query": {"recordType": "Sample"}, "x": 1, "x": 2}')
    assert_as_manual(answer.json(), manual.error("BAD_REQUEST"))


def test_how_deep_brackets_are_nested(user):
    user.modify("private", create("a"))
    for depth, status in ((79, 200), (80, 400)):
        deep = "[" * depth + "]" * depth
        assert send(user, "private/records/query", f'{{"query": {{"recordType": "Sample"}}, "x": {deep}}}').status_code == status


# ---- Data Size Limits


def test_two_hundred_operations_records_and_tokens(user):
    records = [create(f"n{number}") for number in range(200)]
    names = [{"recordName": f"n{number}"} for number in range(200)]
    tokens = [{"recordType": "Sample", "fieldName": "image"}] * 200
    zones = [{"operationType": "create", "zone": {"zoneID": {"zoneName": f"z{number}"}}} for number in range(201)]
    assert len(user.modify("private", *records)) == 200
    cases = [
        ("records/modify", "operations", [{"operationType": "forceDelete", "record": name} for name in names], "records"),
        ("records/lookup", "records", names, "records"),
        ("assets/upload", "tokens", tokens, "tokens"),
        ("assets/rereference", "assets", [{"recordName": "n1", "fieldName": "x"}] * 200, "assets"),
        ("zones/lookup", "zones", [{"zoneName": "_defaultZone"}] * 200, "zones"),
        ("changes/zone", "zones", [{"zoneID": {"zoneName": "nowhere"}}] * 200, "zones"),
        ("subscriptions/lookup", "subscriptions", [{"subscriptionID": "x"}] * 200, "subscriptions"),
        ("users/lookup/id", "users", [{"userRecordName": "x"}] * 200, "users"),
        ("users/discover", "lookupInfos", [{"userRecordName": "x"}] * 200, "users"),
    ]
    for subpath, key, items, answer in reversed(cases):
        assert len(user.post(f"private/{subpath}", {key: items})[answer]) == 200, subpath
        refused = send(user, f"private/{subpath}", {key: [*items, items[0]]})
        assert refused.status_code == 400, subpath
        assert_as_manual(refused.json(), manual.error("BAD_REQUEST"))
    assert send(user, "private/zones/modify", {"operations": zones}).status_code == 400


def test_an_answer_has_two_hundred_records(user):
    for start in (0, 150):
        user.modify("private", *(create(f"n{number}") for number in range(start, start + 150)))
    for limit in ({}, {"resultsLimit": 400}):
        first = user.post("private/records/query", {"query": {"recordType": "Sample"}, **limit})
        assert len(first["records"]) == 200
    assert [len(page) for page in user.pages("private", {"recordType": "Sample"})] == [200, 100]
    with pytest.raises(ServiceError) as caught:
        user.post("private/records/query", {"query": {"recordType": "Sample"}, "resultsLimit": 0})
    assert caught.value.code == "BAD_REQUEST"


def test_the_size_of_a_record(user):
    """The manual: 1 MB without assets."""
    (saved,) = user.modify("private", create("a", text="x" * 990_000), desiredKeys=[])
    assert saved["recordName"] == "a"
    (error,) = user.modify("private", create("b", text="x" * 1_000_001))
    assert_as_manual(error, manual.record_error("BAD_REQUEST", "b"))


def test_the_size_of_a_request(user):
    large = [create(f"n{number}", text="x" * 900_000) for number in range(3)]
    answer = send(user, "private/records/modify", {"operations": large})
    assert answer.status_code == 400
    assert_as_manual(answer.json(), manual.error("BAD_REQUEST"))
    answer = send(user, "private/records/modify", '{"x": "' + "x" * (6 << 20) + '"}')
    assert (answer.status_code, answer.json()["serverErrorCode"]) == (413, "BAD_REQUEST")


def test_a_file_larger_than_the_manual_allows(user):
    difference("sizes of files")
    asset = user.upload("private", "Sample", "image", bytes(16 << 20))
    assert asset["size"] == 16 << 20


def test_lookups_end_after_two_megabytes(user):
    for number in range(3):
        user.modify("private", create(f"n{number}", text="x" * 800_000), desiredKeys=[])
    found = user.lookup("private", "n0", "n1", "n2")
    assert [record.get("serverErrorCode") for record in found] == [None, None, None] or found[-1]["serverErrorCode"] == "BAD_REQUEST"


@pytest.mark.parametrize("name", ["x" * 256, "", "ä", "a\n"])
def test_names_of_records(user, name):
    """The framework's limit: 255 ASCII characters."""
    (error,) = user.modify("private", create(name))
    assert_as_manual(error, manual.record_error("BAD_REQUEST", name))
    assert "fields" in user.modify("private", create("x" * 255))[0]
