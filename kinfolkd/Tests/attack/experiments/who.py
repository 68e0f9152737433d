"""A person whom the seeker may not find looks the same as a person who is not there, and so does an address on the pages."""

from __future__ import annotations

import base64
import hashlib
import time
from collections.abc import Callable

from ..browser import Browser
from ..finding import Finding, Length, Tally, require
from ..hidden_people import HiddenPeople
from ..sameness import difference, shown
from ..scene import Scene
from ..wire import Reply

NAME = "who"
PROMISE = "who is there"


def run(scene: Scene, length: Length) -> list[Finding]:
    people = scene.hidden_people(length.choose(2, 8))
    return [*operations(scene, people, length), *pages(scene)]


# ---- Operations


def contact_hash(address: str) -> str:
    """Base64 of the hash of an address that is in its canonical form."""
    return base64.b64encode(hashlib.sha256(address.encode()).digest()).decode()


def operations(scene: Scene, people: HiddenPeople, length: Length) -> list[Finding]:
    """Every operation that can name a person, asked about each of them."""

    def ask(operation: str, body: object, database: str = "public", **more: str) -> Reply:
        return scene.ask(operation, body, people.seeker, database, **more)

    # By the way in which the person is named, and what is asked.
    asked: list[tuple[str, bool, Callable[[str], Reply]]] = []
    for database in ("public", "private"):
        asked += [
            ("users/discover", True, lambda name, at=database: ask("users/discover", {"lookupInfos": [{"emailAddress": name}]}, at)),
            ("users/discover", False, lambda name, at=database: ask("users/discover", {"lookupInfos": [{"userRecordName": name}]}, at)),
            ("users/lookup/email", True, lambda name, at=database: ask("users/lookup/email", {"users": [{"emailAddress": name}]}, at)),
            ("users/lookup/id", False, lambda name, at=database: ask("users/lookup/id", {"users": [{"userRecordName": name}]}, at)),
            (
                "zones/lookup",
                False,
                lambda name, at=database: ask("zones/lookup", {"zones": [{"zoneID": {"zoneName": "_defaultZone", "ownerRecordName": name}}]}, at),
            ),
        ]
    asked.append(("discovery/hashes", True, lambda name: ask("discovery/hashes", {"hashes": [contact_hash(name)]}, "kinfolk")))
    tally = Tally()
    for operation, is_address, question in asked:
        seen: dict[str, str] = {}
        for _ in range(length.choose(1, 3)):
            for kind in people.kinds:
                for name in kind.addresses if is_address else kind.ids:
                    reply = question(name)
                    text = shown(reply, name)
                    if operation == "discovery/hashes":
                        text = text.replace(str(reply.json.get("permitsLeft")), "PERMITS")
                    first = seen.setdefault("", text)
                    tally.check(text == first, f"{operation}: {kind.name}: {difference(text, first)}")
        if operation.startswith(("users/", "discovery/")):
            name = (people.found.addresses if is_address else people.found.ids)[0]
            found = question(name)
            require(people.found.ids[0] in found.text and shown(found, name) != seen[""], f"{operation} finds nobody")
    return [
        tally.finding(f"{len(people.kinds)} kinds of people in {len(asked)} ways, {{}} answers", "one answer for each way"),
        blocks(scene, people),
    ]


def blocks(scene: Scene, people: HiddenPeople) -> Finding:
    """Blocking and unblocking is answered in the same way for all, and what it answers afterwards too."""
    tally = Tally()
    seen: list[str] = []
    for kind in people.kinds:
        if kind.name in ("blocked", "unknown"):
            continue
        for name in kind.ids:
            for round_, operation in enumerate(("block", "block", "unblock", "unblock")):
                body = {"operations": [{"operationType": operation, "userRecordName": name}]}
                text = shown(scene.ask("blocks/modify", body, people.seeker, "kinfolk"), name)
                if len(seen) <= round_:
                    seen.append(text)
                tally.check(text == seen[round_], f"{operation} of {kind.name}: {difference(text, seen[round_])}")
    return tally.finding("block and unblock people of each kind, {} times", "one answer")


