"""The address of a client behind a proxy."""

from __future__ import annotations

import pytest

TRUSTED = {"proxies": "127.0.0.1,10.0.0.0/8,2001:db8:1::/48"}


def client_of(server, *headers: str) -> str:
    lines = server.get("/echo", *headers).body.decode().split("\n")
    return next(line.removeprefix("client ") for line in lines if line.startswith("client "))


def test_headers_of_others_are_ignored_and_removed(probe):
    server = probe(proxies="10.0.0.0/8")
    names = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Forwarded-Host", "X-Forwarded-Proto")
    body = server.get("/echo", *(f"{name}: 192.0.2.1" for name in names)).body.decode()
    assert "client 127.0.0.1\n" in body
    assert "192.0.2.1" not in body


def test_a_proxy_on_this_machine_that_is_not_trusted_is_reported_once(probe, capfd):
    server = probe(proxies="10.0.0.0/8")
    for _ in range(3):
        server.get("/hello", "X-Forwarded-For: 192.0.2.1")
    server.kill()
    assert capfd.readouterr().err.count("is not trusted") == 1


@pytest.mark.parametrize(
    ("value", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:4711", "192.0.2.1"),
        ("2001:db8::7", "2001:db8::7"),
        ("[2001:db8::7]:4711", "2001:db8::7"),
        ("198.51.100.9, 192.0.2.1", "192.0.2.1"),
        ("198.51.100.9, 192.0.2.1, 10.1.2.3", "192.0.2.1"),
        ("192.0.2.1, 2001:db8:1::9", "192.0.2.1"),
        ("192.0.2.1, nonsense", "127.0.0.1"),
        ("nonsense, 10.1.2.3", "10.1.2.3"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", "127.0.0.1"),
    ],
)
def test_the_last_address_that_is_no_proxy_counts(probe, value, client):
    assert client_of(probe(**TRUSTED), f"X-Forwarded-For: {value}") == client


def test_several_headers_are_one_list(probe):
    assert client_of(probe(**TRUSTED), "X-Forwarded-For: 198.51.100.9", "X-Forwarded-For: 192.0.2.1, 10.0.0.1") == "192.0.2.1"


def test_the_other_header_is_not_read(probe):
    assert client_of(probe(**TRUSTED), "Forwarded: for=192.0.2.1") == "127.0.0.1"
    assert client_of(probe(**TRUSTED, header="forwarded"), "X-Forwarded-For: 192.0.2.1") == "127.0.0.1"


@pytest.mark.parametrize(
    ("value", "client"),
    [
        ("for=192.0.2.1", "192.0.2.1"),
        ('For="[2001:db8::7]:4711"; proto=https; by=10.0.0.1', "2001:db8::7"),
        ("for=198.51.100.9, for=192.0.2.1;proto=https, for=10.0.0.1", "192.0.2.1"),
        ("for=unknown", "127.0.0.1"),
        ("for=_hidden, for=10.0.0.1", "10.0.0.1"),
    ],
)
def test_the_standard_header(probe, value, client):
    assert client_of(probe(**TRUSTED, header="forwarded"), f"Forwarded: {value}") == client
