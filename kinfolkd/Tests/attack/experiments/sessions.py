"""A web auth token ends when it should, and is worth nothing in any other place."""

from __future__ import annotations

import re
import socket
import threading
import time

from world import CONTAINER

from ..browser import Browser, returned
from ..finding import Finding, Length, Tally, require
from ..scene import Member, Scene
from ..wire import PATIENCE, Reply, Wire

NAME = "sessions"
PROMISE = "sign-outs"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [*ended(scene), flows(scene), account_pages(scene), *waiting(scene), races(scene, length)]


def is_signed_out(reply: Reply) -> bool:
    return reply.status in (401, 421)


# How a session ends, by what the person or the operator does.
def sign_out(scene: Scene, member: Member) -> None:
    scene.ask("sign-out", {}, member, "kinfolk")


def sign_out_everywhere(scene: Scene, member: Member) -> None:
    scene.ask("sign-out", {"everywhere": True}, member, "kinfolk")


def sign_out_on_page(scene: Scene, member: Member) -> None:
    browser, _ = scene.account_page(member.address)
    browser.send(step="sign-out-everywhere", confirmed="yes")


def sign_out_device(scene: Scene, member: Member) -> None:
    browser, page = scene.account_page(member.address)
    for device in re.findall(r'name="device" value="([^"]*)"', page.text):
        browser.send(step="sign-out-device", device=device)


def suspend(scene: Scene, member: Member) -> None:
    scene.kinfolk("account", "suspend", member.address)


def suspend_and_resume(scene: Scene, member: Member) -> None:
    scene.kinfolk("account", "suspend", member.address)
    scene.kinfolk("account", "resume", member.address)


def erase(scene: Scene, member: Member) -> None:
    reply = scene.ask("account/erase", {"userRecordName": member.id}, member, "kinfolk")
    require(reply.status == 200, f"an erasure failed: {reply}")


def erase_as_operator(scene: Scene, member: Member) -> None:
    scene.kinfolk("account", "erase", member.address, "--yes")


def erase_and_come_back(scene: Scene, member: Member) -> None:
    erase(scene, member)
    scene.sign_in(member.address)


def ended(scene: Scene) -> list[Finding]:
    """Each token of a person, also those that replaced it, after each way to end the session."""
    everywhere = Tally()
    ends = (
        sign_out,
        sign_out_everywhere,
        sign_out_on_page,
        sign_out_device,
        suspend,
        suspend_and_resume,
        erase,
        erase_as_operator,
        erase_and_come_back,
    )
    for end in ends:
        member = scene.sign_in(keep=True)
        second = scene.sign_in(member.address)
        scene.save(member, "kept", title="needle")
        end(scene, member)
        dead = [member] if end is sign_out else [member, second]
        for each in dead:
            for operation, database in (
                ("users/current", "public"),
                ("records/lookup", "private"),
                ("records/modify", "public"),
                ("account/export", "kinfolk"),
                ("notifications", "kinfolk"),
                ("keyvalue/list", "kinfolk"),
            ):
                body = {"records": ["kept"]} if operation == "records/lookup" else {"operations": []}
                reply = scene.ask(operation, body, dict(each.items), database)
                everywhere.check(is_signed_out(reply) and "needle" not in reply.text, f"{operation} after {end.__name__}: {reply}")
        if end is sign_out:
            require(scene.ask("users/current", None, second).status == 200, "a sign-out ended another session")
    deleted = Tally()
    token = scene.make_token(CONTAINER, "--return-url", "https://app.example.com/done")
    member = scene.sign_in(token=token)
    other = scene.sign_in(member.address)
    scene.delete_token(token)
    deleted.check(is_signed_out(scene.ask("users/current", None, member)), "with the deleted API token")
    deleted.check(is_signed_out(scene.ask("users/current", None, member.items | {"ckAPIToken": scene.token})), "with another one")
    deleted.check(is_signed_out(scene.ask("records/query", {"query": {"recordType": "Note"}}, token)), "the API token alone")
    require(scene.ask("users/current", None, other).status == 200, "the session through another API token has ended, too")
    return [
        everywhere.finding(f"use tokens after {len(ends)} kinds of ends, {{}} requests", "sign in again"),
        deleted.finding("use tokens after the API token was deleted, {} requests", "not valid"),
    ]


def flows(scene: Scene) -> Finding:
    """The forms of a sign-in that has ended, sent again from the same browser: the back button of a shared computer."""
    tally = Tally()
    for end in (None, sign_out, sign_out_everywhere, sign_out_on_page, suspend, erase):
        browser, address = Browser(scene.wire), scene.new_address()
        browser.open(scene.link())
        browser.send(step="address", email=address)
        browser.send(step="code", code=scene.code_for(address))
        page = browser.send(step="names", given="Ann", family="")
        web = returned(page).get("ckWebAuthToken", "")
        require(web, "a sign-in gave no token")
        member = Member(scene.token, web, address)
        member.id = scene.ask("users/current", None, member).json["userRecordName"]
        if end:
            end(scene, member)
        again = returned(browser.send(step="names", given="Ann", family=""))
        name = end.__name__ if end else "nothing"
        tally.check("ckWebAuthToken" not in again and "code" not in again, f"a new token after {name}")
    return tally.finding("send the last form of a sign-in again, after {} kinds of ends", "no second token")


