"""What Apple's archived "CloudKit Web Services Reference" (2016-06-13) says: its dictionaries, its error codes and its examples.

Some examples of the manual are not JSON: commas are missing, or there are too many. Here they are, with the same keys and values. What stands in
[brackets] there is given by the tests.
"""

from __future__ import annotations

from typing import Any

from comparison import DICTIONARY, FLAG, NUMBER, TEXT, WHOLE, Each, Kind, Maybe, one_of

# ---- Composing Web Service Requests

CONTAINER = "iCloud.com.example.gkumar.MyApp"
GALLERY = "iCloud.com.example.gkumar.Gallery"
ENVIRONMENT = "development"
CALLBACK = "https://my-callback-url/"

# ---- Error Codes

STATUSES = {
    "ACCESS_DENIED": 403,
    "ATOMIC_ERROR": 400,
    "AUTHENTICATION_FAILED": 401,
    "AUTHENTICATION_REQUIRED": 421,
    "BAD_REQUEST": 400,
    "CONFLICT": 409,
    "EXISTS": 409,
    "INTERNAL_ERROR": 500,
    "NOT_FOUND": 404,
    "QUOTA_EXCEEDED": 413,
    "THROTTLED": 429,
    "TRY_AGAIN_LATER": 503,
    "VALIDATING_REFERENCE_ERROR": 412,
    "ZONE_NOT_FOUND": 404,
}

# ---- Types and Dictionaries

ZONE_ID = {"zoneName": TEXT, "ownerRecordName": Maybe(TEXT)}
ZONE = {"zoneID": ZONE_ID, "syncToken": TEXT, "atomic": FLAG}
REFERENCE = {"recordName": TEXT, "zoneID": Maybe(ZONE_ID), "action": one_of("NONE", "DELETE_SELF", "VALIDATE")}
LOCATION = {
    "latitude": NUMBER,
    "longitude": NUMBER,
    "horizontalAccuracy": Maybe(NUMBER),
    "verticalAccuracy": Maybe(NUMBER),
    "altitude": Maybe(NUMBER),
    "speed": Maybe(NUMBER),
    "course": Maybe(NUMBER),
    "timestamp": Maybe(WHOLE),
}
UPLOADED = {"wrappingKey": TEXT, "fileChecksum": TEXT, "receipt": TEXT, "referenceChecksum": TEXT, "size": WHOLE}
FETCHED_ASSET = {
    "wrappingKey": Maybe(TEXT),
    "fileChecksum": TEXT,
    "referenceChecksum": Maybe(TEXT),
    "size": WHOLE,
    "downloadURL": TEXT,
}
MOMENT = {"timestamp": WHOLE, "userRecordName": TEXT, "deviceID": TEXT}


def record(name: str | Kind, record_type: str | Kind = TEXT, fields: Any = DICTIONARY) -> dict[str, Any]:
    """A record as an answer has it. A field has a value and its type."""
    if isinstance(fields, dict):
        fields = {key: {"value": value, "type": TEXT} for key, value in fields.items()}
    return {
        "recordName": name,
        "recordType": record_type,
        "recordChangeTag": TEXT,
        "fields": fields,
        "created": MOMENT,
        "modified": MOMENT,
        "deleted": Maybe(FLAG),
    }


def deleted(name: str) -> dict[str, Any]:
    return {"recordName": name, "deleted": True}


def record_error(code: str, name: str | Kind = TEXT) -> dict[str, Any]:
    """Record Fetch Error Dictionary."""
    return {
        "recordName": name,
        "reason": TEXT,
        "serverErrorCode": code,
        "retryAfter": Maybe(NUMBER),
        "uuid": TEXT,
        "redirectURL": Maybe(TEXT),
    }


def zone_error(code: str, zone: str) -> dict[str, Any]:
    """Zone Fetch Error Dictionary."""
    return {"zoneID": {"zoneName": zone}, "reason": TEXT, "serverErrorCode": code, "retryAfter": Maybe(NUMBER), "redirectURL": Maybe(TEXT)}


def subscription_error(code: str, name: str) -> dict[str, Any]:
    """Subscription Fetch Error Dictionary."""
    return {"subscriptionID": name, "reason": TEXT, "serverErrorCode": code, "redirectURL": Maybe(TEXT)}


def error(code: str) -> dict[str, Any]:
    """A request that failed as a whole, as in "Composing Web Service Requests"."""
    answer = {"uuid": TEXT, "serverErrorCode": code, "reason": TEXT, "retryAfter": Maybe(NUMBER)}
    return answer | ({"redirectURL": TEXT} if code == "AUTHENTICATION_REQUIRED" else {})


