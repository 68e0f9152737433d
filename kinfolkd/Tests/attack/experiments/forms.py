"""No page of another site makes the browser of a person do something (cross-site request forgery), or frames a page."""

from __future__ import annotations

from urllib.parse import urlencode

from ..browser import Browser, returned
from ..finding import Finding, Length, Tally, require
from ..scene import EVIL, Scene

NAME = "forms"
PROMISE = "forged forms"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [account(scene), cookies(scene), frames(scene), operations(scene)]


STEPS = (
    {"step": "sign-out-everywhere", "confirmed": "yes"},
    {"step": "erase", "word": "erase"},
    {"step": "export"},
    {"step": "hide", "container": "x"},
    {"step": "add-address", "email": "evil@example.net"},
    {"step": "remove-address", "confirmed": "yes"},
    {"step": "names", "given": "forged"},
)


def account(scene: Scene) -> Finding:
    """Forms that another site sends while the person has the page of the account open in the same browser."""
    tally = Tally()
    member = scene.sign_in(None, "Ada", "Before")
    browser, page = scene.account_page(member.address)
    require("Before" in page.text, "no page of the account")
    other = Browser(scene.wire)
    other.open("/account")
    # A site can begin a sign-in of its own, and so has a flow, but not one of the person's browser.
    flows = {"none": "", "its own": other.flow, "damaged": browser.flow[:-3] + "AAA", "a link's": scene.link().rpartition("/")[2]}
    for step in STEPS:
        fields = step | ({"email": member.address} if step["step"] == "remove-address" else {})
        for name, flow in flows.items():
            for headers in ({"Origin": "null"}, {"Origin": EVIL}, {"Origin": EVIL, "Sec-Fetch-Site": "cross-site"}, {}):
                body = urlencode({"flow": flow} | fields)
                for kind in ("application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"):
                    sent = {"Cookie": browser.cookie, "Content-Type": kind} | headers
                    reply = scene.wire.ask("POST", "/account", body, sent)
                    tally.check(reply.status == 403, f"{step['step']} with {name} flow: {reply.status}")
        query = urlencode({"flow": browser.flow} | fields)
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH"):
            scene.wire.ask(method, f"/account?{query}", None, {"Cookie": browser.cookie})
    shown = browser.open(f"/account?{urlencode({'flow': browser.flow})}")
    tally.check(member.address in shown.text and "Before" in shown.text, "the account was changed by a link")
    tally.check(scene.ask("users/current", None, member).status == 200, "a session was ended by a link")
    return tally.finding("send forms of the account from another site, {} requests", "refused")


def cookies(scene: Scene) -> Finding:
    """What the cookie allows, and how it is set."""
    tally = Tally()
    browser = Browser(scene.wire)
    page = browser.open("/account")
    cookie = page.header("set-cookie") or ""
    for attribute in ("HttpOnly", "SameSite=Lax", "Path=/"):
        tally.check(attribute in cookie, f"the cookie has no {attribute}")
    member = scene.sign_in()
    mine, _ = scene.account_page(member.address)
    for value in (mine.cookie, mine.cookie + "; kinfolk-browser=" + "A" * 22):
        reply = scene.wire.ask("GET", "/account", None, {"Cookie": value})
        tally.check(member.address not in reply.text, "the cookie alone shows the account")
        for operation in ("users/current", "account/export"):
            reply = scene.ask(
                operation, None, scene.token, "kinfolk" if "/" in operation and "account" in operation else "public", headers={"Cookie": value}
            )
            tally.check(reply.status == 421, f"{operation} with the cookie: {reply}")
    # A cookie that another site of the domain has set does not let that site choose who is signed in: its flow needs its own proof.
    for forged in ("A" * 22, "", "x" * 1_000, "A" * 22 + "; x", '"' + "A" * 22 + '"'):
        victim = Browser(scene.wire)
        victim.cookie = f"kinfolk-browser={forged}"
        page = victim.open("/account")
        tally.check((page.status == 200 and forged not in page.text) or not forged, f"the cookie {forged[:8]!r} is on the page")
    # Sent over TLS, the cookie must not be readable, or settable, without it.
    service = scene.world.serve("--origin", "https://kinfolk.example.com", "--trusted-proxy", "127.0.0.9")
    try:
        from ..wire import Wire

        wire = Wire(service.port)
        secure = wire.ask("GET", "/account").header("set-cookie") or ""
        tally.check("Secure" in secure, "the cookie of an https origin is not Secure")
        tally.check(secure.startswith("__Host-"), "sites of the same domain can set the cookie: its name does not begin with __Host-")
        wire.close()
    finally:
        service.kill()
        scene.world.services.remove(service)
    return tally.finding("use, forge and plant the cookie, {} checks", "it proves nothing, and nobody else sets it")


def frames(scene: Scene) -> Finding:
    """Headers of each page: no frames, no foreign forms, no scripts."""
    tally = Tally()
    member = scene.sign_in()
    browser, page = scene.account_page(member.address)
    link = scene.link()
    other = Browser(scene.wire)
    pages = [
        page,
        browser.open("/account"),
        other.open(link),
        other.send(step="address", email=scene.new_address()),
        other.send(step="code", code="AAAA-AAAA"),
        scene.wire.ask("GET", "/sign-in/x"),
        scene.wire.ask("POST", "/account", "x"),
    ]
    done = Browser(scene.wire)
    done.open(link)
    pages.append(scene.prove(done, member.address))
    require(returned(pages[-1]), "a sign-in did not end")
    for number, each in enumerate(pages):
        policy = each.header("content-security-policy") or ""
        for part in ("default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"):
            tally.check(part in policy, f"page {number}: no {part}")
        tally.check("unsafe-inline" not in policy and "unsafe-eval" not in policy and "*" not in policy, f"page {number}: {policy}")
        for name, value in {
            "x-frame-options": "DENY",
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
            "x-content-type-options": "nosniff",
            "cross-origin-resource-policy": "same-origin",
            "content-type": "text/html; charset=utf-8",
        }.items():
            tally.check(each.header(name) == value, f"page {number}: {name} is {each.header(name)}")
        tally.check(each.header("access-control-allow-origin") is None, f"page {number} can be read by other sites")
    return tally.finding("frame and read pages, {} checks of headers", "browsers refuse it")


def operations(scene: Scene) -> Finding:
    """Requests that browsers send without asking: they have no token, because it is in no cookie."""
    tally = Tally()
    for method, operation, database in (
        ("POST", "records/modify", "private"),
        ("POST", "account/erase", "kinfolk"),
        ("GET", "account/export", "kinfolk"),
        ("POST", "sign-out", "kinfolk"),
        ("POST", "zones/modify", "private"),
        ("GET", "users/current", "public"),
        ("GET", "notifications", "kinfolk"),
    ):
        for headers in ({"Origin": EVIL, "Content-Type": "text/plain"}, {"Origin": "null"}, {"Origin": EVIL, "Cookie": "ckWebAuthToken=x"}):
            reply = scene.ask(operation, None if method == "GET" else {}, {}, database, method=method, headers=headers)
            tally.check(reply.status == 401, f"{operation}: {reply}")
    return tally.finding("send operations as a foreign page does, {} requests", "not authenticated")
