"""The manual's chapters "Uploading Assets" and "Referencing Existing Assets"."""

from __future__ import annotations

import base64
import hashlib

import cloudkit_manual as manual
import pytest
import requests
from comparison import assert_as_manual, difference
from small_client import TIMEOUT, ServiceError

FILE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40
CHECKSUM = base64.b64encode(hashlib.sha256(FILE).digest()).decode()


def create(name: str, asset: dict, record_type: str = "Artwork") -> dict:
    record = {"recordType": record_type, "recordName": name, "fields": {"image": {"value": asset}}}
    return {"operationType": "create", "record": record}


def test_the_example_from_the_request_to_the_record(manual_world):
    """All steps of the chapter, with its requests as they are."""
    user = manual_world.user(container=manual.GALLERY)
    answer = user.post("private/assets/upload", manual.UPLOAD)
    assert_as_manual(answer, manual.UPLOAD_ANSWER)
    response = requests.post(answer["tokens"][0]["url"], data=FILE, timeout=TIMEOUT)
    assert response.status_code == 200
    assert_as_manual(response.json(), manual.UPLOADED_ANSWER)
    asset = response.json()["singleFile"]
    assert (asset["size"], asset["fileChecksum"]) == (len(FILE), CHECKSUM)
    answer = user.post("private/records/modify", manual.create_with_asset(asset))
    assert_as_manual(answer, manual.ASSET_RECORD_ANSWER, "keys of records")
    difference("devices and erased users")
    assert answer["records"][0]["created"]["deviceID"] == "kinfolk"
    (record,) = user.lookup("private", manual.ASSET_RECORD)
    assert record["fields"]["title"] == {"value": "MacKerricher State Park", "type": "STRING"}
    assert record["fields"]["image"]["type"] == "ASSETID"
    assert_as_manual({"image": record["fields"]["image"]["value"]}, {"image": manual.FETCHED_ASSET}, "receipts of stored files")
    assert requests.get(record["fields"]["image"]["value"]["downloadURL"], timeout=TIMEOUT).content == FILE


@pytest.mark.parametrize("database", ["private", "public"])
def test_a_file_of_each_database(user, database):
    asset = user.upload(database, "Artwork", "image", FILE)
    (record,) = user.modify(database, create(f"{database} {asset['wrappingKey']}", asset))
    download = requests.get(record["fields"]["image"]["value"]["downloadURL"], timeout=TIMEOUT)
    assert download.content == FILE
    assert download.headers["content-type"] == "application/octet-stream"
    assert download.headers["content-disposition"] == "attachment"
    assert download.headers["content-security-policy"].startswith("sandbox")
    assert download.headers["x-content-type-options"] == "nosniff"


def test_a_server_uploads_files(server):
    asset = server.upload("public", "Bulletin", "image", FILE)
    (record,) = server.modify("public", create(asset["wrappingKey"], asset, "Bulletin"))
    assert requests.get(record["fields"]["image"]["value"]["downloadURL"], timeout=TIMEOUT).content == FILE


def test_each_token_has_a_url(user):
    tokens = [{"recordName": "a", "recordType": "Artwork", "fieldName": "image"}, {"recordType": "Artwork", "fieldName": "thumbnail"}]
    answer = user.post("private/assets/upload", {"tokens": tokens})
    expected = [
        {"recordName": "a", "fieldName": "image", "url": manual.TEXT},
        {"recordName": manual.TEXT, "fieldName": "thumbnail", "url": manual.TEXT},
    ]
    assert_as_manual(answer, {"tokens": expected})
    assert len({token["url"] for token in answer["tokens"]}) == 2


def test_an_upload_takes_bytes_with_any_type_and_both_methods(user):
    difference("repeated uploads")
    (token,) = user.post("private/assets/upload", manual.UPLOAD)["tokens"]
    for method, kind in (("POST", "application/x-www-form-urlencoded"), ("PUT", "image/png"), ("POST", "application/json")):
        response = requests.request(method, token["url"], data=FILE, headers={"content-type": kind}, timeout=TIMEOUT)
        assert response.json()["singleFile"]["fileChecksum"] == CHECKSUM


def test_lists_of_files_and_empty_files(user):
    assets = [user.upload("private", "Artwork", "images", data) for data in (b"one", b"")]
    fields = {"images": {"value": assets, "type": "ASSETID_LIST"}}
    (record,) = user.modify("private", {"operationType": "create", "record": {"recordType": "Album", "fields": fields}})
    assert record["fields"]["images"]["type"] == "ASSETID_LIST"
    urls = [asset["downloadURL"] for asset in record["fields"]["images"]["value"]]
    assert [requests.get(url, timeout=TIMEOUT).content for url in urls] == [b"one", b""]


