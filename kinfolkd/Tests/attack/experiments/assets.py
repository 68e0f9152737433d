"""A file is read and named by those who may, through the URL that they got, while it is valid."""

from __future__ import annotations

import base64
import os
import re

from world import CONTAINER

from ..finding import Finding, Length, Tally, require
from ..scene import Member, MovedClock, Scene
from ..wire import Reply

NAME = "assets"
PROMISE = "files"

NEEDLE = "<script>needle-of-a-file</script>"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [receipts(scene), rights(scene), downloads(scene), expiry(scene), uploads(scene)]


def shared(scene: Scene, who: Member, name: str, database: str, value: dict[str, object]) -> Reply:
    record = {"recordType": "Note", "recordName": name, "fields": {"photo": {"value": value}}}
    return scene.ask("records/modify", {"operations": [{"operationType": "create", "record": record}]}, who, database)


def url_of(reply: Reply) -> str:
    value = reply.json["records"][0]["fields"]["photo"]["value"]
    url = value["downloadURL"]
    return url[url.index("/asset/") :]


def failed(reply: Reply) -> bool:
    return reply.status != 200 or "serverErrorCode" in reply.json["records"][0]


def receipts(scene: Scene) -> Finding:
    """A receipt that somebody else got does not make its holder able to read the file."""
    tally = Tally()
    owner, thief = scene.sign_in(), scene.sign_in()
    server = scene.make_server()
    for database in ("private", "public"):
        _, file = scene.upload(owner, NEEDLE.encode(), database)
        require(not failed(shared(scene, owner, f"mine-{database}", database, file)), "the owner may not save")
        stolen = [file, {name: value for name, value in file.items() if name == "receipt"}]
        data = bytearray(base64.b64decode(file["receipt"]))
        for index in (0, 15, 16, 23, 24, 55):
            other = bytearray(data)
            other[index] ^= 1
            stolen.append({"receipt": base64.b64encode(other).decode()})
        for at in ("private", "public"):
            for number, value in enumerate(stolen):
                for kind in (thief, owner) if (database == "private" and at == "public") or number > 1 else (thief,):
                    reply = shared(scene, kind, f"stolen-{database}-{number}-{kind.id[-4:]}", at, value)
                    tally.check(failed(reply), f"the file of {database} in {at}, {number}: {reply.text[:90]}")
    body = {
        "operations": [{"operationType": "create", "record": {"recordType": "Note", "recordName": "of-server", "fields": {"photo": {"value": file}}}}]
    }
    tally.check(failed(scene.ask_signed(server, "records/modify", body)), "a server names the file of a person")
    return tally.finding("put the receipt of another's file, or a damaged one, into records, {} times", "refused")


def rights(scene: Scene) -> Finding:
    """URLs of a download and an upload after the right to them has ended."""
    tally = Tally()

    def case(name: str, database: str, end: object) -> None:
        owner, reader = scene.sign_in(), scene.sign_in()
        _, file = scene.upload(owner, NEEDLE.encode(), database)
        saved = shared(scene, owner, f"file-{name}", database, file)
        found = scene.ask("records/lookup", {"records": [f"file-{name}"]}, reader if database == "public" else owner, database)
        urls = [url_of(saved), url_of(found)]
        upload = scene.ask("assets/upload", {"tokens": [{"fieldName": "photo", "recordType": "Note"}]}, owner, database).json["tokens"][0]["url"]
        upload = upload[upload.index("/asset/") :]
        for url in urls:
            require(scene.wire.ask("GET", url).text == NEEDLE, f"{name}: no download")
        end(owner, f"file-{name}")  # type: ignore[operator]
        for url in urls[:1] if name == "sign-out" else urls:  # another reader may still read
            reply = scene.wire.ask("GET", url)
            tally.check(reply.status in (404, 421) and NEEDLE not in reply.text, f"a download after {name} ({database}): {reply}")
        if name != "deletion":
            tally.check(scene.wire.ask("POST", upload, b"x").status in (404, 421), f"an upload after {name}")

    def delete(owner: Member, name: str, database: str) -> None:
        scene.ask("records/modify", {"operations": [{"operationType": "forceDelete", "record": {"recordName": name}}]}, owner, database)

    for database in ("private", "public"):
        case("deletion", database, lambda owner, name, at=database: delete(owner, name, at))
    case("suspension", "private", lambda owner, _: scene.kinfolk("account", "suspend", owner.address))
    case("erasure", "private", lambda owner, _: scene.ask("account/erase", {"userRecordName": owner.id}, owner, "kinfolk"))
    case("erasure", "public", lambda owner, _: scene.ask("account/erase", {"userRecordName": owner.id}, owner, "kinfolk"))
    for database in ("private", "public"):
        case("sign-out", database, lambda owner, _: scene.ask("sign-out", {}, owner, "kinfolk"))
    server_keys(scene, tally)
    return tally.finding("use URLs of files and polls after deletions, suspensions, erasures, sign-outs and removed keys, {} requests", "not found")


def server_keys(scene: Scene, tally: Tally) -> None:
    """What a server got, after its key was removed."""
    server = scene.make_server()
    tokens = {"tokens": [{"fieldName": "photo", "recordType": "Note"}]}
    upload = scene.ask_signed(server, "assets/upload", tokens).json["tokens"][0]["url"]
    upload = upload[upload.index("/asset/") :]
    file = scene.wire.ask("POST", upload, NEEDLE.encode()).json["singleFile"]
    record = {"recordType": "Note", "recordName": "file-of-server", "fields": {"photo": {"value": file}}}
    download = url_of(scene.ask_signed(server, "records/modify", {"operations": [{"operationType": "create", "record": record}]}))
    poll = scene.ask_signed(server, "tokens/create", {}).json["webcourierURL"]
    require(scene.wire.ask("GET", download).text == NEEDLE, "a server has no download")
    scene.kinfolk("server-key", "remove", CONTAINER, server.key_id)
    for method, url in (("GET", download), ("POST", upload), ("GET", poll[poll.index("/courier/") :])):
        reply = scene.wire.ask(method, url, b"x" if method == "POST" else None)
        tally.check(reply.status in (404, 421) and NEEDLE not in reply.text, f"{method} after the key was removed: {reply}")


