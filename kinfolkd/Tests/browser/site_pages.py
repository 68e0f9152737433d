"""How a person goes through the pages of the service."""

from __future__ import annotations

import base64
import hashlib
import secrets
import urllib.parse
from collections.abc import Iterator

import requests
from application import Application
from chromium import PATIENCE, Page

from world import CONTAINER, World

# A container that asks whether others may find a person.
ASKING = "com.example.friends"


class Site:
    """The service, and the application that sends people to it."""

    def __init__(self, world: World, application: Application, asking_token: str) -> None:
        self.world = world
        self.application = application
        self.tokens = {CONTAINER: world.api_token, ASKING: asking_token}

    @property
    def account_url(self) -> str:
        return self.world.base + "/account"

    def user(self, token: str | None = None, container: str = CONTAINER, origin: str | None = None) -> requests.Response:
        """The answer to an application, or to its page, that asks who has a web auth token."""
        url = f"{self.world.base}/database/1/{container}/production/public/users/current"
        items = {"ckAPIToken": self.tokens[container]} | ({"ckWebAuthToken": token} if token else {})
        return requests.get(url, params=items, headers={"Origin": origin} if origin else {}, timeout=PATIENCE)

    def sign_in_url(self, container: str = CONTAINER, *, origin: str | None = None, **items: str) -> str:
        """The link that the service gives to the application, or to its page if there is an origin."""
        asked = self.user(None, container, origin)
        assert asked.status_code == 421, asked.text
        return asked.json()["redirectURL"] + ("?" + urllib.parse.urlencode(items) if items else "")

    @staticmethod
    def pkce() -> tuple[str, str]:
        """A verifier and its challenge (RFC 7636, section 4)."""
        verifier = secrets.token_urlsafe(32)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
        return verifier, challenge

    def enter_address(self, page: Page, address: str) -> None:
        page.wait_for("#email")
        page.fill("#email", address)
        page.click("button.main")
        page.wait_for("#code")

    def enter_code(self, page: Page, address: str) -> None:
        page.fill("#code", self.world.code_for(address))
        page.click("button.main")
        page.wait("!document.querySelector('#code')")

    def enter_name(self, page: Page, given: str = "", family: str = "") -> None:
        """Answers the question for a name, if the page asks it."""
        if not page.exists("#given"):
            return
        if given:
            page.fill("#given", given)
        if family:
            page.fill("#family", family)
        page.click("button.main")
        page.wait("!document.querySelector('#given')")

    def sign_in(self, page: Page, url: str, address: str, given: str = "", family: str = "") -> None:
        """Goes through the pages until they lead back to the application or show the account."""
        page.go(url)
        self.enter_address(page, address)
        self.enter_code(page, address)
        self.enter_name(page, given, family)

    def open_account(self, page: Page, address: str, given: str = "", family: str = "") -> None:
        """Signs in to the page of the account."""
        self.sign_in(page, self.account_url, address, given, family)
        page.wait_for("#addresses")

    def walk(self, page: Page, address: str) -> Iterator[str]:
        """Goes through all pages that a person can see, and stops at each. The page shows the first page of a sign-in."""
        page.wait_for("#email")
        yield "address"
        page.fill("#email", "nonsense")
        page.click("button.main")
        page.wait_for(".errors")
        yield "address with an error"
        self.enter_address(page, address)
        yield "code"
        page.fill("#code", "AAAA-AAAA")
        page.click("button.main")
        page.wait_for(".errors")
        page.click("summary")
        yield "code with an error"
        self.enter_code(page, address)
        yield "name"
        self.enter_name(page, "Ada", "Example")
        if page.exists("blockquote"):
            yield "consent"
            page.click("[value=denied]")
        page.wait("location.pathname === '/done'")

        self.open_account(page, address)
        yield "account"
        links = page.evaluate("Array.from(document.querySelectorAll('[href*=\"show=\"]'), (link) => link.href)")
        page.fill("#email", "other-" + address)
        page.click("form:has(#email) button")
        page.wait_for("#code")
        yield "code for another address"
        self.enter_code(page, "other-" + address)
        page.wait_for(".notice")
        yield "account with two addresses"
        steps = {
            "sign out everywhere": "form:has([value=sign-out-everywhere]) button",
            "remove an address": "form:has([value=remove-address]) button",
        }
        for name, button in steps.items():
            page.click(button)
            page.wait_for("[name=confirmed]")
            yield name
            page.click(".actions a")
            page.wait_for("#addresses")
        for url in links:
            page.go(url)
            yield url.rpartition("=")[2]
        page.fill("#word", "nonsense")
        page.click("button.danger")
        page.wait_for(".errors")
        yield "erase with an error"
        page.click(".actions a")
        page.wait_for("#addresses")
        page.click("form:has([value=sign-out]) button")
        page.wait("!document.querySelector('#addresses')")
        yield "signed out"
        page.go(self.world.base + "/sign-in/none")
        yield "link that has expired"
        page.go(self.sign_in_url(redirect_uri="https://unregistered.example.com/a/long/path/without/any/place/to/break/it"))
        yield "address that is not registered"
