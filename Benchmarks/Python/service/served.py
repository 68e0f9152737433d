"""A store that is served: its API token, and people who have signed in to it over the pages of the service."""

from __future__ import annotations

import concurrent.futures
import contextlib
import html
import http.client
import json
import re
import subprocess
import threading
import urllib.parse
from collections.abc import Iterator
from typing import Any

from mails import Mailbox
from processes import PATIENCE, Process, free_port, running
from setting import CONTAINER, Setting

# Fewer than the mail commands that the service runs at the same time.
SIGN_INS_AT_ONCE = 3


class Served:
    """The service, with a connection for each thread of this program."""

    def __init__(self, process: Process, mailbox: Mailbox, api_token: str) -> None:
        self.process = process
        self.mailbox = mailbox
        self.api_token = api_token
        self._local = threading.local()

    # ---- URLs

    def target(self, operation: str, web_token: str | None = None, root: str = "database", database: str = "public") -> str:
        """The path and the query of an operation, with the tokens."""
        items = {"ckAPIToken": self.api_token} | ({"ckWebAuthToken": web_token} if web_token else {})
        place = f"{operation}" if root != "database" else f"{database}/{operation}"
        return f"/{root}/1/{CONTAINER}/production/{place}?{urllib.parse.urlencode(items)}"

    # ---- Requests

    def post(self, target: str, body: Any) -> Any:
        """Sends JSON and returns the answer's."""
        status, answer = self.exchange("POST", target, json.dumps(body).encode())
        if status != 200:
            raise SystemExit(f"{target.split('?')[0]} answers {status}: {answer[:500]!r}")
        return json.loads(answer)

    def exchange(self, method: str, target: str, body: bytes = b"", headers: dict[str, str] | None = None) -> tuple[int, bytes]:
        connection = self._connection()
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        self._local.cookie = answer.getheader("set-cookie", "").split(";")[0]
        return answer.status, answer.read()

    @property
    def cookie(self) -> str:
        """What the last answer to this thread has set."""
        return self._local.cookie

    def _connection(self) -> http.client.HTTPConnection:
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = http.client.HTTPConnection("127.0.0.1", self.process.port, timeout=PATIENCE)
        return connection

    # ---- People

    def sign_in(self, address: str) -> str:
        """Signs a person in with the code of a mail. Returns the web auth token."""
        status, answer = self.exchange("GET", self.target("users/current"))
        if status != 421:
            raise SystemExit(f"users/current answers {status}: {answer!r}")
        url = urllib.parse.urlparse(json.loads(answer)["redirectURL"])
        browser = Browser(self, f"{url.path}?{url.query}")
        browser.send(step="address", email=address, keep="yes")
        browser.send(step="code", code=self.mailbox.code_for(address))
        if 'value="names"' in browser.page:
            browser.send(step="names", given="Ben", family="Example")
        found = re.search(r'content="0; url=([^"]*)"', browser.page)
        if not found:
            raise SystemExit(f"The sign-in did not end: {browser.page}")
        items = urllib.parse.parse_qs(urllib.parse.urlparse(html.unescape(found[1])).query)
        return items["ckWebAuthToken"][0]

    def sign_in_many(self, addresses: list[str]) -> list[str]:
        with concurrent.futures.ThreadPoolExecutor(SIGN_INS_AT_ONCE) as pool:
            return list(pool.map(self.sign_in, addresses))


class Browser:
    """One browser within a sign-in: its page and its cookie."""

    def __init__(self, served: Served, target: str) -> None:
        self._served = served
        self._target = target
        _, page = served.exchange("GET", target)
        self._cookie = served.cookie
        self.page = page.decode()

    def send(self, **values: str) -> None:
        """Sends the form of the page."""
        found = re.search(r'name="flow" value="([^"]*)"', self.page)
        if not found:
            raise SystemExit(f"The page has no form: {self.page}")
        body = urllib.parse.urlencode({"flow": html.unescape(found[1]), **values}).encode()
        headers = {"Cookie": self._cookie, "Content-Type": "application/x-www-form-urlencoded"}
        status, page = self._served.exchange("POST", self._target, body, headers)
        self.page = page.decode()
        if status != 200:
            raise SystemExit(f"The sign-in answers {status}: {self.page}")


def kinfolk(setting: Setting, *arguments: str) -> str:
    """Runs the command on the store, and returns what it prints."""
    command = [setting.kinfolk, *arguments, "--store", setting.store]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=600).stdout


def make_api_token(setting: Setting) -> str:
    options = ("--allow-discovery", "--return-url", "https://app.example.com/done")
    return kinfolk(setting, "token", "create", CONTAINER, "bench", *options).strip()


def command_line(setting: Setting, port: int, *options: str) -> list[str]:
    """Serves the store to many connections of this machine."""
    limits = ["--max-connections", "20000", "--max-connections-per-address", "20000", "--max-person-streams", "1000"]
    return [setting.kinfolkd, "serve", "--store", setting.store, "--listen", f"127.0.0.1:{port}", *limits, *options]


@contextlib.contextmanager
def serving(setting: Setting) -> Iterator[Served]:
    """The service until the end of the block. The store must have no API token yet."""
    mailbox = Mailbox(setting.scratch / "mails")
    api_token = make_api_token(setting)
    port = free_port()
    options = ["--mail-command", mailbox.command]
    with running(command_line(setting, port, *options), port) as process:
        yield Served(process, mailbox, api_token)


@contextlib.contextmanager
def floor(setting: Setting) -> Iterator[Process]:
    """The answers of Hummingbird that do nothing."""
    port = free_port()
    with running([setting.floor, str(port)], port) as process:
        yield process
