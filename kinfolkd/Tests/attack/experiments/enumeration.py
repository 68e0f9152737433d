"""A person can ask about a bounded number of addresses, whatever they do."""

from __future__ import annotations

from ..finding import Finding, Length, Tally, require
from ..scene import RETURN_URL, Member, Scene
from .who import contact_hash

NAME = "enumeration"
PROMISE = "enumeration"

CONTAINER = "com.example.counted"
CAPACITY = 60


def run(scene: Scene, length: Length) -> list[Finding]:
    scene.make_container(CONTAINER)
    scene.kinfolk("container", "permits", CONTAINER, "--capacity", str(CAPACITY), "--per-hour", "1")
    asker = Asker(scene)
    return [asker.run(length), denied(scene)]


class Asker:
    """Somebody who wants to know who of many addresses is there. Each answer about a new address counts."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.number = 0
        self.answered = 0
        self.token = self.new_token()
        target = scene.sign_in(token=self.token, container=CONTAINER)
        wording = {"text": "?", "version": "1"}
        scene.ask("discoverability", {"discoverability": "GRANTED", "wording": wording}, target, "kinfolk", container=CONTAINER)
        self.target = target
        self.member = scene.sign_in(token=self.token, container=CONTAINER)

    def new_token(self, *options: str) -> str:
        return self.scene.make_token(CONTAINER, "--allow-discovery", "--return-url", RETURN_URL, *options)

    def sign_in(self) -> Member:
        self.member = self.scene.sign_in(self.member.address, token=self.token, container=CONTAINER)
        return self.member

    def _addresses(self, count: int) -> list[str]:
        self.number += count
        return [f"guess.{number:06d}@example.com" for number in range(self.number - count, self.number)]

    def ask(self, way: str, count: int = 25) -> int:
        """Asks about new addresses in one way. How many were answered."""
        names = self._addresses(count)
        if way == "users/discover":
            body: dict[str, object] = {"lookupInfos": [{"emailAddress": name} for name in names]}
        elif way == "users/lookup/email":
            body = {"users": [{"emailAddress": name} for name in names]}
        else:
            body = {"hashes": [contact_hash(name) for name in names], "syncState": ""}
        database = "kinfolk" if way.startswith("discovery") else "public"
        reply = self.scene.ask(way, body, self.member, database, container=CONTAINER)
        if reply.status != 200:
            require(reply.status == 429, f"{way}: {reply}")
            return 0
        got = count if database == "kinfolk" else sum("serverErrorCode" not in item for item in reply.json["users"])
        self.answered += got
        return got

    def ask_all(self) -> None:
        for way in ("users/discover", "users/lookup/email", "discovery/hashes"):
            for count in (25, 10, 1):
                for _ in range(4):
                    if not self.ask(way, count):
                        break

    def run(self, length: Length) -> Finding:
        scene = self.scene
        steps = 0

        def nothing() -> None:
            """Asks at once."""

        def session() -> None:
            self.sign_in()

        def application() -> None:
            self.token = self.new_token()
            self.sign_in()

        def restart() -> None:
            scene.restart()

        def erase() -> None:
            body = {"userRecordName": self.member.id}
            scene.ask("account/erase", body, self.member, "kinfolk", container=CONTAINER)
            self.sign_in()

        def export() -> None:
            scene.ask("account/export", {}, self.member, "kinfolk", container=CONTAINER)

        def block() -> None:
            for kind in ("block", "unblock"):
                body = {"operations": [{"operationType": kind, "userRecordName": self.target.id}]}
                scene.ask("blocks/modify", body, self.member, "kinfolk", container=CONTAINER)

        def rotate() -> None:
            scene.kinfolk("key", "rotate")

        def suspension() -> None:
            scene.kinfolk("account", "suspend", self.member.address)
            scene.kinfolk("account", "resume", self.member.address)
            self.sign_in()

        def address() -> None:
            browser, _ = scene.account_page(self.member.address)
            browser.send(step="remove-address", email=self.member.address, confirmed="yes")
            self.sign_in()

        changes = [nothing, session, application, restart, erase, export, block, suspension, address, erase]
        if not length.is_short:
            changes += [rotate, erase, restart, rotate]
        gains = []
        for change in changes:
            before = self.answered
            change()
            self.ask_all()
            steps += 1
            if self.answered > before and change is not nothing:
                gains.append(f"{change.__name__} gave {self.answered - before}")
        # Rounding, leases, and the hour that may pass meanwhile.
        is_held = self.answered <= CAPACITY + 8
        found = f"{self.answered} addresses" + (f" ({'; '.join(gains)})" if gains else "")
        return Finding(f"ask about addresses in 3 ways after each of {steps} changes, with {CAPACITY} permits", found, is_held)


def denied(scene: Scene) -> Finding:
    """Who may not look for others at all."""
    tally = Tally()
    token = scene.make_token(CONTAINER, "--return-url", RETURN_URL)
    member = scene.sign_in(token=token, container=CONTAINER)
    target = scene.sign_in(token=token, container=CONTAINER)
    for who in (member, token):
        for way, body, database in (
            ("users/discover", {"lookupInfos": [{"emailAddress": target.address}]}, "public"),
            ("users/discover", {"lookupInfos": [{"userRecordName": target.id}]}, "private"),
            ("users/lookup/email", {"users": [{"emailAddress": target.address}]}, "public"),
            ("users/lookup/id", {"users": [{"userRecordName": target.id}]}, "public"),
            ("discovery/hashes", {"hashes": [contact_hash(target.address)]}, "kinfolk"),
            ("discovery/private", {}, "kinfolk"),
        ):
            reply = scene.ask(way, body, who, database, container=CONTAINER)
            tally.check(reply.status in (403, 421), f"{way}: {reply}")
    return tally.finding("look for others with a token that may not, {} requests", "ACCESS_DENIED")
