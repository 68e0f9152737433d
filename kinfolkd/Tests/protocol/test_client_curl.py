"""The curl commands of the manual (`manual.sh`), and their answers."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import subprocess

import cloudkit_manual as manual
import pytest
from comparison import assert_as_manual, difference

SCRIPT = pathlib.Path(__file__).with_name("manual.sh")
FILE = "the bytes of an image"


@pytest.fixture(scope="module")
def answers(manual_world, server, mei, tmp_path_factory):
    """Runs the script. Returns the status and the answer of a command by its name."""
    folder = tmp_path_factory.mktemp("curl")
    (folder / "image.png").write_text(FILE)
    user = manual_world.user()
    variables = {
        "PATH": "/usr/bin:/bin",
        "path": manual_world.base,
        "version": "1",
        "container": manual.CONTAINER,
        "environment": manual.ENVIRONMENT,
        "api_token": user.api_token,
        "web_auth_token": user.web_auth_token,
        "key_id": server.key_id,
        "key": str(server.key),
        "email": "mei.chen@example.com",
        "asset_file": "image.png",
    }
    made = subprocess.run(["sh", str(SCRIPT)], cwd=folder, env=variables, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr

    def answer(name: str) -> tuple[int, dict]:
        return int((folder / f"{name}.status").read_text()), json.loads((folder / name).read_text())

    return answer


def test_without_a_user(answers):
    status, answer = answers("no-user")
    assert status == 421
    assert_as_manual(answer, manual.AUTHENTICATION_REQUIRED)


def test_with_a_user(answers):
    status, answer = answers("user")
    assert status == 200
    assert_as_manual(answer, {"userRecordName": manual.TEXT}, "own user")


def test_signed_requests(answers):
    difference("servers and users")
    status, answer = answers("signed")
    assert status == 401
    assert_as_manual(answer, manual.error("AUTHENTICATION_FAILED"))
    status, answer = answers("signed-query")
    # The type is there as soon as any test, or the last command of the script, has saved an artist.
    assert status in (200, 404), answer


def test_a_file_is_uploaded_and_saved(answers):
    assert answers("upload")[0] == answers("uploaded")[0] == answers("record")[0] == 200
    assert_as_manual(answers("upload")[1], manual.UPLOAD_ANSWER)
    _, uploaded = answers("uploaded")
    assert_as_manual(uploaded, manual.UPLOADED_ANSWER)
    assert uploaded["singleFile"]["fileChecksum"] == base64.b64encode(hashlib.sha256(FILE.encode()).digest()).decode()
    assert_as_manual(answers("record")[1], manual.ASSET_RECORD_ANSWER, "keys of records")
