"""An application learns nothing of what a person does in others, and does nothing there."""

from __future__ import annotations

import re

from ..finding import Finding, Length, Tally, require
from ..scene import OTHER_CONTAINER, Member, Scene
from ..wire import Reply

NAME = "linking"
PROMISE = "applications"

NEEDLE = "needle-of-another-application"


def run(scene: Scene, length: Length) -> list[Finding]:
    chat = scene.chat_token()
    address = scene.new_address()
    other = scene.sign_in(address, "Ada", "Needlewoman", token=chat, container=OTHER_CONTAINER)
    record = {"recordType": "Note", "recordName": NEEDLE, "fields": {"title": {"value": NEEDLE}}}
    body = {"operations": [{"operationType": "create", "record": record}]}
    require(scene.ask("records/modify", body, other, "private", container=OTHER_CONTAINER).status == 200, "a record was not saved")
    member = scene.sign_in(address)
    return [learning(scene, member, other), acting(scene, member, other)]


def learning(scene: Scene, member: Member, other: Member) -> Finding:
    """Every answer that an application can get for a person who has just signed in."""
    tally = Tally()
    answers: dict[str, Reply] = {
        path: scene.ask(path, body, member, database)
        for path, body, database in (
            ("users/current", {}, "public"),
            ("users/caller", {}, "private"),
            ("account/export", {}, "kinfolk"),
            ("keyvalue/list", {}, "kinfolk"),
            ("blocks/list", {}, "kinfolk"),
            ("discoverability", {}, "kinfolk"),
            ("zones/list", {}, "private"),
            ("subscriptions/list", {}, "private"),
            ("tokens/create", {}, "device"),
            ("changes/database", {}, "private"),
            ("records/query", {"query": {"recordType": "Note"}}, "private"),
            ("users/discover", {"lookupInfos": [{"userRecordName": other.id}]}, "public"),
        )
    }
    hidden = {
        "another container": OTHER_CONTAINER,
        "the ID in another container": other.id,
        "a record of another container": NEEDLE,
        "the address": member.address,
        "a name that nobody may find": "Needlewoman",
    }
    for path, reply in answers.items():
        for what, secret in hidden.items():
            if path == "users/discover" and secret == other.id:
                continue  # the request names it
            tally.check(secret not in reply.text, f"{path} tells {what}")
    tally.check(member.id != other.id, "the person has one ID in two containers")
    # The request of users/discover names the other ID.
    ids = set(re.findall(r"[0-9a-f]{32}", "".join(reply.text for path, reply in answers.items() if path != "users/discover")))
    theirs = scene.ask("account/export", {}, other, "kinfolk", container=OTHER_CONTAINER).text
    theirs += scene.ask("tokens/create", {}, other, "device", container=OTHER_CONTAINER).text
    common = {each for each in ids if each in theirs}
    tally.check(not common, f"IDs that two applications get: {sorted(common)[:2]}")
    return tally.finding("read all that an application gets of a person, {} checks", "nothing of another application")


def acting(scene: Scene, member: Member, other: Member) -> Finding:
    """What an application does with the person's token, and what is left in the other one."""
    tally = Tally()
    scene.ask("sign-out", {"everywhere": True}, member, "kinfolk")
    reply = scene.ask("users/current", None, other, container=OTHER_CONTAINER)
    tally.check(reply.status == 200, "an application ends the sessions of others")
    again = scene.sign_in(member.address)
    scene.ask("account/erase", {"userRecordName": again.id}, again, "kinfolk")
    back = scene.sign_in(member.address, token=scene.chat_token(), container=OTHER_CONTAINER)
    found = scene.ask("records/lookup", {"records": [NEEDLE]}, back, "private", container=OTHER_CONTAINER)
    tally.check(NEEDLE in found.text and "serverErrorCode" not in found.text, "an application erases what others hold")
    return tally.finding("end sessions and erase by the token of one application, {} checks", "the others are as before")
