"""Nobody reads or changes what belongs to another person, through any operation."""

from __future__ import annotations

import base64
import copy
import json
from typing import Any

from world import CONTAINER

from ..finding import Finding, Length, Tally, require
from ..sameness import difference, shown
from ..scene import Member, Scene
from ..wire import Reply

NAME = "others"
PROMISE = "others' records"

NEEDLE = "needle-of-the-victim"
ZONE = "Vault"


def run(scene: Scene, length: Length) -> list[Finding]:
    victim = make_victim(scene)
    attacker = scene.sign_in()
    before = everything(scene, victim)
    findings = [
        private(scene, victim, attacker),
        owners(scene, victim, attacker),
        public(scene, victim, attacker),
        tokens(scene, victim, attacker),
        existence(scene, scene.sign_in()),
        notes(scene, victim, attacker),
    ]
    tally = Tally()
    after = everything(scene, victim)
    for part in before:
        tally.check(before[part] == after[part], f"{part} of the victim changed: {difference(after[part], before[part])}")
    return [*findings, tally.finding("compare all that the victim has, {} parts", "nothing has changed")]


def make_victim(scene: Scene) -> Member:
    """A person who has something of everything."""
    victim = scene.sign_in(None, "Vera", "Victim")
    scene.ask("zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": ZONE}}}]}, victim, "private")
    scene.save(victim, "secret", title=NEEDLE)
    scene.save(victim, "in-zone", zone=ZONE, title=NEEDLE)
    scene.save(victim, "published", "public", title="published")
    _, file = scene.upload(victim, NEEDLE.encode())
    scene.save(victim, "with-file", photo=file)
    subscription = {"subscriptionID": "of-victim", "subscriptionType": "database", "notificationInfo": {"alertBody": NEEDLE}}
    body = {"operations": [{"operationType": "create", "subscription": subscription}]}
    require(scene.ask("subscriptions/modify", body, victim, "private").status == 200, "no subscription")
    key = {"operationType": "set", "key": "of-victim", "value": NEEDLE}
    require(scene.ask("keyvalue/modify", {"operations": [key]}, victim, "kinfolk").status == 200, "no key")
    return victim


def everything(scene: Scene, victim: Member) -> dict[str, str]:
    """All that the victim has, by its kind."""
    names = {"records": ["secret", "with-file", "published"]}
    parts = {
        "records": scene.ask("records/lookup", names, victim, "private"),
        "the public record": scene.ask("records/lookup", names, victim),
        "zone": scene.ask("records/lookup", {"records": ["in-zone"], "zoneID": {"zoneName": ZONE}}, victim, "private"),
        "zones": scene.ask("zones/list", {}, victim, "private"),
        "subscriptions": scene.ask("subscriptions/list", {}, victim, "private"),
        "keys": scene.ask("keyvalue/list", {}, victim, "kinfolk"),
        "blocks": scene.ask("blocks/list", {}, victim, "kinfolk"),
        "discoverability": scene.ask("discoverability", {}, victim, "kinfolk"),
        "user": scene.ask("users/current", {}, victim),
    }

    def stable(value: Any) -> Any:
        """Without the URLs of files, which differ each time."""
        if isinstance(value, dict):
            return {name: stable(inner) for name, inner in value.items() if name not in ("downloadURL", "uuid")}
        return [stable(inner) for inner in value] if isinstance(value, list) else value

    return {name: json.dumps(stable(reply.json), indent=0) for name, reply in parts.items()}


def operation(kind: str, name: str, **more: Any) -> dict[str, Any]:
    record: dict[str, Any] = {"recordType": "Note", "recordName": name, "recordChangeTag": "1", "fields": {"title": {"value": "taken"}}}
    return {"operationType": kind, "record": record | more}


KINDS = ("create", "update", "forceUpdate", "replace", "forceReplace", "delete", "forceDelete")


def requests(zone: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every operation about the victim's names in a zone."""
    note, where = {"recordType": "Note"}, {"zoneID": zone}
    reference = {"value": {"recordName": "secret", "zoneID": zone, "action": "DELETE_SELF"}, "type": "REFERENCE"}
    return [
        ("records/lookup", {"records": [{"recordName": name, **where} for name in ("secret", "in-zone", "with-file")]}),
        ("records/lookup", {"records": ["secret", "in-zone", "with-file"], **where}),
        ("records/query", {"query": note, **where}),
        ("records/query", {"query": note, "zoneWide": True}),
        (
            "records/query",
            {"query": {**note, "filterBy": [{"fieldName": "title", "comparator": "BEGINS_WITH", "fieldValue": {"value": NEEDLE}}]}, **where},
        ),
        ("records/changes", where),
        ("changes/zone", {"zones": [where]}),
        ("changes/database", {}),
        ("zones/changes", {}),
        ("zones/list", {}),
        ("zones/lookup", {"zones": [where]}),
        ("assets/rereference", {"assets": [{"recordName": "with-file", "fieldName": "photo"}], **where}),
        ("assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo", "recordName": "with-file"}], **where}),
        ("subscriptions/list", {}),
        ("subscriptions/lookup", {"subscriptions": [{"subscriptionID": "of-victim"}]}),
        *[("records/modify", {"operations": [operation(kind, name)], **where}) for kind in KINDS for name in ("secret", "in-zone")],
        *[("records/modify", {"operations": [operation(kind, "secret", **where)], "atomic": True}) for kind in KINDS],
        ("records/modify", {"operations": [operation("create", "mine", fields={"folder": reference})], **where}),
        ("zones/modify", {"operations": [{"operationType": "delete", "zone": where}]}),
        ("zones/modify", {"operations": [{"operationType": "create", "zone": where}]}),
    ]