def test_what_was_read_can_be_written_back(user):
    difference("receipts of stored files")
    difference("keys of files")
    (record,) = user.modify("private", create("a", user.upload("private", "Artwork", "image", FILE)))
    (again,) = user.modify("private", {"operationType": "update", "record": record})
    assert again["fields"]["image"]["value"]["fileChecksum"] == CHECKSUM
    receipt = record["fields"]["image"]["value"]["receipt"]
    (other,) = user.modify("private", create("b", {"receipt": receipt, "fileChecksum": "x", "size": 1}))
    assert other["fields"]["image"]["value"]["size"] == len(FILE)


def test_files_are_rereferenced(user):
    user.modify("private", create("a", user.upload("private", "Artwork", "image", FILE)))
    wanted = [{"recordName": "a", "fieldName": "image"}, {"recordName": "a", "fieldName": "x"}, {"recordName": "b", "fieldName": "image"}]
    answer = user.post("private/assets/rereference", {"assets": wanted})
    errors = [manual.record_error("NOT_FOUND", "a"), manual.record_error("NOT_FOUND", "b")]
    assert_as_manual(answer, {"assets": [manual.UPLOADED, *errors]}, "receipts of stored files")
    (record,) = user.modify("private", create("b", answer["assets"][0]))
    user.modify("private", {"operationType": "forceDelete", "record": {"recordName": "a"}})
    # "Assets are deleted only when all references to it are removed."
    assert requests.get(record["fields"]["image"]["value"]["downloadURL"], timeout=TIMEOUT).content == FILE


def test_a_file_ends_with_the_last_record(user):
    difference("deletion of files")
    (record,) = user.modify("private", create("a", user.upload("private", "Artwork", "image", FILE)))
    url = record["fields"]["image"]["value"]["downloadURL"]
    user.modify("private", {"operationType": "forceDelete", "record": {"recordName": "a"}})
    assert requests.get(url, timeout=TIMEOUT).status_code == 404


def test_receipts_of_others_and_forged_ones(user, mei):
    asset = mei.upload("private", "Artwork", "image", FILE)
    (error,) = user.modify("private", create("a", asset))
    assert error["serverErrorCode"] in ("NOT_FOUND", "BAD_REQUEST")
    for receipt in ("x", asset["receipt"][:-4], ""):
        (error,) = user.modify("private", create("a", asset | {"receipt": receipt}))
        assert_as_manual(error, manual.record_error("BAD_REQUEST", "a"))
    (error,) = user.modify("private", create("a", {"fileChecksum": CHECKSUM, "size": 1}))
    assert_as_manual(error, manual.record_error("BAD_REQUEST", "a"))


def test_a_file_of_another_zone_cannot_be_named(user):
    zone = {"zoneName": "myCustomZone"}
    user.post("private/zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": zone}}]})
    asset = user.upload("private", "Artwork", "image", FILE)
    (error,) = user.modify("private", create("a", asset), zoneID=zone, atomic=False)
    assert error["serverErrorCode"] == "NOT_FOUND"
    (token,) = user.post("private/assets/upload", manual.UPLOAD | {"zoneID": zone})["tokens"]
    asset = requests.post(token["url"], data=FILE, timeout=TIMEOUT).json()["singleFile"]
    assert "fields" in user.modify("private", create("a", asset), zoneID=zone)[0]


@pytest.mark.parametrize("body", [{}, {"tokens": [{}]}, {"tokens": [{"fieldName": 1}]}, {"tokens": "x"}])
def test_malformed_requests_are_refused(user, body):
    for subpath in ("assets/upload", "assets/rereference"):
        with pytest.raises(ServiceError) as caught:
            user.post(f"private/{subpath}", body)
        assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_an_upload_to_a_zone_that_is_not_there(user):
    (token,) = user.post("private/assets/upload", manual.UPLOAD | {"zoneID": {"zoneName": "nowhere"}})["tokens"]
    response = requests.post(token["url"], data=FILE, timeout=TIMEOUT)
    assert response.status_code == 404
    assert_as_manual(response.json(), manual.error("ZONE_NOT_FOUND"))
    with pytest.raises(ServiceError) as caught:
        user.post("public/assets/upload", manual.UPLOAD | {"zoneID": {"zoneName": "nowhere"}})
    assert_as_manual(caught.value.answer, manual.error("BAD_REQUEST"))


def test_wrong_urls(user):
    (token,) = user.post("private/assets/upload", manual.UPLOAD)["tokens"]
    assert requests.get(token["url"], timeout=TIMEOUT).status_code == 404
    assert requests.post(token["url"][:-2], data=FILE, timeout=TIMEOUT).status_code == 404
