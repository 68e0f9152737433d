"""Sends requests that are made from the description, and compares the answers with it. The script `fuzz` starts it.

The same seed makes the same requests, except for what the service chooses itself: names, tokens and times. Every failure is printed with
its request; the status is 1 if there was one.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import copy
import json
import os
import pathlib
import random
import re
import resource
import sys
import tempfile
import time
import urllib.parse
from typing import Any

from api_bodies import CANARY, Pool, junk, with_one_fault
from api_browser import Browser
from api_callers import CONTAINER, ORIGIN, RETURN_URL, Caller, Callers
from api_cases import Case, Generator
from api_description import Description, Operation, strict_json
from api_provider import Provider
from api_wire import PATIENCE, Connection, NoAnswer, Reply, Request

from programs import free_port
from world import World

OPEN_STREAMS = 12
KINDS = ["person"] * 10 + ["application"] * 2 + ["server"] * 2 + ["developer"] * 2 + ["nobody", "foreigner", "worthless", "expired"]
# An account is erased and a session is ended often enough without valid requests of each round.
RARE = {"eraseAccount", "signOut"}


class Failures:
    """What was wrong, each kind once."""

    def __init__(self) -> None:
        self.found: dict[str, int] = collections.Counter()

    def add(self, operation: str, problem: str, request: Request | None = None, reply: Reply | None = None, who: str = "") -> None:
        key = f"{operation}: {problem.split(': ')[0]} ({reply.status if reply else 'no answer'})"
        self.found[key] += 1
        if self.found[key] > 2:
            return
        print(f"\n---- {operation}: {problem}", flush=True)
        if request:
            data = request.bytes()
            print(f"     request of {who}: {data[:3000]!r}{'…' if len(data) > 3000 else ''}", flush=True)
        if reply:
            print(f"     answer {reply.status}: {reply.body[:1500]!r}", flush=True)


class Fuzz:
    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.seed = seed
        self.chance = random.Random(seed)
        self.description = Description()
        self.generator = Generator(self.description)
        self.failures = Failures()
        self.metrics_port = free_port()
        self.provider = Provider()
        consent = world.folder / "consent.conf"
        consent.write_text(f"container = {CONTAINER}\nversion = 1\ntext = May others find you?\ntext-de = Dürfen andere dich finden?\n")
        options = {"log-level": "debug", "log-format": "text", "drain-timeout": "20", "metrics-listen": f"127.0.0.1:{self.metrics_port}"}
        # All requests come from a few people, at a speed that the machine decides.
        options |= {"person-rate": "100000/s 100000", "consent": str(consent), "openid-provider": str(self.provider.configuration(world.folder))}
        self.service = world.serve(*[part for name, value in options.items() for part in (f"--{name}", value)])
        self.callers = Callers(world, self.chance)
        self.callers.sign_everybody_in()
        self.pool = Pool(self.chance)
        for person in self.callers.people:
            self.pool.add("userRecordName", person.record_name)
        self.connection = Connection(self.service.port)
        self.waiting: list[tuple[Connection, Operation, Request]] = []
        self.tickets: dict[str, list[str]] = collections.defaultdict(list)
        self.statuses: dict[str, collections.Counter[int]] = collections.defaultdict(collections.Counter)
        self.count = 0
        self.browser = Browser(self.callers, self.chance)

    # ---- What a client does

    def do(self, id: str, body: Any, caller: Caller, database: str = "private", ticket: str = "") -> Any:
        """A request of somebody who knows what they do: it succeeds."""
        operation = self.operation(id)
        request = self.request(operation, Case(body, [], [], database), caller)
        request.headers = [header for header in request.headers if header[0] != "Origin"]
        if ticket:
            # That of this request, and not any.
            request.target = operation.path.replace("{ticket}", ticket)
        reply = self.exchange(id, [operation], request, caller, "a client")
        if reply is None or reply.status != 200 or b'"serverErrorCode"' in reply.body:
            self.failures.add(id, "a valid request does not succeed", request, reply, caller.kind)
            return {}
        answer = strict_json(reply.body) if reply.media_type == "application/json" else {}
        self.learn(answer, caller)
        if isinstance(body, dict):
            self.faults(operation, Case(body, [], [], database))
        return answer

    def operation(self, id: str) -> Operation:
        return next(one for one in self.description.operations if one.id == id)

    def live(self, person: Caller) -> None:
        """Makes things of all kinds, so that generated requests find some."""
        do, zone = self.do, {"zoneName": "Notes"}
        do("modifyZones", {"operations": [{"operationType": "create", "zone": {"zoneID": {"zoneName": name}}} for name in ("Notes", "Work")]}, person)
        name = f"photo-{self.count}"
        upload = do("requestUploads", {"tokens": [{"recordName": name, "fieldName": "photo"}]}, person)
        stored = do("uploadByPost", CANARY.encode(), person, ticket=upload["tokens"][0]["url"].rsplit("/", 1)[1])
        fields = {"title": {"value": CANARY}, "photo": {"value": stored["singleFile"]}, "due": {"value": 1_422_312_944_104, "type": "TIMESTAMP"}}
        for count in range(3):
            record = {"recordType": "Note", "recordName": f"{name}-{count}", "fields": fields}
            do("modifyRecords", {"operations": [{"operationType": "forceReplace", "record": record}]}, person)
        subscriptions: list[dict[str, Any]] = [
            {"subscriptionType": "query", "query": {"recordType": "Note"}, "firesOn": ["create", "update", "delete"], "subscriptionID": "new-notes"},
            {"subscriptionType": "zone", "zoneID": zone, "subscriptionID": "zone", "notificationInfo": {"alertBody": CANARY, "shouldBadge": True}},
        ]
        self.subscribe(subscriptions, person)
        other = self.callers.other_device(person)
        courier = do("createToken", {}, other)["webcourierURL"].rsplit("/", 1)[1]
        for number in range(3):
            record = {"recordType": "Note", "recordName": f"note-{number}", "fields": {"title": {"value": f"{CANARY} {self.count}"}}}
            do("modifyRecords", {"operations": [{"operationType": "forceUpdate", "record": record}], "zoneID": zone}, person)
        do("pollByGet", None, person, ticket=courier)
        do("pollByPost", b"", person, ticket=courier)
        found = do("lookUpRecords", {"records": [f"{name}-0"]}, person)
        do("downloadFile", None, person, ticket=found["records"][0]["fields"]["photo"]["value"]["downloadURL"].rsplit("/", 1)[1])
        do("queryRecords", {"query": {"recordType": "Note", "sortBy": [{"fieldName": "title"}]}, "resultsLimit": 1}, person)
        do("recordChanges", {"zoneID": zone, "resultsLimit": 1}, person)
        do("zoneChanges", {"zones": [{"zoneID": zone}]}, person)
        do("databaseChanges", {}, person)
        do("modifyKeys", {"operations": [{"operationType": "set", "key": "theme", "value": {"a": [1, 0.5, True, CANARY]}}]}, person)
        do("discoverPrivately", b"KF\x02\x01\x00\x00\x00\x00", person)
        do("discoverUsers", {"lookupInfos": [{"userRecordName": self.callers.people[-1].record_name}]}, person, "public")
        self.documents(person)
        do("countRecords", {"database": "private", "query": {"recordType": "Note"}}, person)
        for id in ("discoverability", "listBlocks", "listKeys", "exportAccount", "listZones", "currentUser", "callerUser"):
            do(id, None, person)
        stream = self.operation("streamNotifications")
        self.send_and_leave(stream, self.request(stream, Case(None, [], [], ""), person))
        code, verifier = self.callers.code()
        application = self.callers.any("application")
        do("redeemCode", {"code": code, "code_verifier": verifier, "redirect_uri": RETURN_URL}, application)

    def documents(self, person: Caller) -> None:
        do, path = self.do, f"{CANARY}/{self.count}/list.txt"
        upload = do("requestDocumentUpload", {}, person)["url"].rsplit("/", 1)[1]
        contents = do("uploadByPut", CANARY.encode(), person, ticket=upload)["singleFile"]
        create = {"operationType": "create", "path": path, "contents": contents}
        document = do("modifyDocuments", {"operations": [create], "device": CANARY}, person)["documents"][0]
        for change in (
            {"operationType": "save", "contents": contents},
            {"operationType": "move", "path": path + ".old"},
            {"operationType": "exclude"},
        ):
            document = do("modifyDocuments", {"operations": [{**change, "document": document}]}, person)["documents"][0]
        found = do("lookUpDocuments", {"documents": {"documentID": document["documentID"]}}, person)["documents"][0]
        do("downloadFile", None, person, ticket=found["currentVersion"]["downloadURL"].rsplit("/", 1)[1])
        do("listDocuments", None, person)
        do("searchDocuments", {"folder": CANARY, "modifiedSince": 0, "resultsLimit": 1}, person)
        token = do("documentChanges", {}, person)["syncToken"]
        if self.chance.random() < 0.5:
            do("modifyDocuments", {"operations": [{"operationType": "delete", "document": document}]}, person)
        do("documentChanges", {"syncToken": token}, person)
        do("synchronizeKeys", {}, person)

    def subscribe(self, subscriptions: list[dict[str, Any]], person: Caller) -> None:
        known = {one["subscriptionID"] for one in self.do("listSubscriptions", None, person).get("subscriptions", [])}
        operations = [{"operationType": "create", "subscription": one} for one in subscriptions if one["subscriptionID"] not in known]
        self.do("modifySubscriptions", {"operations": operations}, person)

    def sign_in_with_provider(self) -> None:
        """A sign-in with an OpenID Connect provider, by somebody who changes their mind and comes back."""
        page = self.get("accountPage", "/account", "")
        cookie = (page.header("set-cookie") or "").split(";")[0]
        flow = Browser.flow(page.body)
        left = self.get("signInWith", f"/sign-in/with/0?flow={flow}", cookie)
        query = urllib.parse.parse_qs(urllib.parse.urlparse(left.header("location") or "").query)
        state = query.get("state", [""])[0]
        self.provider.nonce, self.provider.subject = query.get("nonce", [""])[0], f"subject-{self.count}"
        for rest in ("error=access_denied", "code=x"):
            came = self.get("signInCallback", f"/sign-in/callback/{self.provider.callback}?state={state}&{rest}", cookie)
            if came.status != 200:
                self.failures.add("signInCallback", "a valid request does not succeed", None, came)
        self.browser.state = state

    def get(self, id: str, target: str, cookie: str) -> Reply:
        request = Request("GET", target, [("Cookie", cookie)] if cookie else [])
        return self.exchange(id, [self.operation(id)], request, None, "a browser") or Reply(0, [], b"")

    # ---- Rounds

    def round(self, number: int, examples: int) -> None:
        """All operations, some requests each."""
        # If a step fails, which is a failure already, the next ones lack its answer.
        with contextlib.suppress(KeyError, IndexError):
            self.live(self.callers.people[0])
        self.sign_in_with_provider()
        last = self.callers.people[-1]
        self.do("eraseAccount", {"userRecordName": last.record_name}, last)
        for index, operation in enumerate(self.description.operations):
            if operation.path == "/metrics":
                continue
            if operation.method == "OPTIONS":
                self.send(operation, self.request(operation, Case(None, [], [], "public"), self.caller()), "valid")
                continue
            seed = (self.seed * 1_000_003 + number * 1_009 + index) & 0xFFFFFFFF
            cases = self.generator.cases(operation.id, True, examples, seed)
            # Of what has no parameters there is one case, which several callers send.
            for case in cases if len(cases) > 3 else [copy.deepcopy(self.chance.choice(cases)) for _ in range(6)]:
                self.valid(operation, case)
            for case in self.generator.cases(operation.id, False, max(1, examples // 4), seed):
                caller = self.caller()
                self.send(operation, self.request(operation, case, caller), "generated fault", caller)
            self.look_at_streams()

    def valid(self, operation: Operation, case: Case) -> None:
        """A valid request, then the same with one thing wrong, and junk."""
        caller = self.caller()
        if operation.id in RARE and self.chance.random() < 0.7:
            caller = self.callers.any("expired")
        if operation.id == "eraseAccount" and case.body and self.chance.random() < 0.5:
            case.body["userRecordName"] = caller.record_name
        case.body = self.pool.enrich(case.body, caller.record_name) if isinstance(case.body, dict) else case.body
        self.send(operation, self.request(operation, case, caller), "valid", caller)
        body = case.body
        if operation.tags == ["Sign-in"] and operation.path.startswith(("/sign-in", "/account")):
            body = None
        if isinstance(body, (dict, list)) and operation.method == "POST":
            self.faults(operation, case)
        if self.chance.random() < 0.15:
            self.strange(operation, case)

    def faults(self, operation: Operation, case: Case) -> None:
        body = case.body
        for kind, make in [("one fault", with_one_fault)] * 3 + [("junk", junk)]:
            caller = self.caller()
            case.body = make(body, self.chance)
            self.send(operation, self.request(operation, case, caller), kind, caller)

    def caller(self) -> Caller:
        kind = self.chance.choice(KINDS)
        return self.callers.expired() if kind == "expired" else self.callers.any(kind)

    # ---- Requests

    def request(self, operation: Operation, case: Case, caller: Caller) -> Request:
        values = {"container": CONTAINER, "environment": caller.environment}
        if "{database}" in operation.path:
            values["database"] = case.database if case.database in ("public", "private", "shared") else "private"
            if caller.kind in ("server", "application") and self.chance.random() < 0.9:
                values["database"] = "public"
        if "{provider}" in operation.path:
            values["provider"] = self.chance.choice(["0", "0", "0", "1", "proxy", "-1", "99999999999999999999", "x/y", ""])
        if "{issuer}" in operation.path:
            values["issuer"] = self.chance.choice([self.provider.callback, self.provider.callback, "accounts.example.com", "~", "%00", ""])
        if "{ticket}" in operation.path:
            values["ticket"] = self.ticket(operation, case)
        path = operation.path.format_map(values)
        query = [item for item in case.query if "ticket" not in item] + caller.query
        headers = [*case.headers, *caller.headers]
        body: bytes | None
        if isinstance(case.body, bytes) or case.body is None:
            body = case.body
        elif isinstance(case.body, dict) and operation.path.startswith(("/sign-in", "/account")):
            self.browser.fill(case.body, operation.path)
            body = urllib.parse.urlencode({name: str(value) for name, value in case.body.items()}).encode("utf-8", "replace")
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        else:
            body = json.dumps(case.body, ensure_ascii=self.chance.random() < 0.5).encode("utf-8", "surrogatepass")
            headers.append(("Content-Type", "application/json"))
        if operation.path.startswith(("/sign-in", "/account")):
            headers += self.browser.headers()
            query = [self.browser.item(name, value) for name, value in query]
            if operation.path == "/account" and operation.method == "GET" and self.chance.random() < 0.7 and self.browser.account_flow:
                query = [item for item in query if item[0] != "flow"] + [("flow", self.browser.account_flow)]
        elif self.chance.random() < 0.15 or operation.method == "OPTIONS":
            headers.append(("Origin", self.chance.choice([ORIGIN, ORIGIN, ORIGIN, "null", "https://evil.example.com", self.world.base, ""])))
        if operation.method == "POST" and body is None:
            body = b""
        target = path + ("?" + "&".join(f"{quoted(name)}={quoted(value)}" for name, value in query) if query else "")
        headers = [(clean(name), clean(value)) for name, value in headers]
        request = Request(operation.method, target, headers, body)
        if caller.key:
            caller.sign(request)
        return request

    def ticket(self, operation: Operation, case: Case) -> str:
        """A URL that the service gave, or one with a fault, or none."""
        kind = "sign-in" if "sign-in" in operation.path else "courier" if "courier" in operation.path else operation.method
        known = self.tickets["PUT" if kind == "POST" else kind]
        if kind == "sign-in":
            return self.browser.ticket if self.chance.random() < 0.85 else self.chance.choice(["x", "AAAA", self.browser.ticket[:-2], "a/b"])
        # Most polls would wait for a long time.
        if not known or self.chance.random() < (0.9 if kind == "courier" else 0.3):
            return quoted(self.chance.choice(["x", "AAAA", "", "a/b", "%2e%2e", "y", *[one[:-3] for one in known[-2:]]]))
        return self.chance.choice(known)

    def strange(self, operation: Operation, case: Case) -> None:
        """Paths, queries, methods and heads that no client sends."""
        caller = self.caller()
        request = self.request(operation, case, caller)
        operations: list[Operation] = [one for one in self.description.operations if one.path == operation.path]
        path, _, query = request.target.partition("?")
        kind = self.chance.randrange(7)
        if kind == 0:
            request.method = self.chance.choice(["DELETE", "PATCH", "PUT", "TRACE", "GET", "POST", "PROPFIND", "HEAD"])
            if request.method == "HEAD":
                operations = [one for one in operations if one.method == "GET"] or operations
        elif kind == 1:
            old = self.chance.choice([CONTAINER, "production", "development", "public", "private", "1", "database", "kinfolk"])
            new = self.chance.choice(["", "..", "%2e", "shared", "a" * 300, "com.example.nothing", "Production", "2", "%00", "*", "notes%20"])
            changed = path.replace(f"/{old}", f"/{new}")
            operations = operations if changed == path else []
            request.target = changed + (f"?{query}" if query else "")
        elif kind == 2:
            extra = self.chance.choice(
                ["&", "&&=&", "&a=%zz", "&ckAPIToken=x", "&ckWebAuthToken=%ff", "&" + "a" * 20_000, "&lang=x", "?", "&%00=%00"]
            )
            request.target = f"{path}?{query}{extra}"
        elif kind == 3:
            request.target = path + self.chance.choice(["/", "//", "/..", "%20", ";a=b", "/.", "/x"]) + (f"?{query}" if query else "")
            operations = []
        elif kind == 4 and "/asset/" not in path:
            # An upload would be waited for.
            request.announced, request.body = self.chance.choice([7 << 20, 10**17]), None
        elif kind == 5:
            request.headers.append(("X-Long", "a" * self.chance.choice([1_000, 30_000, 70_000])))
        else:
            headers = [("Last-Event-ID", "\u00e9"), ("Accept", "text/*"), ("Content-Type", "text/plain"), ("Cookie", "kinfolk-browser=x; a")]
            request.headers.append(self.chance.choice([*headers, ("X-Forwarded-For", "::1, x")]))
        self.exchange(operation.id, operations, request, caller, "strange")

    # ---- Answers

    def send(self, operation: Operation, request: Request, kind: str, caller: Caller | None = None) -> None:
        if operation.path.startswith("/courier") or (request.method == "GET" and operation.id == "streamNotifications"):
            self.send_and_leave(operation, request)
            return
        reply = self.exchange(operation.id, [operation], request, caller, kind)
        if reply is None or caller is None:
            return
        self.check_sense(operation, request, reply, kind, caller)
        if reply.media_type == "application/json":
            try:
                answer = strict_json(reply.body)
            except ValueError:
                return
            self.learn(answer, caller)
        if operation.path.startswith(("/sign-in", "/account")):
            self.browser.learn(reply, operation.path)
            if b"sign-out-everywhere" in (request.body or b"") or b"step=erase" in (request.body or b""):
                self.browser.begin()

    def learn(self, answer: Any, caller: Caller) -> None:
        if caller.environment == "production":
            self.pool.learn(answer)
        text = json.dumps(answer)
        if "webcourierURL" in text:
            self.tickets["courier"].append(answer["webcourierURL"].rsplit("/", 1)[1])
        for token in answer.get("tokens", []) if isinstance(answer, dict) else []:
            self.tickets["PUT"].append(token["url"].rsplit("/", 1)[1])
        if isinstance(answer, dict) and "singleFile" in answer:
            self.pool.add("receipt", answer["singleFile"]["receipt"])
        if isinstance(answer, dict) and isinstance(answer.get("url"), str):
            self.tickets["PUT"].append(answer["url"].rsplit("/", 1)[1])
        if "downloadURL" in text:
            for part in text.split('"downloadURL": "')[1:4]:
                self.tickets["GET"].append(part.split('"')[0].rsplit("/", 1)[1])
        for known in self.tickets.values():
            del known[:-20]

    def check_sense(self, operation: Operation, request: Request, reply: Reply, kind: str, caller: Caller) -> None:
        """Who is nobody gets nothing; a body that the description does not allow is not accepted as a whole."""
        needs = bool(operation.security) and operation.method != "OPTIONS"
        if needs and reply.status < 300 and not caller.is_accepted:
            self.failures.add(operation.id, "credentials that are worth nothing are accepted", request, reply, caller.kind)
        if kind == "one fault" and reply.status == 200 and b"serverErrorCode" not in reply.body and request.body:
            try:
                body = json.loads(request.body)
            except (ValueError, RecursionError):
                return
            if not self.description.is_valid(operation, body):
                self.failures.add(operation.id, "a body that is not valid is accepted", request, reply, caller.kind)

    def exchange(self, name: str, operations: list[Operation], request: Request, caller: Caller | None, kind: str) -> Reply | None:
        """Sends a request, and checks its answer. Without operations, the answer is an error."""
        self.count += 1
        if not self.connection.is_usable or self.connection.has_bytes():
            if self.connection.is_usable and self.connection.rest:
                self.failures.add(name, "there are bytes after the answer before this one")
            self.connection.close()
            self.connection = Connection(self.service.port)
        who = f"{caller.kind if caller else 'somebody'}, {kind}, seed {self.seed}, number {self.count}"
        started = time.monotonic()
        try:
            self.connection.send(request)
            reply = self.connection.reply(request.method)
        except (NoAnswer, ValueError, IndexError) as error:
            self.connection.close()
            self.failures.add(name, f"{error}", request, None, who)
            return None
        self.statuses[name][reply.status] += 1
        if caller and reply.status == 200 and name in ("eraseAccount", "signOut") and caller in [*self.callers.people, self.callers.developer]:
            self.callers.replace(caller)
        if time.monotonic() - started > PATIENCE:
            self.failures.add(name, "the answer took too long", request, reply, who)
        if reply.is_open:
            self.connection.close()
        if reply.status == 500:
            self.failures.add(name, "an internal error", request, reply, who)
        if operations:
            problems = self.description.problems(operations, request.method, reply)
            problems += self.description.missing_headers(operations[0], reply)
        else:
            problems = [] if 400 <= reply.status < 500 or reply.status == 204 else [f"the status {reply.status} for a path that does not exist"]
        problems += self.origin_problems(request, reply)
        for problem in problems:
            self.failures.add(name, problem, request, reply, who)
        return reply

    def origin_problems(self, request: Request, reply: Reply) -> list[str]:
        """Which page may read the answer."""
        sent = next((value for name, value in request.headers if name == "Origin"), None)
        allowed = reply.header("access-control-allow-origin")
        if allowed is None:
            return []
        is_secret = request.target.startswith(("/asset/1/", "/courier/1/"))
        if allowed != sent or sent in ("", "null") or not (is_secret or sent in (ORIGIN, self.world.base)):
            return [f"a page that may not read the answer can: {sent!r}"]
        return []

    # ---- Answers that come later

    def send_and_leave(self, operation: Operation, request: Request) -> None:
        """Long polls and streams: their answers may come much later."""
        self.count += 1
        connection = Connection(self.service.port)
        connection.send(request)
        if operation.path.startswith("/courier"):
            self.waiting.append((connection, operation, request))
        else:
            self.answer_of(connection, operation, request)
        while len(self.waiting) > OPEN_STREAMS:
            self.waiting.pop(0)[0].close()

    def look_at_streams(self) -> None:
        for waiting in list(self.waiting):
            if waiting[0].has_bytes():
                self.waiting.remove(waiting)
                self.answer_of(*waiting)

    def answer_of(self, connection: Connection, operation: Operation, request: Request) -> None:
        try:
            reply = connection.reply(request.method)
        except NoAnswer as error:
            self.failures.add(operation.id, f"{error}", request, None, "somebody who waits")
            return
        self.statuses[operation.id][reply.status] += 1
        for problem in self.description.problems([operation], request.method, reply):
            self.failures.add(operation.id, problem, request, reply, "somebody who waits")
        if reply.is_open and connection.line():
            # The first piece comes at once.
            connection.line()
        connection.close()

    def look_at_metrics(self) -> None:
        operation = self.operation("metrics")
        for request in (Request("GET", "/metrics"), Request("HEAD", "/metrics"), Request("POST", "/metrics", body=b"x")):
            connection = Connection(self.metrics_port)
            connection.send(request)
            reply = connection.reply(request.method)
            connection.close()
            self.statuses[operation.id][reply.status] += 1
            for problem in self.description.problems([operation], request.method, reply):
                self.failures.add(operation.id, problem, request, reply)
            for secret in (CANARY, "@example.com", CONTAINER, *self.callers.tokens.values()):
                if secret.encode() in reply.body:
                    self.failures.add(operation.id, f"has a secret: {secret}", request, reply)

    # ---- The end

    def finish(self) -> None:
        """The service still works, ends as it should, and its log tells nothing."""
        self.look_at_metrics()
        for operation in self.description.operations:
            has_success = any(status.startswith("2") for status in operation.raw["responses"])
            if has_success and not any(status < 400 for status in self.statuses[operation.id]):
                self.failures.add(operation.id, "no request has succeeded")
        for path in ("/healthz", "/readyz"):
            if self.service.get(path).status != 200:
                self.failures.add(path, "does not answer with 200 at the end")
        person = self.callers.person()
        if not person.record_name:
            self.failures.add("sign-in", "nobody can sign in at the end")
        self.connection.close()
        if self.service.stop() != 0:
            self.failures.add("service", "did not end with status 0")
        for connection, operation, request in self.waiting:
            self.answer_of(connection, operation, request)
        secrets = [
            CANARY,
            "@example.com",
            "person-",
            *self.callers.tokens.values(),
            self.callers.foreign_token,
            self.browser.ticket[:40],
            "groceries",
        ]
        secrets += self.callers.secrets
        log = self.service.log.to_end()
        if len(log) < self.count // 2:
            self.failures.add("log", "does not have a line for each request: it proves nothing")
        pattern = re.compile("|".join(re.escape(secret) for secret in secrets if secret))
        for line in log:
            if pattern.search(line):
                self.failures.add("log", f"has a secret: {line}")
            if " error " in f" {line.lower()} " and "debug" not in line.lower():
                self.failures.add("log", f"has an error: {line}")

    def report(self) -> None:
        print(f"\n{self.count} requests, seed {self.seed}")
        for name in [operation.id for operation in self.description.operations]:
            print(f"  {name:32} " + " ".join(f"{status}:{count}" for status, count in sorted(self.statuses[name].items())))
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        print(f"CPU: {used[0].ru_utime + used[0].ru_stime:.1f} s for the requests, {used[1].ru_utime + used[1].ru_stime:.1f} s for the programs")
        if self.failures.found:
            print("\nFailures:")
            for key, count in sorted(self.failures.found.items()):
                print(f"  {count:6} {key}")


def quoted(text: str) -> str:
    return urllib.parse.quote(text, safe="", errors="replace")


def clean(text: str) -> str:
    """Without what would make two headers of one: the tests of HTTP send such heads."""
    return "".join(" " if character < " " or character == "\x7f" else character for character in text).strip().encode("utf-8", "replace").decode()


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(31))
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--examples", type=int, default=8, help="valid cases of an operation in a round")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="kinfolkd-openapi-") as folder:
        world = World(pathlib.Path(folder), os.environ["KINFOLK"], os.environ["KINFOLKD"])
        try:
            fuzz = Fuzz(world, options.seed)
            end = time.monotonic() + options.minutes * 60 if options.minutes else None
            number = 0
            while time.monotonic() < end if end else number < options.rounds:
                fuzz.round(number, options.examples)
                number += 1
            fuzz.finish()
            fuzz.provider.end()
        finally:
            world.end()
    fuzz.report()
    return 1 if fuzz.failures.found else 0


if __name__ == "__main__":
    sys.exit(main())
