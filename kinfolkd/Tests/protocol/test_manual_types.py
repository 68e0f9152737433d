"""The manual's chapter "Types and Dictionaries": values of fields, filters with each comparator, and sort descriptors."""

from __future__ import annotations

import base64

import cloudkit_manual as manual
import pytest
from comparison import assert_as_manual, difference
from small_client import ServiceError

PARIS = {"latitude": 48.8566, "longitude": 2.3522}
BERLIN = {"latitude": 52.52, "longitude": 13.405}
DATE = 1422312944104
BYTES = base64.b64encode(bytes(range(40))).decode()


def save(client, name: str, fields: dict, record_type: str = "Sample", kind: str = "forceReplace", **more) -> dict:
    record = {"recordType": record_type, "recordName": name, "fields": fields}
    (saved,) = client.modify("private", {"operationType": kind, "record": record}, **more)
    return saved


# ---- Values of fields


VALUES = {
    "STRING": ("text", "Zoë 北京 🙂"),
    "INT64": ("whole", -(2**63)),
    "DOUBLE": ("part", 0.1),
    "BYTES": ("data", BYTES),
    "TIMESTAMP": ("due", DATE),
    "REFERENCE": ("target", {"recordName": "a", "action": "NONE"}),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_value_with_its_type(user, name):
    field, value = VALUES[name]
    answer = {"records": [save(user, "a", {field: {"value": value, "type": name}})]}
    expected = value | {"zoneID": manual.ZONE_ID} if isinstance(value, dict) else value
    differences = ["keys of records"] + (["zone types"] if name == "REFERENCE" else [])
    assert_as_manual(answer, {"records": [manual.record("a", "Sample", {field: expected})]}, *differences)
    assert answer["records"][0]["fields"][field]["type"] == name
    assert user.lookup("private", "a") == answer["records"]


@pytest.mark.parametrize("name", [*VALUES, "LOCATION"])
def test_a_list_of_values(user, name):
    field, value = VALUES.get(name, ("place", PARIS))
    other = {"REFERENCE": value, "STRING": "", "BYTES": "", "LOCATION": BERLIN}.get(name, 0)
    for values in ([value, other, value], [value], []):
        saved = save(user, "a", {f"{field}s": {"value": values, "type": f"{name}_LIST"}})["fields"][f"{field}s"]
        assert saved["type"] == f"{name}_LIST"
        if name == "REFERENCE":
            assert [one["recordName"] for one in saved["value"]] == ["a"] * len(values)
        else:
            assert saved["value"] == values


def test_a_location(user):
    """With all keys of the manual's table. The first two are required."""
    location = PARIS | {"horizontalAccuracy": 5, "verticalAccuracy": 5, "altitude": 35, "speed": 1.5, "course": 90, "timestamp": DATE}
    answer = {"records": [save(user, "a", {"place": {"value": location, "type": "LOCATION"}})]}
    expected = {"records": [manual.record("a", "Sample", {"place": location})]}
    assert_as_manual(answer, expected, "keys of records", "altitude")
    for key in PARIS:
        half = {name: number for name, number in PARIS.items() if name != key}
        assert_as_manual(save(user, "a", {"place": {"value": half}}), manual.record_error("BAD_REQUEST", "a"))


def test_the_type_is_optional(user):
    untyped = {"text": "x", "whole": 7, "part": 1.5, "place": PARIS, "target": {"recordName": "a", "action": "NONE"}, "words": ["a", "b"]}
    saved = save(user, "a", {key: {"value": value} for key, value in untyped.items()}, "Untyped")["fields"]
    types = {key: field["type"] for key, field in saved.items()}
    assert types == {"text": "STRING", "whole": "INT64", "part": "DOUBLE", "place": "LOCATION", "target": "REFERENCE", "words": "STRING_LIST"}
    # Then the schema knows the type: a whole number for a DOUBLE, and milliseconds for a TIMESTAMP.
    save(user, "a", {"due": {"value": DATE, "type": "TIMESTAMP"}, "data": {"value": BYTES, "type": "BYTES"}}, "Untyped")
    saved = save(user, "a", {"part": {"value": 2}, "due": {"value": DATE}, "data": {"value": BYTES}}, "Untyped")["fields"]
    expected = {"part": (2, "DOUBLE"), "due": (DATE, "TIMESTAMP"), "data": (BYTES, "BYTES")}
    assert {key: (field["value"], field["type"]) for key, field in saved.items()} == expected


def test_booleans(user):
    answer = {"records": [save(user, "a", {"flag": {"value": True}}), save(user, "b", {"flag": {"value": False}})]}
    expected = [manual.record("a", "Sample", {"flag": True}), manual.record("b", "Sample", {"flag": manual.WHOLE})]
    assert_as_manual(answer, {"records": expected}, "keys of records", "booleans")
    assert [record["fields"]["flag"] for record in answer["records"]] == [{"value": 1, "type": "INT64"}, {"value": 0, "type": "INT64"}]


def test_encrypted_fields(user):
    difference("encrypted fields")
    for name in ("ENCRYPTED_STRING", "ENCRYPTED_BYTES"):
        assert_as_manual(save(user, "a", {"secret": {"value": BYTES, "type": name}}), manual.record_error("BAD_REQUEST", "a"))
    saved = save(user, "a", {"secret": {"value": "x", "type": "STRING", "isEncrypted": True}})
    assert saved["fields"] == {"secret": {"value": "x", "type": "STRING"}}


def test_a_value_is_removed(user):
    for nothing in (None, {}, {"value": None}, {"value": None, "type": "STRING"}):
        save(user, "a", {"text": {"value": "x"}, "whole": {"value": 1}})
        saved = save(user, "a", {"text": nothing}, kind="forceUpdate")
        assert list(saved["fields"]) == ["whole"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("STRING", 1),
        ("INT64", "x"),
        ("INT64", 1.5),
        ("INT64", 2**63),
        ("DOUBLE", "x"),
        ("BYTES", "~"),
        ("TIMESTAMP", DATE + 0.5),
        ("TIMESTAMP", "2015-01-26"),
        ("LOCATION", [48, 2]),
        ("LOCATION", {"latitude": 91, "longitude": 0}),
        ("REFERENCE", "a"),
        ("REFERENCE", {"recordName": "a", "action": "KEEP"}),
        ("ASSETID", {"size": 1}),
        ("STRING_LIST", "x"),
        ("STRING_LIST", [1]),
        ("INT64_LIST", [[1]]),
        ("TEXT", "x"),
    ],
)
def test_a_value_of_another_type_is_an_error_of_its_record(user, name, value):
    assert_as_manual(save(user, "a", {"field": {"value": value, "type": name}}), manual.record_error("BAD_REQUEST", "a"))


