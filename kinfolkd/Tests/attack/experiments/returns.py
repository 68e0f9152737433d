"""A sign-in leads back to the application that asked for it, and nowhere else."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from urllib.parse import parse_qs, quote, urlsplit
from urllib.parse import urlencode as plus_encoded

from world import CONTAINER

from ..browser import REFRESH, Browser, messages, returned
from ..finding import Finding, Length, Tally, require
from ..scene import EVIL, ORIGIN, RETURN_URL, Scene
from ..wire import Reply

NAME = "returns"
PROMISE = "coming back"

VERIFIER = "v" * 43


def urlencode(items: dict[str, str] | list[tuple[str, str]]) -> str:
    """With %20 for a space: a plus sign is itself here."""
    return plus_encoded(items, quote_via=quote)


def challenge(verifier: str = VERIFIER) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def run(scene: Scene, length: Length) -> list[Finding]:
    return [destinations(scene), states(scene), codes(scene), downgrades(scene), windows(scene), sharing(scene), hosts(scene)]


def destinations(scene: Scene) -> Finding:
    """Return URLs that are not registered, however much they look like one."""
    tally = Tally()
    token = scene.make_token(CONTAINER, "--return-url", RETURN_URL, "--return-url", "com.example.notes:/back")
    link = scene.link(token)
    for url in (
        EVIL,
        f"{RETURN_URL}/",
        f"{RETURN_URL}?x",
        f"{RETURN_URL}#",
        RETURN_URL.upper(),
        RETURN_URL[:-1],
        f" {RETURN_URL}",
        f"{RETURN_URL}\n",
        RETURN_URL.replace("app.", "app.example.com@"),
        RETURN_URL.replace(".com/", ".com.evil.example.net/"),
        "//app.example.com/done",
        RETURN_URL.replace("https", "http"),
        RETURN_URL.replace(".com", ".com:443"),
        RETURN_URL.replace("done", "x/../done"),
        RETURN_URL.replace("done", "%64one"),
        RETURN_URL.replace("app", "аpp"),
        "javascript:alert(1)",
        "data:text/html,x",
        "com.example.notes:/back2",
        "com.example.notes://back",
        "",
        "/account",
        "https://",
        "\\\\evil.example.net",
        "https:/app.example.com/done",
        RETURN_URL + "\u0301",
    ):
        page = scene.wire.ask("GET", link[link.index("/sign-in/") :] + "?" + urlencode({"redirect_uri": url}))
        tally.check(page.status == 400 and "location" not in dict(page.headers) and not REFRESH.search(page.text), f"{url!r}: {page.status}")
        tally.check("<form" not in page.text, f"{url!r} has a form")
        tally.check(f'href="{html.escape(url)}"' not in page.text or not url, f"{url!r} is a link")
    # Two of them: the first counts, in each program.
    both = link[link.index("/sign-in/") :] + "?" + urlencode([("redirect_uri", EVIL), ("redirect_uri", RETURN_URL)])
    tally.check(scene.wire.ask("GET", both).status == 400, "two URLs, the first one wrong")
    return tally.finding("return to URLs that are not registered, {} checks", "an error page without a link")


def signed_in(scene: Scene, link: str, **items: str) -> Reply:
    browser = Browser(scene.wire)
    page = browser.open(link + ("?" + urlencode(items) if items else ""))
    require(page.status == 200, f"the first page is {page.status}")
    return scene.prove(browser, scene.new_address())


def states(scene: Scene) -> Finding:
    """What the application gives as state comes back as one value, whatever it holds."""
    tally, link = Tally(), scene.link()
    for state in (
        "a&ckWebAuthToken=forged",
        "#fragment",
        "?x=y&z",
        "\r\nSet-Cookie: a=b",
        '"><script>alert(1)</script>',
        "'; url=https://evil.example.net",
        "%26ckWebAuthToken%3Dforged",
        "ü €",
        "a" * 3_000,
        " ",
        "=",
    ):
        page = signed_in(scene, link, state=state)
        found = REFRESH.search(page.text)
        url = html.unescape(found[1]) if found else ""
        items = parse_qs(urlsplit(url).query, keep_blank_values=True)
        tally.check(items.get("state") == [state] and len(items.get("ckWebAuthToken", [])) == 1, f"{state[:30]!r}: {url[:90]}")
        tally.check(url.startswith(RETURN_URL + "?") and "#" not in url, f"{state[:30]!r} leads to {url[:60]}")
        tally.check("forged" not in items.get("ckWebAuthToken", [""])[0] and "<script>alert" not in page.text, f"{state[:30]!r}")
    return tally.finding("states that hold items, lines and scripts, {} checks", "given back as one value")


def redeem(scene: Scene, code: str, token: str | None = None, **members: object) -> Reply:
    body = {"code": code, "code_verifier": VERIFIER, "redirect_uri": RETURN_URL} | members
    return scene.ask("token", {name: value for name, value in body.items() if value is not None}, token or scene.token, "kinfolk")


def codes(scene: Scene) -> Finding:
    """A code is redeemed once, by the application that asked, with its verifier."""
    tally, link = Tally(), scene.link()
    other = scene.make_token(CONTAINER, "--return-url", RETURN_URL)

    def new_code() -> str:
        items = returned(signed_in(scene, link, code_challenge=challenge(), code_challenge_method="S256"))
        require("code" in items and "ckWebAuthToken" not in items, f"no code: {items}")
        return scene.noted(items["code"], "a sign-in code")

    code = new_code()
    first = redeem(scene, code)
    require(first.status == 200, f"a code is not redeemed: {first}")
    web = first.json["ckWebAuthToken"]
    tally.check(redeem(scene, code).status == 401, "a code twice")
    tally.check(
        scene.ask("users/current", None, {"ckAPIToken": scene.token, "ckWebAuthToken": web}).status == 421, "the token of a code that came twice"
    )
    wrong: dict[str, dict[str, object]] = {
        "another verifier": {"code_verifier": "w" * 43},
        "no verifier": {"code_verifier": None},
        "an empty verifier": {"code_verifier": ""},
        "the challenge as verifier": {"code_verifier": challenge()},
        "a short verifier": {"code_verifier": "v" * 42},
        "another URL": {"redirect_uri": EVIL},
        "no URL": {"redirect_uri": None},
        "a slash more": {"redirect_uri": RETURN_URL + "/"},
    }
    for name, members in wrong.items():
        code = new_code()
        tally.check(redeem(scene, code, **members).status == 401, name)
        tally.check(redeem(scene, code).status == 401, f"the right request after {name}")
    code = new_code()
    tally.check(redeem(scene, code, other).status == 401, "another application")
    code = new_code()
    tally.check(redeem(scene, code, scene.chat_token()).status == 401, "another container")
    for forged in ("", "A" * 43, code[:-1], code + "A", code.swapcase(), web):
        tally.check(redeem(scene, forged).status in (400, 401), f"the code {forged[:6]!r}")
    member = scene.sign_in()
    tally.check(redeem(scene, member.web).status == 401, "a web auth token as a code")
    code = new_code()
    tally.check(scene.ask("users/current", None, {"ckAPIToken": scene.token, "ckWebAuthToken": code}).status == 421, "a code as a web auth token")
    return tally.finding("redeem codes twice, for others and with damaged parts, {} requests", "one answer: not valid")


def downgrades(scene: Scene) -> Finding:
    """A challenge that somebody weakens ends the sign-in, and does not go on without it."""
    tally, link = Tally(), scene.link()
    target = link[link.index("/sign-in/") :]
    for items in (
        {"code_challenge": challenge(), "code_challenge_method": "plain"},
        {"code_challenge": VERIFIER, "code_challenge_method": "plain"},
        {"code_challenge": challenge()},
        {"code_challenge": "", "code_challenge_method": "S256"},
        {"code_challenge": "short", "code_challenge_method": "S256"},
        {"code_challenge": challenge(), "code_challenge_method": "s256"},
        {"code_challenge": challenge() + "A", "code_challenge_method": "S256"},
        {"code_challenge": "%", "code_challenge_method": "S256"},
    ):
        page = scene.wire.ask("GET", f"{target}?{urlencode(items)}")
        tally.check(page.status == 400 and "<form" not in page.text, f"{items}: {page.status}")
    page = scene.wire.ask("GET", f"{target}?code_challenge=%FF&code_challenge_method=S256")
    tally.check(page.status == 400, "a challenge that is not UTF-8")
    page = scene.wire.ask("GET", f"{target}?code_challenge_method=S256")
    tally.check(page.status == 400, "a method without a challenge")
    return tally.finding("weaken the challenge of PKCE, {} ways", "an error page")


def windows(scene: Scene) -> Finding:
    """The window of a sign-in sends its message to one registered origin."""
    tally = Tally()
    token = scene.make_token(CONTAINER, "--origin", ORIGIN, "--origin", "https://b.example.com")
    link = scene.link(token, Origin=ORIGIN)
    found = messages(signed_in(scene, link))
    tally.check(len(found) == 1 and found[0][1] == ORIGIN, f"the message goes to {found}")
    page = signed_in(scene, link)
    script = re.search(r"<script[^>]*>(.*?)</script>", page.text, re.DOTALL)
    text = script[1] if script else ""
    tally.check("postMessage({ ckWebAuthToken: token, ckSession: token }, origin)" in text and '"*"' not in text and "'*'" not in text, "the script")
    for origin in (EVIL, "null", "*", "", "https://app.example.com.evil.example.net", "https://APP.example.com", "http://app.example.com"):
        reply = scene.ask("users/current", None, token, headers={"Origin": origin})
        tally.check(reply.status == 403 and "redirectURL" not in reply.json, f"a link for a page of {origin!r}: {reply}")
    # The link of one origin cannot be turned into that of another.
    target = link[link.index("/sign-in/") :]
    for items in ({"origin": EVIL}, {"target": EVIL}, {"redirect_uri": EVIL}, {"state": EVIL}):
        browser = Browser(scene.wire, Origin="null")
        page = browser.open(f"{target}?{urlencode(items)}")
        if page.status == 200:
            found = messages(scene.prove(browser, scene.new_address()))
            tally.check([origin for _, origin in found] == [ORIGIN], f"{items}: {found}")
        else:
            tally.check(page.status == 400, f"{items}: {page.status}")
    return tally.finding("get the message of a sign-in to another origin, {} ways", "it goes to the registered one")


def sharing(scene: Scene) -> Finding:
    """A form of one browser, sent from another; and the forms of two sign-ins exchanged."""
    tally, link = Tally(), scene.link()
    other_link = scene.link(scene.make_token(CONTAINER, "--return-url", RETURN_URL))
    for step in ({"step": "address", "email": "somebody@example.com"}, {"step": "code", "code": "AAAA-AAAA"}, {"step": "names", "given": "x"}):
        one, two = Browser(scene.wire), Browser(scene.wire)
        one.open(link)
        two.open(link)
        two.flow = one.flow
        tally.check(two.send(**step).status == 403, f"the flow of another browser: {step['step']}")
        bare = Browser(scene.wire)
        bare.path, bare.flow = one.path, one.flow
        tally.check(bare.send(**step).status == 403, f"without a cookie: {step['step']}")
        tally.check("<form" not in bare.send(**step).text, "an error page has a form")
        bare.cookie = "kinfolk-browser=" + "A" * 22
        tally.check(bare.send(**step).status == 403, f"with another cookie: {step['step']}")
        flow = one.flow
        one.open(other_link)
        one.flow = flow
        tally.check(one.send(**step).status == 403, f"the flow of another application: {step['step']}")
        one.path, one.flow = "/account", flow
        tally.check(one.send(**step).status == 403, f"the flow of an application for the account: {step['step']}")
        one.open("/account")
        account = one.flow
        one.open(link)
        one.flow = account
        tally.check(one.send(**step).status == 403, f"the flow of the account for an application: {step['step']}")
    # A code is mailed for one browser. The other one asked for a code earlier, or waits at the first page.
    for asks_first in (False, True):
        for is_known in (False, True):
            address = scene.new_address()
            if is_known:
                scene.sign_in(address)
            victim, attacker = Browser(scene.wire), Browser(scene.wire)
            victim.open(link)
            attacker.open(link)
            if asks_first:
                attacker.send(step="address", email=address)
                scene.code_for(address)
            victim.send(step="address", email=address)
            page = attacker.send(step="code", code=scene.code_for(address))
            is_held = not returned(page) and 'value="names"' not in page.text
            tally.check(is_held, f"the code of another browser, {'a known' if is_known else 'an unknown'} address")
    return tally.finding("exchange forms, cookies and codes of two browsers and applications, {} ways", "refused")


def hosts(scene: Scene) -> Finding:
    """No header of a request changes where links lead."""
    tally = Tally()
    base = scene.world.base
    for headers in (
        {"Host": "evil.example.net"},
        {"X-Forwarded-Host": "evil.example.net"},
        {"X-Forwarded-Proto": "javascript"},
        {"Forwarded": "host=evil.example.net"},
        {"X-Original-URL": "/evil"},
        {"X-Rewrite-URL": "/evil"},
        {"Referer": EVIL},
        {"X-Forwarded-Prefix": "/evil"},
    ):
        reply = scene.ask("users/current", None, scene.token, headers=headers)
        tally.check(reply.json.get("redirectURL", "").startswith(f"{base}/sign-in/"), f"{headers}: {reply.json.get('redirectURL', '')[:60]}")
        tally.check("evil" not in scene.wire.ask("GET", "/account", None, headers).text, f"{headers} on a page")
    member = scene.sign_in()
    upload = scene.ask(
        "assets/upload", {"tokens": [{"fieldName": "photo", "recordType": "Note"}]}, member, "private", headers={"Host": "evil.example.net"}
    )
    tally.check(upload.json["tokens"][0]["url"].startswith(base), "an upload URL")
    return tally.finding("headers that name another host, {} checks", "links lead to the service")
