"""Slow clients and floods do not keep others from being served."""

from __future__ import annotations

import contextlib
import os
import time

from programs import PATIENCE, Answer

HELLO = b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"


def test_a_connection_without_a_request_is_closed(probe):
    with probe(header_timeout=300).connect() as client:
        assert client.rest() == b""


def test_headers_that_do_not_end_are_refused(probe):
    with probe(header_timeout=500).connect() as client:
        client.send(b"GET /hello HTTP/1.1\r\nHost: localhost\r\n")
        answers = Answer.all(client.rest())
    assert [answer.status for answer in answers] == [408]


def test_a_byte_from_time_to_time_does_not_keep_a_connection(probe):
    with probe(header_timeout=600).connect() as client:
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for byte in HELLO * 100:
                client.send(bytes([byte]))
                time.sleep(0.1)
                assert time.monotonic() < end
                if byte == HELLO[-1]:
                    break
        answers = Answer.all(client.rest())
    assert [answer.status for answer in answers] == [408]


def test_an_idle_connection_is_closed_after_its_requests(probe):
    with probe(idle_timeout=2000).connect() as client:
        client.send(HELLO)
        assert client.answer().body == b"hello"
        assert client.rest() == b""


def test_a_second_request_has_to_end_its_headers(probe):
    with probe(header_timeout=2000, idle_timeout=60_000).connect() as client:
        client.send(HELLO)
        client.answer()
        client.send(b"GET /hello HTTP/1.1\r\n")
        assert [answer.status for answer in Answer.all(client.rest())] == [408]


def test_a_body_without_progress_is_refused(probe):
    for path in ("echo", "upload"):
        with probe(body_timeout=1000).connect() as client:
            client.send(f"POST /{path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na".encode())
            assert [answer.status for answer in Answer.all(client.rest())] == [408]


def test_a_body_below_the_minimum_rate_is_refused(probe):
    with probe(body_timeout=1000, rate=1000).connect() as client:
        client.send(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            for _ in range(100):
                client.send(b"a")
                time.sleep(0.05)
        assert [answer.status for answer in Answer.all(client.rest())] == [408]


def test_a_slow_service_is_no_slow_client(probe):
    server = probe(body_timeout=2000, header_timeout=2000, write_timeout=2000, idle_timeout=2000)
    assert server.get("/slow?4000").body == b"slow"


def test_a_client_that_does_not_read_is_closed(probe):
    server = probe(write_timeout=1000)
    before = sockets(server)
    with server.connect() as client:
        client.send(b"GET /bytes?100000000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.until(b"\r\n\r\n")
        wait_until(lambda: sockets(server) == before)
        assert len(client.rest()) < 100_000_000


def test_a_client_that_sends_requests_and_reads_no_answers_is_closed(probe):
    server = probe(write_timeout=1000)
    with server.connect(timeout=5) as client:
        request = b"GET /bytes?60000 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100
        sent = 0
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            while sent < 100 << 20:
                client.send(request)
                sent += len(request)
        assert sent < 100 << 20
    assert server.get("/hello").body == b"hello"


def test_hundreds_of_slow_connections_do_not_keep_others_from_being_served(probe):
    server = probe(connections_per_address=1000)
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(server.connect()) for _ in range(600)]
        for number, client in enumerate(slow):
            client.send(HELLO[: number % len(HELLO)])
        for _ in range(50):
            assert server.get("/hello").body == b"hello"
        for number, client in enumerate(slow):
            client.send(HELLO[number % len(HELLO) :])
        for client in slow:
            assert client.answer().body == b"hello"


def test_connections_over_the_limit_are_refused_with_an_answer(probe):
    server = probe(connections=20)
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            client = stack.enter_context(server.connect())
            client.send(HELLO)
            client.answer()
        answers = Answer.all(server.exchange(HELLO))
        assert [answer.status for answer in answers] == [503]
        assert answers[0].headers["retry-after"] == "5"
    wait_until(lambda: is_served(server))


def test_a_flood_of_connections_over_the_limit_ends(probe):
    server = probe(connections=5)
    with contextlib.ExitStack() as stack:
        for _ in range(5):
            client = stack.enter_context(server.connect())
            client.send(HELLO)
            client.answer()
        refused = [stack.enter_context(server.connect()) for _ in range(400)]
        # Each is closed, whether it reads its answer or not.
        answered = sum(b" 503 " in client.rest() for client in refused)
        assert 100 <= answered <= 400
    wait_until(lambda: is_served(server))


def test_connections_of_one_address_are_limited(probe):
    server = probe(connections_per_address=3)
    with contextlib.ExitStack() as stack:
        for _ in range(3):
            client = stack.enter_context(server.connect())
            client.send(HELLO)
            client.answer()
        assert [answer.status for answer in Answer.all(server.exchange(HELLO))] == [429]
    wait_until(lambda: is_served(server))


def test_connections_of_a_trusted_proxy_are_not_limited(probe):
    server = probe(connections_per_address=3, proxies="127.0.0.0/8")
    with contextlib.ExitStack() as stack:
        for _ in range(10):
            client = stack.enter_context(server.connect())
            client.send(HELLO)
            assert client.answer().status == 200


def sockets(server) -> int:
    """How many sockets a program has open."""
    folder, count = f"/proc/{server.process.pid}/fd", 0
    for name in os.listdir(folder):
        with contextlib.suppress(FileNotFoundError):
            count += os.readlink(f"{folder}/{name}").startswith("socket:")
    return count


def is_served(server) -> bool:
    """Whether there is room for one more connection. One over the limit may be closed before it gets its answer."""
    with contextlib.suppress(ConnectionError):
        data = server.exchange(HELLO.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        return [answer.status for answer in Answer.all(data)] == [200]
    return False


def wait_until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
