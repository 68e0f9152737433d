"""The experiments find what they look for: a service without any defence is broken by them, and a log with a secret is found."""

from __future__ import annotations

import http.server
import json
import socketserver
import threading
import time
import urllib.parse
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from .curve import area_under_curve, half_width
from .experiments import floods, framing, injection, logs, methods, origins, pages, timing
from .finding import Finding, Tally, rows
from .sameness import difference, shown
from .scene import Member, Scene
from .wire import Reply, Wire, problems_of, statuses

# ---- Findings


def test_an_attempt_that_was_not_repelled_breaks_the_promise():
    tally = Tally()
    tally.check(True, "one")
    assert tally.finding("{} things", "held").is_held
    tally.check(False, "two")
    finding = tally.finding("{} things", "held")
    assert not finding.is_held
    assert finding.tried == "2 things"
    assert "two" in finding.found


def test_an_experiment_that_tried_nothing_has_shown_nothing():
    assert not Tally().finding("{} things", "held").is_held


def test_the_table_says_what_is_broken():
    text = rows("a promise", [Finding("one " * 20, "held", True), Finding("two", "found", False)])
    assert text.count("held") == 2
    assert text.count("BROKEN") == 1
    assert all(len(line) <= 80 for line in text.splitlines())


# ---- Time


def test_the_area_under_the_curve():
    assert area_under_curve([1, 2, 3], [4, 5, 6]) == 1
    assert area_under_curve([4, 5, 6], [1, 2, 3]) == 0
    assert area_under_curve([1, 2, 3], [1, 2, 3]) == 0.5
    assert area_under_curve([1, 3], [2, 4]) == 0.75
    assert 0.02 < half_width(0.5, 500, 500) < 0.05


def test_a_kind_that_takes_longer_is_found():
    kinds = {"fast": lambda: None, "slow": lambda: time.sleep(0.001)}
    assert not timing.verdict("x", kinds, 30).is_held


# ---- Answers


def reply(status: int = 200, body: str = "{}", **headers: str) -> Reply:
    usual = {"cache-control": "no-store", "x-content-type-options": "nosniff"}
    return Reply(status, list((usual | {name.replace("_", "-"): value for name, value in headers.items()}).items()), body.encode())


def test_an_answer_without_fault():
    assert problems_of("POST", "/database/1/x", reply()) == []


@pytest.mark.parametrize(
    "answer",
    [
        reply(cache_control="public"),
        reply(x_content_type_options=""),
        reply(access_control_allow_origin="*"),
        reply(access_control_allow_origin="null"),
        reply(access_control_allow_credentials="true"),
        reply(x_evil="1"),
        reply(location="https://evil.example.net"),
        reply(500),
        Reply(200, [("cache-control", "no-store"), ("cache-control", "no-store"), ("x-content-type-options", "nosniff")], b"{}"),
    ],
)
def test_an_answer_with_a_fault(answer):
    assert problems_of("POST", "/database/1/x", answer)


def test_answers_are_compared_apart_from_ids_dates_and_what_was_asked():
    uuids = "4f02f7aa-fbb5-4cf8-ae8e-4dd463793841", "00000000-fbb5-4cf8-ae8e-4dd463793841"
    first = reply(body=f'{{"uuid": "{uuids[0]}", "name": "a@example.com"}}', date="Thu")
    second = reply(body=f'{{"uuid": "{uuids[1]}", "name": "b@example.com"}}', date="Fri")
    assert shown(first, "a@example.com") == shown(second, "b@example.com")
    third = reply(body=f'{{"uuid": "{uuids[1]}", "name": "b@example.com", "x": 1}}')
    assert difference(shown(first, "a@example.com"), shown(third, "b@example.com"))
    assert difference(shown(reply(200)), shown(reply(404)))


