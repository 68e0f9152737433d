"""The deliberate differences between Kinfolk and Apple's CloudKit Web Services. All tests of the protocol use this table.

docs/web-services.md has the same rows: `python differences.py` prints its section, and a test compares them.
"""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """A row of the table."""

    name: str
    """How tests name it."""
    here: str
    apple: str
    """What the manual says, or what its service is known to do."""
    why: str
    patterns: tuple[str, ...] = ()
    """The deviations of an answer that it explains, as `comparison.py` writes them."""


ACCESS = [
    Difference(
        "container names",
        "a container may have any name, such as `com.example.notes`",
        "names begin with `iCloud.`",
        "the name is the library's",
    ),
    Difference("header tokens", "tokens may be headers", "they are items of the query", "URLs are written to logs"),
    Difference(
        "servers and users",
        "a server-to-server key may call `users/current` and `users/caller`, and no other `users/…`",
        "the manual signs `users/lookup/email`; the service refuses all",
        "a server must be able to learn its own ID",
    ),
    Difference(
        "account of a server",
        "a server-to-server key has an account of its own",
        "it acts as the developer",
        "an operator has no account in a container",
    ),
    Difference("replays", "a signature is accepted once", "not documented", "a request that was overheard must not be repeated"),
    Difference(
        "signed text",
        "the path of a signature may have the query or not, and the hash of no body may be empty",
        "the manual does not say",
        "clients do both",
    ),
    Difference(
        "renewal",
        "a web auth token is replaced after five minutes (a day if the person stays signed in), and the old one stays valid for a minute",
        "the manual: each token is for one request",
        "clients send several requests at the same time",
    ),
    Difference(
        "two names of the token",
        "a return URL, or the message to a page, has the token twice: `ckWebAuthToken` and `ckSession`",
        "the manual: `ckWebAuthToken`",
        "CloudKit JS reads `ckSession`",
    ),
    Difference(
        "codes",
        "an application can ask for a code and redeem it, with PKCE, and can sign a person out",
        "the URL has the token itself; a client signs out by forgetting it",
        "URLs are kept in histories and logs",
    ),
    Difference(
        "methods",
        "operations that need no body take GET, and POST with an empty body",
        "GET or POST, as the manual says",
        "clients do both",
    ),
    Difference("users in the private database", "`users/…` answers below `private` too", "below `public` only", "clients do both"),
    Difference(
        "other paths of tokens and subscriptions",
        "`tokens/…` and `subscriptions/lookup` work with a database in the path and without one, and `tokens/…` below `/device/1` too",
        "the manual has them without a database; clients use `/device/1` and a database",
        "clients do all of it",
    ),
]

MISSING = [
    Difference(
        "shared records",
        "`shared`, `records/resolve` and `records/accept` are BAD_REQUEST, and so is a record of the type `cloudKit.share`; "
        "`createShortGUID` is ignored",
        "shared records",
        "the library has no shared records",
        ("answer.records[].shortGUID is missing",),
    ),
    Difference(
        "address books",
        "`users/discover` with GET, and `users/lookup/contacts`, are NOT_FOUND",
        "the people of the caller's address book",
        "the service stores no address books; `discovery/hashes` and `discovery/private` take them",
    ),
    Difference("phone numbers", "nobody is found by phone number", "people are", "the library knows e-mail addresses"),
    Difference(
        "push",
        "no push to devices: `apnsEnvironment` changes nothing",
        "Apple's push service",
        "it belongs to Apple; long polls and streams need no third party",
    ),
    Difference(
        "encrypted fields",
        "the types `ENCRYPTED_…` are refused, and `isEncrypted` is ignored",
        "encrypted fields",
        "the store seals all fields",
    ),
    Difference(
        "queries by share and parent",
        "`share` (`___share`) and `parent` (`___parent`) cannot be queried",
        "they can",
        "the library has no such index",
    ),
]