def test_a_field_keeps_its_type(user):
    save(user, "a", {"fixed": {"value": "x"}})
    for value, name in ((1, "INT64"), (["x"], "STRING_LIST")):
        assert_as_manual(save(user, "a", {"fixed": {"value": value, "type": name}}), manual.record_error("BAD_REQUEST", "a"))


def test_a_date_keeps_its_microseconds(manual_world):
    """A record that a program on the machine has saved, and a client that writes back what it has read."""
    difference("microseconds")
    user = manual_world.user("exact@example.com")
    place = ["--database", "private", "--container", manual.CONTAINER, "--environment", manual.ENVIRONMENT, "--account", "exact@example.com"]
    manual_world.kinfolk("record", "save", "due:date=2015-01-26T22:55:44.104567Z", "--type", "Sample", "--name", "a", *place)
    (record,) = user.lookup("private", "a")
    assert record["fields"]["due"] == {"value": DATE, "type": "TIMESTAMP"}
    user.modify("private", {"operationType": "update", "record": record})
    assert "22:55:44.104567" in manual_world.kinfolk("record", "fetch", "a", *place)
    save(user, "a", {"due": {"value": DATE + 1}})
    assert "22:55:44.105" in manual_world.kinfolk("record", "fetch", "a", *place)


def test_parents(user):
    record = {"recordType": "Sample", "recordName": "child", "parent": {"recordName": "a"}}
    (saved,) = user.modify("private", {"operationType": "create", "record": record})
    assert saved["parent"] == {"recordName": "a"}
    (saved,) = user.modify("private", {"operationType": "forceUpdate", "record": {"recordName": "child", "parent": None}})
    assert "parent" not in saved


