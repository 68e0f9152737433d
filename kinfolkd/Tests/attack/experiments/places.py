"""What was given for one container, environment or application is worth nothing in another."""

from __future__ import annotations

import itertools
import json

from world import CONTAINER

from ..browser import Browser
from ..finding import Finding, Length, Tally, require
from ..sameness import difference, shown
from ..scene import OTHER_CONTAINER, RETURN_URL, Member, Scene
from ..wire import Reply

NAME = "places"
PROMISE = "other places"

NEEDLE = "needle-of-a-place"
PLACES = [(CONTAINER, "production"), (CONTAINER, "development"), (OTHER_CONTAINER, "production")]


def run(scene: Scene, length: Length) -> list[Finding]:
    address = scene.new_address()
    scene.make_container()
    tokens: dict[tuple[str, str], str] = {}
    members: dict[tuple[str, str], Member] = {}
    for container, environment in PLACES:
        token = scene.make_token(container, "--allow-discovery", "--return-url", RETURN_URL, "--environment", environment)
        if environment == "development":
            scene.apply_schema(container, "--environment", environment)
        place = (container, environment)
        tokens[place] = token
        members[place] = scene.sign_in(address, token=token, container=container, environment=environment)
        save(scene, members[place], place)
    return [
        api_tokens(scene, tokens),
        web_tokens(scene, tokens, members),
        urls(scene, tokens, members),
        sync_tokens(scene, members),
        unknown(scene),
        recreated(scene),
    ]


def ask(scene: Scene, operation: str, body: object, items: dict[str, str], place: tuple[str, str], database: str = "private") -> Reply:
    return scene.ask(operation, body, items, database, container=place[0], environment=place[1])


