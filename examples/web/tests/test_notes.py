"""Tests the running service: several worker processes of gunicorn, called over HTTP."""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import kinfolk
import pytest

EXAMPLE = Path(__file__).parents[1]
WORKERS = 3
LIMIT = 50


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: Any


def free_port() -> int:
    """A port that stays free until it is used: it is below those that the system gives to connections."""
    while True:
        port = random.randrange(10_000, 32_000)
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return port


class Server:
    """Gunicorn, running in a separate folder with the stores."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.port = free_port()
        self.folder = folder
        self.log = folder / "workers.log"
        own = {
            "KINFOLK_STORE": str(folder / "kinfolk.db"),
            "HOST_DATABASE": str(folder / "host.db"),
            "PORT": str(self.port),
            "WEB_CONCURRENCY": str(WORKERS),
            "DEMO_SIGN_IN": "1",
            "HOST_OUTBOX": str(folder / "outbox.txt"),
            "PYTHONPATH": str(Path(kinfolk.__file__).parents[1]),
        }
        self.environment = {**os.environ, **own, **environment}

    def start(self, *options: str) -> None:
        # The log has the process that answered, a line for each request.
        log = ["--access-logfile", str(self.log), "--access-logformat", "%(p)s %(s)s"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "gunicorn", *log, *options],
            cwd=EXAMPLE,
            env=self.environment,
            stderr=(self.folder / "errors.log").open("w"),
        )
        deadline = time.monotonic() + 60
        while True:
            try:
                return self.ask("GET", "/consent") and None
            except OSError:
                assert self.process.poll() is None, self.errors()
                assert time.monotonic() < deadline, self.errors()
                time.sleep(0.05)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)

    def mails(self, recipient: str) -> list[str]:
        outbox = self.folder / "outbox.txt"
        sent = [json.loads(line) for line in outbox.read_text().splitlines()] if outbox.exists() else []
        return [mail["text"] for mail in sent if mail["to"] == recipient]

    def errors(self) -> str:
        return (self.folder / "errors.log").read_text()

    def ask(self, method: str, path: str, user: str = "", body: Any = None) -> Answer:
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)  # noqa: S310
        if user:
            request.add_header("X-Demo-User", user)
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        try:
            with urllib.request.urlopen(request, timeout=30) as response:  # noqa: S310
                return Answer(response.status, dict(response.headers), _parsed(response.read()))
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, dict(error.headers), _parsed(error.read()))


def _parsed(content: bytes) -> Any:
    return json.loads(content) if content else None


def contact_hash(address: str) -> str:
    """The contact hash as a client makes it without the library, for an ASCII address."""
    return hashlib.sha256(address.strip().lower().encode()).hexdigest()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    server.start()
    yield server
    server.stop()


def opt_in(server: Server, user: str) -> None:
    shown = server.ask("GET", "/consent").body
    body = {"discoverable": True, "consent_version": shown["consent_version"]}
    assert server.ask("PUT", "/me/discoverability", user, body) == Answer(200, _any, {"discoverability": "granted"})


class _Any:
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


_any: Any = _Any()


def find(server: Server, user: str, *addresses: str, sync_state: str = "") -> Answer:
    body = {"contacts": [contact_hash(address) for address in addresses], "sync_state": sync_state}
    return server.ask("POST", "/me/friends", user, body)


def test_friends_are_found_after_they_opt_in_and_until_they_leave(server: Server) -> None:
    contacts = ["somebody@example.com", " Grace@Example.ORG ", "alan@example.com"]
    grace = server.ask("GET", "/me", "grace").body
    assert grace["discoverability"] == "undetermined"
    assert find(server, "ada", *contacts).body["friends"] == []

    opt_in(server, "grace")
    found = find(server, "ada", *contacts)
    assert found.body["friends"] == [
        {"user_record_id": grace["user_record_id"], "given_name": "Grace", "family_name": "Sample", "contacts": [1]}
    ]

    assert server.ask("PUT", f"/me/blocks/{grace['user_record_id']}", "ada").status == 204
    assert server.ask("GET", "/me/blocks", "ada").body == {"blocked": [grace["user_record_id"]]}
    assert find(server, "ada", *contacts, sync_state=found.body["sync_state"]).body["friends"] == []
    assert server.ask("DELETE", f"/me/blocks/{grace['user_record_id']}", "ada").status == 204
    assert len(find(server, "ada", *contacts, sync_state=found.body["sync_state"]).body["friends"]) == 1

    exported = server.ask("GET", "/me/export", "grace")
    assert exported.status == 200
    assert exported.body["user_record_id"] == grace["user_record_id"]
    assert exported.body["given_name"] == "Grace"
    assert server.ask("DELETE", "/me", "grace").body["erased_addresses"] == 1
    assert find(server, "ada", *contacts, sync_state=found.body["sync_state"]).body["friends"] == []
    again = server.ask("GET", "/me", "grace").body
    assert again["discoverability"] == "undetermined"
    assert again["user_record_id"] != grace["user_record_id"]


def code_in(mail: str) -> str:
    return re.findall(r"code for Notes is (\S+)\.", mail)[0]


def pass_in(mail: str) -> str:
    return re.findall(r"the pass (\S+) as well", mail)[0]


def test_an_address_is_proved_by_a_code_and_every_answer_is_the_same_page(server: Server) -> None:
    new = {"email": "ada@example.net"}
    pages = [server.ask("POST", "/me/emails/request", "ada", new) for _ in range(3)]
    pages += [server.ask("POST", "/me/emails/request", "alan", new) for _ in range(4)]
    assert len(server.mails("ada@example.net")) == 5  # whoever asks
    assert {(page.status, json.dumps(page.body)) for page in pages} == {(200, json.dumps(pages[0].body))}
    # The last request of Alan got no mail: his tries fail in the same way as a wrong code.
    wrong = [server.ask("POST", "/me/emails/verify", user, {**new, "code": "0000-0000"}) for user in ("ada", "alan")]
    assert [answer.status for answer in wrong] == [403, 403]
    assert wrong[0].body == wrong[1].body

    # Ada reads the mails, and sends the pass of one of them.
    presented = {**new, "reader_pass": pass_in(server.mails("ada@example.net")[0])}
    assert server.ask("POST", "/me/emails/request", "ada", presented).body == pages[0].body
    mails = server.mails("ada@example.net")
    assert len(mails) == 6
    proof = {**new, "code": code_in(mails[-1]).lower()}
    assert server.ask("POST", "/me/emails/verify", "ada", proof).body["verified"] is True
    known = server.ask("GET", "/me/emails", "ada").body["emails"]
    assert known == [{"address": "ada@example.com", "verified": True}, {"address": "ada@example.net", "verified": True}]
    assert server.ask("POST", "/me/emails/request", "ada", new).status == 409


def test_the_owner_of_a_claimed_address_keeps_it_and_is_notified(server: Server) -> None:
    owned = {"email": "grace@example.org"}
    assert server.ask("GET", "/me", "grace").status == 200
    server.ask("POST", "/me/emails/request", "alan", owned)
    proof = {**owned, "code": code_in(server.mails("grace@example.org")[-1])}
    claimed = server.ask("POST", "/me/emails/verify", "alan", proof)
    assert claimed.status == 202
    assert claimed.body["verified"] is False
    assert "claims this address" in server.mails("grace@example.org")[-1]
    assert server.ask("GET", "/me/emails", "alan").body["claimed"] == []
    assert server.ask("GET", "/me/emails", "grace").body["claimed"] == ["grace@example.org"]
    with kinfolk.open(server.environment["KINFOLK_STORE"], create=False) as service:
        assert [claim.state for claim in service.claims()] == [kinfolk.ClaimState.WAITING]

    assert server.ask("POST", "/me/emails/refuse/request", "grace", owned).status == 200
    refusal = {**owned, "code": code_in(server.mails("grace@example.org")[-1])}
    assert server.ask("POST", "/me/emails/refuse", "grace", refusal).status == 204
    assert server.ask("GET", "/me/emails", "grace").body["claimed"] == []
    assert server.ask("POST", "/me/emails/refuse/request", "grace", owned).status == 404


def test_the_text_that_was_shown_is_kept(server: Server) -> None:
    shown = server.ask("GET", "/consent").body
    opt_in(server, "grace")
    kept = json.dumps(server.ask("GET", "/me/export", "grace").body)
    assert shown["consent_text"] in kept
    assert shown["consent_version"] in kept
    unknown = {"discoverable": True, "consent_version": "1999"}
    assert server.ask("PUT", "/me/discoverability", "ada", unknown).status == 409


def test_a_rate_limited_answer_says_when_to_retry(server: Server) -> None:
    with kinfolk.open(server.environment["KINFOLK_STORE"], create=False) as service:
        service.open_container("com.example.notes").set_permits(LIMIT, per_hour=3600)
    addresses = [f"person{number}@example.com" for number in range(LIMIT + 1)]
    assert find(server, "ada", *addresses).status == 413
    first = find(server, "ada", *addresses[:LIMIT])
    assert first.status == 200
    refused = find(server, "ada", *[f"other{number}@example.com" for number in range(40)])
    assert refused.status == 429
    assert refused.body["error"] == "request_rate_limited"
    assert 1 <= int(refused.headers["Retry-After"]) <= 40
    assert find(server, "ada", *addresses[:LIMIT], sync_state=first.body["sync_state"]).status == 200


def test_erasing_an_account_and_coming_back_returns_no_permits(server: Server) -> None:
    """Otherwise one user could test any number of addresses."""
    tested = 0
    for number in range(5):
        addresses = [f"person{number}-{index}@example.com" for index in range(4_000)]
        for part in range(0, 20_000, 4_000):
            answer = find(server, "ada", *[f"{part}-{address}" for address in addresses])
            if answer.status == 429:
                break
            assert answer.status == 200
            tested += len(addresses)
        erased = server.ask("DELETE", "/me", "ada").body
        assert erased["limits_remembered_until"] is not None
    assert tested == 20_000


def test_concurrent_requests_share_one_account_over_all_workers(server: Server) -> None:
    opt_in(server, "grace")
    with ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda _: server.ask("GET", "/me", "ada"), range(200)))
        friends = list(pool.map(lambda _: find(server, "alan", "grace@example.org"), range(100)))
    assert {answer.status for answer in answers} == {200}
    assert len({answer.body["user_record_id"] for answer in answers}) == 1
    assert {len(answer.body["friends"]) for answer in friends} == {1}
    lines = server.log.read_text().splitlines()
    assert len({line.split()[0] for line in lines}) == WORKERS
    assert "Traceback" not in server.errors()


# The rules of README.md

OTHER_APPLICATION = "com.example.chess"


class Walk:
    """Calls every route for one person, correctly and incorrectly, and keeps the answers."""

    def __init__(self, server: Server, user: str, own: str, other: str, other_id: str) -> None:
        self.server, self.user, self.own, self.other, self.other_id = server, user, own, other, other_id
        self.asked: set[tuple[str, str]] = set()
        self.answers: list[tuple[str, str]] = []

    def ask(self, method: str, rule: str, body: Any = None, **values: str) -> Answer:
        path = re.sub(r"<(\w+)>", lambda match: values[match[1]], rule)
        answer = self.server.ask(method, path, self.user, body)
        self.asked.add((method, rule))
        self.answers.append((f"{method} {rule}", json.dumps([answer.headers, answer.body])))
        assert answer.status < 500
        return answer

    def everything_but_erasing(self) -> None:
        self.ask("GET", "/consent")
        self.ask("GET", "/me")
        assert self.other not in json.dumps(self.ask("GET", "/me/emails").body)  # nobody has entered it yet
        shown = {"consent_version": "2026-01"}
        for body in ({"discoverable": True, **shown}, {"discoverable": True, "consent_version": "1"}, {}):
            self.ask("PUT", "/me/discoverability", body)
        contacts = [contact_hash(self.other), contact_hash(self.own), contact_hash("nobody@example.com")]
        found = self.ask("POST", "/me/friends", {"contacts": contacts})
        for state in (found.body["sync_state"], "damaged"):
            self.ask("POST", "/me/friends", {"contacts": contacts, "sync_state": state})
        self.ask("POST", "/me/friends", {"contacts": [self.other]})
        blocks = "/me/blocks/<user_record_id>"
        for identifier in (self.other_id, "_" + 32 * "5", self.other, self.server.ask("GET", "/me", self.user).body["user_record_id"]):
            self.ask("PUT", blocks, user_record_id=identifier)
        self.ask("GET", "/me/blocks")
        self.ask("GET", "/me/export")
        self.ask("DELETE", blocks, user_record_id=self.other_id)
        for email in (self.other, self.own, f"new.{self.own}", "no address"):
            self.ask("POST", "/me/emails/request", {"email": email})
            self.ask("POST", "/me/emails/verify", {"email": email, "code": "0000-0000"})
        proof = {"email": self.other, "code": code_in(self.server.mails(self.other)[-1])}
        self.ask("POST", "/me/emails/verify", proof)
        self.ask("GET", "/me/emails")
        for email in (self.own, self.other):
            self.ask("POST", "/me/emails/refuse/request", {"email": email})
            self.ask("POST", "/me/emails/refuse", {"email": email, "code": "0000-0000"})
        self.ask("GET", "/me/export")


def routes(server: Server) -> set[tuple[str, str]]:
    """All routes of the application, as Flask lists them."""
    program = "import notes\nfor rule in notes.create_app().url_map.iter_rules(): print(*(rule.methods), rule.rule)"
    listed = subprocess.run(
        [sys.executable, "-c", program], cwd=EXAMPLE, env=server.environment, capture_output=True, text=True, check=True
    )
    found = set()
    for line in listed.stdout.splitlines():
        *methods, rule = line.split()
        if not rule.startswith("/static/"):
            found |= {(method, rule) for method in methods if method not in ("HEAD", "OPTIONS")}
    return found


def test_no_answer_breaks_a_rule_of_the_readme(server: Server) -> None:
    people = {"ada": "ada@example.com", "grace": "grace@example.org"}
    ids = {user: server.ask("GET", "/me", user).body["user_record_id"] for user in people}
    secrets = [OTHER_APPLICATION, "Ticket 1", "looked_up"]
    with kinfolk.open(server.environment["KINFOLK_STORE"], create=False) as service:
        notes, chess = service.open_container("com.example.notes"), service.create_container(OTHER_APPLICATION)
        for address in people.values():
            account = service.find_account(address)
            elsewhere = chess.open_session(account)
            elsewhere.set_discoverability(kinfolk.Discoverability.GRANTED, "May they, in Chess?", "chess-1")
            secrets += [account.id, elsewhere.user_record_id, elsewhere.user_record_id[1:], "chess-1"]
        notes.find_account(ids["ada"], reason="Ticket 1")

    walks = []
    for user, other in (("ada", "grace"), ("grace", "ada")):
        walk = Walk(server, user, people[user], people[other], ids[other])
        walk.everything_but_erasing()
        walks.append(walk)
    blocked_by = walks[1].ask("GET", "/me/blocks")
    with kinfolk.open(server.environment["KINFOLK_STORE"], create=False) as service:
        # Grace must not see the blocks that the operator and Ada made.
        service.open_container("com.example.notes").block(*ids.values())
    server.ask("PUT", f"/me/blocks/{ids['grace']}", "ada")
    assert walks[1].ask("GET", "/me/blocks").body == blocked_by.body
    assert ids["ada"] not in json.dumps(walks[1].ask("GET", "/me/export").body)
    for walk in walks:
        walk.ask("DELETE", "/me")
        assert walk.asked == routes(server)
        for route, text in walk.answers:
            assert not [secret for secret in secrets if secret in text], route
            # That route lists the addresses that the person entered, even if they belong to the other person.
            assert route == "GET /me/emails" or not (walk.own in text or walk.other in text), route

    mails = "".join(mail for address in people.values() for mail in server.mails(address))
    logs = server.errors() + server.log.read_text()
    assert not [secret for secret in secrets if secret in mails + logs]
    hashes = [contact_hash(address) for address in people.values()]
    assert not [private for private in ["@", "Grace", "Ada", *hashes] if private in logs]


def test_the_walk_detects_a_broken_rule(server: Server) -> None:
    """Uses the export of the account, which an earlier version of this example returned."""
    server.ask("GET", "/me", "ada")
    with kinfolk.open(server.environment["KINFOLK_STORE"], create=False) as service:
        account = service.find_account("ada@example.com")
        assert account.id in account.export()
        assert account.id not in json.dumps(server.ask("GET", "/me/export", "ada").body)


def test_requests_without_sign_in_get_nothing(server: Server) -> None:
    for method, rule in routes(server) - {("GET", "/consent")}:
        path = rule.replace("<user_record_id>", "_" + 32 * "5")
        assert server.ask(method, path).status == 401
        assert server.ask(method, path, "mallory").status == 401


def test_malformed_requests_are_refused_with_a_reason(server: Server) -> None:
    for body in [[], {}, {"contacts": "ada@example.com"}, {"contacts": [1]}, {"contacts": ["ada@example.com"]}]:
        answer = server.ask("POST", "/me/friends", "ada", body)
        assert answer.status == 400
        assert answer.body["reason"]
        assert "ada@example.com" not in answer.body["reason"]
    assert server.ask("PUT", "/me/blocks/nonsense", "ada").status == 400
    assert server.ask("GET", "/nowhere", "ada").body["error"] == "not_found"


def test_the_substitute_for_sign_in_works_only_when_enabled(tmp_path: Path) -> None:
    server = Server(tmp_path, DEMO_SIGN_IN="")
    server.start()
    try:
        answer = server.ask("GET", "/me", "ada")
        assert answer.status == 503
        assert "host.py" in answer.body["reason"]
    finally:
        server.stop()


def test_a_service_opened_before_the_fork_is_refused_and_says_why(tmp_path: Path) -> None:
    server = Server(tmp_path)
    server.start("--preload")
    try:
        answer = server.ask("GET", "/me", "ada")
        assert answer.status == 503
        assert "before a fork" in answer.body["reason"]
    finally:
        server.stop()


def test_a_port_in_use_is_reported_at_once(server: Server, tmp_path: Path) -> None:
    second = subprocess.run(
        [sys.executable, "-m", "gunicorn"],
        cwd=EXAMPLE,
        env=server.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert second.returncode != 0
    assert f"Port {server.port} is in use" in second.stderr
    assert f"PORT={server.port + 1}" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node")
@pytest.mark.parametrize("address", ["Ada@Example.COM", " ada@example.com ", "ada@BÜCHER.example", "a+b@example.org"])
def test_a_browser_makes_the_same_contact_hash(address: str) -> None:
    script = f"import {{ contactHash }} from {json.dumps(str(EXAMPLE / 'contact-hash.js'))};"
    script += f"console.log(await contactHash({json.dumps(address)}));"
    made = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == kinfolk.contact_hash(address).hex()
