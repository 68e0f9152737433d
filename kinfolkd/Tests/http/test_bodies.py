"""Bodies of requests and answers: limits, pieces, back pressure, and clients that go away."""

from __future__ import annotations

import contextlib
import time

from programs import PATIENCE, Answer

MIB = 1 << 20


def post(path: str, *headers: str) -> bytes:
    return "\r\n".join([f"POST /{path} HTTP/1.1", "Host: localhost", *headers, "\r\n"]).encode()


def test_a_body_that_announces_too_much_is_refused_before_it_is_sent(probe):
    with probe().connect() as client:
        client.send(post("echo", f"Content-Length: {MIB + 1}"))
        answer = client.answer()
    assert answer.status == 413
    assert answer.closes
    assert b'"serverErrorCode":"BAD_REQUEST"' in answer.body


def test_a_body_in_chunks_is_refused_when_it_is_too_large(probe):
    data = post("echo", "Transfer-Encoding: chunked") + (b"10000\r\n" + b"a" * 65_536 + b"\r\n") * 17 + b"0\r\n\r\n"
    answers = Answer.all(probe().exchange(data))
    assert [answer.status for answer in answers] == [413]


def test_the_largest_body_is_accepted(probe):
    data = post("echo", f"Content-Length: {MIB}", "Connection: close") + b"a" * MIB
    assert f"bytes {MIB}\n".encode() in Answer.all(probe().exchange(data))[0].body


def test_one_caller_gets_a_quarter_of_the_memory(probe):
    server = probe(body_memory=4 * MIB)
    # The service may read the second body before the first one. Then another try gives it more time.
    for pause in (0.1, 0.5, 1.0, 2.0, 4.0, 8.0):
        with server.connect() as first, server.connect() as second, server.connect() as other:
            first.send(post("echo?ada", "Content-Length: 700000") + b"a" * 690_000)
            time.sleep(pause)
            second.send(post("echo?ada", "Content-Length: 700000") + b"a" * 700_000)
            answer = second.answer()
            if answer.status == 503:
                assert answer.headers["retry-after"] == "5"
                other.send(post("echo?ben", "Content-Length: 700000") + b"a" * 700_000)
                assert other.answer().status == 200
                first.send(b"a" * 10_000)
                assert first.answer().status == 200
                break
    assert answer.status == 503
    data = post("echo?ada", "Content-Length: 700000", "Connection: close") + b"a" * 700_000
    assert Answer.all(server.exchange(data))[0].status == 200


def test_a_stranger_sends_64_kib(probe):
    server = probe()
    for size, status in ((65_536, 200), (65_537, 401), (500_000, 401)):
        data = post("echo?stranger", f"Content-Length: {size}", "Connection: close") + b"a" * size
        assert [answer.status for answer in Answer.all(server.exchange(data))] == [status]


def test_strangers_who_do_not_end_their_bodies_stop_nobody(probe):
    """Together they get an eighth of the memory. Who sends more is looked up."""
    server = probe(body_memory=MIB)
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            client = stack.enter_context(server.connect())
            client.send(post("echo?stranger", "Content-Length: 20000") + b"a" * 19_000)
        data = post("echo?stranger", "Content-Length: 20000", "Connection: close") + b"a" * 20_000
        end = time.monotonic() + PATIENCE
        while Answer.all(server.exchange(data))[0].status != 503:  # not all of the others were read yet
            assert time.monotonic() < end
        # People sign in by forms, which have memory of their own.
        data = post("form?stranger", "Content-Length: 16384", "Connection: close") + b"a" * 16_384
        assert Answer.all(server.exchange(data))[0].status == 200
        with server.connect() as ada:
            ada.send(post("echo?ada", "Content-Length: 60000") + b"a" * 60_000)
            assert ada.answer().status == 200
    # All of it comes back.
    for _ in range(10):
        data = post("echo?stranger", "Content-Length: 60000", "Connection: close") + b"a" * 60_000
        answer = Answer.all(server.exchange(data))[0]
        if answer.status == 200:
            break
        time.sleep(0.5)
    assert answer.status == 200


