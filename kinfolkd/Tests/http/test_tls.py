"""TLS, and HTTP/2 by curl."""

from __future__ import annotations

import contextlib
import signal
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator

import pytest

from certificates import make_certificate
from programs import PATIENCE

FRAME_OF_SETTINGS = b"\0\0\0\4\0\0\0\0\0"
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

HEADERS, RESET, PING, GOAWAY = 1, 3, 6, 7


def frame(kind: int, flags: int, stream: int, content: bytes) -> bytes:
    """RFC 9113 section 4.1."""
    return len(content).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content


def request(method: str, path: str, *, ends: bool = True) -> bytes:
    """A HEADERS frame on stream 1, with literals only (RFC 7541 section 6.2.2)."""
    fields = {":method": method, ":scheme": "https", ":path": path, ":authority": "localhost"}
    block = b"".join(b"\0" + bytes([len(name)]) + name.encode() + bytes([len(value)]) + value.encode() for name, value in fields.items())
    return frame(HEADERS, 4 | ends, 1, block)


def frames(connection: ssl.SSLSocket) -> Iterator[tuple[int, int, int, bytes]]:
    """The frames until the end of the connection: kind, flags, stream and content."""
    data = b""
    while True:
        while len(data) >= 9 and len(data) >= 9 + (size := int.from_bytes(data[:3], "big")):
            yield data[3], data[4], int.from_bytes(data[5:9], "big"), data[9 : 9 + size]
            data = data[9 + size :]
        piece = connection.recv(65_536)
        if not piece:
            return
        data += piece


def curl(*arguments: str, data: bytes | None = None) -> bytes:
    command = ["curl", "--silent", "--show-error", "--insecure", "--max-time", str(PATIENCE), *arguments]
    return subprocess.run(command, input=data, capture_output=True, timeout=2 * PATIENCE, check=True).stdout


@pytest.fixture
def secure(probe, certificate):
    def start(**values):
        return probe(certificate=certificate[0], key=certificate[1], **values)

    return start


@contextlib.contextmanager
def tls(port: int, *, protocols: tuple[str, ...] = ("http/1.1",), version: ssl.TLSVersion | None = None):
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols(list(protocols))
    if version:
        context.minimum_version = context.maximum_version = version
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as plain, context.wrap_socket(plain) as connection:
        yield connection


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_both_versions_of_http(secure, version):
    port = secure().port
    shown = curl(version, "--write-out", "%{http_version} %{http_code}", f"https://127.0.0.1:{port}/hello").decode()
    assert shown == "hello" + ("1.1 200" if version == "--http1.1" else "2 200")


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_bodies_of_both_versions(secure, version):
    base = f"https://127.0.0.1:{secure().port}"
    assert b"bytes 100000\n" in curl(version, "--data-binary", "@-", f"{base}/echo", data=b"a" * 100_000)
    assert curl(version, "--data-binary", "@-", f"{base}/upload", data=b"a" * 3_000_000) == b"3000000"
    assert curl(version, f"{base}/file?1000000") == bytes(number % 251 for number in range(1_000_000))
    assert curl(version, f"{base}/bytes?5000000") == b"x" * 5_000_000
    assert curl(version, f"{base}/events?2") == b"data: 1\n\ndata: 2\n\n"
    assert b"content-length: 5\r\n" in curl(version, "--head", f"{base}/hello")


@pytest.mark.parametrize("version", ["--http1.1", "--http2"])
def test_refusals_of_both_versions(secure, version):
    base = f"https://127.0.0.1:{secure().port}"
    status = ("--output", "/dev/null", "--write-out", "%{http_code}")
    assert curl(version, *status, "--data-binary", "@-", f"{base}/echo", data=b"a" * 2_000_000) == b"413"
    assert curl(version, *status, "--data-binary", "@-", f"{base}/upload?5", data=b"a" * 2_000_000) == b"413"
    assert curl(version, *status, "--data-binary", "@-", f"{base}/refused", data=b"a" * 2_000_000) == b"403"
    assert curl(version, *status, "--request-target", "*", f"{base}/") == b"400"
    assert curl(version, *status, "--request", "OPTIONS", "--request-target", "http://a/hello", f"{base}/") == b"400"


def test_many_requests_on_one_connection_of_http2(secure):
    base = f"https://127.0.0.1:{secure().port}"
    urls = [f"{base}/slow?200"] * 20 + [f"{base}/hello"] * 20
    assert curl("--http2", "--parallel", "--parallel-max", "50", *urls).count(b"hello") == 20