def test_a_tag_more_on_a_page_is_found():
    tally = Tally()
    usual = reply(body="<p>x <b>Ann</b></p>")
    pages.same(tally, reply(body="<p>x <b>&lt;script&gt;</b></p>"), usual, "escaped")
    assert not tally.broken
    for text in ("<p>x <b><script>1</script></b></p>", "<p onclick=x>x <b>y</b></p>", "<p>x <b><!-- --></b></p>"):
        pages.same(tally, reply(body=text), usual, "not escaped")
    assert len(tally.broken) == 3


def test_answers_are_counted():
    one = b"HTTP/1.1 404 Not Found\r\ncontent-length: 3\r\n\r\nabc"
    assert statuses(one + one.replace(b"404", b"200")) == [404, 200]
    assert floods.statuses_of(one + one[:-1]) == [404]


# ---- Logs


@pytest.mark.parametrize("spelling", sorted(logs.spellings("q83v/+==needle@example.com")))
def test_a_secret_in_a_log_is_found_in_each_spelling(spelling):
    secrets = {"q83v/+==needle@example.com": "an address"}
    line = json.dumps({"time": "2026-01-01T00:00:00.000Z", "message": "x"})
    assert not logs.leaks(f"{line}\n{line}", secrets).broken
    raw = '{"time":"2026-01-01T00:00:00.000Z","message":"' + spelling.replace("\\", "\\\\") + '"}'
    assert logs.leaks(f"{line}\n{raw}", secrets).broken or "\\" in spelling


def test_a_path_and_a_line_that_is_no_json_are_found():
    assert logs.leaks('{"path":"/database/1/x"}', {}).broken
    assert logs.leaks("not JSON", {}).broken


# ---- A service without defences


class Careless(http.server.BaseHTTPRequestHandler):
    """Answers everything with success, repeats what it was sent in its headers, and lets every page read it."""

    protocol_version = "HTTP/1.1"

    def answer(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        body = b"ok\n\nok\n" if self.path == "/healthz" else json.dumps({"sent": self.path, "serverErrorCode": ""}).encode()
        head = "HTTP/1.1 200 OK\r\n"
        head += f"X-Sent: {urllib.parse.unquote(self.path)}\r\nAccess-Control-Allow-Origin: {self.headers.get('Origin')}\r\n"
        self.wfile.write((head + f"Content-Length: {len(body)}\r\n\r\n").encode("utf-8", "replace") + body)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def careless() -> Iterator[Any]:
    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True
        allow_reuse_address = True

    with Server(("127.0.0.1", 0), Careless) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        port = server.server_address[1]
        scene = SimpleNamespace(port=port, wire=Wire(port), token="0" * 64)
        scene.path = Scene.path
        scene.link = lambda *_, **__: f"http://127.0.0.1:{port}/sign-in/x"
        member = Member("0" * 64, "1" * 64, "a@example.com")
        member.id = "_1"
        scene.sign_in = lambda *_, **__: member
        scene.make_token = lambda *_, **__: "0" * 64
        scene.save = lambda *_, **__: None

        def ask(operation: str, body: Any = None, who: Any = None, database: str = "public", **more: Any) -> Reply:
            return scene.wire.ask(more.get("method", "POST"), Scene.path(operation, database), b"{}", more.get("headers"))

        scene.ask = ask
        yield scene
        server.shutdown()


def broken(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if not finding.is_held]


class Short:
    is_short = True

    def choose(self, short: int, _: int) -> int:
        return min(short, 40)


def test_a_service_that_lets_every_page_read_is_found(careless):
    findings = [origins.foreign(careless, Short()), origins.own(careless), origins.questions(careless)]
    assert len(broken(findings)) == 3


def test_a_service_that_repeats_line_breaks_is_found(careless):
    assert broken(injection.run(careless, Short()))


def test_a_service_that_takes_every_method_is_found(careless):
    with pytest.raises(Exception, match=r"records|KeyError"):
        # What is left of the request is looked at last, and this service cannot say.
        methods.run(careless, Short())


def test_a_service_that_reads_hidden_requests_is_found(careless):
    finding = framing.ambiguous(careless, ("both, length first", "two lengths", "a chunk whose size is negative"), 0.5)
    assert not finding.is_held
    assert "200" in finding.found