def private(scene: Scene, victim: Member, attacker: Member) -> Finding:
    """Everything that can be asked about the private database of the victim, with the names that the victim uses."""
    tally = Tally()
    for name in ("_defaultZone", ZONE):
        for zone in ({"zoneName": name}, {"zoneName": name, "ownerRecordName": victim.id}, {"zoneName": name, "ownerName": victim.id}):
            for path, body in requests(zone):
                for who in (attacker, scene.token):
                    reply = scene.ask(path, body, who, "private")
                    is_held = NEEDLE not in reply.text and (reply.status == 421 or isinstance(who, Member))
                    tally.check(is_held, f"{path} {json.dumps(body)[:60]}: {reply}")
        # What was made on the way belongs to the attacker.
        gone = {"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": ZONE}}}]}
        scene.ask("zones/modify", gone, attacker, "private")
    return tally.finding("another person, and nobody, ask for a private database, {} requests", "nothing of the victim")


def owners(scene: Scene, victim: Member, attacker: Member) -> Finding:
    """Ways to write the owner of a zone that is not the caller's."""
    tally = Tally()
    names = [
        victim.id,
        victim.id.upper(),
        victim.id[1:],
        f" {victim.id}",
        f"{victim.id} ",
        "__defaultOwner__" + victim.id,
        "",
        "*",
        "%",
        "'",
        f"{victim.id}\0",
        f"{attacker.id},{victim.id}",
    ]
    for name in names:
        for member in ("ownerRecordName", "ownerName"):
            for zone in ("_defaultZone", ZONE):
                body = {"records": [{"recordName": "secret", "zoneID": {"zoneName": zone, member: name}}]}
                reply = scene.ask("records/lookup", body, attacker, "private")
                code = reply.json.get("records", [{}])[0].get("serverErrorCode", reply.code)
                tally.check(NEEDLE not in reply.text and code in ("ZONE_NOT_FOUND", "NOT_FOUND", "BAD_REQUEST"), f"{name!r}: {reply.text[:80]}")
    both = {"zoneName": ZONE, "ownerRecordName": attacker.id, "ownerName": victim.id}
    reply = scene.ask("records/lookup", {"records": ["in-zone"], "zoneID": both}, attacker, "private")
    tally.check(NEEDLE not in reply.text, "two owners")
    for database in ("shared", "PRIVATE", "private%2f", victim.id):
        tally.check(NEEDLE not in scene.ask("records/lookup", {"records": ["secret"]}, attacker, database).text, database)
    return tally.finding("write owners and databases in other ways, {} requests", "no other database")


def public(scene: Scene, victim: Member, attacker: Member) -> Finding:
    """A record of the public database, whose type lets only its creator write."""
    tally = Tally()
    tag = scene.ask("records/lookup", {"records": ["published"]}, victim).json["records"][0]["recordChangeTag"]
    server = scene.make_server()
    for kind in KINDS:
        for more in ({}, {"recordChangeTag": tag}, {"created": {"userRecordName": attacker.id}}, {"recordType": "Users"}):
            for atomic in (True, False):
                body = {"operations": [operation(kind, "published", **more)], "atomic": atomic}
                for who in (attacker, scene.token, server):
                    if who is server:
                        if more or atomic:
                            continue
                        reply = scene.ask_signed(server, "records/modify", body)
                    else:
                        reply = scene.ask("records/modify", body, who)  # type: ignore[arg-type]
                    items = reply.json.get("records", [])
                    is_held = reply.status != 200 or all("serverErrorCode" in item for item in items)
                    tally.check(is_held, f"{kind} {more}: {reply.text[:90]}")
    # The user record of the victim, which is in the public database.
    for kind in KINDS:
        body = {"operations": [operation(kind, victim.id, recordType="Users")]}
        reply = scene.ask("records/modify", body, attacker)
        items = reply.json.get("records", [])
        tally.check(reply.status != 200 or all("serverErrorCode" in item for item in items), f"{kind} of a user: {reply.text[:90]}")
    return tally.finding("change a public record and a user record of another, {} requests", "refused")


