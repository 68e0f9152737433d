"""Bodies of requests: valid ones that use what the service has answered before, ones with one thing wrong, and junk."""

from __future__ import annotations

import base64
import copy
import json
import random
from collections.abc import Callable
from typing import Any

# Texts that a log must never have. They are in most records and names that are sent.
CANARY = "canary-in-a-coal-mine"

FIELDS = ["title", "count", "due", "tags", "place", "folder", "photo", "data"]
SYSTEM_FIELDS = ["___createTime", "___modTime", "___createdBy", "___recordID", "recordName", "modifiedTimestamp"]
KEPT = 40


class Pool:
    """Values that the service has answered, by the name of their member. Requests send some of them again."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.values: dict[str, list[Any]] = {
            "recordName": ["groceries", "milk", CANARY],
            "zoneName": ["Notes", "_defaultZone", "Work"],
            "subscriptionID": ["new-notes", "all"],
            "key": ["theme", "size", CANARY],
            "path": ["notes/list.txt", CANARY],
        }

    NAMES = (
        "recordName", "recordChangeTag", "zoneName", "syncToken", "metaSyncToken", "continuationMarker", "subscriptionID",
        "userRecordName", "receipt", "syncState", "nid", "key", "apnsToken", "documentID", "versionID", "baseVersionID", "path",
    )  # fmt: skip

    def add(self, name: str, value: Any) -> None:
        values = self.values.setdefault(name, [])
        if value not in values:
            values.append(value)
            if len(values) > KEPT:
                del values[KEPT // 2]

    def learn(self, answer: Any) -> None:
        """Keeps what an answer holds."""
        rest = [answer]
        while rest:
            node = rest.pop()
            if isinstance(node, list):
                rest += node[:20]
            elif isinstance(node, dict):
                for name, value in node.items():
                    if name in Pool.NAMES and isinstance(value, str):
                        self.add(name, value)
                    elif isinstance(value, (dict, list)):
                        rest.append(value)

    def any(self, name: str) -> Any:
        values = self.values.get(name)
        # One random number, however many values there are: the rest of the run does not depend on it.
        return values[int(self.chance.random() * len(values))] if values else None

    # ---- Valid bodies

    def enrich(self, node: Any, own_name: str) -> Any:
        """The same body with known names and tokens in the place of some."""
        if isinstance(node, list):
            return [self.enrich(element, own_name) for element in node]
        if not isinstance(node, dict):
            return node
        result = {}
        for name, value in node.items():
            if name == "userRecordName" and isinstance(value, str) and self.chance.random() < 0.3:
                result[name] = own_name
            elif name in Pool.NAMES and isinstance(value, str) and self.chance.random() < 0.6 and name in self.values:
                result[name] = self.any(name)
            elif name == "recordType" and isinstance(value, str) and self.chance.random() < 0.8:
                result[name] = "Note"
            elif name in ("fieldName", "systemFieldName") and isinstance(value, str) and self.chance.random() < 0.8:
                result[name] = self.chance.choice(FIELDS if name == "fieldName" else SYSTEM_FIELDS)
            elif name == "fields" and isinstance(value, dict) and self.chance.random() < 0.7:
                result[name] = self.fields()
            else:
                result[name] = self.enrich(value, own_name)
        return result

    def fields(self) -> dict[str, Any]:
        """Some fields of the type Note, with values that they can have."""
        chance = self.chance
        all_fields: dict[str, Callable[[], Any]] = {
            "title": lambda: {"value": chance.choice(["", "Milk", CANARY, "\U0001f95b", "e\u0301", "\u0000", "a" * 1_000])},
            "count": lambda: {"value": chance.choice([0, -1, 2**63 - 1, -(2**63), 7])},
            "due": lambda: {"value": chance.choice([0, -1, 1_422_312_944_104, 253_402_300_799_999]), "type": "TIMESTAMP"},
            "tags": lambda: {"value": [chance.choice(["a", CANARY, ""]) for _ in range(chance.randrange(4))], "type": "STRING_LIST"},
            "place": lambda: {"value": {"latitude": chance.uniform(-90, 90), "longitude": chance.uniform(-180, 180)}},
            "folder": lambda: {"value": {"recordName": self.any("recordName"), "action": chance.choice(["NONE", "DELETE_SELF", "VALIDATE"])}},
            "data": lambda: {"value": base64.b64encode(chance.randbytes(chance.randrange(40))).decode(), "type": "BYTES"},
            "photo": lambda: {"value": {"receipt": self.any("receipt")}} if self.any("receipt") else None,
        }
        return {name: all_fields[name]() for name in FIELDS if chance.random() < 0.4}


# ---- One thing wrong


def places(node: Any) -> list[tuple[Any, Any]]:
    """Each container in a body, with each of its keys."""
    found: list[tuple[Any, Any]] = []
    rest = [node]
    while rest:
        node = rest.pop()
        keys: Any = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            found.append((node, key))
            rest.append(node[key])
    return found


WRONG: list[Any] = [
    None, True, False, 0, 1, -1, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 10**40, 0.5, -0.0, 1e308, 5e-324, "", " ", "0", "null", "\u0000",
    "\ud7ff\ue000", "_", "__defaultOwner__", "_" * 300, "a" * 70_000, "%00", "../..", "'; --", "=?utf-8?", [], [[]], [None], {}, {"": None},
    {"value": None}, {"value": {}}, {"recordName": 5}, {"zoneName": []}, ["a"] * 201, "\U0010ffff", CANARY,
]  # fmt: skip


def with_one_fault(body: Any, chance: random.Random) -> Any:
    """The body with one value replaced, removed or added."""
    body = copy.deepcopy(body)
    found = places(body)
    if not found:
        return chance.choice(WRONG)
    holder, key = chance.choice(found)
    kind = chance.randrange(6)
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder += [holder[key]] * chance.choice([1, 200])
    elif kind == 2 and isinstance(holder, dict):
        holder[chance.choice(["", "x", key.upper(), key + " ", "\u0000"])] = holder[key]
    else:
        holder[key] = chance.choice(WRONG)
    return body


# ---- Junk


def junk(body: Any, chance: random.Random) -> bytes:
    """Bytes that are no valid JSON, or JSON that nobody should send."""
    text = json.dumps(body)
    place = chance.randrange(len(text) + 1)
    deep = chance.choice([20, 79, 80, 81, 500, 20_000])
    mark = '"@"'
    marked = json.dumps(with_mark(body, chance))
    choices: list[Callable[[], bytes]] = [
        lambda: text[:place].encode(),
        lambda: (text + chance.choice(["}", " {}", "\u0000", ",", "//"])).encode(),
        lambda: b"\xef\xbb\xbf" + text.encode(),
        lambda: text.encode("utf-16"),
        lambda: chance.choice([b"null", b"[]", b'"x"', b"1", b"{", b"[", b" ", b"\x00", b"{}{}", b"NaN", b'{"a":Infinity}']),
        lambda: chance.randbytes(chance.randrange(1, 300)),
        lambda: marked.replace(mark, chance.choice(["1e400", "-1e400", "9" * 400, "-", "01", "1.", ".5", "+1", "0x1", "1e", "1E+308"])).encode(),
        lambda: marked.replace(mark, "[" * deep + "]" * deep).encode(),
        lambda: marked.replace(mark, '{"a":' * deep + "1" + "}" * deep).encode(),
        lambda: ("[" * deep).encode(),
        lambda: marked.replace(mark, chance.choice(['"\\ud800"', '"\\udc00\\ud800"', '"\\u00"', '"\\x"', '"\x01"', '"\n"', "'a'"])).encode(),
        lambda: marked.replace(mark, '"@"').encode().replace(b"@", chance.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"])),
        lambda: doubled(body, chance),
        lambda: marked.replace(mark, '"' + chance.choice(["a", "\u00e9", "\\u0000"]) * 100_000 + '"').encode(),
        lambda: marked.replace(mark, "[" + "0," * 600_000 + "0]").encode() if chance.random() < 0.05 else b"{,}",
        lambda: ("{" + ",".join(f'"m{number}":{number}' for number in range(5_000)) + "}").encode(),
    ]
    return chance.choice(choices)()


def with_mark(body: Any, chance: random.Random) -> Any:
    body = copy.deepcopy(body)
    found = places(body)
    if not found:
        return "@"
    holder, key = chance.choice(found)
    holder[key] = "@"
    return body


def doubled(body: Any, chance: random.Random) -> bytes:
    """JSON in which an object has two members of one name."""
    dictionaries = [body] if isinstance(body, dict) else []
    dictionaries += [holder[key] for holder, key in places(body) if isinstance(holder[key], dict)]
    filled = [one for one in dictionaries if one]
    if not filled:
        return b'{"a":1,"a":1}'
    target = chance.choice(filled)
    name = chance.choice(list(target))

    def text(node: Any) -> str:
        if isinstance(node, list):
            return "[" + ",".join(text(one) for one in node) + "]"
        if not isinstance(node, dict):
            return json.dumps(node)
        members = [f"{json.dumps(key)}:{text(value)}" for key, value in node.items()]
        if node is target:
            members.append(f"{json.dumps(name)}:{json.dumps(None)}")
        return "{" + ",".join(members) + "}"

    return text(body).encode()