RECORDS = [
    Difference(
        "keys of records",
        "records also have `pluginFields`, `deleted` and `zoneID`, and `recordType` and `fields` also if `desiredKeys` is empty",
        "the manual's example has none of them; the service has most",
        "clients need the zone, and some read the others",
        (
            "answer*.pluginFields is new",
            "answer*.deleted is new",
            "answer*.zoneID is new",
            "answer.records[].recordType is new",
            "answer.records[].fields is new",
        ),
    ),
    Difference(
        "zone types",
        "a zone ID has a `zoneType` and always an owner; without an owner of its own, it is `__defaultOwner__`",
        "the manual has no `zoneType`; the service has one",
        "clients send it back",
        ("*.zoneType is new", "*.ownerRecordName is new"),
    ),
    Difference(
        "atomic",
        "`atomic` is honoured in every zone; without it, requests about custom zones are atomic and others are not",
        "an explicit true is refused in the default zone",
        "the library can do it; clients that say nothing expect partial success there",
    ),
    Difference(
        "answer of an atomic error",
        "a failed atomic request has both an error at the top and `records`",
        "clients report either",
        "some clients read the one, and some the other",
        ("answer.records is new",),
    ),
    Difference(
        "deletion without a tag",
        "`delete` works without a tag",
        "the manual requires one in one place and not in another",
        "clients do both",
    ),
    Difference(
        "foreign tags",
        "a tag that cannot be one is CONFLICT",
        "BAD_REQUEST",
        "a client with tags of another service learns that its copy is stale",
    ),
    Difference(
        "schema of production",
        "in production, a save in a private database adds no types and fields to the schema",
        "no save adds them in production",
        "small applications begin with the public database, without a deployment",
    ),
    Difference(
        "booleans",
        "booleans are accepted, and shown as INT64",
        "the manual has them, the service does not",
        "clients send them",
        ("answer.records[].fields.*.value is not True*",),
    ),
    Difference(
        "microseconds",
        "a date keeps its microseconds",
        "milliseconds",
        "a client that writes back what it read must not change it",
    ),
    Difference(
        "altitude",
        "a location has latitude and longitude",
        "also altitude, course and so on",
        "the library stores no more",
        tuple(
            f"answer.records[].fields.*.value.{key} is missing"
            for key in ("altitude", "horizontalAccuracy", "verticalAccuracy", "course", "speed", "timestamp")
        ),
    ),
    Difference(
        "types of filters",
        "a type may be left out, also in filters with a list",
        "some filters need the type of the list",
        "the schema says it",
    ),
    Difference(
        "queries without indexes",
        "a field without an index can be queried, up to 10,000 records",
        "it cannot",
        "small applications need no indexes",
    ),
    Difference(
        "indexes are current",
        "a query finds what was saved before",
        "indexes are a few seconds late",
        "the library writes indexes with the record",
    ),
    Difference(
        "zoneWide",
        "`zoneWide` of a query is false if it is missing, and means nothing in the public database",
        "not documented",
        "the default zone is what most clients mean",
    ),
    Difference(
        "order by system fields",
        "of the system fields, only the two times can order records",
        "any system field can",
        "the library has no such order",
    ),
    Difference("sorting by distance", "a sort by distance ascends", "both directions", "the library has no other"),
    Difference(
        "words",
        "`CONTAINS_ALL_TOKENS` and `CONTAINS_ANY_TOKENS` search all searchable fields",
        "one field",
        "the index is of the record",
    ),
    Difference(
        "LIST_CONTAINS_ANY",
        "`LIST_CONTAINS_ANY` is a comparator",
        "it is in CloudKit JS, but not in the manual",
        "clients send it",
    ),
    Difference(
        "devices and erased users",
        "`deviceID` is always `kinfolk`, and the creator of a record of an erased person is `__erased__`",
        "an ID of a device, an ID of a user",
        "devices are nobody's business; an erased person has no ID",
    ),
    Difference(
        "strict JSON",
        "two members of one name make a body invalid",
        "not documented",
        "readers that disagree about a body are a danger",
    ),
]