def tokens(scene: Scene, victim: Member, attacker: Member) -> Finding:
    """Tokens of changes, markers of queries and sync states of another person, and damaged ones."""
    tally = Tally()
    zone = {"zoneID": {"zoneName": ZONE}}
    scene.ask("zones/modify", {"operations": [{"operationType": "create", "zone": zone}]}, attacker, "private")
    theirs = {
        "database": scene.ask("changes/database", {}, victim, "private").json["syncToken"],
        "zone": scene.ask("changes/zone", {"zones": [zone]}, victim, "private").json["zones"][0]["syncToken"],
    }
    for name in range(3):
        scene.save(victim, f"page-{name}", title=f"{NEEDLE} {name}")
    query = {"query": {"recordType": "Note", "sortBy": [{"fieldName": "title", "ascending": True}]}, "resultsLimit": 1}
    marker = scene.ask("records/query", query, victim, "private").json["continuationMarker"]
    for text in [theirs["database"], theirs["zone"], marker, *damaged(marker), *damaged(theirs["zone"])]:
        for path, body in (
            ("changes/database", {"syncToken": text}),
            ("zones/changes", {"metaSyncToken": text}),
            ("changes/zone", {"zones": [{**zone, "syncToken": text}]}),
            ("records/changes", {**zone, "syncToken": text}),
            ("records/query", query | {"continuationMarker": text}),
            ("discovery/hashes", {"hashes": [], "syncState": text}),
        ):
            for database in ("private", "public"):
                place = "kinfolk" if path.startswith("discovery") else database
                reply = scene.ask(path, body, attacker, place)
                tally.check(NEEDLE not in reply.text and reply.status < 500, f"{path}: {reply}")
    for page in range(3):
        scene.ask("records/modify", {"operations": [operation("forceDelete", f"page-{page}")]}, victim, "private")
    return tally.finding("tokens and markers of another person, and damaged ones, {} requests", "nothing of the victim, no fault")


def damaged(text: str) -> list[str]:
    data = bytearray(base64.b64decode(text))
    forged = []
    for index in range(0, len(data), max(1, len(data) // 12)):
        other = copy.copy(data)
        other[index] ^= 1
        forged.append(base64.b64encode(other).decode())
    return [*forged, text[:-4], text + "AAAA", "", "A", "=" * 8]


def existence(scene: Scene, attacker: Member) -> Finding:
    """What is there for another person, and what is not there for anybody, gives one answer."""
    tally = Tally()
    pairs = [("secret", "absent"), ("in-zone", "absence"), (ZONE, "Vaulx"), ("of-victim", "of-nobody")]
    for real, unreal in pairs:
        for path, make in (
            ("records/lookup", lambda name: {"records": [name]}),
            ("records/lookup", lambda name: {"records": ["x"], "zoneID": {"zoneName": name}}),
            ("records/query", lambda name: {"query": {"recordType": "Note"}, "zoneID": {"zoneName": name}}),
            ("records/modify", lambda name: {"operations": [operation("update", name)]}),
            ("records/modify", lambda name: {"operations": [operation("delete", name)]}),
            ("records/modify", lambda name: {"operations": [operation("create", "x")], "zoneID": {"zoneName": name}}),
            ("changes/zone", lambda name: {"zones": [{"zoneID": {"zoneName": name}}]}),
            ("zones/lookup", lambda name: {"zones": [{"zoneID": {"zoneName": name}}]}),
            ("zones/modify", lambda name: {"operations": [{"operationType": "delete", "zone": {"zoneID": {"zoneName": name}}}]}),
            ("subscriptions/lookup", lambda name: {"subscriptions": [{"subscriptionID": name}]}),
            ("assets/rereference", lambda name: {"assets": [{"recordName": name, "fieldName": "photo"}]}),
        ):
            left = shown(scene.ask(path, make(real), attacker, "private"), real)
            right = shown(scene.ask(path, make(unreal), attacker, "private"), unreal)
            tally.check(left == right, f"{path} {real}: {difference(left, right)}")
    return tally.finding("names that a private database has, and names that none has, {} pairs", "the same answers")


def notes(scene: Scene, victim: Member, attacker: Member) -> Finding:
    """Counts, keys, exports and erasures of another person."""
    tally = Tally()
    note = {"query": {"recordType": "Note"}}

    def count(database: str, who: Member | str) -> Reply:
        return scene.ask("records/count", note | {"database": database}, who, "kinfolk")

    tally.check(count("private", attacker).json.get("count") in (0, None), "a count of the private database")
    tally.check(count("private", scene.token).status == 421, "a count by nobody")
    for body in ({}, {"userRecordName": victim.id}, {"user": victim.id}, {"ownerRecordName": victim.id}):
        for path in ("keyvalue/list", "account/export", "blocks/list", "discoverability", "keyvalue/synchronize"):
            reply = scene.ask(path, body, attacker, "kinfolk", userRecordName=victim.id)
            tally.check(NEEDLE not in reply.text and victim.id not in reply.text, f"{path}: {reply}")
            tally.check(scene.ask(path, body, scene.token, "kinfolk").status == 421, f"{path} by nobody")
    reply = scene.ask("account/erase", {"userRecordName": victim.id}, attacker, "kinfolk")
    tally.check(reply.status == 400, f"an erasure: {reply}")
    require(scene.ask("users/current", None, attacker).status == 200, f"the attacker is gone from {CONTAINER}")
    return tally.finding("counts, keys, exports and erasures of another person, {} requests", "nothing of the victim")