def save(scene: Scene, member: Member, place: tuple[str, str]) -> None:
    record = {"recordType": "Note", "recordName": "here", "fields": {"title": {"value": f"{NEEDLE} {place}"}}}
    zone = {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": "Z"}}}]}
    for database in ("private", "public"):
        reply = ask(scene, "records/modify", {"operations": [{"operationType": "create", "record": record}]}, member.items, place, database)
        require(reply.status == 200, f"a record was not saved in {place}: {reply}")
    ask(scene, "zones/modify", zone, member.items, place)
    record["recordName"] = "in-zone"
    body = {"operations": [{"operationType": "create", "record": record}], "zoneID": {"zoneName": "Z"}}
    ask(scene, "records/modify", body, member.items, place)


def is_invalid(reply: Reply) -> bool:
    return reply.status == 401 and NEEDLE not in reply.text and "redirectURL" not in reply.json


def api_tokens(scene: Scene, tokens: dict[tuple[str, str], str]) -> Finding:
    tally = Tally()
    body = {"records": ["here"]}
    for place, other in itertools.permutations(PLACES, 2):
        reply = ask(scene, "records/lookup", body, {"ckAPIToken": tokens[place]}, other, "public")
        tally.check(is_invalid(reply), f"{place} in {other}: {reply}")
    token = tokens[PLACES[0]]
    own = PLACES[0]
    require(NEEDLE in ask(scene, "records/lookup", body, {"ckAPIToken": token}, own, "public").text, "the token does not work")
    for forged in (
        token.upper() if token.upper() != token else "A" * 64,
        token[:-1],
        token + "0",
        token + "\0",
        f" {token}",
        f"{token} ",
        "0" * 64,
        "",
        "a" * 63,
        token[1:] + token[0],
        "'" + token[1:],
        chr(ord(token[0]) + 0xFEE0) + token[1:],  # the first digit in full width
        "%" + token[1:],
    ):
        reply = ask(scene, "records/lookup", body, {"ckAPIToken": forged}, own, "public")
        # Letters may be in either case: it is the same number.
        tally.check(is_invalid(reply) or forged == token.upper(), f"{forged[:8]}…: {reply}")
    target = scene.path("records/lookup") + f"?ckAPIToken={'0' * 64}&ckAPIToken={token}"
    tally.check(is_invalid(scene.wire.ask("POST", target, json.dumps(body))), "two tokens, the first one invalid")
    return tally.finding("API tokens of other places, and damaged ones, {} requests", "not valid")


def web_tokens(scene: Scene, tokens: dict[tuple[str, str], str], members: dict[tuple[str, str], Member]) -> Finding:
    """Each web auth token with each API token in each place; right is only its own."""
    tally = Tally()
    other = scene.sign_in(members[PLACES[0]].address)
    second = scene.make_token(CONTAINER, "--return-url", RETURN_URL)
    all_tokens = [*tokens.items(), (PLACES[0], second)]
    for (web_place, member), (_, api), place in itertools.product(members.items(), all_tokens, PLACES):
        if tokens[web_place] == api and web_place == place:
            continue
        for items in (
            {"ckAPIToken": api, "ckWebAuthToken": member.web},
            {"ckAPIToken": api, "ckSession": member.web},
        ):
            reply = ask(scene, "records/lookup", {"records": ["here"]}, items, place)
            tally.check(reply.status in (401, 421) and NEEDLE not in reply.text, f"{web_place} in {place}: {reply}")
        headers = {"X-Apple-CloudKit-API-Token": api, "X-Apple-CloudKit-Web-Auth-Token": member.web}
        reply = scene.ask("records/lookup", {"records": ["here"]}, {}, "private", container=place[0], environment=place[1], headers=headers)
        tally.check(reply.status in (401, 421) and NEEDLE not in reply.text, f"{web_place} in {place} by headers: {reply}")
    web = other.web
    for forged in (web[:-1], web[:-4], web + "A", web.swapcase(), web[::-1], "A" * len(web), web[:-2] + "==", "\0", web + " "):
        reply = scene.ask("users/current", None, {"ckAPIToken": scene.token, "ckWebAuthToken": forged})
        tally.check(reply.status in (401, 421), f"a damaged web auth token: {reply}")
    tally.check(scene.ask("users/current", None, {"ckWebAuthToken": web}).status == 401, "a web auth token alone")
    tally.check(scene.ask("users/current", None, {"ckAPIToken": web, "ckWebAuthToken": scene.token}).status == 401, "exchanged")
    return tally.finding("web auth tokens with other API tokens and in other places, {} requests", "sign in")


def urls(scene: Scene, tokens: dict[tuple[str, str], str], members: dict[tuple[str, str], Member]) -> Finding:
    """The sealed part of one URL in the place of another: links, files, polls and flows."""
    tally = Tally()
    member = members[PLACES[0]]
    upload, file = scene.upload(member, NEEDLE.encode())
    record = {"recordType": "Note", "recordName": "with-file", "fields": {"photo": {"value": file}}}
    saved = scene.ask("records/modify", {"operations": [{"operationType": "create", "record": record}]}, member, "private")
    download = saved.json["records"][0]["fields"]["photo"]["value"]["downloadURL"]
    poll = scene.ask("tokens/create", {}, member, "device").json["webcourierURL"]
    link = scene.link(tokens[PLACES[0]])
    browser = Browser(scene.wire)
    browser.open(link)
    texts = {
        name: url.rpartition("/")[2]
        for name, url in {
            "upload": upload,
            "download": download,
            "poll": poll,
            "link": link,
            "flow": browser.flow,
            "sync": scene.ask("changes/database", {}, member, "private").json["syncToken"].replace("+", "-").replace("/", "_"),
        }.items()
    }
    uses = {
        "upload": ("POST", "/asset/1/"),
        "download": ("GET", "/asset/1/"),
        "poll": ("GET", "/courier/1/"),
        "link": ("GET", "/sign-in/"),
    }
    for (use, (method, root)), (kind, text) in itertools.product(uses.items(), texts.items()):
        variants = (
            [text]
            if kind != use
            else [
                text[:-1],
                text[:-4],
                "A" + text,
                text[1:],
                text + "AAAA",
                text.swapcase(),
                "",
                "..",
                text + "/",
                text + "/x",
                "%2e%2e/" + text,
            ]
        )
        for variant in variants:
            reply = scene.wire.ask(method, root + variant, b"x" if method == "POST" else None, timeout=5)
            tally.check(reply.status in (400, 404) and NEEDLE not in reply.text, f"a {kind} as {use}: {reply.status} for {variant[:10]!r}")
    for text in texts.values():
        page = Browser(scene.wire)
        page.open(link)
        page.flow = text if text != texts["flow"] else text[:-2] + "AA"
        reply = page.send(step="address", email="nobody@example.com")
        tally.check(reply.status in (400, 403), f"a flow: {reply.status}")
    return tally.finding("sealed texts of URLs in the place of others, and damaged ones, {} requests", "not found")


def sync_tokens(scene: Scene, members: dict[tuple[str, str], Member]) -> Finding:
    tally = Tally()
    zone = {"zoneID": {"zoneName": "Z"}}
    for place, other in itertools.permutations(PLACES, 2):
        mine, theirs = members[place].items, members[other].items
        text = ask(scene, "changes/database", {}, mine, place).json["syncToken"]
        reply = ask(scene, "changes/database", {"syncToken": text}, theirs, other)
        tally.check(reply.status == 400, f"database {place} in {other}: {reply}")
        text = ask(scene, "changes/zone", {"zones": [zone]}, mine, place).json["zones"][0]["syncToken"]
        reply = ask(scene, "changes/zone", {"zones": [{**zone, "syncToken": text}]}, theirs, other)
        tally.check(reply.json.get("zones", [{}])[0].get("serverErrorCode") == "BAD_REQUEST", f"zone {place} in {other}: {reply.text[:80]}")
        for name in ("a", "b"):
            record = {"recordType": "Note", "recordName": f"{name}-{other[1][:3]}", "fields": {"title": {"value": NEEDLE}}}
            ask(scene, "records/modify", {"operations": [{"operationType": "forceUpdate", "record": record}]}, mine, place)
        query = {"query": {"recordType": "Note"}, "resultsLimit": 1}
        marker = ask(scene, "records/query", query, mine, place).json["continuationMarker"]
        reply = ask(scene, "records/query", query | {"continuationMarker": marker}, theirs, other)
        tally.check(str(place) not in reply.text, f"a marker of {place} in {other}: {reply}")
    return tally.finding("sync tokens and markers of the same person in other places, {} requests", "refused, or nothing of the other place")


def unknown(scene: Scene) -> Finding:
    """An unknown container, an unknown token and one of another container have one answer."""
    tally, seen = Tally(), ""
    chat = scene.chat_token()
    for container, token in (
        (CONTAINER, "0" * 64),
        ("com.example.nowhere", "0" * 64),
        (CONTAINER, chat),
        ("com.example.nowhere", chat),
        ("com.example.nowhere", scene.token),
        (OTHER_CONTAINER, scene.token),
        ("x" * 300, scene.token),
        ("", scene.token),
        ("..", scene.token),
    ):
        for operation in ("records/query", "users/current", "zones/list"):
            for origin in ({}, {"Origin": "https://evil.example.net"}):
                text = shown(scene.ask(operation, {}, token, container=container, headers=origin))
                seen = seen or text
                tally.check(text == seen, f"{container[:30]}: {difference(text, seen)}")
    return tally.finding("ask for containers that exist, and for others, {} requests", "one answer")


def recreated(scene: Scene) -> Finding:
    """A container that was deleted and made again, while the service runs: nothing of the old one works in the new one."""
    tally, name = Tally(), "com.example.again"
    scene.make_container(name)
    token = scene.make_token(name, "--return-url", RETURN_URL)
    member = scene.sign_in(token=token, container=name)
    record = {"recordType": "Note", "recordName": "here", "fields": {"title": {"value": NEEDLE}}}
    scene.ask("records/modify", {"operations": [{"operationType": "create", "record": record}]}, member, "private", container=name)
    body = {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}
    upload = scene.ask("assets/upload", body, member, "private", container=name).json["tokens"][0]["url"]
    link = scene.link(token, container=name)
    server = scene.make_server(name)
    scene.kinfolk("container", "delete", name, "--yes")
    for is_back in (False, True):
        if is_back:
            scene.kinfolk("container", "create", name)
            scene.apply_schema(name)
            fresh = scene.make_token(name, "--return-url", RETURN_URL)
            again = scene.sign_in(member.address, token=fresh, container=name)
            found = scene.ask("records/lookup", {"records": ["here"]}, again, "private", container=name)
            tally.check(NEEDLE not in found.text and again.id != member.id, "the person has the old records")
            tally.check(scene.ask("users/current", None, {"ckAPIToken": fresh, "ckWebAuthToken": member.web}, container=name).status == 421, "web")
        state = "made again" if is_back else "deleted"
        tally.check(scene.ask("records/query", {}, token, container=name).status == 401, f"the API token, {state}")
        tally.check(scene.ask("users/current", None, member.items, container=name).status == 401, f"the web auth token, {state}")
        tally.check(scene.wire.ask("POST", upload[upload.index("/asset/") :], b"x").status == 404, f"an upload, {state}")
        tally.check(scene.wire.ask("GET", link[link.index("/sign-in/") :]).status in (400, 404), f"a link, {state}")
        reply = scene.ask_signed(server, "records/query", {"query": {"recordType": "Note"}}, container=name)
        tally.check(reply.status == 401, f"a server, {state}")
    return tally.finding("use what belongs to a container that was deleted, and made again, {} requests", "not valid")
