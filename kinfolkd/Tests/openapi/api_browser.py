"""The browser of a person who signs in and manages an account, and does not always do what the pages expect."""

from __future__ import annotations

import html
import random
import re
from typing import Any

import requests
from api_callers import PATIENCE, Callers
from api_wire import Reply

from world import CONTAINER


class Browser:
    def __init__(self, callers: Callers, chance: random.Random) -> None:
        self.callers = callers
        self.chance = chance
        self.address = ""
        self.cookie = ""
        self.ticket = ""
        self.flows: dict[str, str] = {}
        self.account_flow = ""
        self.container = CONTAINER
        # That of a sign-in with a provider.
        self.state = ""
        self.begin()

    def begin(self) -> None:
        """Signs in to the account page as somebody new, and opens a sign-in to the application."""
        self.address = self.callers.new_address()
        self.ticket = self.callers.redirect_url().rsplit("/", 1)[1]
        url = f"{self.callers.world.base}/account"
        browser = requests.Session()
        page = browser.get(url, timeout=PATIENCE)
        page = self.callers.world.send_form(browser, url, page, step="address", email=self.address)
        page = self.callers.world.send_form(browser, url, page, step="code", code=self.callers.world.code_for(self.address))
        page = self.callers.world.send_form(browser, url, page, step="names", given="Ada", family="Example")
        self.cookie = browser.cookies["kinfolk-browser"]
        self.account_flow = self.flows["/account"] = Browser.flow(page.content)
        assert self.account_flow, page.text
        self.flows["/sign-in/{ticket}"] = ""

    def headers(self) -> list[tuple[str, str]]:
        kind = self.chance.random()
        if kind < 0.9:
            return [("Cookie", f"kinfolk-browser={self.cookie}")]
        return [("Cookie", "kinfolk-browser=AAAAAAAAAAAAAAAAAAAAAA")] if kind < 0.95 else []

    def fill(self, form: dict[str, Any], path: str) -> None:
        """Puts the state and plausible values into a form."""
        if self.chance.random() < 0.9:
            form["flow"] = self.flows.get(path) or self.account_flow
        for name in ("email", "container", "wording", "word", "confirmed", "keep"):
            if name in form and self.chance.random() < 0.6:
                form[name] = {
                    "email": self.chance.choice([self.address, self.callers.new_address(), "x"]),
                    "container": self.container,
                    "wording": "1",
                    "word": self.chance.choice(["erase", "ERASE", "x"]),
                    "confirmed": "yes",
                    "keep": "yes",
                }[name]

    def learn(self, reply: Reply, path: str) -> None:
        if reply.status == 200 and (flow := Browser.flow(reply.body)):
            self.flows[path] = flow

    @staticmethod
    def flow(page: bytes) -> str:
        """The state in the forms of a page; empty if there is none."""
        found = re.search(rb'name="flow" value="([^"]*)"', page)
        return html.unescape(found[1].decode()) if found else ""

    def item(self, name: str, value: str) -> tuple[str, str]:
        """An item of a query, with a state that the service has given in the place of some."""
        known = {"flow": self.flows["/account"], "state": self.state}.get(name)
        return (name, known) if known and self.chance.random() < 0.7 else (name, value)
