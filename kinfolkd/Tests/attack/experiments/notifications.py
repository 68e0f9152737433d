"""Notifications come to the person whose they are, and are acknowledged by that person alone."""

from __future__ import annotations

import json
import socket
from urllib.parse import quote

from ..finding import Finding, Length, Tally, require
from ..scene import Member, Scene
from ..wire import PATIENCE, Reply

NAME = "notifications"
PROMISE = "being told"

NEEDLE = "needle-of-a-notice"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [others(scene), rights(scene)]


def subscribe(scene: Scene, who: Member, database: str, **more: object) -> Reply:
    subscription = {"subscriptionID": "s", "notificationInfo": {"desiredKeys": ["title"]}} | more
    body = {"operations": [{"operationType": "create", "subscription": subscription}]}
    reply = scene.ask("subscriptions/modify", body, who, database)
    require(reply.status == 200 and "serverErrorCode" not in reply.text, f"no subscription: {reply.text[:200]}")
    return reply


def poll_of(scene: Scene, who: Member) -> str:
    url = scene.ask("tokens/create", {}, who, "device").json["webcourierURL"]
    return url[url.index("/courier/") :]


def heard(scene: Scene, target: str, seconds: float = 0.7, *, until: bytes = b"", **headers: str) -> bytes:
    """What comes within some time, or until something expected has come."""
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    received = b""
    with socket.create_connection(("127.0.0.1", scene.port), PATIENCE) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n{lines}\r\n".encode())
        connection.settimeout(seconds)
        try:
            while not (until and until in received) and (piece := connection.recv(65_536)):
                received += piece
        except (TimeoutError, ConnectionError):
            pass
    return received


def stream_of(scene: Scene, who: Member, **items: str) -> str:
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in (who.items | items).items())
    return scene.path("notifications", "kinfolk") + "?" + query


def others(scene: Scene) -> Finding:
    """The devices, URLs and IDs of another person."""
    tally = Tally()
    victim, attacker = scene.sign_in(), scene.sign_in()
    # A client is not told of what it has saved itself.
    second = scene.sign_in(victim.address)
    query = {"recordType": "Note", "filterBy": []}
    subscribe(scene, victim, "private", subscriptionType="query", query=query, firesOn=["create"])
    subscribe(scene, attacker, "private", subscriptionType="query", query=query, firesOn=["create"])
    theirs, mine = poll_of(scene, victim), poll_of(scene, attacker)
    scene.save(second, "one", title=NEEDLE)
    first = scene.wire.ask("GET", theirs).json
    notice = first.get("ck", {}).get("nid", "")
    require(notice, f"no notification: {first}")
    # The name of the victim's device, at a registration of the attacker's.
    device = scene.ask("tokens/create", {}, victim, "device").json["apnsToken"]
    registered = scene.ask("tokens/register", {"apnsToken": device}, attacker, "device").json["webcourierURL"]
    tally.check(NEEDLE.encode() not in heard(scene, registered[registered.index("/courier/") :]), "registered with the name of another's device")
    tally.check(NEEDLE.encode() not in heard(scene, stream_of(scene, attacker, lastEventID=notice)), "a stream after another's event")
    tally.check(NEEDLE.encode() not in heard(scene, stream_of(scene, attacker), **{"Last-Event-ID": notice}), "the header Last-Event-ID")
    for forged in ("AAAA", "%", notice + "AA", notice[:-2]):
        tally.check(NEEDLE.encode() not in heard(scene, stream_of(scene, attacker, lastEventID=forged), 0.3), f"a stream after {forged[:4]}")
    tally.check(NEEDLE.encode() not in heard(scene, f"{mine}?acknowledged={notice}"), "a poll that acknowledges another's")
    for forged in ("", "AAAA", "%00", "..", "*", "A" * 1_000, notice + "AA"):
        came = heard(scene, f"{mine}?acknowledged={forged}", PATIENCE, until=b"\r\n\r\n")
        tally.check(came.startswith(b"HTTP/1.1 400") and NEEDLE.encode() not in came, f"acknowledged {forged[:5]!r}: {came[:30]!r}")
    # The victim still gets what the attacker tried to acknowledge: the victim's own poll was never followed by another.
    tally.check(scene.ask("notifications", None, scene.token, "kinfolk", method="GET").status == 421, "a stream of nobody")
    # After a restart, what was not acknowledged comes again.
    scene.restart()
    tally.check(
        NEEDLE.encode() in heard(scene, theirs, PATIENCE, until=NEEDLE.encode()), "the victim's notification was acknowledged by somebody else"
    )
    return tally.finding("receive and acknowledge what another person is told, {} ways", "nothing")


def rights(scene: Scene) -> Finding:
    """What a subscriber may not read is not told, and does not show."""
    tally = Tally()
    owner, watcher = scene.sign_in(), scene.sign_in()
    query = {"recordType": "Note", "filterBy": [{"fieldName": "title", "comparator": "BEGINS_WITH", "fieldValue": {"value": NEEDLE}}]}
    for database in ("public", "private"):
        subscribe(scene, watcher, database, subscriptionType="query", query=query, firesOn=["create", "update", "delete"])
    target = poll_of(scene, watcher)
    scene.save(owner, "hidden", title=NEEDLE + " private")
    scene.save(owner, "seen", "public", title=NEEDLE + " public")
    reply = scene.wire.ask("GET", target)
    tally.check("seen" in reply.text, f"the public record was not told: {reply.text[:80]}")
    tally.check("private" not in json.dumps(reply.json.get("ck", {}).get("qry", {}).get("af", {})), "a private record was told")
    # Acknowledged by its ID: a poll that comes before the service has noted that it sent the answer gets the same notification again.
    came = heard(scene, f"{target}?acknowledged={reply.json.get('ck', {}).get('nid', '')}")
    tally.check(NEEDLE.encode() not in came, f"something more was told: {came[-200:]!r}")
    return tally.finding("watch for the records of another person, {} checks", "told of the public one alone")
