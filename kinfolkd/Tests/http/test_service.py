"""The life of the service: signals, systemd, health, metrics and the log."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time

import pytest

from programs import PATIENCE, Answer, Client, Service, free_port, is_refused

HELLO = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
HALF = b"POST /database/1/a/development/public/records/query HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n{"


# ---- Signals


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_service(serve, number):
    service = serve()
    assert service.get("/healthz").body == b"ok\n"
    assert service.stop(number) == 0
    assert "The service has stopped." in service.log.to_end()[-1]


def test_a_request_that_was_accepted_is_answered(serve):
    service = serve()
    with service.connect() as client, service.connect() as second:
        client.send(HALF)
        second.send(b"GET /healthz HTTP/1.1\r\nHost: loc")
        assert service.get("/healthz").status == 200
        service.process.send_signal(signal.SIGTERM)
        service.log.wait_for("The service stops")
        wait_until(lambda: is_refused(service.port))
        client.send(b" }\n")
        second.send(b"alhost\r\n\r\n")
        for answer in (client.answer(), second.answer()):
            assert answer.status > 0
            assert answer.closes
    assert service.wait() == 0


def test_idle_connections_do_not_keep_the_service(serve):
    service = serve()
    with service.connect() as used, service.connect():
        used.send(HELLO)
        used.answer()
        began = time.monotonic()
        assert service.stop() == 0
        assert time.monotonic() - began < 20


def test_a_request_that_does_not_end_is_ended(serve):
    service = serve("--drain-timeout", "1")
    with service.connect() as client:
        client.send(HALF)
        assert service.get("/healthz").status == 200
        assert service.stop() == 0
    assert "took too long" in service.log.to_end()[-1]


def test_a_second_signal_ends_at_once(serve):
    service = serve()
    with service.connect() as client:
        client.send(HALF)
        assert service.get("/healthz").status == 200
        service.process.send_signal(signal.SIGTERM)
        service.log.wait_for("The service stops")
        assert service.stop() == 1


def test_streams_of_events_end_when_the_transport_stops(probe):
    server = probe()
    with server.connect() as client:
        client.send(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        client.until(b"data: 1")
        server.begin_drain()
        assert client.rest().endswith(b"0\r\n\r\n")
    server.output.wait_for("drained")


def test_slow_answers_are_sent_when_the_transport_stops(probe):
    server = probe()
    with server.connect() as client:
        client.send(b"GET /slow?3000 HTTP/1.1\r\nHost: localhost\r\n\r\n")
        server.output.wait_for("slow begins")
        server.begin_drain()
        answer = client.answer()
        assert (answer.body, answer.closes) == (b"slow", True)
    server.output.wait_for("drained")


# ---- systemd


@pytest.mark.parametrize("is_abstract", [False, True])
def test_systemd_is_told_about_the_state(serve, tmp_path, is_abstract):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        name = f"@kinfolkd-test-{os.getpid()}" if is_abstract else str(tmp_path / "notify")
        notify.bind(name.replace("@", "\0"))
        notify.settimeout(PATIENCE)
        service = serve(environment={"NOTIFY_SOCKET": name})
        assert notify.recv(1000) == b"READY=1"
        assert service.stop() == 0
        assert notify.recv(1000) == b"STOPPING=1"


def test_the_watchdog_is_fed(serve, tmp_path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(tmp_path / "notify"))
        notify.settimeout(PATIENCE)
        serve(environment={"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "200000"})
        assert [notify.recv(1000) for _ in range(4)] == [b"READY=1"] + [b"WATCHDOG=1"] * 3


STARTER = """
import os, socket, sys
os.dup2(int(sys.argv[1]), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_sockets_of_systemd_outlive_the_service(kinfolkd, store):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for _ in range(2):
            arguments = ["-c", STARTER, str(listener.fileno()), kinfolkd, "serve", "--store", str(store)]
            service = Service(sys.executable, arguments, port=port, pass_fds=[listener.fileno()])
            try:
                assert service.get("/readyz").body == b"ready\n"
                assert service.stop() == 0
            finally:
                service.kill()
        with socket.create_connection(("127.0.0.1", port), PATIENCE):
            pass


def test_systemd_must_pass_sockets_if_they_are_wanted(kinfolkd, store):
    command = [kinfolkd, "serve", "--store", str(store), "--listen", "systemd"]
    assert subprocess.run(command, capture_output=True, timeout=30, check=False).returncode == 78


# ---- Health and metrics


def test_readiness_follows_the_store(serve, store):
    service = serve()
    assert service.get("/readyz").status == 200
    # A store without tables does not answer; the service does.
    with contextlib.closing(sqlite3.connect(store, isolation_level=None)) as database:
        database.execute("PRAGMA writable_schema = 1")
        database.execute("DELETE FROM sqlite_master")
        database.execute("PRAGMA schema_version = 99999")
    wait_until(lambda: service.get("/readyz").status == 503)
    assert service.get("/healthz").status == 200
    assert service.process.poll() is None


def test_health_has_only_get_and_head(serve):
    service = serve()
    data = b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    answer = Answer.all(service.exchange(data))[0]
    assert (answer.status, answer.headers["allow"]) == (405, "GET, HEAD")


def test_metrics_count_and_name_nothing(serve):
    free = free_port()
    service = serve("--metrics-listen", f"127.0.0.1:{free}")
    for number in range(3):
        service.get(f"/database/1/com.example.notes/development/public/records/query?ckAPIToken=tok{number}")
    service.get("/healthz")
    service.exchange(b"GET /healthz\r\n\r\n")

    def fetch():
        with Client(free, PATIENCE) as client:
            client.send(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return client.answer()

    # A connection counts until the service has noticed its end.
    wait_until(lambda: "\nkinfolkd_connections 0\n" in fetch().body.decode())
    page = fetch()
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    text = page.body.decode()
    samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    assert samples['kinfolkd_requests_total{operation="healthz",status="200"}'] == "1"
    assert sum(int(value) for name, value in samples.items() if name.startswith('kinfolkd_requests_total{operation="records/query"')) == 3
    assert samples['kinfolkd_request_duration_seconds_count{operation="records/query"}'] == "3"
    assert samples['kinfolkd_request_duration_seconds_bucket{operation="records/query",le="+Inf"}'] == "3"
    assert samples["kinfolkd_connections_accepted_total"] == "6"  # and one that has waited for the start
    assert samples["kinfolkd_connections"] == "0"
    assert int(samples["kinfolkd_received_bytes_total"]) > 300
    for secret in ("com.example", "tok0", "127.0.0.1", "/database"):
        assert secret not in text
    for line in text.splitlines():
        assert re.fullmatch(r"# (HELP|TYPE) kinfolkd_\w+ .+|kinfolkd_\w+(\{(\w+=\"[\w/+.-]+\",?)+\})? [0-9.e+-]+", line), line


def test_metrics_are_not_at_the_address_of_the_service(serve):
    assert serve().get("/metrics").status != 200


# ---- The log


@pytest.mark.parametrize("level", ["debug", "info", "notice", "warning", "error"])
@pytest.mark.parametrize("form", ["json", "text"])
def test_the_log_holds_no_secret(serve, level, form):
    service = serve("--log-level", level, "--log-format", form)
    path = "/database/1/com.example.container/development/public/users/lookup/email"
    query = "?ckAPIToken=SECRETTOKEN&ckWebAuthToken=WEBTOKEN&email=anna%40example.com"
    service.get(f"{path}{query}", "X-Secret: HEADERVALUE", "Authorization: Bearer BEARER")
    service.get("/SECRETPATH/anna@example.com")
    service.exchange(f"GET {path}{query} HTTP/1.1\r\nSECRETNAME\r\n\r\n".encode())
    service.exchange(b"SECRETMETHOD / HTTP/1.1\r\n\r\n")
    body = b'{"email":"anna@example.com","token":"SECRETBODY"}'
    service.exchange(b"POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (path.encode(), len(body), body))
    assert service.stop() == 0
    log = "\n".join(service.log.to_end())
    assert ("Answered a request." in log) == (level == "debug")
    without_listen = log.replace(f"127.0.0.1:{service.port}", "")
    for secret in (
        "SECRET",
        "TOKEN",
        "HEADERVALUE",
        "BEARER",
        "anna",
        "example",
        "127.0.0.1",
        "/database",
        "/users",
        "container",
    ):
        assert secret not in without_listen, secret


def test_each_line_of_the_log_is_json(serve):
    service = serve("--log-level", "debug")
    service.get("/database/1/a/development/public/records/query")
    service.stop()
    lines = [json.loads(line) for line in service.log.to_end()]
    request = next(line for line in lines if line["message"] == "Answered a request.")
    assert set(request) == {
        "time",
        "level",
        "message",
        "request",
        "method",
        "operation",
        "status",
        "microseconds",
        "received",
        "sent",
    }
    assert (request["method"], request["operation"]) == ("GET", "records/query")
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line["time"]) for line in lines)


def test_a_log_that_nobody_reads_does_not_stop_the_service(kinfolkd, store):
    port = free_port()
    reader, writer = os.pipe()
    command = [kinfolkd, "serve", "--store", str(store), "--listen", f"127.0.0.1:{port}", "--log-level", "debug"]
    process = subprocess.Popen(command, stderr=writer)
    try:
        os.close(writer)
        wait_until(lambda: not is_refused(port))
        with Client(port, PATIENCE) as client:
            for _ in range(30):
                client.send(HELLO * 50)
                received = b""
                while received.count(b"\nok\n") < 50:
                    received += client.socket.recv(65_536)
    finally:
        process.kill()
        process.wait(PATIENCE)
        os.close(reader)


# ---- Support


def wait_until(condition) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)
