"""kinfolkd check, and what serve says before it starts."""

from __future__ import annotations

import os
import subprocess

import pytest


@pytest.fixture
def check(kinfolkd, store):
    def run(*options: str, command: str = "check", with_store: bool = True, **environment: str):
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KINFOLK")}
        options = ("--store", str(store), *options) if with_store else options
        result = subprocess.run(
            [kinfolkd, command, *options],
            capture_output=True,
            text=True,
            timeout=30,
            env=clean | environment,
            check=False,
        )
        return result.returncode, result.stdout, result.stderr.splitlines()

    return run


def test_a_valid_configuration(check):
    assert check() == (0, "The configuration is valid.\n", [])


def test_every_problem_is_one_line(check):
    status, output, problems = check(
        "--listen",
        "nowhere",
        "--threads",
        "0",
        "--trusted-proxy",
        "10.0.0.0/33",
        "--origin",
        "https://a/",
        "--log-level",
        "loud",
    )
    assert (status, output) == (78, "")
    assert [line.split(":")[1].strip() for line in problems] == [
        "--listen",
        "--origin",
        "--trusted-proxy",
        "--threads",
        "--log-level",
    ]
    assert all(line.endswith(".") for line in problems)


def test_serve_refuses_what_check_refuses(check):
    assert check("--threads", "x", command="serve") == check("--threads", "x")


def test_options_override_variables_and_variables_override_the_file(check, tmp_path):
    file = tmp_path / "kinfolkd.conf"
    file.write_text("# comment\n\n  threads = file \nlog-level=file\nlog-format = file\n")
    status, _, problems = check("--config", str(file), "--threads", "option", KINFOLK_THREADS="variable", KINFOLK_LOG_LEVEL="variable")
    assert status == 78
    assert problems == [
        'kinfolkd: --threads: "option" is not a number from 1 to 1024.',
        'kinfolkd: $KINFOLK_LOG_LEVEL: "variable" is not debug, info, notice, warning or error.',
        f'kinfolkd: line 5 of {file}: "file" is not json or text.',
    ]


def test_unknown_names_and_malformed_lines_have_their_numbers(check, tmp_path):
    file = tmp_path / "kinfolkd.conf"
    file.write_text("threads = 4\nthread = 5\nnonsense\nthreads = 6\norigin =\nlisten = [::1]:1\nlisten = 127.0.0.1:1\n")
    status, _, problems = check("--config", str(file))
    assert status == 78
    assert [line.removeprefix("kinfolkd: ").split(" of ")[0] for line in problems] == [
        "Line 2",
        "Line 3",
        "Line 4",
        "Line 5",
    ]


def test_a_missing_file_is_reported(check, tmp_path):
    status, _, problems = check(KINFOLK_CONFIG=str(tmp_path / "missing"))
    assert status == 78
    assert "No such file or directory" in problems[0]


def test_the_store_and_its_key_are_checked(check, store, tmp_path):
    status, _, problems = check("--store", str(tmp_path / "missing.db"), with_store=False)
    assert (status, len(problems)) == (78, 1)
    store.with_suffix(".key").unlink()
    for command in ("check", "serve"):
        status, _, problems = check(command=command)
        assert (status, len(problems)) == (78, 1)


def test_a_database_server_that_is_away_is_one_line(check):
    address = "postgresql://nobody:secret@127.0.0.1:1/kinfolk"
    status, _, problems = check("--store", address, command="serve", with_store=False, PGCONNECT_TIMEOUT="2")
    assert status in (69, 78)
    assert len(problems) == 1
    assert "secret" not in problems[0]


def test_a_certificate_needs_its_key(check, certificate, tmp_path):
    chain, key = certificate
    assert check("--tls-certificate", chain, "--tls-key", key)[0] == 0
    for options in (
        ("--tls-certificate", chain),
        ("--tls-key", key),
        ("--tls-certificate", chain, "--tls-key", str(tmp_path / "missing")),
        ("--tls-certificate", chain, "--tls-key", chain),
        ("--tls-certificate", key, "--tls-key", key),
    ):
        status, _, problems = check(*options)
        assert (status, len(problems)) == (78, 1)


def test_an_address_in_use_is_one_line(check, serve):
    status, _, problems = check("--listen", f"127.0.0.1:{serve().port}", command="serve")
    assert status == 71
    assert "Address already in use" in problems[0]


def test_the_version(kinfolkd):
    result = subprocess.run([kinfolkd, "--version"], capture_output=True, text=True, timeout=30, check=True)
    assert result.stdout.count(".") == 2


def test_the_help_names_every_variable_and_line(kinfolkd):
    result = subprocess.run([kinfolkd, "serve", "--help"], capture_output=True, text=True, timeout=30, check=True)
    assert "KINFOLK_LISTEN" in result.stdout
    assert "--trusted-proxy" in result.stdout