def downloads(scene: Scene) -> Finding:
    """A file is never shown as a page, and its URL does nothing else."""
    tally = Tally()
    owner = scene.sign_in()
    _, file = scene.upload(owner, NEEDLE.encode())
    url = url_of(shared(scene, owner, "page", "private", file))
    for headers in ({}, {"Accept": "text/html"}, {"Range": "bytes=0-3"}, {"Origin": "https://evil.example.net"}):
        reply = scene.wire.ask("GET", url, None, headers)
        for name, value in {
            "content-type": "application/octet-stream",
            "content-disposition": "attachment",
            "x-content-type-options": "nosniff",
            "content-security-policy": "sandbox; default-src 'none'",
            "cache-control": "no-store",
            "referrer-policy": "no-referrer",
        }.items():
            tally.check(reply.header(name) == value, f"{name} is {reply.header(name)}")
    for method in ("POST", "PUT", "DELETE", "PATCH", "PROPFIND"):
        reply = scene.wire.ask(method, url, b"x")
        tally.check(reply.status in (404, 405, 501), f"{method} of a download: {reply}")
    upload = scene.ask("assets/upload", {"tokens": [{"fieldName": "photo", "recordType": "Note"}]}, owner, "private").json["tokens"][0]["url"]
    tally.check(scene.wire.ask("GET", upload[upload.index("/asset/") :]).status == 404, "GET of an upload")
    return tally.finding("download a page of HTML, and misuse the URL, {} checks", "an attachment that runs nothing")


def expiry(scene: Scene) -> Finding:
    """The clock of a second service is moved."""
    tally = Tally()
    clock = MovedClock(scene.folder)
    owner = scene.sign_in()
    _, file = scene.upload(owner, NEEDLE.encode())
    download = url_of(shared(scene, owner, "expiring", "private", file))
    upload = scene.ask("assets/upload", {"tokens": [{"fieldName": "photo", "recordType": "Note"}]}, owner, "private").json["tokens"][0]["url"]
    poll = scene.ask("tokens/create", {}, owner, "device").json["webcourierURL"]
    link, flow_page = scene.link(), scene.account_page(owner.address)[0]
    upload, poll, link = (re.sub(r"^https?://[^/]*", "", url) for url in (upload, poll, link))
    service = scene.world.serve("--trusted-proxy", "127.0.0.9", environment=clock.environment)
    try:
        from ..wire import Wire

        wire = Wire(service.port)
        require(wire.ask("GET", download).text == NEEDLE, "no download by another process")
        clock.move(840)
        require(wire.ask("GET", download).text == NEEDLE, "the URL has ended too soon")
        clock.move(910)
        tally.check(wire.ask("GET", download).status == 404, "a download after 15 minutes")
        tally.check(wire.ask("POST", upload, b"x").status == 404, "an upload after 15 minutes")
        flow_page.wire = wire
        for step in ({"step": "export"}, {"step": "erase", "word": "erase"}, {"step": "remove-address", "email": owner.address, "confirmed": "yes"}):
            flow = flow_page.flow
            page = flow_page.send(**step)
            flow_page.flow = flow
            tally.check(page.header("content-disposition") is None and "goodbye" not in page.text, f"{step['step']} after ten minutes")
        for operation in ("account/export", "account/erase"):
            reply = scene.ask(operation, {"userRecordName": owner.id}, owner, "kinfolk", wire=wire)
            tally.check(reply.status == 421, f"{operation} after ten minutes: {reply}")
        clock.move(1_790)
        require(scene.ask("users/current", None, owner, wire=wire).status == 200, "the session has ended too soon")
        clock.move(86_410)
        tally.check(wire.ask("GET", link).status == 400, "a link after a day")
        tally.check(flow_page.open("/account?flow=" + flow_page.flow).text.find(owner.address) < 0, "the page of an account after a day")
        tally.check(scene.ask("users/current", None, owner, wire=wire).status == 421, "a session after half an hour")
        clock.move(86_400 * 14 + 60)
        tally.check(wire.ask("GET", poll).status == 404, "a poll after two weeks")
        wire.close()
    finally:
        service.kill()
        scene.world.services.remove(service)
    return tally.finding("use URLs, pages and sessions after their time, by a moved clock, {} requests", "they have ended")


def uploads(scene: Scene) -> Finding:
    """Many uploads to one URL, and large ones: each is counted, and none is another's."""
    tally = Tally()
    owner = scene.sign_in()
    body = {"tokens": [{"fieldName": "photo", "recordType": "Note"}] * 2}
    tokens = scene.ask("assets/upload", body, owner, "private").json["tokens"]
    urls = [token["url"][token["url"].index("/asset/") :] for token in tokens]
    tally.check(urls[0] != urls[1], "two tokens have one URL")
    seen = set()
    for number in range(30):
        reply = scene.wire.ask("PUT" if number % 2 else "POST", urls[number % 2], os.urandom(20))
        seen.add(reply.json.get("singleFile", {}).get("receipt"))
    tally.check(len(seen) == 30 and None not in seen, f"{len(seen)} receipts of 30 files")
    return tally.finding("upload 30 files to two URLs, {} checks", "each file is its own")
