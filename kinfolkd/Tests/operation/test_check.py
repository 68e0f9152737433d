"""kinfolkd check finds a mistake in each setting, by option, by variable and by a line of the file."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
from collections.abc import Callable

import pytest

from programs import binary

Check = Callable[..., tuple[int, list[str]]]

# A wrong value of each setting. The tests below have those that depend on files or on other settings.
WRONG = {
    "store": "",
    "key-file": "/nonexistent/kinfolk.key",
    "require-locked-memory": "maybe",
    "listen": "127.0.0.1",
    "metrics-listen": "systemd",
    "tls-certificate": "/nonexistent/chain.pem",
    "tls-key": "/nonexistent/key.pem",
    "origin": "app.example.com",
    "trusted-proxy": "10.0.0.0/33",
    "proxy-header": "x-real-ip",
    "mail-command": "sendmail -t",
    "mail-from": "nobody",
    "openid-provider": "/nonexistent/provider.conf",
    "proxy-user-header": "remote user",
    "proxy-email-header": "remote:email",
    "consent": "/nonexistent/consent.conf",
    "network-rate": "fast",
    "application-rate": "0/s",
    "person-rate": "50",
    "mail-rate": "20/y",
    "code-rate": "120/h 0",
    "threads": "0",
    "network-threads": "-1",
    "max-connections": "many",
    "max-connections-per-address": "1.5",
    "max-body-bytes": "6T",
    "max-body-memory": "M",
    "max-header-bytes": "0",
    "header-timeout": "0",
    "body-timeout": "30s",
    "min-body-rate": "-500",
    "write-timeout": "1e3",
    "idle-timeout": "86401",
    "drain-timeout": "never",
    "log-level": "loud",
    "log-format": "xml",
}
FILES = ["store", "key-file", "tls-certificate", "tls-key", "mail-command", "openid-provider", "consent"]
BY_VALUE = sorted(set(WRONG) - set(FILES))


@pytest.fixture
def check(kinfolkd: str, store: pathlib.Path) -> Check:
    def run(*options: str, **environment: str) -> tuple[int, list[str]]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("KINFOLK")}
        command = [kinfolkd, "check", "--store", str(store), *options]
        result = subprocess.run(command, capture_output=True, text=True, timeout=60, env=clean | environment, check=False)
        return result.returncode, result.stderr.splitlines()

    return run


MANUAL = pathlib.Path(__file__).parents[3] / "docs" / "service.md"


def test_the_manual_has_every_setting(kinfolkd: str) -> None:
    result = subprocess.run([kinfolkd, "serve", "--help"], capture_output=True, text=True, timeout=30, check=True)
    options = set(re.findall(r"^  --([a-z-]+) <", result.stdout, re.MULTILINE))
    assert set(WRONG) <= options
    # In the first columns of the tables.
    described = {name for line in re.findall(r"^\| (`[^|]*) \|", MANUAL.read_text(), re.MULTILINE) for name in re.findall(r"`([a-z-]+)`", line)}
    assert options <= described


def test_each_wrong_option_is_named(check: Check) -> None:
    options = [word for name in BY_VALUE for word in (f"--{name}", WRONG[name])]
    options = [f"{name}={value}" for name, value in zip(options[::2], options[1::2], strict=True)]
    status, problems = check(*options)
    assert status == 78
    assert sorted(line.split(":")[1].strip() for line in problems) == [f"--{name}" for name in BY_VALUE]


def test_each_wrong_variable_is_named(check: Check) -> None:
    status, problems = check(**{variable(name): WRONG[name] for name in BY_VALUE})
    assert status == 78
    assert sorted(line.split(":")[1].strip() for line in problems) == sorted(f"${variable(name)}" for name in BY_VALUE)


def test_each_wrong_line_is_numbered(check: Check, tmp_path: pathlib.Path) -> None:
    file = tmp_path / "kinfolkd.conf"
    file.write_text("".join(f"{name} = {WRONG[name]}\n" for name in BY_VALUE))
    status, problems = check("--config", str(file))
    assert status == 78
    found = sorted(int(re.search(r"line (\d+) of", line)[1]) for line in problems)
    assert found == list(range(1, len(BY_VALUE) + 1))


@pytest.mark.parametrize("name", FILES)
def test_a_setting_that_names_something_is_checked(check: Check, name: str) -> None:
    options = [f"--{name}", WRONG[name]]
    if name.startswith("tls-"):
        options = [f"--tls-certificate={WRONG['tls-certificate']}", f"--tls-key={WRONG['tls-key']}"]
    status, problems = check(*options)
    assert (status, len(problems)) == (78, 1)


@pytest.mark.parametrize("bad", [b"threads = \xff\n", b"threads\n", b"threads = 4\nthreads = 4\n", b"Threads = 4\n", b"threads = 4 # four\n"])
def test_a_malformed_file_is_refused(check: Check, tmp_path: pathlib.Path, bad: bytes) -> None:
    file = tmp_path / "kinfolkd.conf"
    file.write_bytes(bad)
    status, problems = check("--config", str(file))
    assert (status, len(problems)) == (78, 1)
    assert str(file) in problems[0]


def test_a_folder_is_no_file(check: Check, tmp_path: pathlib.Path) -> None:
    assert check("--config", str(tmp_path))[0] == 78


@pytest.mark.parametrize("mistake", [["--listen", "no-such-host.invalid:80"], ["--metrics-listen", "no-such-host.invalid:80"]])
def test_a_name_that_cannot_be_resolved_is_found(check: Check, mistake: list[str]) -> None:
    status, problems = check(*mistake)
    assert (status, len(problems)) == (78, 1)


@pytest.mark.parametrize(
    "mistake",
    [
        ["--listen", "127.0.0.1:8080", "--listen", "127.0.0.1:8080"],
        ["--listen", "127.0.0.1:8080", "--metrics-listen", "127.0.0.1:8080"],
        ["--metrics-listen", "127.0.0.1:8080"],  # the default of listen
    ],
)
def test_one_address_cannot_be_used_twice(check: Check, mistake: list[str]) -> None:
    status, problems = check(*mistake)
    assert (status, len(problems)) == (78, 1)


@pytest.mark.parametrize(
    "origin", ["https://", "https:///app", "https://:443", "https://app.example.com:99999", "https://app.example.com/", "https://a b"]
)
def test_an_origin_has_a_host(check: Check, origin: str) -> None:
    status, problems = check("--origin", origin)
    assert (status, len(problems)) == (78, 1)


def test_a_body_must_fit_into_the_memory(check: Check) -> None:
    status, problems = check("--max-body-bytes", "6M", "--max-body-memory", "23M")
    assert (status, len(problems)) == (78, 1)


@pytest.mark.parametrize("mistake", [["--max-header-bytes", "10"], ["--threads", "99999999"], ["--network-threads", "99999999"]])
def test_a_limit_with_which_nothing_works_is_found(check: Check, mistake: list[str]) -> None:
    status, problems = check(*mistake)
    assert (status, len(problems)) == (78, 1)


def test_a_folder_is_no_mail_command(check: Check, tmp_path: pathlib.Path) -> None:
    status, problems = check("--mail-command", str(tmp_path))
    assert (status, len(problems)) == (78, 1)


def test_a_mail_command_is_tried(check: Check, tmp_path: pathlib.Path) -> None:
    sent = tmp_path / "sent"
    command = tmp_path / "sendmail"
    command.write_text(f"#!/bin/sh\ncat >{sent}\n")
    command.chmod(0o755)
    assert check("--mail-command", str(command), "--mail-to", "operator@example.com")[0] == 0
    assert "To: operator@example.com" in sent.read_text()
    command.write_text("#!/bin/sh\nexit 1\n")
    assert check("--mail-command", str(command), "--mail-to", "operator@example.com")[0] == 78
    assert check("--mail-command", "off", "--mail-to", "operator@example.com")[0] == 78
    assert check("--mail-command", str(command), "--mail-to", "operator")[0] == 78


def test_an_expired_certificate_is_found(check: Check, tmp_path: pathlib.Path) -> None:
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    openssl(tmp_path, "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", str(key))
    openssl(tmp_path, "req", "-new", "-key", str(key), "-subj", "/CN=localhost", "-out", "request.pem")
    (tmp_path / "index.txt").touch()
    (tmp_path / "ca.conf").write_text(
        "[ca]\ndefault_ca = own\n[own]\ndatabase = index.txt\nnew_certs_dir = .\nrand_serial = yes\ndefault_md = sha256\npolicy = any\n"
        "[any]\ncommonName = supplied\n"
    )
    dates = ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"]
    openssl(tmp_path, "ca", "-batch", "-config", "ca.conf", "-selfsign", "-keyfile", str(key), "-in", "request.pem", "-out", str(chain), *dates)
    status, problems = check("--tls-certificate", str(chain), "--tls-key", str(key))
    assert (status, len(problems)) == (78, 1)


@pytest.mark.parametrize("header", ["x-forwarded-for", "host", "cookie", "authorization"])
def test_a_header_of_clients_names_no_person(check: Check, header: str) -> None:
    status, problems = check("--trusted-proxy", "127.0.0.1", "--proxy-user-header", header)
    assert (status, len(problems)) == (78, 1)


def test_a_header_that_names_people_needs_a_proxy(check: Check) -> None:
    assert check("--trusted-proxy", "127.0.0.1", "--proxy-user-header", "remote-user")[0] == 0
    status, problems = check("--proxy-user-header", "remote-user")
    assert (status, len(problems)) == (78, 1)
    status, problems = check("--trusted-proxy", "127.0.0.1", "--proxy-email-header", "remote-email")
    assert (status, len(problems)) == (78, 1)


def test_words_of_consent_are_for_a_container_that_exists(check: Check, store: pathlib.Path, tmp_path: pathlib.Path) -> None:
    words = tmp_path / "consent.conf"
    words.write_text("container = com.example.notes\nversion = 1\ntext = May people who have your address find you?\n")
    status, problems = check("--consent", str(words))
    assert (status, len(problems)) == (78, 1)
    command = [binary("KINFOLK", "kinfolk-cli"), "container", "create", "com.example.notes", "--store", str(store)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    assert check("--consent", str(words)) == (0, [])


def test_other_files_are_no_stores(check: Check, tmp_path: pathlib.Path) -> None:
    for content in (b"", b"not a store", b"SQLite format 3\0" + bytes(4080)):
        (tmp_path / "other.db").write_bytes(content)
        status, problems = check("--store", str(tmp_path / "other.db"))
        assert (status, len(problems)) == (78, 1)


def variable(name: str) -> str:
    return "KINFOLK_" + name.upper().replace("-", "_")


def openssl(folder: pathlib.Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True, timeout=60)
