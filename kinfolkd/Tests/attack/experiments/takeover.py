"""Nobody is locked out of an address whose mails they read, and nobody gets one whose mails they do not read."""

from __future__ import annotations

import json
import re
import time

from ..browser import Browser, returned
from ..finding import Finding, Length, Tally, require
from ..sameness import difference, shown
from ..scene import PROXY, Scene
from ..wire import Wire

NAME = "takeover"
PROMISE = "own address"


def run(scene: Scene, length: Length) -> list[Finding]:
    return [locked_out(scene), claims(scene), traces(scene), newcomers(scene)]


def locked_out(scene: Scene) -> Finding:
    """Others use up the mails of an address and the tries of each code. The reader of the mails signs in with the pass of one."""
    tally, link = Tally(), scene.link()
    for is_known in (True, False):
        address = scene.new_address()
        if is_known:
            scene.sign_in(address)
        pass_ = ""
        for number in range(8):
            attacker = Browser(Wire(scene.port, PROXY), **{"X-Forwarded-For": f"198.18.{number}.{int(is_known)}"})
            attacker.open(link)
            attacker.send(step="address", email=address)
            try:
                if number < (4 if is_known else 5):
                    pass_ = scene.mail_to(address)[1]
            finally:
                for _ in range(6):
                    attacker.send(step="code", code="AAAA-AAAA")
                attacker.wire.close()
        victim = Browser(scene.wire)
        victim.open(link)
        victim.send(step="address", email=address)
        victim.send(step="another-code", **{"pass": pass_})
        code, next_pass = scene.mail_to(address)
        page = victim.send(step="code", code=code)
        if 'value="names"' in page.text:
            page = victim.send(step="names", given="V", family="")
        tally.check("ckWebAuthToken" in returned(page), f"the reader of {'a known' if is_known else 'an unknown'} address is locked out")
        tally.check(next_pass != pass_, "a pass is given twice")
        again = Browser(scene.wire)
        again.open(link)
        again.send(step="address", email=address)
        again.send(step="another-code", **{"pass": pass_})
        time.sleep(0.2)
        more = [path for path in scene.world.mails.glob("*.mail") if address in path.read_text()]
        tally.check(not more, "a pass works twice")
        for path in more:
            path.unlink()
    return tally.finding("use up the mails and tries of an address, {} checks", "its reader signs in with a pass")


def claims(scene: Scene) -> Finding:
    """Another account adds the address of somebody."""
    tally = Tally()
    victim, attacker = scene.sign_in(), scene.sign_in()
    browser, _ = scene.account_page(attacker.address)
    browser.send(step="add-address", email=victim.address)
    code, _pass = scene.mail_to(victim.address)
    for guess in ("AAAA-AAAA", code[:-1] + ("A" if code[-1] != "A" else "B"), "", code[::-1]):
        page = browser.send(step="code", code=guess)
        tally.check(victim.address not in page.text or 'name="code"' in page.text, "a wrong code adds the address")
    tally.check(scene.kinfolk("account", "show", victim.address).count(victim.address) >= 1, "the address has moved")
    # The code to add the address does not sign in to the account of the victim, and the other way round.
    thief = Browser(scene.wire)
    thief.open(scene.link())
    thief.send(step="address", email=victim.address)
    sign_in_code, _pass = scene.mail_to(victim.address)
    tally.check(not returned(thief.send(step="code", code=code)), "the code to add an address signs in")
    flow = browser.flow
    page = browser.send(step="code", code=sign_in_code)
    tally.check('name="code"' in page.text, "the code to sign in adds an address")
    browser.flow = flow
    # With a right code the address does not move at once: the owner can refuse.
    browser.send(step="another-code")
    code, _pass = scene.mail_to(victim.address)
    browser.send(step="code", code=code)
    again = scene.sign_in(victim.address)
    tally.check(again.id == victim.id, "the address moved at once")
    owner, page = scene.account_page(victim.address)
    tally.check('value="refuse-claim"' in page.text, "the owner does not see the claim")
    found = re.search(r'name="claim" value="([^"]*)"', page.text)
    require(found, "there is no claim")
    stranger, _ = scene.account_page(scene.sign_in().address)
    page = stranger.send(step="refuse-claim", claim=found[1] if found else "", confirmed="yes")
    tally.check(page.status == 403, f"a stranger refuses the claim: {page.status}")
    page = browser.send(step="refuse-claim", claim=found[1] if found else "", confirmed="yes")
    tally.check(page.status == 403, f"the claimant refuses the claim: {page.status}")
    owner.send(step="refuse-claim", claim=found[1] if found else "", confirmed="yes")
    owner.send(step="another-code", **{"pass": scene.pass_of(victim.address)})
    code, _pass = scene.mail_to(victim.address)
    owner.send(step="code", code=code)
    tally.check(scene.sign_in(victim.address).id == victim.id, "the owner has lost the address")
    return tally.finding("take the address of another account, {} checks", "it stays, and the owner refuses")


def traces(scene: Scene) -> Finding:
    """Before a code is right, the page of an account does not tell whether another account has an address."""
    tally = Tally()
    attacker = scene.sign_in()
    known, unknown = scene.sign_in().address, scene.new_address()
    seen: list[list[str]] = []
    for address in (known, unknown):
        browser, _ = scene.account_page(attacker.address)
        pages = [browser.send(step="add-address", email=address)]
        for number in range(6):
            pages.append(browser.send(step="code", code=f"AAAA-AAA{number}"))
        pages.append(browser.open(f"/account?flow={browser.flow}"))
        browser.send(step="remove-address", email=address, confirmed="yes")
        seen.append([shown(page, address) for page in pages])
        scene.mail_to(address)
    for number, (left, right) in enumerate(zip(*seen)):
        tally.check(left == right, f"page {number + 1}: {difference(left, right)}")
    return tally.finding("add addresses that others have, and have not, {} pages", "the same pages")


def newcomers(scene: Scene) -> Finding:
    """Addresses that are entered and never proved leave nothing after a while, also if the service restarts."""
    tally, link = Tally(), scene.link()
    before = accounts(scene)
    for _ in range(6):
        browser = Browser(scene.wire)
        browser.open(link)
        address = scene.new_address()
        browser.send(step="address", email=address)
        scene.mail_to(address)
    same = scene.new_address()
    for _ in range(12):
        browser = Browser(scene.wire)
        browser.open(link)
        browser.send(step="address", email=same)
    time.sleep(0.3)
    for path in scene.world.mails.glob("*.mail"):
        path.unlink()
    made = accounts(scene) - before
    # Nobody has proved anything. What is kept for an hour must be bounded by the mails to an address, 5 a day, and not by clicks.
    tally.check(made <= 6 + 5, f"7 unproved addresses, one of them many times, made {made} accounts")
    return tally.finding("enter addresses and prove none, {} check", "at most one account for each mail")


def accounts(scene: Scene) -> int:
    count, after = 0, ""
    for _ in range(50):
        options = ["--after", after] if after else []
        page = json.loads(scene.kinfolk("account", "list", "--json", *options))
        items = page if isinstance(page, list) else page.get("accounts", [])
        count += len(items)
        after = "" if isinstance(page, list) else page.get("next") or page.get("after") or ""
        if not after or not items:
            break
    return count
