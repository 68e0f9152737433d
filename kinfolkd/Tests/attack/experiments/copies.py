"""What a backup brings back, and what a rotation of the keys ends. In a store of its own."""

from __future__ import annotations

import socket

from ..browser import Browser
from ..finding import Finding, Length, Tally, require
from ..scene import Scene
from ..wire import Reply

NAME = "copies"
PROMISE = "old keys"

NEEDLE = "needle-of-a-copy"


def run(scene: Scene, length: Length) -> list[Finding]:
    del scene
    findings = []
    for attack in (rotated, leaked, restored):
        own = Scene()
        try:
            findings.append(attack(own))
        finally:
            own.end()
    return findings


class Holder:
    """Somebody who holds one of everything that the service gives out."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.member = scene.sign_in()
        _, file = scene.upload(self.member, NEEDLE.encode())
        record = {"recordType": "Note", "recordName": "r", "fields": {"photo": {"value": file}, "title": {"value": NEEDLE}}}
        body = {"operations": [{"operationType": "create", "record": record}]}
        value = scene.ask("records/modify", body, self.member, "private").json["records"][0]["fields"]["photo"]["value"]
        self.download = value["downloadURL"]
        upload = {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}
        self.upload = scene.ask("assets/upload", upload, self.member, "private").json["tokens"][0]["url"]
        self.poll = scene.ask("tokens/create", {}, self.member, "device").json["webcourierURL"]
        self.link = scene.link()
        self.account, _ = scene.account_page(self.member.address)
        self.flow = self.account.flow

    def uses(self) -> dict[str, bool]:
        """What of it still works."""
        scene, wire = self.scene, self.scene.wire

        def target(url: str) -> str:
            return "/" + url.split("/", 3)[3]

        web: Reply = scene.ask("users/current", None, dict(self.member.items))
        self.account.wire = wire
        page = self.account.open("/account?flow=" + self.flow)
        first = Browser(wire).open(self.link)
        return {
            "web auth token": web.status == 200,
            "download": NEEDLE in wire.ask("GET", target(self.download)).text,
            "upload": wire.ask("POST", target(self.upload), b"x").status == 200,
            "link": first.status == 200,
            "page of the account": self.member.address in page.text,
            # A value that cannot be acknowledged is refused after the URL was found valid.
            "poll": wire.ask("GET", target(self.poll) + "?acknowledged=AAAA").status != 404 and self.poll_lives(target(self.poll)),
        }

    def poll_lives(self, target: str) -> bool:
        with socket.create_connection(("127.0.0.1", self.scene.port), 10) as connection:
            connection.sendall(f"GET {target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            connection.settimeout(0.4)
            try:
                return not connection.recv(1_000).startswith(b"HTTP/1.1 404")
            except TimeoutError:
                return True


def rotated(scene: Scene) -> Finding:
    """A planned rotation, while the service runs: everything goes on."""
    tally = Tally()
    holder = Holder(scene)
    require(all(holder.uses().values()), f"not everything works: {holder.uses()}")
    scene.kinfolk("key", "rotate")
    for is_again in (False, True):
        if is_again:
            scene.restart()
        for name, works in holder.uses().items():
            tally.check(works, f"{name} ended{' with the restart' if is_again else ''}")
    return tally.finding("use what was given before a planned rotation, {} times", "it goes on")


def leaked(scene: Scene) -> Finding:
    """A rotation because the key leaked: whoever has the key can make all that is sealed under it, so that it must end."""
    tally = Tally()
    holder = Holder(scene)
    token = scene.ask("changes/database", {}, holder.member, "private").json["syncToken"]
    scene.kinfolk("key", "rotate", "--leaked")
    for is_again in (False, True):
        if is_again:
            scene.restart()
        for name, works in holder.uses().items():
            tally.check(not works, f"{name} is valid{' after a restart' if is_again else ''}")
    again = scene.sign_in(holder.member.address)
    require(again.id == holder.member.id, "the person has another ID")
    reply = scene.ask("changes/database", {"syncToken": token}, again, "private")
    tally.check(reply.status == 400, f"a sync token is valid: {reply}")
    return tally.finding("use what was given before a rotation with --leaked, {} times", "it has ended")


def restored(scene: Scene) -> Finding:
    """A backup is put back. What had ended since must not begin again."""
    tally = Tally()
    holder, other = Holder(scene), scene.sign_in()
    server = scene.make_server()
    path, body = scene.path("records/query"), b'{"query": {"recordType": "Note"}}'
    scene.kinfolk("backup", str(scene.folder / "backup.db"))
    headers = server.headers(path, body)
    require(scene.wire.ask("POST", path, body, headers).status == 200, "a signed request is refused")
    scene.ask("sign-out", {"everywhere": True}, holder.member, "kinfolk")
    scene.kinfolk("account", "suspend", other.address)
    require(scene.ask("users/current", None, dict(other.items)).status == 421, "a suspension has no effect")
    later = scene.sign_in()
    scene.wire.close()
    scene.service.stop()
    scene.kinfolk("restore", str(scene.folder / "backup.db"), "--yes")
    scene.serve()
    require(scene.ask("records/query", {"query": {"recordType": "Note"}}).status == 200, "the service does not work after the restore")
    tally.check(scene.ask("users/current", None, dict(holder.member.items)).status == 421, "a session that had been signed out is back")
    tally.check(scene.ask("users/current", None, dict(other.items)).status == 421, "a session that had ended with a suspension is back")
    tally.check(scene.ask("users/current", None, dict(later.items)).status == 421, "a session that was begun after the backup")
    tally.check(scene.wire.ask("POST", path, body, headers).status == 401, "a signed request counts again")
    return tally.finding("use what had ended between a backup and its restore, {} times", "it has ended")