NAMES = {
    "namePrefix": Maybe(TEXT),
    "givenName": Maybe(TEXT),
    "familyName": Maybe(TEXT),
    "nickname": Maybe(TEXT),
    "nameSuffix": Maybe(TEXT),
    "middleName": Maybe(TEXT),
    "phoneticRepresentation": Maybe(DICTIONARY),
}
USER = {"userRecordName": TEXT, "firstName": TEXT, "lastName": TEXT}
USER_BY_EMAIL = USER | {"emailAddress": TEXT}
LOOKUP_INFO = {"emailAddress": Maybe(TEXT), "phoneNumber": Maybe(TEXT), "userRecordName": Maybe(TEXT)}
USER_IDENTITY = {"lookupInfo": LOOKUP_INFO, "userRecordName": TEXT, "nameComponents": NAMES}

SUBSCRIPTION = {
    "zoneID": Maybe(ZONE_ID),
    "subscriptionID": TEXT,
    "subscriptionType": one_of("zone", "query"),
    "query": Maybe({"recordType": TEXT, "filterBy": Maybe(Each(DICTIONARY)), "sortBy": Maybe(Each(DICTIONARY))}),
    "firesOn": Maybe(Each(one_of("create", "update", "delete"))),
    "firesOnce": Maybe(FLAG),
    "notificationInfo": Maybe(DICTIONARY),
    "zoneWide": Maybe(FLAG),
}

# ---- The examples of the chapters, in their order

AUTHENTICATION_REQUIRED = {
    "uuid": TEXT,  # 4f02f7aa-fbb5-4cf8ae8e-4dd463793841
    "serverErrorCode": "AUTHENTICATION_REQUIRED",
    "reason": TEXT,  # request needs authorization
    "redirectURL": TEXT,
}

LOOK_UP_EMAIL = '{"users":[{"emailAddress":"[user email]"}]}'

CREATE_ARTIST = {
    "operationType": "create",
    "record": {
        "recordType": "Artist",
        "fields": {"firstName": {"value": "Mei"}, "lastName": {"value": "Chen"}},
        "recordName": "Mei Chen",
    },
}

UPDATE_SIZE = {
    "operationType": "update",
    "record": {"fields": {"width": {"value": 18}, "height": {"value": 24}}, "recordName": "101", "recordChangeTag": "e"},
}

CREATE_SHORT_GUID = {
    "operations": [
        {"operationType": "create", "record": {"recordName": "RecordA", "recordType": "myType", "createShortGUID": True}},
    ],
    "zoneID": {"zoneName": "myCustomZone"},
}

CREATE_SHARE = {
    "operations": [
        {
            "operationType": "create",
            "record": {
                "recordType": "cloudKit.share",
                "fields": {},
                "forRecord": {"recordName": "RecordA", "recordChangeTag": "2"},
                "publicPermission": "NONE",
                "participants": [
                    {
                        "type": "USER",
                        "permission": "READ_WRITE",
                        "acceptanceStatus": "INVITED",
                        "userIdentity": {"lookupInfo": {"emailAddress": "gkumar@example.com"}},
                    },
                ],
            },
        },
    ],
    "zoneID": {"zoneName": "myCustomZone"},
}

QUERY = {
    "zoneID": {"zoneName": "myCustomZone"},
    "query": {
        "recordType": "myRecordType",
        "filterBy": [
            {
                "systemFieldName": "createdUserRecordName",
                "comparator": "EQUALS",
                "fieldValue": {"value": {"recordName": "recordA"}, "type": "REFERENCE"},
            },
        ],
        "sortBy": [{"systemFieldName": "createdTimestamp", "ascending": False}],
    },
}

UPLOAD = {"tokens": [{"recordType": "Artwork", "fieldName": "image"}]}

UPLOAD_ANSWER = {"tokens": [{"recordName": TEXT, "fieldName": "image", "url": TEXT}]}

UPLOADED_ANSWER = {"singleFile": UPLOADED}

ASSET_RECORD = "4c016e24-c397-4c9d-81d6-dee3e3a48bb0"


def create_with_asset(asset: dict[str, Any]) -> dict[str, Any]:
    """The record is of the type Artist there too, although the upload was for an Artwork."""
    fields = {"title": {"value": "MacKerricher State Park"}, "artist": {"value": "Mei Chen"}, "image": {"value": asset}}
    record = {"recordType": "Artist", "fields": fields, "recordName": ASSET_RECORD, "desiredKeys": []}
    return {"operations": [{"operationType": "create", "record": record}]}


ASSET_RECORD_ANSWER = {
    "records": [
        {
            "recordName": ASSET_RECORD,
            "recordChangeTag": TEXT,  # 1e
            "created": MOMENT,  # {"timestamp": 1422312944104, "userRecordName": "_9a065b60313a5937e75e03ed8e8f383d", "deviceID": "iCloud"}
            "modified": MOMENT,
        },
    ],
}