# ---- References


def test_delete_self_deletes_the_source(user):
    save(user, "target", {})
    save(user, "source", {"owner": {"value": {"recordName": "target", "action": "DELETE_SELF"}}})
    user.modify("private", {"operationType": "forceDelete", "record": {"recordName": "target"}})
    assert user.lookup("private", "source")[0]["serverErrorCode"] == "NOT_FOUND"


def test_validate_keeps_the_target(user):
    fields = {"owner": {"value": {"recordName": "target", "action": "VALIDATE"}}}
    assert_as_manual(save(user, "source", fields), manual.record_error("VALIDATING_REFERENCE_ERROR", "source"))
    save(user, "target", {})
    save(user, "source", fields)
    (error,) = user.modify("private", {"operationType": "forceDelete", "record": {"recordName": "target"}})
    assert_as_manual(error, manual.record_error("VALIDATING_REFERENCE_ERROR", "target"))
    for name in ("source", "target"):
        user.modify("private", {"operationType": "forceDelete", "record": {"recordName": name}})
    assert user.lookup("private", "target")[0]["serverErrorCode"] == "NOT_FOUND"


# ---- Filters


@pytest.fixture(scope="module")
def shelf(manual_world):
    """Records of several types of fields."""
    client = manual_world.user()
    books = {
        "one": {"title": "Alpha", "pages": 10, "weight": 0.5, "printed": DATE, "place": PARIS, "tags": ["red", "green"], "shelf": "a"},
        "two": {"title": "Beta", "pages": 20, "weight": 1.5, "printed": DATE + 1, "place": BERLIN, "tags": ["green", "blue"], "shelf": "b"},
        "three": {"title": "alphabet", "pages": 30, "weight": 2.5, "printed": DATE + 1000, "tags": ["rose"]},
    }
    for name, book in books.items():
        fields = {key: {"value": value} for key, value in book.items()}
        fields["printed"]["type"] = "TIMESTAMP"
        if "shelf" in fields:
            fields["shelf"]["value"] = {"recordName": book["shelf"], "action": "NONE"}
        save(client, name, fields, "Book")
    return client


def found(client, *filters: dict, **more) -> set[str]:
    query = {"recordType": "Book", "filterBy": list(filters), **more}
    return {record["recordName"] for record in client.query("private", query)}


ALL = {"one", "two", "three"}


