"""Codes and tokens cannot be guessed, from however many addresses."""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Callable

from ..browser import Browser, returned
from ..finding import Finding, Length, Tally, require
from ..scene import PROXY, RETURN_URL, Scene
from ..wire import Reply, Wire

NAME = "guesses"
PROMISE = "guessing"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [codes(scene, length), one_network(scene), mails(scene), tokens(scene, length), races(scene, length)]


def address(number: int) -> str:
    """An address of another network for each number: IPv4, and /64 networks of IPv6."""
    if number % 2:
        return (
            f"198.51.{100 + number // 512 % 2}.{number // 2 % 256}"
            if number < 1_000
            else f"203.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        )
    return f"2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1"


def browser_of(scene: Scene, client: str) -> Browser:
    return Browser(Wire(scene.port, PROXY), **{"X-Forwarded-For": client})


def codes(scene: Scene, length: Length) -> Finding:
    """Wrong codes for one address from very many networks, while mails are asked for as often as it goes."""
    tally, link = Tally(), scene.link()
    member = scene.sign_in()
    # The mail of that sign-in is one of 5.
    mails, accepted = 0, 0
    for number in range(length.choose(40, 400)):
        browser = browser_of(scene, address(number))
        browser.open(link)
        browser.send(step="address", email=member.address)
        mails += 1
        for _ in range(6):
            page = browser.send(step="code", code=f"{secrets.token_hex(2)}-{secrets.token_hex(2)}".upper())
            tally.check(not returned(page) and page.status in (200, 429), f"a guess: {page.status}")
            accepted += "value" in page.text
        browser.wire.close()
    time.sleep(0.3)
    sent = len(list(scene.world.mails.glob("*.mail")))
    names = [path for path in scene.world.mails.glob("*.mail") if member.address in path.read_text(errors="replace")]
    tally.check(len(names) <= 4, f"{len(names)} more mails to one address in a day")
    for path in names:
        path.unlink()
    require(sent >= len(names), "")
    return tally.finding(f"guess codes of one address from {mails} networks, {{}} guesses and counts", "at most 5 mails of 5 tries each")


def one_network(scene: Scene) -> Finding:
    """Many guesses of one network, which is a /64 of IPv6, an IPv4 address in any spelling."""
    tally, link = Tally(), scene.link()
    for name, make in {
        "one /64": lambda number: f"2001:db8:ffff:1:{number:x}::{number:x}",
        "mapped": lambda number: ("192.0.2.77", "::ffff:192.0.2.77", "::ffff:c000:24d", "192.0.2.77:443", "[::ffff:192.0.2.77]:1")[number % 5],
        "a forged list": lambda number: f"10.0.{number // 256}.{number % 256}, 192.0.2.78",
    }.items():
        refused = 0
        member_address = scene.new_address()
        browser = browser_of(scene, make(0))
        browser.open(link)
        browser.send(step="address", email=member_address)
        for number in range(80):
            browser.headers = {"X-Forwarded-For": make(number)}
            flow = browser.flow
            refused += browser.send(step="code", code="AAAA-AAAA").status == 429
            browser.flow = flow
        browser.wire.close()
        tally.check(refused >= 15, f"{name}: {refused} of 80 guesses were refused")
    return tally.finding("80 guesses of one network in {} disguises", "60 are taken, then one in 30 s")


def mails(scene: Scene) -> Finding:
    """Mails that one network asks for, to many addresses."""
    tally, link = Tally(), scene.link()
    browser = browser_of(scene, "192.0.2.90")
    asked = 0
    for number in range(40):
        browser.open(link)
        browser.headers = {"X-Forwarded-For": "192.0.2.90", "X_Forwarded_For": f"10.0.0.{number}", "Forwarded": f"for=10.0.1.{number}"}
        page = browser.send(step="address", email=scene.new_address())
        asked += 'name="code"' in page.text
    browser.wire.close()
    tally.check(asked <= 21, f"{asked} mails of one network")
    return tally.finding("40 mails of one network, {} count", "20 are sent")


def tokens(scene: Scene, length: Length) -> Finding:
    """API tokens, web auth tokens, sign-in codes and key IDs at random, from a network each."""
    tally = Tally()
    wire = Wire(scene.port, PROXY)
    body = {"query": {"recordType": "Note"}}
    for number in range(length.choose(300, 5_000)):
        headers = {"X-Forwarded-For": address(number)}
        kind = number % 4
        if kind == 0:
            reply = scene.ask("records/query", body, {"ckAPIToken": secrets.token_hex(32)}, headers=headers, wire=wire)
            tally.check(reply.status == 401, f"an API token: {reply}")
        elif kind == 1:
            items = {"ckAPIToken": scene.token, "ckWebAuthToken": secrets.token_urlsafe(48)}
            tally.check(scene.ask("users/current", None, items, headers=headers, wire=wire).status == 421, "a web auth token")
        elif kind == 2:
            reply = scene.ask("token", {"code": secrets.token_urlsafe(32)}, scene.token, "kinfolk", headers=headers, wire=wire)
            tally.check(reply.status == 401, f"a code: {reply}")
        else:
            reply = wire.ask("GET", f"/courier/1/{secrets.token_urlsafe(90)}", None, headers)
            tally.check(reply.status == 404, f"a URL: {reply}")
    wire.close()
    return tally.finding("guess tokens, codes and URLs from as many networks, {} guesses", "not one is right")


def at_once(calls: list[Callable[[], Reply]]) -> list[Reply]:
    """Makes calls in threads that begin at the same moment."""
    gate = threading.Barrier(len(calls))
    replies: list[Reply] = []

    def run(call: Callable[[], Reply]) -> None:
        gate.wait(30)
        replies.append(call())

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return replies


def races(scene: Scene, length: Length) -> Finding:
    """Codes that are presented many times at the same moment."""
    tally, link = Tally(), scene.link()
    for _ in range(length.choose(2, 40)):
        member = scene.sign_in()
        browser = Browser(scene.wire)
        browser.open(link)
        browser.send(step="address", email=member.address)
        code, _pass = scene.mail_to(member.address)
        twins = []
        for _ in range(8):
            twin = Browser(Wire(scene.port))
            twin.cookie, twin.path, twin.flow = browser.cookie, browser.path, browser.flow
            twins.append(twin)
        pages = at_once([lambda twin=twin, code=code: twin.send(step="code", code=code) for twin in twins])
        signed_in = sum("ckWebAuthToken" in returned(page) for page in pages)
        tally.check(signed_in == 1, f"a code of a mail was taken {signed_in} times")
        for twin in twins:
            twin.wire.close()
    verifier = "v" * 43
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    for _ in range(length.choose(2, 40)):
        browser = Browser(scene.wire)
        browser.open(f"{link}?code_challenge={challenge}&code_challenge_method=S256")
        items = returned(scene.prove(browser, scene.new_address()))
        body = {"code": items["code"], "code_verifier": verifier, "redirect_uri": RETURN_URL}
        wires = [Wire(scene.port) for _ in range(8)]
        replies = at_once([lambda wire=wire, body=body: scene.ask("token", body, scene.token, "kinfolk", wire=wire) for wire in wires])
        redeemed = sum(reply.status == 200 for reply in replies)
        tally.check(redeemed == 1, f"a sign-in code was redeemed {redeemed} times")
        for wire in wires:
            wire.close()
    return tally.finding("present a code 8 times at the same moment, {} times", "it is taken once")
