"""A browser that follows the pages of the service: one cookie, and the forms."""

from __future__ import annotations

import html
import re
from urllib.parse import parse_qs, urlencode, urlsplit

from .wire import Reply, Wire

FLOW = re.compile(r'name="flow" value="([^"]*)"')
REFRESH = re.compile(r'content="0; url=([^"]*)"')
SCRIPT = re.compile(r'<script data-token="([^"]*)" data-origin="([^"]*)">')


class Browser:
    """`headers` are sent with each request."""

    def __init__(self, wire: Wire, **headers: str) -> None:
        self.wire = wire
        self.headers = headers
        self.cookie = ""
        self.path = ""
        self.flow = ""

    def _sent(self, reply: Reply) -> Reply:
        for name, value in reply.headers:
            if name == "set-cookie":
                self.cookie = value.split(";")[0]
        found = FLOW.search(reply.text)
        if found:
            self.flow = html.unescape(found[1])
        return reply

    @property
    def _all_headers(self) -> dict[str, str]:
        return self.headers | ({"Cookie": self.cookie} if self.cookie else {})

    def open(self, url: str) -> Reply:
        """A link: an absolute URL of the service, or a path."""
        parts = urlsplit(url)
        self.path = parts.path
        target = parts.path + (f"?{parts.query}" if parts.query else "")
        return self._sent(self.wire.ask("GET", target, None, self._all_headers))

    def send(self, **fields: str) -> Reply:
        """The form of the page that is open."""
        body = urlencode({"flow": self.flow} | fields)
        headers = self._all_headers | {"Content-Type": "application/x-www-form-urlencoded"}
        return self._sent(self.wire.ask("POST", self.path, body, headers))


def returned(page: Reply) -> dict[str, str]:
    """The items with which the last page of a sign-in returns to the application; none if it does not."""
    found = REFRESH.search(page.text)
    return {name: values[0] for name, values in parse_qs(urlsplit(html.unescape(found[1])).query).items()} if found else {}


def messages(page: Reply) -> list[tuple[str, str]]:
    """The token and the origin that the script of a page would send a message to."""
    return [(html.unescape(token), html.unescape(origin)) for token, origin in SCRIPT.findall(page.text)]
