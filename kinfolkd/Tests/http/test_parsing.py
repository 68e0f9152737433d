"""Requests that two programs could read in two ways are refused, and their connections closed."""

from __future__ import annotations

import pytest

from programs import Answer

HEAD = b"POST /echo HTTP/1.1\r\nHost: localhost\r\n"
SMUGGLED = b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"

MALFORMED = {
    "two lengths": HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    "the same length twice": HEAD + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
    "a list of lengths": HEAD + b"Content-Length: 5, 5\r\n\r\nabcde",
    "a negative length": HEAD + b"Content-Length: -5\r\n\r\nabcde",
    "a length with a sign": HEAD + b"Content-Length: +5\r\n\r\nabcde",
    "a length with a space inside": HEAD + b"Content-Length: 1 0\r\n\r\nabcde",
    "a hexadecimal length": HEAD + b"Content-Length: 0x5\r\n\r\nabcde",
    "an empty length": HEAD + b"Content-Length:\r\n\r\nabcde",
    "an enormous length": HEAD + b"Content-Length: 99999999999999999999999\r\n\r\n",
    "length and chunks": HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunks and length": HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "chunked twice": HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked in a list": HEAD + b"Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
    "another encoding": HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
    "another encoding before chunked": HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    "chunked behind another word": HEAD + b"Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
    "chunked with a control character": HEAD + b"Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
    "chunks in HTTP/1.0": b"POST /echo HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "a space before the colon": HEAD + b"Content-Length : 5\r\n\r\nabcde",
    "a tab before the colon": HEAD + b"Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
    "a folded header": HEAD + b"X-Name: a\r\n b\r\n\r\n",
    "a folded length": HEAD + b"Content-Length:\r\n 5\r\n\r\nabcde",
    "a header without a name": HEAD + b": a\r\n\r\n",
    "a header without a colon": HEAD + b"X-Name\r\n\r\n",
    "a NUL in a header": HEAD + b"X-Name: a\0b\r\n\r\n",
    "a carriage return in a header": HEAD + b"X-Name: a\rb\r\n\r\n",
    "a control character in a header": HEAD + b"X-Name: a\x01b\r\n\r\n",
    "a delete character in a header": HEAD + b"X-Name: a\x7fb\r\n\r\n",
    "a parenthesis in a name": HEAD + b"X(Name): a\r\n\r\n",
    "a letter beyond ASCII in a name": HEAD + "X-Näme: a\r\n\r\n".encode(),
    "line feeds only": b"GET /hello HTTP/1.1\nHost: localhost\n\n",
    "a line feed within the headers": b"GET /hello HTTP/1.1\r\nHost: localhost\nX-Name: a\r\n\r\n",
    "no Host": b"GET /hello HTTP/1.1\r\n\r\n",
    "two Hosts": b"GET /hello HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "an empty Host": b"GET /hello HTTP/1.1\r\nHost:\r\n\r\n",
    "a Host with a path": b"GET /hello HTTP/1.1\r\nHost: a/b\r\n\r\n",
    "a Host with a name": b"GET /hello HTTP/1.1\r\nHost: user@a\r\n\r\n",
    "an absolute target": b"GET http://localhost/hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "an asterisk": b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "CONNECT": b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a target without a slash": b"GET hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a fragment": b"GET /hello#a HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a backslash": b"GET /a\\hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a control character in the target": b"GET /a\x01b HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "letters beyond ASCII in the target": "GET /hällo HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
    "no version": b"GET /hello\r\nHost: localhost\r\n\r\n",
    "an unknown method": b"FETCHIT /hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a method in lower case": b"get /hello HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "a record of TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 64,
}