def test_events_of_http2_are_cancelled_when_the_client_goes_away(secure):
    server = secure()
    command = [
        "curl",
        "--silent",
        "--insecure",
        "--max-time",
        str(PATIENCE),
        "--http2",
        "--no-buffer",
        f"https://127.0.0.1:{server.port}/events",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
        assert client.stdout and client.stdout.readline() == b"data: 1\n"
        client.kill()
    server.output.wait_for("events cancelled")


def test_a_slow_body_of_http2_is_refused(secure):
    with tls(secure(body_timeout=1000).port, protocols=("h2",)) as connection:
        connection.sendall(PREFACE + FRAME_OF_SETTINGS + request("POST", "/echo", ends=False) + frame(0, 0, 1, b"a"))
        kinds = []
        for kind, _flags, _stream, content in frames(connection):
            kinds.append(kind)
            if b"too slowly" in content:
                break
        else:
            raise AssertionError(kinds)


def test_a_stream_that_is_not_read_is_reset(secure):
    with tls(secure(write_timeout=1000).port, protocols=("h2",)) as connection:
        connection.sendall(PREFACE + FRAME_OF_SETTINGS + request("GET", "/bytes?10000000"))
        assert any(kind == RESET for kind, *_ in frames(connection))


def test_frames_without_streams_do_not_keep_a_connection(secure):
    with tls(secure(idle_timeout=2000).port, protocols=("h2",)) as connection:
        connection.sendall(PREFACE + FRAME_OF_SETTINGS)
        connection.settimeout(0.1)
        end = time.monotonic() + PATIENCE
        with contextlib.suppress(BrokenPipeError, ConnectionResetError, ssl.SSLEOFError, ssl.SSLZeroReturnError):
            while time.monotonic() < end:
                connection.sendall(frame(PING, 0, 0, b"12345678"))
                with contextlib.suppress(TimeoutError):
                    if not connection.recv(65_536):
                        break
        assert time.monotonic() < end


def test_http2_is_drained(secure):
    server = secure()
    with tls(server.port, protocols=("h2",)) as connection:
        connection.sendall(PREFACE + FRAME_OF_SETTINGS + request("GET", "/events"))
        received = frames(connection)
        assert any(b"data: 1" in content for *_, content in received)
        server.begin_drain()
        has_ended, goes_away = False, False
        for kind, flags, _stream, content in received:
            has_ended |= kind == 0 and bool(flags & 1)
            if kind == GOAWAY:
                goes_away = True
                # The stream is not among those that the server does not answer.
                assert int.from_bytes(content[:4], "big") >= 1
            if kind == PING and not flags & 1:
                connection.sendall(frame(PING, 1, 0, content))
        assert has_ended
        assert goes_away
    server.output.wait_for("drained")


def test_a_client_gets_the_answer_it_waits_for_when_http2_is_drained(secure):
    server = secure()
    command = [
        "curl",
        "--silent",
        "--insecure",
        "--max-time",
        str(PATIENCE),
        "--http2",
        f"https://127.0.0.1:{server.port}/slow?3000",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as client:
        server.output.wait_for("slow begins")
        server.begin_drain()
        assert client.stdout and client.stdout.read() == b"slow"
    server.output.wait_for("drained")


def test_an_idle_connection_of_http2_is_closed(secure):
    with tls(secure(idle_timeout=2000).port, protocols=("h2",)) as connection:
        connection.sendall(PREFACE + FRAME_OF_SETTINGS)
        while connection.recv(65_536):
            pass


def test_a_connection_that_does_not_finish_its_handshake_is_closed(secure):
    with socket.create_connection(("127.0.0.1", secure(header_timeout=500).port), PATIENCE) as connection:
        connection.sendall(b"\x16\x03\x01\x02\x00\x01")
        assert connection.recv(1000) == b""


def test_a_client_that_speaks_no_tls_is_closed(secure):
    data = secure().exchange(b"GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b"hello" not in data


def test_a_stream_of_garbage_instead_of_http2_is_closed(secure):
    with tls(secure().port, protocols=("h2",)) as connection:
        connection.sendall(b"GET / HTTP/1.1\r\n\r\n" * 10)
        with contextlib.suppress(OSError):
            while connection.recv(65_536):
                pass


def test_the_protocol_follows_from_the_handshake(secure):
    port = secure().port
    for offered, chosen in ((("h2", "http/1.1"), "h2"), (("http/1.1",), "http/1.1")):
        with tls(port, protocols=offered) as connection:
            assert connection.selected_alpn_protocol() == chosen


def test_old_versions_of_tls_are_refused(secure):
    with pytest.raises((ssl.SSLError, ConnectionResetError)), tls(secure().port, version=ssl.TLSVersion.TLSv1_1):
        pass


def test_a_signal_reads_the_certificate_again(serve, tmp_path):
    chain, key = make_certificate(tmp_path, "first")
    service = serve("--tls-certificate", chain, "--tls-key", key)

    def name() -> str:
        shown = ["openssl", "s_client", "-connect", f"127.0.0.1:{service.port}", "-servername", "localhost"]
        result = subprocess.run(shown, input=b"", capture_output=True, timeout=PATIENCE, check=False).stdout
        return next(line for line in result.decode().splitlines() if line.startswith("subject="))

    assert "first" in name()
    make_certificate(tmp_path, "second")
    assert "first" in name()
    service.process.send_signal(signal.SIGHUP)
    service.log.wait_for("The certificate was read again.")
    assert "second" in name()
    (tmp_path / "chain.pem").write_text("nonsense")
    service.process.send_signal(signal.SIGHUP)
    service.log.wait_for("the old one stays")
    assert "second" in name()
    assert service.stop() == 0
