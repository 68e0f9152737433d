"""The service under attack: two containers, two environments, people, and the secrets that no log may hold."""

from __future__ import annotations

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from programs import Service
from world import CONTAINER, SCHEMA, Person, World

from .browser import Browser, returned
from .finding import require
from .server import Server
from .wire import PATIENCE, Reply, Wire

if TYPE_CHECKING:
    from .hidden_people import HiddenPeople

OTHER_CONTAINER = "com.example.chat"
RETURN_URL = "https://app.example.com/done"
ORIGIN = "https://app.example.com"
EVIL = "https://evil.example.net"
# A trusted proxy has this address of the machine, so that other requests come from nobody's proxy.
PROXY = "127.0.0.9"
WORDING = {"text": "May people who have your e-mail address find you?", "version": "1"}


class Member(Person):
    """A person who has signed in: their tokens, their address and their ID."""

    def __init__(self, api_token: str, web_auth_token: str, address: str) -> None:
        super().__init__(api_token, web_auth_token)
        self.address = address
        self.id = ""

    @property
    def web(self) -> str:
        return self.items["ckWebAuthToken"]


class Scene:
    """A world that is served, and short forms of what experiments do with it."""

    def __init__(self, *, log_level: str = "debug", environment: dict[str, str] | None = None) -> None:
        memory = pathlib.Path("/dev/shm")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="kinfolk-attack-", dir=memory if memory.is_dir() else None))
        self.world = World(self.folder, program("KINFOLK", "kinfolk-cli"), program("KINFOLKD", "kinfolkd"))
        self._options = ("--trusted-proxy", PROXY, "--log-level", log_level, "--log-format", "json")
        self._environment = environment
        self._number = 0
        self._containers: set[str] = set()
        # By address: how many mails were sent, and the pass of the last one.
        self._passes: dict[str, tuple[int, str]] = {}
        self._token_numbers: dict[str, int] = {}
        self._hidden_people: HiddenPeople | None = None
        self._chat_token = ""
        # What must be in no log, by what it is.
        self.secrets: dict[str, str] = {}
        self.plain = self.world.api_token
        self.token = self.world.make_token("pages", "--allow-discovery", "--return-url", RETURN_URL, "--origin", ORIGIN)
        self.noted(self.token, "an API token")
        self.wire = Wire(0)
        self.serve()

    def serve(self, *options: str) -> Service:
        """Starts the service, or starts it again."""
        service = self.world.serve(*self._options, *options, environment=self._environment)
        self.world.services = [*self.world.services[:-1]]
        self.world.services.insert(0, service)
        self.wire.close()
        self.wire = Wire(service.port)
        return service

    def restart(self, *options: str) -> None:
        self.wire.close()
        self.service.stop()
        self.serve(*options)

    @property
    def service(self) -> Service:
        return self.world.services[0]

    @property
    def port(self) -> int:
        return self.service.port

    def end(self) -> None:
        self.world.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self) -> str:
        """All lines that the services have logged."""
        return "\n".join(line for service in self.world.services for line in service.log.all)

    def noted(self, secret: str, kind: str) -> str:
        self.secrets[secret] = kind
        return secret

    # ---- The operator

    def kinfolk(self, *arguments: str) -> str:
        return self.world.kinfolk(*arguments)

    def make_container(self, name: str = OTHER_CONTAINER) -> None:
        """Makes another container, unless an experiment has made it before."""
        if name in self._containers:
            return
        self._containers.add(name)
        self.kinfolk("container", "create", name)
        self.apply_schema(name)

    def apply_schema(self, container: str, *options: str, text: str = SCHEMA) -> None:
        path = self.folder / "schema-of-attack.ckdb"
        path.write_text(text)
        self.kinfolk("schema", "apply", container, str(path), *options)

    def make_token(self, container: str = CONTAINER, *options: str) -> str:
        self._number += 1
        token = self.kinfolk("token", "create", container, f"token-{self._number}", *options).strip()
        self._token_numbers[token] = self._number
        return self.noted(token, "an API token")

    def delete_token(self, token: str, container: str = CONTAINER) -> None:
        self.kinfolk("token", "delete", container, f"token-{self._token_numbers[token]}")

    # ---- Requests

    @staticmethod
    def path(operation: str, database: str = "public", container: str = CONTAINER, environment: str = "production") -> str:
        if database == "kinfolk":
            return f"/kinfolk/1/{container}/{environment}/{operation}"
        if database == "device":
            return f"/device/1/{container}/{environment}/{operation}"
        return f"/database/1/{container}/{environment}/{database}/{operation}"

    def ask(
        self,
        operation: str,
        body: Any = None,
        who: Person | str | dict[str, str] | None = None,
        database: str = "public",
        *,
        container: str = CONTAINER,
        environment: str = "production",
        method: str = "POST",
        headers: dict[str, str] | None = None,
        wire: Wire | None = None,
        timeout: float = PATIENCE,
        **items: str,
    ) -> Reply:
        """An operation, asked by a person, by an API token alone, or with given items of the query."""
        known = who.items if isinstance(who, Person) else {"ckAPIToken": who} if isinstance(who, str) else who
        query = (known if known is not None else {"ckAPIToken": self.token}) | items
        target = self.path(operation, database, container, environment)
        data = None if body is None else body if isinstance(body, (bytes, str)) else json.dumps(body)
        target = f"{target}?{urlencode(query)}" if query else target
        reply = (wire or self.wire).ask(method, target, data, headers, timeout=timeout)
        while reply.status == 429 and "requests of this user" in reply.text:
            time.sleep(0.5)  # it takes 50 requests a second of a person
            reply = (wire or self.wire).ask(method, target, data, headers, timeout=timeout)
        if isinstance(who, Person) and (renewed := reply.header("x-apple-cloudkit-web-auth-token")):
            who.items["ckWebAuthToken"] = self.noted(renewed, "a web auth token")
        return reply

    # ---- People

    def new_address(self, name: str = "person") -> str:
        """All addresses with the same name have the same length."""
        self._number += 1
        return self.noted(f"{name}.{self._number:05d}.secret@example.com", "an address")

    def link(self, token: str | None = None, *, container: str = CONTAINER, environment: str = "production", **headers: str) -> str:
        """The URL at which a person signs in to an application."""
        asked = self.ask("users/current", None, token or self.token, container=container, environment=environment, headers=headers)
        require(asked.status == 421, f"there is no sign-in: {asked}")
        return asked.json["redirectURL"]

    def code_for(self, address: str) -> str:
        return self.mail_to(address)[0]

    def pass_of(self, address: str) -> str:
        """The pass of the last mail to an address."""
        return self._passes[address][1]

    def mail_to(self, address: str) -> tuple[str, str]:
        """The code and the pass of the newest mail to an address."""
        from email import message_from_bytes, policy

        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for path in sorted(self.world.mails.glob("*.mail"), key=lambda path: path.stat().st_mtime_ns, reverse=True):
                mail = message_from_bytes(path.read_bytes(), policy=policy.default)
                texts = re.findall(r"^ {4}(\S+)$", mail.get_content(), re.MULTILINE)
                # The notice of a claim has a link only.
                if mail["To"] == address and len(texts) == 2:
                    path.unlink()
                    code, pass_ = texts
                    self._passes[address] = (self._passes.get(address, (0, ""))[0] + 1, pass_)
                    return self.noted(code, "a code of a mail"), self.noted(pass_, "a pass of a mail")
            time.sleep(0.01)
        raise AssertionError("no mail came")

    def prove(self, browser: Browser, address: str, given: str = "", family: str = "", *, keep: str = "") -> Reply:
        """Signs in on the page that a browser has open, up to its last page."""
        browser.send(step="address", email=address, keep=keep)
        count, pass_ = self._passes.get(address, (0, ""))
        if count >= 5:
            # An address gets 5 mails a day, and more for those who have the pass of one.
            browser.send(step="another-code", **{"pass": pass_})
        code, _ = self.mail_to(address)
        page = browser.send(step="code", code=code)
        self.noted(browser.flow, "a flow")
        if 'value="names"' in page.text:
            page = browser.send(step="names", given=given, family=family)
        return page

    def sign_in(
        self,
        address: str | None = None,
        given: str = "",
        family: str = "",
        *,
        token: str | None = None,
        container: str = CONTAINER,
        environment: str = "production",
        keep: bool = False,
    ) -> Member:
        address = address or self.new_address()
        token = token or self.token
        browser = Browser(self.wire)
        browser.open(self.link(token, container=container, environment=environment))
        page = self.prove(browser, address, given, family, keep="yes" if keep else "")
        web = returned(page).get("ckWebAuthToken")
        require(web, f"the sign-in ended with {page.status}")
        member = Member(token, self.noted(web or "", "a web auth token"), address)
        where = {"container": container, "environment": environment}
        member.id = self.ask("users/current", None, member, **where).json["userRecordName"]
        return member

    def account_page(self, address: str) -> tuple[Browser, Reply]:
        """A browser in which a person manages the account."""
        browser = Browser(self.wire)
        browser.open("/account")
        return browser, self.prove(browser, address)

    def let_find(self, member: Member, decision: str = "GRANTED") -> None:
        reply = self.ask("discoverability", {"discoverability": decision, "wording": WORDING}, member, "kinfolk")
        require(reply.status == 200, f"discoverability: {reply}")

    def hidden_people(self, each: int) -> HiddenPeople:
        """The same ones for all experiments."""
        if not self._hidden_people:
            from .hidden_people import HiddenPeople

            self._hidden_people = HiddenPeople(self, each)
        return self._hidden_people

    def chat_token(self) -> str:
        """The API token of another container."""
        if not self._chat_token:
            self.make_container()
            self._chat_token = self.make_token(OTHER_CONTAINER, "--allow-discovery", "--return-url", RETURN_URL)
        return self._chat_token

    # ---- Servers

    def make_server(self, container: str = CONTAINER, *options: str) -> Server:
        self._number += 1
        server = Server(self.folder, f"server-{self._number}")
        printed = self.kinfolk("server-key", "add", container, str(server.public), "--name", f"server-{self._number}", *options)
        server.key_id = printed.strip().split()[-1]
        return server

    def ask_signed(
        self, server: Server, operation: str, body: Any = None, database: str = "public", *, container: str = CONTAINER, **more: Any
    ) -> Reply:
        """An operation, asked by a server."""
        data = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        path = self.path(operation, database, container)
        return self.wire.ask("POST", path, data, server.headers(path, data, **more))

    # ---- Records

    def save(self, who: Person, name: str, database: str = "private", *, zone: str = "", **fields: Any) -> Reply:
        """Creates a record of the type Note."""
        values = {key: {"value": value} for key, value in fields.items()}
        record: dict[str, Any] = {"recordType": "Note", "recordName": name, "fields": values}
        if zone:
            record["zoneID"] = {"zoneName": zone}
        body = {"operations": [{"operationType": "create", "record": record}]}
        reply = self.ask("records/modify", body, who, database)
        item = reply.json.get("records", [{}])[0]
        require(reply.status == 200 and "serverErrorCode" not in item, f"a record was not saved: {reply.text[:300]}")
        return reply

    def upload(self, who: Person, data: bytes, database: str = "private") -> tuple[str, dict[str, Any]]:
        """Uploads a file: the URL, and the value for a field."""
        body = {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}
        url = self.ask("assets/upload", body, who, database).json["tokens"][0]["url"]
        reply = self.wire.ask("POST", url[url.index("/asset/") :], data)
        require(reply.status == 200, f"an upload failed: {reply}")
        return url[url.index("/asset/") :], reply.json["singleFile"]


def program(variable: str, name: str) -> str:
    release = pathlib.Path(__file__).parents[3] / ".build" / "shipping" / "release"
    path = os.environ.get(variable, str(release / name))
    require(os.access(path, os.X_OK), f"{variable} names no program: {path}")
    return path


class MovedClock:
    """Moves the wall clock of a service. Needs a C compiler."""

    def __init__(self, folder: pathlib.Path) -> None:
        library = folder / "clock.so"
        compiler = shutil.which("cc") or shutil.which("clang")
        require(compiler, "there is no C compiler")
        source = pathlib.Path(__file__).with_name("clock.c")
        command = [str(compiler), "-O1", "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"]
        subprocess.run(command, check=True, timeout=60)
        self._file = folder / "clock"
        self._file.write_text("0")
        self.environment = {"LD_PRELOAD": str(library), "ATTACK_CLOCK": str(self._file)}

    def move(self, seconds: int) -> None:
        """The clock is that many seconds ahead from now on."""
        draft = self._file.with_suffix(".new")
        draft.write_text(str(seconds))
        draft.rename(self._file)
