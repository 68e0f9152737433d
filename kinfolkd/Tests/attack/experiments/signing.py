"""A request of a server counts once, as it was signed, and for the public database of its container."""

from __future__ import annotations

import base64
import hashlib
import json
import threading

from ..finding import Finding, Length, Tally, require
from ..scene import OTHER_CONTAINER, Scene
from ..server import ORDER, PREFIX, der, now, numbers
from ..wire import Reply, Wire

NAME = "signing"
PROMISE = "signatures"

QUERY = json.dumps({"query": {"recordType": "Note"}}).encode()
OPERATION = "records/query"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [replays(scene, length), changes(scene), reach(scene)]


def is_refused(reply: Reply) -> bool:
    return reply.status == 401 and reply.code == "AUTHENTICATION_FAILED"


def replays(scene: Scene, length: Length) -> Finding:
    """The same request again: at once, many times, from several connections, in other forms, after a restart."""
    server, tally = scene.make_server(), Tally()
    path = scene.path(OPERATION)

    def send(headers: dict[str, str], target: str = path, body: bytes = QUERY, wire: Wire | None = None) -> Reply:
        return (wire or scene.wire).ask("POST", target, body, headers)

    date = now()
    signature = server.sign(f"{date}:{base64.b64encode(hashlib.sha256(QUERY).digest()).decode()}:{path}".encode())
    headers = server.headers(path, QUERY, date=date, signature=signature)
    require(send(headers).status == 200, "a signed request is refused")
    for _ in range(length.choose(50, 1_000)):
        tally.check(is_refused(send(headers)), "the same request again")
    r, s = numbers(signature)
    # The other signature that anybody can make of one (r, n - s), and other encodings of the same numbers.
    for name, forged in {
        "the other s": der(r, ORDER - s),
        "a zero before r": der(r, s, padding=1),
        "something behind it": signature + b"\0",
        "r + n": der(r + ORDER, s),
        "a long length": b"\x30\x81" + signature[1:],
        "raw": r.to_bytes(32, "big") + s.to_bytes(32, "big"),
        "nothing": b"",
        "r = 0": der(0, s),
        "s = 0": der(r, 0),
    }.items():
        tally.check(is_refused(send(server.headers(path, QUERY, date=date, signature=forged))), name)
    tally.check(is_refused(send(headers, path + "?resultsLimit=1")), "with a query")
    text = dict(headers)
    text[PREFIX + "SignatureV1"] = text[PREFIX + "SignatureV1"].rstrip("=")
    tally.check(is_refused(send(text)), "base64 without its end")
    # Many connections at the same moment: one succeeds.
    for _ in range(length.choose(3, 30)):
        fresh = server.headers(path, QUERY)
        replies: list[Reply] = []
        gate = threading.Barrier(8)

        def race(fresh: dict[str, str] = fresh, gate: threading.Barrier = gate, replies: list[Reply] = replies) -> None:
            wire = Wire(scene.port)
            gate.wait(20)
            replies.append(send(fresh, wire=wire))
            wire.close()

        threads = [threading.Thread(target=race) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        tally.check(sorted(reply.status for reply in replies) == [200, *[401] * 7], "eight at the same moment")
    last = server.headers(path, QUERY)
    require(send(last).status == 200, "a signed request is refused")
    other = scene.world.serve()
    try:
        wire = Wire(other.port)
        tally.check(is_refused(send(last, wire=wire)), "at another process")
        wire.close()
    finally:
        other.kill()
        scene.world.services.remove(other)
    scene.restart()
    tally.check(is_refused(send(last)), "after a restart")
    return tally.finding("replay a signed request in {} ways", "each counted once")


def changes(scene: Scene) -> Finding:
    """Anything that is not what was signed."""
    server, other = scene.make_server(), scene.make_server()
    tally = Tally()
    path = scene.path(OPERATION)

    def sent(headers: dict[str, str], target: str = path, body: bytes = QUERY, method: str = "POST") -> Reply:
        return scene.wire.ask(method, target, body, headers)

    headers = server.headers
    tally.check(is_refused(sent(headers(path, QUERY), body=QUERY + b" ")), "another body")
    tally.check(is_refused(sent(headers(path, QUERY), body=b"")), "no body")
    tally.check(is_refused(sent(headers(path, b""), body=QUERY)), "signed without a body")
    tally.check(is_refused(sent(headers(path, QUERY, body_hash=""))), "an empty hash for a body")
    tally.check(is_refused(sent(headers(path, QUERY), scene.path("records/modify"))), "another operation")
    tally.check(is_refused(sent(headers(path, QUERY), scene.path(OPERATION, environment="development"))), "another environment")
    tally.check(is_refused(sent(headers(path + "?a=b", QUERY))), "signed with a query, sent without")
    tally.check(is_refused(sent(headers(path + "?a=b", QUERY), path + "?a=c")), "another query")
    for offset in (-610, 610, -86_400, 86_400 * 365 * 100):
        tally.check(is_refused(sent(headers(path, QUERY, date=now(offset)))), f"a date {offset} s away")
    for date in ("", "x", "2026", now()[:-1], now() + "Z", "9999-99-99T99:99:99Z", "-" + now()):
        tally.check(is_refused(sent(headers(path, QUERY, date=date or " "))), f"the date {date!r}")
    mixed = headers(path, QUERY) | {PREFIX + "KeyID": other.key_id}
    tally.check(is_refused(sent(mixed)), "another key's ID")
    for key_id in ("", "0" * len(server.key_id), server.key_id.upper() + "0", "../" + server.key_id):
        tally.check(is_refused(sent(headers(path, QUERY) | {PREFIX + "KeyID": key_id})), f"the key ID {key_id!r}")
    for missing in ("ISO8601Date", "SignatureV1"):
        partial = headers(path, QUERY)
        del partial[PREFIX + missing]
        tally.check(is_refused(sent(partial)), f"without {missing}")
    # A token beside a signature that is not valid does not help, and tells nothing.
    both = headers(path, QUERY, signature=der(1, 1))
    tally.check(is_refused(sent(both, path + f"?ckAPIToken={scene.token}")), "an API token beside a wrong signature")
    scene.kinfolk("server-key", "remove", "com.example.notes", other.key_id)
    tally.check(is_refused(sent(other.headers(path, QUERY))), "a deleted key")
    return tally.finding("change what was signed, {} ways", "one answer: not valid")


def reach(scene: Scene) -> Finding:
    """A server may use the public database of its container alone."""
    scene.make_container()
    server, tally = scene.make_server(), Tally()
    member = scene.sign_in()
    scene.save(member, "of-a-person", title="needle")
    note = {"recordType": "Note", "recordName": "of-a-server", "fields": {"title": {"value": "x"}}}
    bodies = {
        "records/lookup": {"records": [{"recordName": "of-a-person"}]},
        "records/query": {"query": {"recordType": "Note"}},
        "records/modify": {"operations": [{"operationType": "create", "record": note}]},
        "records/changes": {"zoneID": {"zoneName": "_defaultZone"}},
        "changes/zone": {"zones": [{"zoneID": {"zoneName": "_defaultZone"}}]},
        "changes/database": {},
        "zones/list": {},
        "zones/lookup": {"zones": [{"zoneID": {"zoneName": "_defaultZone"}}]},
        "zones/modify": {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]},
        "subscriptions/list": {},
        "assets/upload": {"tokens": [{"fieldName": "photo", "recordType": "Note"}]},
        "tokens/create": {},
        "users/current": {},
    }
    for operation, body in bodies.items():
        reply = scene.ask_signed(server, operation, body, "private")
        tally.check(is_refused(reply) and "needle" not in reply.text, f"private {operation}: {reply}")
    person = {"lookupInfos": [{"emailAddress": member.address}]}
    for operation, body in {
        "users/discover": person,
        "users/lookup/email": {"users": [{"emailAddress": member.address}]},
        "users/lookup/id": {"users": [{"userRecordName": member.id}]},
    }.items():
        tally.check(is_refused(scene.ask_signed(server, operation, body)), operation)
    count = {"query": {"recordType": "Note"}, "database": "private"}
    tally.check(is_refused(scene.ask_signed(server, "records/count", count, "kinfolk")), "count of a private database")
    for operation in (
        "account/export",
        "account/erase",
        "blocks/list",
        "blocks/modify",
        "discoverability",
        "discovery/hashes",
        "discovery/private",
        "keyvalue/list",
        "keyvalue/modify",
        "keyvalue/synchronize",
        "notifications",
        "sign-out",
        "token",
    ):
        tally.check(is_refused(scene.ask_signed(server, operation, {}, "kinfolk")), f"kinfolk {operation}")
    tally.check(is_refused(scene.ask_signed(server, OPERATION, QUERY, container=OTHER_CONTAINER)), "another container")
    return tally.finding("a server asks for {} things beyond its public database", "not one was given")
