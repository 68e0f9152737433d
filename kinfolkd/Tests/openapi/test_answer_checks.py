"""The checks of answers find what is not as the description says."""

from __future__ import annotations

import json
import socket
import threading
from random import Random

import pytest
from api_bodies import CANARY, junk, with_one_fault
from api_description import Description, strict_json
from api_wire import Connection, NoAnswer, Reply, Request

JSON = ("content-type", "application/json; charset=utf-8")


@pytest.fixture(scope="module")
def description() -> Description:
    return Description()


def problems(description: Description, id: str, status: int, body: object, *headers: tuple[str, str]) -> list[str]:
    operation = next(operation for operation in description.operations if operation.id == id)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return description.problems([operation], operation.method, Reply(status, list(headers or [JSON]), data))


def test_an_answer_as_documented_has_no_problems(description: Description) -> None:
    assert problems(description, "countRecords", 200, {"count": 2}) == []
    assert problems(description, "preflightCountRecords", 204, b"", ("vary", "origin")) == []


@pytest.mark.parametrize(
    ("status", "body", "headers", "problem"),
    [
        (200, {"count": 2, "more": 1}, [JSON], "body"),
        (200, {"count": "2"}, [JSON], "body"),
        (200, {}, [JSON], "body"),
        (200, b'{"count": 1, "count": 2}', [JSON], "not JSON"),
        (200, b'{"count": NaN}', [JSON], "not JSON"),
        (200, b"\xff", [JSON], "not JSON"),
        (418, {"count": 2}, [JSON], "status 418"),
        (200, {"count": 2}, [("content-type", "text/plain")], "content type"),
        (200, {"count": 2}, [JSON, ("server", "x")], "header server"),
        (400, {"uuid": "x", "serverErrorCode": "BAD_REQUEST", "reason": ""}, [JSON], "body"),
        (404, {"uuid": "4f02f7aa-fbb5-4cf8-ae8e-4dd463793841", "serverErrorCode": "EXISTS", "reason": ""}, [JSON], "body"),
    ],
)
def test_what_is_not_documented_is_found(description: Description, status: int, body: object, headers: list[tuple[str, str]], problem: str) -> None:
    found = problems(description, "countRecords", status, body, *headers)
    assert any(problem in one for one in found), found


def test_headers_of_all_answers_are_checked(description: Description) -> None:
    operation = next(operation for operation in description.operations if operation.id == "countRecords")
    headers = [("cache-control", "no-store"), ("referrer-policy", "no-referrer"), ("x-content-type-options", "nosniff"), ("vary", "origin")]
    assert description.missing_headers(operation, Reply(200, headers, b"")) == []
    for header in headers:
        assert description.missing_headers(operation, Reply(200, [one for one in headers if one != header], b""))


def test_undocumented_members_within_values_are_found(description: Description) -> None:
    entry = {"key": "theme", "type": "ARRAY", "value": [{"type": "STRING", "value": "dark"}]}
    assert problems(description, "listKeys", 200, {"entries": [entry]}) == []
    assert problems(description, "listKeys", 200, {"entries": [{**entry, "more": 1}]})
    assert problems(description, "listKeys", 200, {"entries": [{**entry, "value": [{"type": "STRING", "value": "dark", "more": 1}]}]})


@pytest.mark.parametrize("answer", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"])
def test_a_connection_that_closes_without_a_whole_answer_is_found(answer: bytes) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            peer, _ = listener.accept()
            with peer:
                peer.recv(65_536)
                peer.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        connection = Connection(listener.getsockname()[1])
        connection.send(Request("GET", "/"))
        with pytest.raises(NoAnswer):
            connection.reply("GET")
        connection.close()
        thread.join(20)


def test_a_fault_changes_the_body_in_one_place() -> None:
    body = {"records": [{"recordName": CANARY}], "desiredKeys": ["title"]}
    changed = [with_one_fault(body, Random(seed)) for seed in range(50)]
    assert sum(one != body for one in changed) > 40
    assert body == {"records": [{"recordName": CANARY}], "desiredKeys": ["title"]}


def test_junk_is_mostly_no_json() -> None:
    def is_json(data: bytes) -> bool:
        try:
            strict_json(data)
        except (ValueError, RecursionError):
            return False
        return True

    data = [junk({"records": [{"recordName": CANARY}]}, Random(seed)) for seed in range(100)]
    assert sum(is_json(one) for one in data) < 50
