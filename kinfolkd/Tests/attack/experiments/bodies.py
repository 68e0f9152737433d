"""No body takes the service's time, memory or good sense: depth, size, numbers, duplicate keys, encodings."""

from __future__ import annotations

import json
import pathlib
import time
from urllib.parse import urlencode

from ..finding import Finding, Length, Tally, require
from ..scene import Scene
from ..wire import exchange, statuses

NAME = "bodies"
PROMISE = "JSON"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [bombs(scene, length), meanings(scene), kinds(scene)]


def memory(scene: Scene) -> int:
    """The resident memory of the service, in MB."""
    text = pathlib.Path(f"/proc/{scene.service.process.pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) // 1_024


def bombs(scene: Scene, length: Length) -> Finding:
    """Bodies of several megabytes. Another client is answered meanwhile."""
    tally = Tally()
    member = scene.sign_in()
    mega = length.choose(2, 6) * 1_000_000 - 2_000
    records = '{"records": '
    names = ",".join(f'"k{number}":1' for number in range(mega // 11))
    bodies = {
        "open brackets": "[" * mega,
        "open braces": '{"a":' * (mega // 5),
        "records in brackets": records + "[" * (mega // 2),
        "closed brackets": "[" * 1_000 + "]" * 1_000,
        "80 brackets": records + "[" * 79 + "]" * 79 + "}",
        "zeros": records + "[" + "0," * (mega // 2 - 10) + "0]}",
        "empty objects": records + "[" + "{}," * (mega // 3 - 10) + "{}]}",
        "one text": records + '"' + "x" * mega + '"}',
        "escapes": records + '"' + "\\u0041" * (mega // 6 - 10) + '"}',
        "backslashes": '"' + "\\" * mega,
        "many names": "{" + names + "}",
        "many equal names": "{" + '"a":1,' * (mega // 6) + '"a":1}',
        "a long number": records + "1" * mega + "}",
        "a long fraction": records + "0." + "1" * mega + "}",
        "a huge exponent": records + "1e" + "9" * 1_000_000 + "}",
        "a name of a megabyte": '{"' + "a" * mega + '": 1}',
        "spaces": " " * mega + "{}",
        "200 records with many names": '{"operations": ['
        + ",".join(['{"operationType":"create","record":{' + names[: mega // 210] + "}}"] * 200)
        + "]}",
        "filters": '{"query":{"recordType":"Note","filterBy":['
        + ",".join(['{"fieldName":"title","comparator":"EQUALS","fieldValue":{"value":"x"}}'] * 20_000)
        + "]}}",
        "a list of a filter": '{"query":{"recordType":"Note","filterBy":[{"fieldName":"title","comparator":"IN","fieldValue":{"value":['
        + '"x",' * 200_000
        + '"x"]}}]}}',
        "sorts": '{"query":{"recordType":"Note","sortBy":[' + ",".join(['{"fieldName":"title"}'] * 50_000) + "]}}",
        "keys": '{"desiredKeys":[' + '"x",' * 200_000 + '"x"]}',
        "combining marks": records + '"a' + "\u0301" * (mega // 2 - 20) + '"}',
        "hashes": '{"hashes":[' + '"",' * 400_000 + '""]}',
    }
    before, slowest = memory(scene), (0.0, "")
    for name, body in bodies.items():
        for operation, database in (
            ("records/query" if "query" in body[:9] else "records/modify" if "operations" in body[:13] else "records/lookup", "private"),
            ("discovery/hashes" if name == "hashes" else "keyvalue/modify", "kinfolk"),
        ):
            start = time.process_time(), time.monotonic()
            reply = scene.ask(operation, body, member, database, timeout=60)
            took = time.monotonic() - start[1]
            slowest = max(slowest, (took, name))
            tally.check(
                reply.status in (400, 413, 200) and (reply.status != 200 or name in ("spaces", "keys", "many names")),
                f"{name} to {operation}: {reply}",
            )
            tally.check(len(reply.body) < 100_000, f"{name}: an answer of {len(reply.body):,} bytes")
    tally.check(scene.wire.ask("GET", "/healthz").status == 200, "the service does not answer any more")
    grown = memory(scene) - before
    tally.check(grown < 400, f"the memory grew by {grown} MB")
    return tally.finding(
        f"{len(bodies)} bodies of up to {mega // 1_000_000 + 1} MB, {{}} checks",
        f"refused; the memory grew by {grown} MB, the longest took {slowest[0]:.1f} s ({slowest[1]})",
    )


def meanings(scene: Scene) -> Finding:
    """Bodies that two readers could read in two ways."""
    tally = Tally()
    member = scene.sign_in()
    scene.save(member, "needle", title="needle")
    right = '{"records": ["needle"]}'
    require("needle" in scene.ask("records/lookup", right, member, "private").text, "the right body does not work")
    for name, body in {
        "two names": '{"records": ["x"], "records": ["needle"]}',
        "two names, one escaped": '{"records": ["x"], "recor\\u0064s": ["needle"]}',
        "within": '{"records": [{"recordName": "x", "recordName": "needle"}]}',
        "a comment": '{"records": ["needle"] /* x */}',
        "a comma": '{"records": ["needle",]}',
        "single quotes": "{'records': ['needle']}",
        "no quotes": "{records: ['needle']}",
        "two values": right + right,
        "something behind it": right + "x",
        "a byte order mark": "\ufeff" + right,
        "a zero byte": right + "\0",
        "an array": '["needle"]',
        "a text": '"needle"',
        "a leading zero": '{"records": ["needle"], "x": 01}',
        "a plus": '{"records": ["needle"], "x": +1}',
        "NaN": '{"records": ["needle"], "x": NaN}',
        "Infinity": '{"records": ["needle"], "x": -Infinity}',
        "hex": '{"records": ["needle"], "x": 0x1}',
        "half a pair": '{"records": ["needle"], "x": "\\ud800"}',
        "a control character": '{"records": ["needle"], "x": "\x01"}',
        "a form": "records=needle",
        "XML": "<records>needle</records>",
        "no colon": '{"records" ["needle"]}',
        "a vertical tab": '{"records":\x0b["needle"]}',
        "a number out of range": '{"records": ["needle"], "x": 1e999}',
        "a bare point": '{"records": ["needle"], "x": 1.}',
    }.items():
        reply = scene.ask("records/lookup", body, member, "private")
        tally.check(reply.status == 400 and '"value": "needle"' not in reply.text, f"{name}: {reply}")
    for name, data in {
        "not UTF-8": b'{"records": ["needle"], "x": "\xff"}',
        "too long a form": b'{"records": ["needle"], "x": "\xc0\x80"}',
        "a surrogate in UTF-8": b'{"records": ["needle"], "x": "\xed\xa0\x80"}',
        "UTF-16": right.encode("utf-16"),
        "UTF-32": right.encode("utf-32"),
        "compressed": b"\x1f\x8b\x08\x00" + b"x" * 50,
    }.items():
        reply = scene.ask("records/lookup", data, member, "private", headers={"Content-Encoding": "gzip"} if name == "compressed" else None)
        tally.check(reply.status == 400, f"{name}: {reply}")
    return tally.finding("bodies that readers read in several ways, {} forms", "refused")


def kinds(scene: Scene) -> Finding:
    """A value of every kind in the place of every member: no fault of the service."""
    tally = Tally()
    member = scene.sign_in()
    values = [
        None,
        True,
        0,
        -1,
        2**63 - 1,
        -(2**63),
        1.5,
        1e308,
        "",
        "x" * 300,
        "\0",
        [],
        {},
        [[]],
        [None],
        {"value": None},
        {"": ""},
        [{}] * 3,
        "9" * 400,
    ]
    templates: list[tuple[str, str, dict[str, object]]] = [
        (
            "records/query",
            "private",
            {
                "query": {
                    "recordType": "Note",
                    "filterBy": [{"fieldName": "title", "comparator": "EQUALS", "fieldValue": {"value": "x", "type": "STRING"}}],
                    "sortBy": [{"fieldName": "title", "ascending": True}],
                },
                "zoneID": {"zoneName": "_defaultZone"},
                "resultsLimit": 1,
                "continuationMarker": "x",
                "desiredKeys": ["x"],
                "zoneWide": False,
                "numbersAsStrings": False,
            },
        ),
        (
            "records/modify",
            "private",
            {
                "operations": [
                    {
                        "operationType": "forceUpdate",
                        "record": {
                            "recordType": "Note",
                            "recordName": "k",
                            "fields": {
                                "title": {"value": "x", "type": "STRING"},
                                "count": {"value": 1, "type": "INT64"},
                                "due": {"value": 1, "type": "TIMESTAMP"},
                                "place": {"value": {"latitude": 1, "longitude": 2}},
                                "folder": {"value": {"recordName": "x"}},
                                "tags": {"value": ["a"]},
                                "data": {"value": "AA=="},
                                "photo": {"value": {"receipt": "x"}},
                            },
                            "parent": {"recordName": "x"},
                            "recordChangeTag": "1",
                        },
                    }
                ],
                "atomic": True,
                "zoneID": {"zoneName": "_defaultZone"},
            },
        ),
        (
            "changes/zone",
            "private",
            {"zones": [{"zoneID": {"zoneName": "Z", "ownerRecordName": "x"}, "syncToken": "x", "resultsLimit": 1, "desiredRecordTypes": ["Note"]}]},
        ),
        ("zones/modify", "private", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}),
        (
            "subscriptions/modify",
            "private",
            {
                "operations": [
                    {
                        "operationType": "update",
                        "subscription": {
                            "subscriptionID": "s",
                            "subscriptionType": "query",
                            "query": {"recordType": "Note"},
                            "firesOn": ["create"],
                            "notificationInfo": {"alertBody": "x", "alertLocalizationArgs": ["x"], "shouldBadge": True, "desiredKeys": ["title"]},
                        },
                    }
                ]
            },
        ),
        ("users/discover", "public", {"lookupInfos": [{"emailAddress": "x@example.com", "userRecordName": "x", "phoneNumber": "1"}]}),
        ("keyvalue/modify", "kinfolk", {"operations": [{"operationType": "set", "key": "k", "value": {"a": [1]}, "type": "DICTIONARY"}]}),
        ("blocks/modify", "kinfolk", {"operations": [{"operationType": "block", "userRecordName": "x"}]}),
        ("discoverability", "kinfolk", {"discoverability": "GRANTED", "wording": {"text": "x", "version": "1"}}),
        ("assets/upload", "private", {"tokens": [{"recordType": "Note", "fieldName": "photo", "recordName": "x"}], "zoneID": {"zoneName": "Z"}}),
        ("tokens/register", "device", {"apnsToken": "x", "apnsEnvironment": "production"}),
        ("token", "kinfolk", {"code": "x", "code_verifier": "x", "redirect_uri": "x"}),
    ]
    bad: list[bytes] = []
    for operation, database, template in templates:
        for path in places(template):
            for value in values:
                body = json.loads(json.dumps(template))
                put(body, path, value)
                data = json.dumps(body).encode()
                if len(bad) % 400 == 399:
                    member = scene.sign_in()  # 500 requests are taken from a person at once
                target = f"{scene.path(operation, database)}?{urlencode(member.items)}"
                bad.append(f"POST {target} HTTP/1.1\r\nHost: x\r\nContent-Length: {len(data)}\r\n\r\n".encode() + data)
    for start in range(0, len(bad), 40):
        batch = bad[start : start + 40]
        last = batch[-1].replace(b"\r\nHost: x", b"\r\nHost: x\r\nConnection: close", 1)
        found = statuses(exchange(scene.port, b"".join([*batch[:-1], last]), timeout=30))
        tally.count += len(batch) - 1
        worst = [status for status in found if status >= 500 or status == 429]
        tally.check(len(found) == len(batch) and not worst, f"requests {start}…: {len(found)} answers of {len(batch)}, {worst[:3]}")
    return tally.finding("a value of each kind in each place of {} bodies", "no fault")


def places(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += places(inner, (*path, key))
    return found


def put(body: object, path: tuple[object, ...], value: object) -> None:
    for key in path[:-1]:
        body = body[key]  # type: ignore[index]
    body[path[-1]] = value  # type: ignore[index]