@pytest.mark.parametrize(
    ("comparator", "field", "value", "names"),
    [
        ("EQUALS", "title", "Alpha", {"one"}),
        ("EQUALS", "pages", 20, {"two"}),
        ("EQUALS", "weight", 2.5, {"three"}),
        ("EQUALS", "printed", DATE, {"one"}),
        ("EQUALS", "shelf", {"recordName": "a"}, {"one"}),
        ("EQUALS", "place", None, {"three"}),
        ("NOT_EQUALS", "title", "Alpha", {"two", "three"}),
        ("NOT_EQUALS", "shelf", {"recordName": "a"}, {"two", "three"}),
        ("LESS_THAN", "pages", 20, {"one"}),
        ("LESS_THAN_OR_EQUALS", "pages", 20, {"one", "two"}),
        ("GREATER_THAN", "pages", 20, {"three"}),
        ("GREATER_THAN_OR_EQUALS", "printed", DATE + 1, {"two", "three"}),
        ("GREATER_THAN", "printed", DATE + 1, {"three"}),
        ("IN", "pages", [10, 30, 40], {"one", "three"}),
        ("IN", "title", ["Alpha", "Gamma"], {"one"}),
        ("IN", "pages", [], set()),
        ("NOT_IN", "pages", [10, 30], {"two"}),
        ("LIST_CONTAINS", "tags", "green", {"one", "two"}),
        ("NOT_LIST_CONTAINS", "tags", "green", {"three"}),
        ("NOT_LIST_CONTAINS_ANY", "tags", ["red", "rose"], {"two"}),
        ("LIST_CONTAINS_ALL", "tags", ["green", "red"], {"one"}),
        ("NOT_LIST_CONTAINS_ALL", "tags", ["green", "red"], {"two", "three"}),
        ("BEGINS_WITH", "title", "Al", {"one"}),
        ("NOT_BEGINS_WITH", "title", "Al", {"two", "three"}),
        ("LIST_MEMBER_BEGINS_WITH", "tags", "r", {"one", "three"}),
        ("NOT_LIST_MEMBER_BEGINS_WITH", "tags", "r", {"two"}),
    ],
)
def test_comparators(shelf, comparator, field, value, names):
    """With the type that the schema has, and with the type in the filter."""
    types = {
        "title": "STRING",
        "pages": "INT64",
        "weight": "DOUBLE",
        "printed": "TIMESTAMP",
        "shelf": "REFERENCE",
        "place": "LOCATION",
        "tags": "STRING",
    }
    kinds = [None, types[field]]
    if isinstance(value, list):
        difference("types of filters")
        kinds.append(f"{types[field]}_LIST")
    for kind in kinds:
        field_value = {"value": value} | ({"type": kind} if kind else {})
        assert found(shelf, {"fieldName": field, "comparator": comparator, "fieldValue": field_value}) == names, kind


def test_a_comparator_that_the_manual_lacks(shelf):
    difference("LIST_CONTAINS_ANY")
    wanted = {"fieldName": "tags", "comparator": "LIST_CONTAINS_ANY", "fieldValue": {"value": ["red", "rose"], "type": "STRING_LIST"}}
    assert found(shelf, wanted) == {"one", "three"}


def test_near(shelf):
    near = {"fieldName": "place", "comparator": "NEAR", "fieldValue": {"value": PARIS, "type": "LOCATION"}}
    assert found(shelf, near | {"distance": 1000}) == {"one"}
    assert found(shelf, near | {"distance": 1_000_000}) == {"one", "two"}
    for wrong in (near, near | {"distance": "far"}, near | {"distance": 10, "fieldValue": {"value": "here"}}):
        with pytest.raises(ServiceError) as caught:
            found(shelf, wrong)
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_words(manual_world):
    """They need a field that is searchable: an operator makes it so."""
    difference("words")
    client = manual_world.production_user()
    for name, title in (("one", "The quick brown fox"), ("two", "A lazy dog, quick and brown"), ("three", "Nothing")):
        save(client, name, {"title": {"value": title}}, "Note")

    def notes(comparator: str, text: str, **more) -> set[str]:
        query = {"recordType": "Note", "filterBy": [{"comparator": comparator, "fieldValue": {"value": text}, **more}]}
        return {record["recordName"] for record in client.query("private", query)}

    assert notes("CONTAINS_ALL_TOKENS", "brown quick", fieldName="title") == {"one", "two"}
    assert notes("CONTAINS_ALL_TOKENS", "brown fox", systemFieldName="recordName") == {"one"}
    assert notes("CONTAINS_ANY_TOKENS", "fox dog") == {"one", "two"}
    assert notes("CONTAINS_ANY_TOKENS", "cat") == set()