def test_the_memory_of_a_body_comes_back_with_the_answer(probe):
    """A stream of events lasts, and its body is not needed any more."""
    server = probe(body_memory=4 * MIB)
    with contextlib.ExitStack() as stack:
        for _ in range(12):
            client = stack.enter_context(server.connect())
            client.send(post("events?1000000", "Content-Length: 900000") + b"a" * 900_000)
            assert b" 200 " in client.until(b"\r\n\r\n")


def test_an_upload_gets_every_byte(probe):
    size = 5_000_000
    data = post("upload", f"Content-Length: {size}", "Connection: close") + b"a" * size
    answer = Answer.all(probe().exchange(data))[0]
    assert (answer.status, answer.body) == (201, str(size).encode())


def test_a_slow_upload_holds_back_its_client(probe):
    """The sender must wait: the service does not collect what the upload has not written."""
    size = 64 * MIB
    with probe().connect(timeout=1) as client:
        client.send(post("upload?slow", f"Content-Length: {size}"))
        sent = 0
        piece = b"a" * MIB
        began = time.monotonic()
        try:
            while sent < size and time.monotonic() - began < 2:
                client.send(piece)
                sent += len(piece)
        except TimeoutError:
            pass
        assert sent < size


def test_an_upload_may_end_before_its_body(probe):
    with probe().connect() as client:
        client.send(post("upload?100000", "Content-Length: 50000000") + b"a" * 200_000)
        answer = client.answer()
    assert (answer.status, answer.body) == (413, b"enough")
    assert answer.closes


def test_an_upload_is_cancelled_when_its_client_goes_away(probe):
    server = probe()
    with server.connect() as client:
        client.send(post("upload", "Content-Length: 5000") + b"a" * 100)
        server.output.wait_for("upload begins")
    server.output.wait_for("upload cancelled after 100")


def test_an_answer_may_come_before_the_body(probe):
    with probe().connect() as client:
        client.send(post("refused", "Content-Length: 5000"))
        answer = client.answer()
    assert (answer.status, answer.body, answer.closes) == (403, b"refused", True)


def test_an_answer_before_the_body_is_read_by_a_client_that_sends_all_of_it_first(probe):
    """The connection is not reset while the client still sends."""
    data = post("refused", "Content-Length: 300000") + b"a" * 300_000
    assert [answer.status for answer in Answer.all(probe().exchange(data))] == [403]


def test_an_answer_without_a_body_keeps_the_connection(probe):
    with probe().connect() as client:
        for _ in range(3):
            client.send(b"GET /refused HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = client.answer()
            assert (answer.status, answer.closes) == (403, False)


def test_large_answers_arrive_whole(probe):
    server = probe()
    assert server.get("/bytes?20000000").body == b"x" * 20_000_000
    expected = bytes(number % 251 for number in range(3_000_001))
    assert server.get("/file?3000001").body == expected


def test_a_file_that_breaks_does_not_look_complete(probe):
    data = probe().exchange(b"GET /file?3000000,broken HTTP/1.1\r\nHost: localhost\r\n\r\n")
    head, body = data.split(b"\r\n\r\n", 1)
    assert b"content-length: 3000000" in head
    assert len(body) < 3_000_000


def test_events_arrive_one_by_one_and_end_with_the_stream(probe):
    with probe().connect() as client:
        client.send(b"GET /events?3 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b"transfer-encoding: chunked" in client.until(b"\r\n\r\n")
        assert client.until(b"data: 1\n\n\r\n") == b"9\r\ndata: 1\n\n\r\n"
        assert client.until(b"0\r\n\r\n").endswith(b"9\r\ndata: 3\n\n\r\n0\r\n\r\n")
        client.send(b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.answer().body == b"hello"


def test_events_for_http_1_0_end_with_the_connection(probe):
    data = probe().exchange(b"GET /events?2 HTTP/1.0\r\n\r\n")
    assert data.endswith(b"\r\n\r\ndata: 1\n\ndata: 2\n\n")


def test_events_are_cancelled_when_the_client_goes_away(probe):
    server = probe()
    with server.connect() as client:
        client.send(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.until(b"data: 1")
    server.output.wait_for("events cancelled")
