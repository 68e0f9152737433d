"""What the manual does not have: a sign-in that returns with a code (PKCE), and signing out."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import urllib.parse

import cloudkit_manual as manual
import pytest
import requests
from comparison import TEXT, WHOLE, assert_as_manual, difference
from small_client import TIMEOUT, CloudKit, ServiceError

VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def own(client: CloudKit, operation: str, body: dict) -> dict:
    url = client.url(operation).replace("/database/", "/kinfolk/")
    return client.answer(client.session.post(url, data=json.dumps(body), timeout=TIMEOUT))


@pytest.fixture
def code(manual_world) -> str:
    """The code of a sign-in with a challenge."""
    return query_of_return(manual_world, {"code_challenge": CHALLENGE, "code_challenge_method": "S256", "state": "af0if"})["code"][0]


def query_of_return(world, items: dict[str, str]) -> dict[str, list[str]]:
    """Signs a person in, and returns the query of the URL to which the sign-in returns."""
    with pytest.raises(ServiceError) as caught:
        world.application().get("public/users/current")
    url = caught.value.answer["redirectURL"] + "?" + urllib.parse.urlencode(items)
    world.people += 1
    address = f"person{world.people}@example.com"
    browser = requests.Session()
    page = browser.get(url, timeout=TIMEOUT)
    page = world.send_form(browser, url, page, step="address", email=address)
    page = world.send_form(browser, url, page, step="code", code=world.code_for(address))
    if 'value="names"' in page.text:
        page = world.send_form(browser, url, page, step="names", given="", family="")
    found = re.search(r'content="0; url=([^"]*)"', page.text)
    assert found, page.text
    return urllib.parse.parse_qs(urllib.parse.urlparse(html.unescape(found[1])).query)


def test_a_code_is_redeemed_once(manual_world, code):
    difference("codes")
    client = manual_world.application()
    body = {"code": code, "code_verifier": VERIFIER, "redirect_uri": manual.CALLBACK}
    answer = own(client, "token", body)
    assert_as_manual(answer, {"ckWebAuthToken": TEXT, "expires": WHOLE})
    user = manual_world.application()
    user.web_auth_token = answer["ckWebAuthToken"]
    assert user.get("public/users/current")["userRecordName"]
    # A second use shows that somebody has a copy of the code. It ends what the first one began (RFC 6749, section 4.1.2).
    with pytest.raises(ServiceError) as caught:
        own(client, "token", body)
    assert (caught.value.status, caught.value.code) == (401, "AUTHENTICATION_FAILED")
    with pytest.raises(ServiceError) as caught:
        user.get("public/users/current")
    assert caught.value.code == "AUTHENTICATION_REQUIRED"


@pytest.mark.parametrize(
    "wrong",
    [{"code_verifier": VERIFIER + "x"}, {"code_verifier": None}, {"redirect_uri": "https://other.example.com/"}, {"code": "x"}],
)
def test_a_wrong_verifier_url_or_code_is_refused(manual_world, code, wrong):
    client = manual_world.application()
    body = {"code": code, "code_verifier": VERIFIER, "redirect_uri": manual.CALLBACK} | wrong
    with pytest.raises(ServiceError) as caught:
        own(client, "token", body)
    assert caught.value.code == "AUTHENTICATION_FAILED"


def test_the_state_comes_back(manual_world):
    query = query_of_return(manual_world, {"state": "af0if/jsldkj&x=1%+", "redirect_uri": manual.CALLBACK})
    assert query["state"] == ["af0if/jsldkj&x=1%+"]
    assert query["ckWebAuthToken"] == query["ckSession"]


def test_a_space_in_the_state(manual_world):
    """Browsers write it as a plus (RFC 6749, section 4.1.1)."""
    assert query_of_return(manual_world, {"state": "two words"})["state"] == ["two words"]


def test_other_return_urls_are_refused(manual_world):
    with pytest.raises(ServiceError) as caught:
        manual_world.application().get("public/users/current")
    for items in ({"redirect_uri": "https://other.example.com/"}, {"redirect_uri": manual.CALLBACK + "?x"}, {"code_challenge": "x"}):
        page = requests.get(caught.value.answer["redirectURL"], params=items, timeout=TIMEOUT)
        assert page.status_code == 400
        assert 'name="email"' not in page.text


def test_a_person_signs_out(manual_world):
    difference("codes")
    address = "out@example.com"
    here, there = manual_world.user(address), manual_world.user(address)
    assert own(here, "sign-out", {}) == {}
    with pytest.raises(ServiceError):
        here.get("public/users/current")
    assert there.get("public/users/current")["userRecordName"]
    again = manual_world.user(address)
    assert own(again, "sign-out", {"everywhere": True}) == {}
    for client in (again, there):
        with pytest.raises(ServiceError) as caught:
            client.get("public/users/current")
        assert caught.value.code == "AUTHENTICATION_REQUIRED"


def test_a_suspended_person_has_to_sign_in_again(manual_world):
    address = "suspended@example.com"
    client = manual_world.user(address)
    poll = client.post("tokens/create", {})["webcourierURL"]
    manual_world.kinfolk("account", "suspend", address)
    with pytest.raises(ServiceError) as caught:
        client.get("public/users/current")
    assert_as_manual(caught.value.answer, manual.AUTHENTICATION_REQUIRED)
    assert requests.get(poll, timeout=TIMEOUT).status_code == 404
