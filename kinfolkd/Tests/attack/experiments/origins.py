"""Only pages of the origins of an API token use it in a browser, and read answers (CORS)."""

from __future__ import annotations

from world import CONTAINER

from ..finding import Finding, Length, Tally
from ..scene import EVIL, ORIGIN, Scene

NAME = "origins"
PROMISE = "other origins"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [foreign(scene, length), own(scene), questions(scene), secrets(scene)]


def spellings() -> list[str]:
    """Origins that look like the registered one."""
    return [
        EVIL,
        "null",
        "",
        "*",
        ORIGIN + "/",
        ORIGIN + ".",
        ORIGIN + ":443",
        ORIGIN.upper(),
        ORIGIN.replace("https", "http"),
        ORIGIN + ".evil.example.net",
        "https://evil.example.net/" + ORIGIN,
        "https://app.example.com@evil.example.net",
        f"{ORIGIN}, {EVIL}",
        f"{EVIL}, {ORIGIN}",
        f" {ORIGIN}x",
        "https://example.com",
        "https://xapp.example.com",
        ORIGIN[:-1],
        "file://",
        "https://",
        "https://app\u0440.example.com",
        ORIGIN + "%00",
        "data:",
        "chrome-extension://abc",
        "https://app.example.com\tx",
        "https://[::1]",
        "http://localhost",
        "http://127.0.0.1",
    ]


def foreign(scene: Scene, length: Length) -> Finding:
    tally = Tally()
    member = scene.sign_in()
    many = [f"https://site-{number}.example.net" for number in range(length.choose(300, 10_000))]
    for number, origin in enumerate([*spellings(), *many]):
        headers = {"Origin": origin}
        try:
            encoded = {"Origin": origin.encode().decode("latin-1")}
        except UnicodeError:
            encoded = headers
        is_query = number % 2 == 0
        items = {"ckAPIToken": scene.token} if is_query else {}
        sent = encoded if is_query else encoded | {"X-Apple-CloudKit-API-Token": scene.token}
        reply = scene.ask("records/query", {"query": {"recordType": "Note"}}, items, headers=sent)
        tally.check(reply.status == 403 and reply.header("access-control-allow-origin") is None, f"{origin!r}: {reply}")
        if number < 40:
            reply = scene.ask("users/current", None, dict(member.items), headers=encoded)
            tally.check(reply.status == 403 and member.id not in reply.text, f"{origin!r} for a person: {reply}")
            tally.check("origin" in (reply.header("vary") or "").lower(), "no Vary: Origin")
    return tally.finding("use an API token from pages of other origins, {} checks", "ACCESS_DENIED, and nothing to read")


def own(scene: Scene) -> Finding:
    """What pages of the right origin get, and that cookies are never part of it."""
    tally = Tally()
    other = scene.make_token(CONTAINER, "--origin", "https://other.example.com")
    for method in ("POST", "OPTIONS"):
        reply = scene.ask("records/query", {"query": {"recordType": "Note"}}, scene.token, headers={"Origin": ORIGIN}, method=method)
        tally.check(reply.header("access-control-allow-origin") == ORIGIN, f"{method}: {reply.header('access-control-allow-origin')}")
        tally.check(reply.header("access-control-allow-credentials") is None, "cookies are allowed")
        tally.check([value for name, value in reply.headers if name == "access-control-allow-origin"] == [ORIGIN], "two origins are allowed")
    reply = scene.ask("records/query", {"query": {"recordType": "Note"}}, other, headers={"Origin": ORIGIN})
    tally.check(reply.status == 403 and reply.header("access-control-allow-origin") is None, "the origin of another API token")
    for twice in (f"{ORIGIN}\r\nOrigin: {EVIL}", f"{EVIL}\r\nOrigin: {ORIGIN}"):
        from ..wire import exchange

        path = scene.path("zones/list") + f"?ckAPIToken={scene.token}"
        data = exchange(scene.port, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nOrigin: {twice}\r\n\r\n".encode())
        tally.check(EVIL.encode() not in data, "an evil origin is repeated")
    return tally.finding("answers to pages of the right origin, {} checks", "one origin, no cookies")


def questions(scene: Scene) -> Finding:
    """The question of a browser before a request (preflight)."""
    tally = Tally()
    ask = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-apple-cloudkit-api-token"}
    for origin in spellings():
        try:
            headers = {"Origin": origin.encode().decode("latin-1")} | ask
            reply = scene.wire.ask("OPTIONS", scene.path("records/query"), None, headers)
        except (ValueError, UnicodeError):
            continue
        tally.check(reply.header("access-control-allow-origin") is None and not reply.body, f"{origin!r} is allowed")
    for path in ("/", "/account", "/sign-in/x", "/healthz", "/metrics", "/database/1/com.example.nowhere/production/public/records/query", "*"):
        if path == "*":
            continue
        reply = scene.wire.ask("OPTIONS", path, None, {"Origin": EVIL} | ask)
        tally.check(reply.header("access-control-allow-origin") is None, f"OPTIONS {path} allows {EVIL}")
    reply = scene.wire.ask("OPTIONS", scene.path("records/query", container="com.example.nowhere"), None, {"Origin": ORIGIN} | ask)
    tally.check(reply.status == 204 and reply.header("access-control-allow-origin") is None, "a container that is not there")
    return tally.finding("ask as browsers of other origins do, {} questions", "not allowed")


def secrets(scene: Scene) -> Finding:
    """A secret URL is readable by any page that has it, but by no page that has it not."""
    tally = Tally()
    for path in ("/asset/1/AAAA", "/courier/1/AAAA"):
        reply = scene.wire.ask("GET", path, None, {"Origin": EVIL})
        tally.check(reply.status == 404 and reply.header("access-control-allow-credentials") is None, f"{path}: {reply}")
        tally.check("origin" in (reply.header("vary") or ""), f"{path} has no Vary")
    return tally.finding("ask for secret URLs from other origins, {} checks", "not found")