def test_all_filters_must_hold(shelf):
    pages = {"fieldName": "pages", "comparator": "GREATER_THAN", "fieldValue": {"value": 10}}
    tags = {"fieldName": "tags", "comparator": "LIST_CONTAINS", "fieldValue": {"value": "green"}}
    assert found(shelf, pages, tags) == {"two"}
    assert found(shelf) == ALL
    # One filter may come without the array.
    assert {record["recordName"] for record in shelf.query("private", {"recordType": "Book", "filterBy": pages})} == {"two", "three"}


@pytest.mark.parametrize(
    ("names", "value"),
    [
        (("___recordId", "recordName"), {"recordName": "two"}),
        (("___createdBy", "createdUserRecordName"), {"recordName": ""}),
        (("___modifiedBy", "modifiedUserRecordName"), {"recordName": ""}),
        (("___createTime", "createdTimestamp"), 0),
        (("___modTime", "modifiedTimestamp"), 0),
    ],
)
def test_system_fields(shelf, names, value):
    """In a filter by all names of the manual's table; in a sort descriptor those of times."""
    comparator = "EQUALS"
    if value == 0:
        comparator = "GREATER_THAN"
    elif not value["recordName"]:
        value = {"recordName": shelf.get("public/users/current")["userRecordName"]}
    expected = {"two"} if value == {"recordName": "two"} else ALL
    for key, name in (("fieldName", names[0]), ("fieldName", names[1]), ("systemFieldName", names[1])):
        assert found(shelf, {key: name, "comparator": comparator, "fieldValue": {"value": value}}) == expected, name
        if value == 0:
            assert order(shelf, {key: name, "ascending": False}) == ["three", "two", "one"]
        else:
            difference("order by system fields")
            with pytest.raises(ServiceError) as caught:
                order(shelf, {key: name})
            assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_names_may_be_texts(shelf):
    """Some clients send them as texts, whatever type they name."""
    own = shelf.get("public/users/current")["userRecordName"]
    for name, text, expected in (("recordName", "two", {"two"}), ("createdUserRecordName", own, ALL)):
        for value in ({"value": text, "type": "STRING"}, {"value": {"recordName": text}, "type": "STRING"}, {"value": text}):
            assert found(shelf, {"systemFieldName": name, "comparator": "EQUALS", "fieldValue": value}) == expected
    listed = {"value": [{"recordName": "one"}, {"recordName": "three"}], "type": "REFERENCE_LIST"}
    assert found(shelf, {"systemFieldName": "recordName", "comparator": "IN", "fieldValue": listed}) == {"one", "three"}


@pytest.mark.parametrize("name", ["share", "___share", "___parent"])
def test_shares_and_parents_cannot_be_queried(shelf, name):
    difference("queries by share and parent")
    with pytest.raises(ServiceError) as caught:
        found(shelf, {"fieldName": name, "comparator": "EQUALS", "fieldValue": {"value": {"recordName": "a"}, "type": "REFERENCE"}})
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


# ---- Sort descriptors


def order(client, *descriptors: dict) -> list[str]:
    return [record["recordName"] for record in client.query("private", {"recordType": "Book", "sortBy": list(descriptors)})]


def test_sort_descriptors(shelf):
    assert order(shelf, {"fieldName": "pages"}) == ["one", "two", "three"]
    assert order(shelf, {"fieldName": "pages", "ascending": True}) == ["one", "two", "three"]
    assert order(shelf, {"fieldName": "pages", "ascending": False}) == ["three", "two", "one"]
    assert order(shelf, {"systemFieldName": "createdTimestamp", "ascending": False}) == ["three", "two", "one"]


def test_sorting_by_distance(shelf):
    difference("sorting by distance")
    near = {"fieldName": "place", "relativeLocation": {"value": BERLIN, "type": "LOCATION"}}
    # Records without a place come first.
    assert order(shelf, near) == ["three", "two", "one"]
    with pytest.raises(ServiceError) as caught:
        order(shelf, near | {"ascending": False})
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))
