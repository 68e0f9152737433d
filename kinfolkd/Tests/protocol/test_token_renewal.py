"""Web auth tokens as time goes by: the manual's chapter "Composing Web Service Requests". The services have another date."""

from __future__ import annotations

import pathlib
import subprocess

import cloudkit_manual as manual
import pytest
from comparison import assert_as_manual, difference
from small_client import NEW_TOKEN, CloudKit, ServiceError

from world import CONTAINER, World

MINUTE, DAY = 60, 86_400


@pytest.fixture(scope="module")
def clock(tmp_path_factory) -> pathlib.Path:
    library = tmp_path_factory.mktemp("clock") / "clock.so"
    source = pathlib.Path(__file__).with_name("clock.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True, timeout=60)
    return library


@pytest.fixture
def later(world: World, clock):
    """A client of a person who has signed in; as if so many seconds had passed since then."""
    world.serve()

    def client(person: CloudKit, seconds: int) -> CloudKit:
        service = world.serve(environment={"LD_PRELOAD": str(clock), "CLOCK_SHIFT": str(seconds)})
        moved = CloudKit(f"http://127.0.0.1:{service.port}", CONTAINER, "production", person.api_token, person.web_auth_token)
        moved.service = service
        return moved

    return client


def signed_in(world: World, *, keep: bool = False) -> CloudKit:
    person = world.sign_in("ben@example.com", keep=keep)
    return CloudKit(world.base, CONTAINER, "production", person.items["ckAPIToken"], person.items["ckWebAuthToken"])


def is_signed_in(client: CloudKit) -> bool:
    try:
        client.get("public/users/current")
    except ServiceError as error:
        assert_as_manual(error.answer, manual.AUTHENTICATION_REQUIRED)
        return False
    return True


@pytest.mark.parametrize(("keep", "age", "end"), [(False, 6 * MINUTE, 30 * MINUTE), (True, DAY + MINUTE, 14 * DAY)])
def test_a_token_is_renewed(world, later, keep, age, end):
    difference("renewal")
    ben = signed_in(world, keep=keep)
    assert is_signed_in(ben)
    assert NEW_TOKEN not in ben.last.headers
    old = ben.web_auth_token
    client = later(ben, age)
    assert is_signed_in(client)
    new = client.web_auth_token
    assert new != old
    assert is_signed_in(client)
    assert NEW_TOKEN not in client.last.headers
    # Requests that were on their way have the old token.
    client.web_auth_token = old
    assert is_signed_in(client)
    assert NEW_TOKEN not in client.last.headers
    client.service.kill()
    # A minute later the old token is of no use, and the new one is.
    client = later(ben, age + 2 * MINUTE)
    client.web_auth_token = old
    assert not is_signed_in(client)
    client.web_auth_token = new
    assert is_signed_in(client)
    client.service.kill()


@pytest.mark.parametrize(("keep", "age"), [(False, 31 * MINUTE), (True, 14 * DAY + MINUTE)])
def test_a_token_ends(world, later, keep, age):
    """The manual: it expires 30 minutes after it is created, or after two weeks."""
    ben = signed_in(world, keep=keep)
    assert not is_signed_in(later(ben, age))


def test_errors_have_the_new_token_too(world, later):
    ben = signed_in(world)
    client = later(ben, 6 * MINUTE)
    with pytest.raises(ServiceError) as caught:
        client.post("private/records/query", {})
    assert caught.value.status == 400
    assert client.web_auth_token == client.last.headers[NEW_TOKEN] != ben.web_auth_token
    assert is_signed_in(client)


def test_the_urls_of_files_and_polls_end(world, later):
    ben = signed_in(world)
    (token,) = ben.post("private/assets/upload", manual.UPLOAD)["tokens"]
    poll = ben.post("tokens/create", {})["webcourierURL"]
    record = {"recordType": "Note", "recordName": "a", "fields": {"photo": {"value": ben.upload("private", "Note", "photo", b"x")}}}
    (saved,) = ben.modify("private", {"operationType": "create", "record": record})
    download = saved["fields"]["photo"]["value"]["downloadURL"]
    for minutes, status in ((14, 200), (16, 404)):
        client = later(ben, minutes * MINUTE)
        for method, url in (("POST", token["url"]), ("GET", download)):
            answer = client.session.request(method, url.replace(ben.path, client.path), data=b"x", timeout=60)
            assert answer.status_code == status
        client.service.kill()
    # The poll ends with the sign-in.
    client = later(ben, 31 * MINUTE)
    assert client.session.get(poll.replace(ben.path, client.path), timeout=60).status_code == 404