MALFORMED_CHUNKS = {
    "a size that is no number": b"zz\r\nabc\r\n0\r\n\r\n",
    "a negative size": b"-1\r\nabc\r\n0\r\n\r\n",
    "a size with a prefix": b"0x3\r\nabc\r\n0\r\n\r\n",
    "an enormous size": b"fffffffffffffffff\r\nabc",
    "a chunk longer than its size": b"3\r\nabcd\r\n0\r\n\r\n",
    "a chunk without its line break": b"3\r\nabc0\r\n\r\n",
    "a size behind a space": b" 3\r\nabc\r\n0\r\n\r\n",
    "a size that ends with a line feed": b"3\nabc\r\n0\r\n\r\n",
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_malformed_head_is_refused_and_nothing_after_it_is_read(probe, name):
    answers = Answer.all(probe().exchange(MALFORMED[name] + SMUGGLED))
    assert [answer.status for answer in answers] == [400], name
    assert answers[0].closes


@pytest.mark.parametrize("name", MALFORMED_CHUNKS)
def test_a_malformed_chunk_is_refused_and_nothing_after_it_is_read(probe, name):
    answers = Answer.all(probe().exchange(HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + MALFORMED_CHUNKS[name] + SMUGGLED))
    assert [answer.status for answer in answers] == [400], name


@pytest.mark.parametrize("version", ["HTTP/2.0", "HTTP/0.9", "HTTP/1.2", "HTTP/9.9"])
def test_an_unknown_version_is_refused(probe, version):
    answers = Answer.all(probe().exchange(f"GET /hello {version}\r\nHost: localhost\r\n\r\n".encode() + SMUGGLED))
    assert len(answers) == 1
    assert answers[0].status == 400


@pytest.mark.parametrize("size", [40_000, 1_000_000])
def test_large_heads_are_refused(probe, size):
    for request in (
        b"GET /" + b"a" * size + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\nX-Name: " + b"a" * size + b"\r\n\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\n" + b"X-Name: a\r\n" * (size // 11) + b"\r\n",
        b"GET /hello HTTP/1.1\r\nHost: localhost\r\n" + b"a" * size + b": a\r\n\r\n",
    ):
        answers = Answer.all(probe().exchange(request + SMUGGLED))
        assert [answer.status for answer in answers] == [431]


def test_blanks_around_a_length_do_not_matter(probe):
    """RFC 9110 section 5.5."""
    data = probe().exchange(HEAD + b"Content-Length:   3  \r\nConnection: close\r\n\r\nabc")
    assert b"bytes 3" in Answer.all(data)[0].body


def test_a_refused_request_gets_no_part_of_the_next_one(probe):
    """A body of a request that has none by its length is the next request; it is answered, or the connection is closed."""
    data = probe().exchange(HEAD + b"Content-Length: 3\r\n\r\nabcXXXX / HTTP/1.1\r\n\r\n")
    assert [answer.status for answer in Answer.all(data)] == [200, 400]


def test_requests_on_one_connection_are_answered_in_order(probe):
    last = b"GET /bytes?3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    slow = b"GET /slow?100 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with_body = HEAD + b"Content-Length: 3\r\n\r\nabc"
    with_chunks = HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;name=value\r\nc\r\n0\r\nX-Trailer: a\r\n\r\n"
    answers = Answer.all(probe().exchange(slow + with_body + with_chunks + SMUGGLED + last))
    assert [answer.body[:5] for answer in answers[:1] + answers[3:]] == [b"slow", b"hello", b"xxx"]
    assert [b"bytes 3" in answer.body for answer in answers[1:3]] == [True, True]
    assert [answer.closes for answer in answers] == [False] * 4 + [True]


def test_hundreds_of_requests_in_one_packet_are_all_answered(probe):
    data = SMUGGLED * 500 + b"GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert len(Answer.all(probe().exchange(data))) == 501


def test_a_request_may_arrive_byte_by_byte(probe):
    with probe().connect() as client:
        for byte in HEAD + b"Content-Length: 3\r\n\r\nabc":
            client.send(bytes([byte]))
        assert b"bytes 3" in client.answer().body


def test_http_1_0_needs_no_host_and_closes(probe):
    answers = Answer.all(probe().exchange(b"GET /hello HTTP/1.0\r\n\r\n" + SMUGGLED))
    assert [answer.body for answer in answers] == [b"hello"]


def test_http_1_0_may_keep_the_connection(probe):
    data = b"GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /hello HTTP/1.0\r\n\r\n"
    answers = Answer.all(probe().exchange(data))
    assert [answer.body for answer in answers] == [b"hello", b"hello"]
    assert answers[0].headers["connection"] == "keep-alive"


def test_head_has_the_length_but_no_body(probe):
    head = b"HEAD /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with probe().connect() as client:
        client.send(head)
        assert b"content-length: 5" in client.until(b"\r\n\r\n")
        client.send(SMUGGLED)
        assert client.answer().body == b"hello"


@pytest.mark.parametrize("path", ["file?100000", "events", "bytes?100000"])
def test_head_of_large_answers_has_no_body(probe, path):
    with probe().connect() as client:
        client.send(f"HEAD /{path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        assert client.until(b"\r\n\r\n").endswith(b"\r\n\r\n")
        client.send(SMUGGLED)
        assert client.answer().body == b"hello"


def test_no_content_has_no_length(probe):
    answer = probe().get("/empty")
    assert answer.status == 204
    assert "content-length" not in answer.headers


def test_a_header_of_an_answer_cannot_hold_a_second_one(probe):
    answer = probe().get("/split")
    assert answer.status == 500
    assert "x-other" not in answer.headers


def test_an_upgrade_is_ignored_and_the_connection_closed(probe):
    data = b"GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n"
    answers = Answer.all(probe().exchange(data + SMUGGLED))
    assert [answer.body for answer in answers] == [b"hello"]
    assert answers[0].closes


def test_the_services_get_names_in_lower_case_and_the_target_as_sent(probe):
    body = probe().get("/echo?a=%2F&b=+", "X-Name: Va Lue ").body.decode()
    assert body.startswith("GET /echo a=%2F&b=+\n")
    assert "\nx-name: Va Lue\n" in body


def test_a_client_may_wait_for_permission_to_send_the_body(probe):
    with probe().connect() as client:
        client.send(HEAD + b"Expect: 100-continue\r\nContent-Length: 3\r\n\r\n")
        assert client.until(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.send(b"abc")
        assert b"bytes 3" in client.answer().body


def test_a_client_that_has_sent_everything_may_close_its_half(probe):
    with probe().connect() as client:
        client.send(b"GET /slow?200 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.socket.shutdown(1)
        assert Answer.all(client.rest())[0].body == b"slow"