def account_pages(scene: Scene) -> Finding:
    """The page of the account, after the person signed out there, or elsewhere, or was suspended."""
    tally = Tally()

    def sign_out_here(browser: Browser, _: Member) -> None:
        browser.send(step="sign-out")

    def in_another(end: object) -> object:
        return lambda _, member: end(scene, member)  # type: ignore[operator]

    for name, end in {
        "sign-out on the page": sign_out_here,
        "sign-out everywhere on the page": in_another(sign_out_on_page),
        "suspension": in_another(suspend),
        "erasure": in_another(erase),
    }.items():
        member = scene.sign_in(None, "Needle", "Haystack")
        browser, page = scene.account_page(member.address)
        require("Needle" in page.text, "the page of the account has no name")
        flow = browser.flow
        end(browser, member)  # type: ignore[operator]
        browser.flow = flow
        shown = browser.open(f"/account?flow={flow}")
        tally.check("Needle" not in shown.text and member.address not in shown.text, f"the page opens after {name}")
        browser.flow = flow
        exported = browser.send(step="export")
        tally.check(member.address not in exported.text, f"an export after {name}")
        if name != "erasure":
            browser.flow = flow
            browser.send(step="erase", word="erase")
            is_there = member.address in scene.kinfolk("account", "show", member.address) if exists(scene, member) else False
            tally.check(is_there, f"an erasure after {name}")
    return tally.finding("use the page of an account after its end, {} requests", "the person has to sign in again")


def exists(scene: Scene, member: Member) -> bool:
    try:
        scene.kinfolk("account", "show", member.address)
    except AssertionError:
        return False
    return True


def waiting(scene: Scene) -> list[Finding]:
    """A long poll and a stream that were open when the session ended."""
    polls, streams = Tally(), Tally()
    for end in (sign_out_everywhere, suspend, erase_as_operator):
        for kind, tally in (("poll", polls), ("stream", streams)):
            member = scene.sign_in()
            writer = scene.sign_in()
            query = {"recordType": "Note", "filterBy": []}
            subscription = {
                "subscriptionID": "s",
                "subscriptionType": "query",
                "query": query,
                "firesOn": ["create"],
                "notificationInfo": {"desiredKeys": ["title"]},
            }
            body = {"operations": [{"operationType": "create", "subscription": subscription}]}
            require(scene.ask("subscriptions/modify", body, member).status == 200, "no subscription")
            if kind == "poll":
                url = scene.ask("tokens/create", {}, member, "device").json["webcourierURL"]
                target = url[url.index("/courier/") :]
            else:
                target = (
                    scene.path("notifications", "kinfolk")
                    + f"?ckAPIToken={member.items['ckAPIToken']}&ckWebAuthToken="
                    + re.sub(r"[+/=]", lambda found: f"%{ord(found[0]):02X}", member.web)
                )
            with socket.create_connection(("127.0.0.1", scene.port), PATIENCE) as connection:
                connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
                received = b""
                if kind == "stream":
                    while b": Kinfolk" not in received:
                        received += connection.recv(65_536)
                else:
                    time.sleep(0.3)
                end(scene, member)
                scene.save(writer, f"after-{kind}-{end.__name__}", "public", title="needle")
                connection.settimeout(1.5)
                try:
                    while piece := connection.recv(65_536):
                        received += piece
                except (TimeoutError, ConnectionError):
                    pass
            tally.check(b"needle" not in received, f"after {end.__name__}")
    return [
        polls.finding("wait by a long poll while the session ends, {} times", "told nothing"),
        streams.finding("wait by a stream while the session ends, {} times", "told nothing"),
    ]


def races(scene: Scene, length: Length) -> Finding:
    """Requests that begin after a sign-out has been answered, while others use the token all the time."""
    tally = Tally()
    for _ in range(length.choose(3, 60)):
        member = scene.sign_in()
        items, stop = dict(member.items), threading.Event()

        def use(items: dict[str, str] = items, stop: threading.Event = stop) -> None:
            wire = Wire(scene.port)
            while not stop.is_set():
                scene.ask("users/current", None, items, wire=wire)
            wire.close()

        threads = [threading.Thread(target=use) for _ in range(3)]
        for thread in threads:
            thread.start()
        sign_out_everywhere(scene, member)
        tally.check(is_signed_out(scene.ask("users/current", None, items)), "a token is valid after its sign-out was answered")
        stop.set()
        for thread in threads:
            thread.join(60)
    return tally.finding("use a token from 3 connections while it ends, {} times", "ended with the answer")