ZONES = [
    Difference("foreign zones", "a zone of another owner is ZONE_NOT_FOUND", "shared zones", "there are none"),
    Difference(
        "zone tokens",
        "zones have no `syncToken`",
        "they have",
        "a token of a zone comes with its changes",
        ("answer.zones[].syncToken is missing",),
    ),
    Difference(
        "paging of zones",
        "`changes/database` and `zones/changes` ignore `resultsLimit`",
        "it is the most zones of an answer",
        "a person has at most 1,000 zones",
    ),
    Difference(
        "both tokens",
        "`changes/database` and `zones/changes` answer with `syncToken` and `metaSyncToken`, which are the same, and take either",
        "the one has `syncToken`, the other `metaSyncToken`; a page of the manual has both names for it",
        "clients send either",
        ("answer.metaSyncToken is new", "answer.syncToken is new"),
    ),
    Difference(
        "end of the list of zones",
        "`zones/list` has `moreComing`, which is false",
        "the service has it, the manual does not",
        "clients read it",
        ("answer.moreComing is new",),
    ),
    Difference("reverse", "`reverse` must not be true", "the newest changes first", "tokens follow the order of the changes"),
    Difference(
        "empty tokens",
        "an empty token is no token",
        "the service answers that nothing changed",
        "a client that lost its token must get everything",
    ),
    Difference(
        "types of deleted records",
        "a deleted record in `changes/zone` and `records/changes` has its `recordType`",
        "it has none, or null",
        "clients keep a table for each type",
        ("*.recordType is new",),
    ),
    Difference(
        "zone subscriptions",
        "a `zone` subscription needs its `zoneID`",
        "the manual leaves it out",
        "all clients send it",
    ),
    Difference(
        "database subscriptions",
        "there are `database` subscriptions",
        "CloudKit has them, the manual does not",
        "the library has them",
        ("answer.subscriptions[].subscriptionType is not one of*",),
    ),
    Difference(
        "equal subscriptions",
        "several subscriptions with the same question are allowed",
        "the second is an error",
        "each can have a notification of its own",
    ),
    Difference(
        "answer of tokens/register",
        "`tokens/register` answers like `tokens/create`",
        "an empty body",
        "the client needs the URL",
    ),
    Difference(
        "acknowledging",
        "notifications can be acknowledged, and `dropped` says that some were lost",
        "a notification that was sent is gone",
        "a connection can break",
    ),
    Difference(
        "IDs of errors",
        "the error of a zone or a subscription has a `uuid`",
        "only that of a record or of a request has one",
        "one form for all errors",
        ("answer.zones[].uuid is new", "answer.subscriptions[].uuid is new"),
    ),
]

USERS = [
    Difference(
        "own user",
        "`users/caller` and `users/current` have the user at the top and as `users[0]`, with `nameComponents`, `firstName` and `lastName`",
        "the manual: `users` of `users/caller`, at the top of `users/current`; the service answers at the top",
        "clients read either",
        (
            "answer.userRecordName is new",
            "answer*.nameComponents is new",
            "answer*.firstName is new",
            "answer*.lastName is new",
            "answer.users is new",
            "answer.users[].lookupInfo is missing",
        ),
    ),
    Difference(
        "people who are not found",
        "a person who cannot be found has what was asked for, and nothing else",
        "the names are null",
        "the answer is the same for every reason",
        (
            "answer.users[].userRecordName is missing",
            "answer.users[].nameComponents is missing",
            "answer.users[].firstName is missing",
            "answer.users[].lastName is missing",
        ),
    ),
    Difference(
        "only consenting people",
        "people are found only if they have agreed to it in the container",
        "and if they have an iCloud account that allows it",
        "the question is the application's",
    ),
]

ASSETS = [
    Difference(
        "receipts of stored files",
        "a file in a record has a `receipt`, and can be put back as it was read",
        "it has none",
        "a client can write back a whole record",
        ("answer.*.receipt is new", "answer.assets[].downloadURL is new"),
    ),
    Difference("keys of files", "only `receipt` is read", "also keys and checksums", "the store seals files, not the client"),
    Difference(
        "sizes of files",
        "files have up to 250,000,000 bytes",
        "the manual: 15 MB in one place, 50 MB in another",
        "the operator decides",
    ),
    Difference(
        "repeated uploads",
        "an upload URL takes POST and PUT, and can be used again until it ends",
        "not documented",
        "an upload that broke off is repeated",
    ),
    Difference("deletion of files", "a file is deleted with the last record that names it", "some days later", ""),
]

GROUPS = {
    "Access": ACCESS,
    "What is not there": MISSING,
    "Records and queries": RECORDS,
    "Zones, changes and notifications": ZONES,
    "Users": USERS,
    "Assets": ASSETS,
}
DIFFERENCES = [row for rows in GROUPS.values() for row in rows]

HEADING = "## Differences from CloudKit Web Services"


def section() -> str:
    """The section of docs/web-services.md."""
    parts = [HEADING]
    for title, rows in GROUPS.items():
        lines = [f"| {row.here} | {row.apple} | {row.why} |".replace("  ", " ") for row in rows]
        parts += [f"**{title}**", "\n".join(["| here | Apple | why |", "|---|---|---|", *lines])]
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    print(section(), end="")
