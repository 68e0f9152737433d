"""A served store with a container, an API token and people, for the tests of operations."""

from __future__ import annotations

import email
import email.message
import email.policy
import html
import json
import pathlib
import re
import subprocess
import time
import urllib.parse
from typing import Any

import requests

from programs import PATIENCE, Service

CONTAINER = "com.example.notes"

SCHEMA = """
DEFINE SCHEMA
    RECORD TYPE Note (
        "___modTime" TIMESTAMP QUERYABLE SORTABLE,
        title        STRING QUERYABLE SORTABLE SEARCHABLE,
        count        INT64 QUERYABLE SORTABLE,
        due          TIMESTAMP QUERYABLE SORTABLE,
        tags         LIST<STRING> QUERYABLE,
        place        LOCATION QUERYABLE,
        folder       REFERENCE QUERYABLE,
        photo        ASSET,
        data         BYTES,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
"""


class Person:
    """Somebody who has signed in to the application: the items of a query that say so."""

    def __init__(self, api_token: str, web_auth_token: str) -> None:
        self.items = {"ckAPIToken": api_token, "ckWebAuthToken": web_auth_token}


class World:
    """A container in a store, and a service which serves it. Mails are written to a folder.

    `store` is a path, or the address of a database.
    """

    def __init__(self, folder: pathlib.Path, kinfolk: str, kinfolkd: str, store: str | None = None) -> None:
        self.folder = folder
        self.kinfolk_path = kinfolk
        self.kinfolkd_path = kinfolkd
        self.store = store or str(folder / "kinfolk.db")
        self.mails = folder / "mails"
        self.mails.mkdir()
        self.services: list[Service] = []
        command = folder / "sendmail"
        command.write_text(f"#!/bin/sh\nname=$(mktemp {self.mails}/XXXXXXXX) && cat > $name && mv $name $name.mail\n")
        command.chmod(0o755)
        self.mail_command = str(command)
        self.kinfolk("init")
        self.kinfolk("container", "create", CONTAINER)
        schema = folder / "schema.ckdb"
        schema.write_text(SCHEMA)
        self.kinfolk("schema", "apply", CONTAINER, str(schema))
        self.api_token = self.make_token("test", "--allow-discovery", "--return-url", "https://app.example.com/done")

    # ---- The operator

    def kinfolk(self, *arguments: str) -> str:
        """Runs the command on the store, and returns what it prints."""
        key = [] if "://" not in self.store else ["--key-file", str(self.folder / "kinfolk.key")]
        command = [self.kinfolk_path, *arguments, "--store", self.store, *key]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert result.returncode == 0, (arguments, result.stderr)
        return result.stdout

    def make_token(self, name: str, *options: str) -> str:
        return self.kinfolk("token", "create", CONTAINER, name, *options).strip()

    def serve(self, *options: str, **more: Any) -> Service:
        """Starts the service. The first one is that of the calls below."""
        key = [] if "://" not in self.store else ["--key-file", str(self.folder / "kinfolk.key")]
        arguments = ["serve", "--store", self.store, *key, "--mail-command", self.mail_command, *options]
        self.services.append(Service(self.kinfolkd_path, arguments, **more))
        return self.services[-1]

    def end(self) -> None:
        for service in self.services:
            service.kill()

    # ---- Requests

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.services[0].port}"

    def url(self, operation: str, database: str = "public", environment: str = "production") -> str:
        return f"{self.base}/database/1/{CONTAINER}/{environment}/{database}/{operation}"

    def kinfolk_url(self, operation: str, environment: str = "production") -> str:
        return f"{self.base}/kinfolk/1/{CONTAINER}/{environment}/{operation}"

    def post(
        self,
        operation: str,
        body: Any = None,
        person: Person | None = None,
        database: str = "public",
        **more: Any,
    ) -> requests.Response:
        """Sends an operation as CloudKit Web Services have it; without a person, with the API token alone."""
        items = person.items if person else {"ckAPIToken": self.api_token}
        data = None if body is None else json.dumps(body)
        return requests.post(self.url(operation, database), params=items, data=data, timeout=PATIENCE, **more)

    # ---- People

    def sign_in(self, address: str, given: str = "", family: str = "", *, keep: bool = False, api_token: str = "") -> Person:
        """Signs a person in over the pages, with the code of the mail."""
        api_token = api_token or self.api_token
        asked = requests.get(self.url("users/current"), params={"ckAPIToken": api_token}, timeout=PATIENCE)
        url = asked.json()["redirectURL"]
        browser = requests.Session()
        page = browser.get(url, timeout=PATIENCE)
        page = self.send_form(browser, url, page, step="address", email=address, keep="yes" if keep else "")
        page = self.send_form(browser, url, page, step="code", code=self.code_for(address))
        if 'value="names"' in page.text:
            page = self.send_form(browser, url, page, step="names", given=given, family=family)
        found = re.search(r'content="0; url=([^"]*)"', page.text)
        assert found, page.text
        items = urllib.parse.parse_qs(urllib.parse.urlparse(html.unescape(found[1])).query)
        return Person(api_token, items["ckWebAuthToken"][0])

    @staticmethod
    def send_form(browser: requests.Session, url: str, page: requests.Response, **values: str) -> requests.Response:
        """Sends a form with the state of the page that holds it."""
        found = re.search(r'name="flow" value="([^"]*)"', page.text)
        assert found, page.text
        answer = browser.post(url, data={"flow": html.unescape(found[1]), **values}, timeout=PATIENCE)
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer

    def code_for(self, address: str) -> str:
        """The code in the newest mail to an address, which is deleted."""
        text = self.mail_to(address).get_content()
        found = re.search(r"^ {4}(\S+)$", text, re.MULTILINE)
        assert found, text
        return found[1]

    def mail_to(self, address: str) -> email.message.EmailMessage:
        """The newest mail to an address, which is deleted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for path in sorted(self.mails.glob("*.mail"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
                mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
                if mail["To"] == address:
                    path.unlink()
                    return mail
            time.sleep(0.02)
        raise AssertionError("no mail came")