# ---- Pages


class Visitor:
    """Somebody at the sign-in page who knows an address, and does not read its mails."""

    def __init__(self, scene: Scene, address: str, url: str) -> None:
        self.scene, self.address, self.url = scene, address, url
        self.pages: list[str] = []
        self.browser = Browser(scene.wire)

    def other_browser(self) -> Browser:
        browser = Browser(self.scene.wire)
        browser.open(self.url)
        return browser

    def step(self, browser: Browser, **fields: str) -> None:
        page = browser.send(**fields)
        # The path holds the ticket of the link.
        self.pages.append(shown(page, self.address, browser.path, fields.get("code", "")))
        if fields["step"] != "code":
            time.sleep(0.05)  # the mail is written meanwhile

    def address_step(self, browser: Browser) -> None:
        self.step(browser, step="address", email=self.address)

    def wrong_codes(self, browser: Browser, count: int) -> None:
        for number in range(count):
            self.step(browser, step="code", code=f"AAAA-AA{number:02d}")


def one_browser(visitor: Visitor) -> None:
    """More wrong codes than there are tries, and another mail."""
    browser = visitor.other_browser()
    visitor.address_step(browser)
    visitor.wrong_codes(browser, 7)
    visitor.step(browser, step="another-code", **{"pass": ""})
    visitor.wrong_codes(browser, 2)


def two_browsers(visitor: Visitor) -> None:
    """All tries in one browser, then a mail in another: does the first one have tries again?"""
    first, second = visitor.other_browser(), visitor.other_browser()
    visitor.address_step(first)
    visitor.wrong_codes(first, 6)
    visitor.address_step(second)
    visitor.wrong_codes(first, 1)
    visitor.wrong_codes(second, 6)
    visitor.wrong_codes(first, 1)


def all_mails(visitor: Visitor) -> None:
    """More mails than an address gets, all tries, and then a new browser."""
    browser = visitor.other_browser()
    for _ in range(6):
        visitor.address_step(browser)
    visitor.wrong_codes(browser, 6)
    other = visitor.other_browser()
    visitor.address_step(other)
    visitor.wrong_codes(other, 1)


def pages(scene: Scene) -> list[Finding]:
    """The pages for an address that has an account, and for others, step by step."""
    url = scene.link()
    chat = scene.chat_token()

    def suspended() -> str:
        member = scene.sign_in()
        scene.kinfolk("account", "suspend", member.address)
        return member.address

    def erased() -> str:
        member = scene.sign_in()
        scene.ask("account/erase", {"userRecordName": member.id}, member, "kinfolk")
        return member.address

    def vouched() -> str:
        address = scene.new_address()
        scene.kinfolk("account", "create", "--email", address, "--verified")
        return address

    kinds: dict[str, Callable[[], str]] = {
        "has an account": vouched,
        "has signed in": lambda: scene.sign_in().address,
        "suspended": suspended,
        "erased": erased,
        "in another container": lambda: scene.sign_in(token=chat, container="com.example.chat").address,
    }
    findings = []
    for attack in (one_browser, two_browsers, all_mails):
        tally = Tally()
        unknown = Visitor(scene, scene.new_address(), url)
        attack(unknown)
        for kind, make in kinds.items():
            if attack is all_mails and kind != "has an account":
                # The mails that these people asked for themselves count.
                continue
            visitor = Visitor(scene, make(), url)
            attack(visitor)
            for number, (page, usual) in enumerate(zip(visitor.pages, unknown.pages)):
                tally.check(page == usual, f"{kind}, page {number + 1}: {difference(page, usual)}")
        doc = (attack.__doc__ or "").rstrip(".")
        findings.append(tally.finding(f"sign-in pages of an unknown and of known addresses. {doc}; {{}} pages", "the same pages"))
    return findings
