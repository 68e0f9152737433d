"""`make serve`: what it prints works as it is printed, and Ctrl-C ends all of it."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.parse

import pytest
import requests

from programs import PATIENCE, Lines, free_port, is_refused

SERVE = pathlib.Path(__file__).parents[3] / "examples" / "browser" / "serve"


class Demo:
    """The script, as make runs it."""

    def __init__(self, kinfolk, kinfolkd, folder, port):
        self.port = port
        command = [str(SERVE), kinfolk, kinfolkd, str(folder), str(port)]
        # A group of its own, so that a signal to the group is what Ctrl-C is.
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        self.output, self.errors = Lines(self.process.stdout), Lines(self.process.stderr)

    def printed(self):
        """The lines of the beginning, of which the contact file is the last."""
        self.output.wait_for("contacts.vcf")
        return list(self.output.all)

    def interrupt(self):
        os.killpg(self.process.pid, signal.SIGINT)
        assert self.process.wait(PATIENCE) == 0, self.errors.all
        assert self.errors.to_end() == []

    def kill(self):
        if self.process.poll() is None:
            self.interrupt()


def free_pair():
    """A port that is free, with the one after it."""
    for _ in range(100):
        port = free_port()
        if port < 65_000 and is_refused(port + 1):
            return port
    raise AssertionError("no two ports are free")


@pytest.fixture
def start(kinfolk, kinfolkd):
    demos = []

    def start_one(folder, port):
        demos.append(Demo(kinfolk, kinfolkd, folder, port))
        return demos[-1]

    yield start_one
    for demo in demos:
        demo.kill()


def commands(lines):
    return [line.strip() for line in lines if line.startswith("  curl ")]


def run(command):
    result = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, (command, result.stderr)
    return result.stdout


def titles(text):
    return [record["fields"]["title"]["value"] for record in json.loads(text)["records"]]


def test_what_is_printed_works(start, tmp_path):
    folder, port = tmp_path / "a demo", free_pair()
    demo = start(folder, port)
    lines = demo.printed()
    anybody, page, ada = commands(lines)
    assert sorted(titles(run(anybody))) == ["Picnic", "Welcome"]
    assert "Sign in to Notes" in run(page)
    assert titles(run(ada)) == ["Groceries"]
    assert all(len(line) <= 80 for line in lines if "http" not in line and str(folder) not in line and "API token" not in line)

    # The example page, and the code of a mail as a person reads it.
    for name in ("friends.html", "friends.js", "contacts.js", "service.js", "settings.js"):
        assert requests.get(f"http://127.0.0.1:{port + 1}/{name}", timeout=PATIENCE).status_code == 200
    assert requests.get(f"http://127.0.0.1:{port + 1}/../../Makefile", timeout=PATIENCE).status_code == 404
    url = next(line.strip() for line in lines if line.startswith("  http") and "/sign-in/" in line)
    browser = requests.Session()
    flow = flow_of(browser.get(url, timeout=PATIENCE))
    answer = browser.post(url, data={"flow": flow, "step": "address", "email": "ben@example.com"}, timeout=PATIENCE)
    code = demo.output.wait_for("Mail to ben@example.com").split()[-1]
    answer = browser.post(url, data={"flow": flow_of(answer), "step": "code", "code": code}, timeout=PATIENCE)
    back = re.search(r'href="(http[^"]*/signed-in[^"]*)"', answer.text)[1].replace("&amp;", "&")
    token = urllib.parse.parse_qs(urllib.parse.urlparse(back).query)["ckWebAuthToken"][0]
    shown = requests.get(back, timeout=PATIENCE).text
    assert urllib.parse.quote_plus(token) in shown

    demo.interrupt()
    assert is_refused(port)
    assert is_refused(port + 1)

    # The next start keeps the store, the API token and the web auth token.
    again = start(folder, port)
    assert commands(again.printed())[::2] == [anybody, ada]
    assert titles(run(ada)) == ["Groceries"]
    again.interrupt()
    assert is_refused(port)


def flow_of(answer):
    return re.search(r'name="flow" value="([^"]*)"', answer.text)[1]


def test_a_port_that_is_taken_is_named(start, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        demo = start(tmp_path / "demo", port)
        assert demo.process.wait(PATIENCE) == 1
    errors = "\n".join(demo.errors.to_end())
    assert f"Port {port} of 127.0.0.1 cannot be used" in errors
    assert f"PORT={port + 10 if port < 65_000 else 8080}" in errors
    assert "Traceback" not in errors
    assert not (tmp_path / "demo").exists()


def test_the_end_of_the_service_is_reported(start, tmp_path):
    demo = start(tmp_path / "demo", free_pair())
    demo.printed()
    children = pathlib.Path(f"/proc/{demo.process.pid}/task/{demo.process.pid}/children").read_text().split()
    assert len(children) == 1
    os.kill(int(children[0]), signal.SIGKILL)
    assert demo.process.wait(PATIENCE) == 1
    assert "kinfolkd ended" in "\n".join(demo.errors.to_end())


def test_ctrl_c_while_it_starts_leaves_nothing(start, tmp_path):
    folder = tmp_path / "demo"
    end = time.monotonic() + PATIENCE
    demo = None
    while not (folder / "kinfolkd.log").exists():
        # Another program may take a port between the search for it and its use.
        if demo is None or (demo.process.poll() == 1 and "cannot be used" in "\n".join(demo.errors.to_end())):
            port = free_pair()
            demo = start(folder, port)
        assert demo.process.poll() in (None, 1), demo.errors.all
        assert time.monotonic() < end, (demo.output.all, demo.errors.all, sorted(folder.glob("*")))
        time.sleep(0.005)
    demo.interrupt()
    assert is_refused(port)
    again = start(folder, port)
    assert len(commands(again.printed())) == 3
