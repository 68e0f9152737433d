"""Mails go to a command, without a shell, and nothing in them becomes a header."""

from __future__ import annotations

import email
import email.policy
import os
import subprocess

import pytest


@pytest.fixture
def send(kinfolkd, store, tmp_path):
    """Sends a mail by a command that keeps it; returns the status and the mail."""
    command = tmp_path / "sendmail"
    mail = tmp_path / "mail"
    command.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/arguments\nenv > {tmp_path}/variables\ncat > {mail}\n')
    command.chmod(0o755)

    def run(address: str, *options: str, words: str = ""):
        result = subprocess.run(
            [
                kinfolkd,
                "check",
                "--store",
                str(store),
                "--mail-command",
                f"{command}{words}",
                f"--mail-to={address}",
                *options,
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env=os.environ | {"KINFOLK_ORIGIN": "http://secret"},
        )
        return result.returncode, mail.read_bytes() if mail.exists() else b""

    return run


def test_the_mail_is_readable(send):
    status, data = send("anna@example.com", "--mail-from", "kinfolk@example.com")
    assert status == 0
    mail = email.message_from_bytes(data, policy=email.policy.default)
    assert (mail["to"], mail["from"]) == ("anna@example.com", "kinfolk@example.com")
    assert mail["subject"] == "Kinfolk: the mail command works"
    assert mail["auto-submitted"] == "auto-generated"
    assert "✓ UTF-8" in mail.get_content()
    assert max(len(line) for line in data.split(b"\n")) <= 998


def test_the_words_of_the_command_are_its_arguments(send, tmp_path):
    assert send("anna@example.com", words=" -t $HOME;touch *")[0] == 0
    assert (tmp_path / "arguments").read_text() == "-t $HOME;touch *\n"


def test_the_command_gets_no_variables_of_the_service(send, tmp_path):
    assert send("anna@example.com")[0] == 0
    assert "secret" not in (tmp_path / "variables").read_text()


@pytest.mark.parametrize(
    "address",
    [
        "anna@example.com\nBcc: eve@example.com", "anna@example.com\r\nBcc: eve@example.com", "anna@example.com, eve@example.com",
        "anna@example.com eve@example.com", "Anna <anna@example.com>", "anna", "@example.com", "anna@", "anna@b@c", "anna@exa\u2028mple.com",
        "-anna@example.com", "a" * 250 + "@example.com", 'anna"@example.com', "anna(eve)@example.com", "anna@example.com;eve@example.com",
    ],
)  # fmt: skip
def test_an_address_that_could_be_more_is_refused(send, address):
    assert send(f"{address}") == (78, b"")


def test_an_address_may_have_letters_of_all_languages(send):
    status, data = send("änne@exämple.com")
    assert status == 0
    assert "To: änne@exämple.com\n".encode() in data


def test_a_failure_of_the_command_is_reported(send, tmp_path):
    (tmp_path / "sendmail").write_text("#!/bin/sh\nexit 75\n")
    assert send("anna@example.com")[0] == 78


def test_a_command_that_reads_nothing_is_a_failure_or_not_but_never_a_crash(send, tmp_path):
    (tmp_path / "sendmail").write_text("#!/bin/sh\nexec <&-\nexit 0\n")
    assert send("anna@example.com")[0] in (0, 78)


def test_a_relative_command_is_refused(kinfolkd, store):
    result = subprocess.run(
        [kinfolkd, "check", "--store", str(store), "--mail-command", "sendmail -t"],
        capture_output=True,
        timeout=30,
        check=False,
    )
    assert result.returncode == 78
