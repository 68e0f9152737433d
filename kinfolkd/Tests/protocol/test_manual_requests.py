"""The manual's chapter "Composing Web Service Requests": URLs, API tokens, web auth tokens and signatures."""

from __future__ import annotations

import base64
import datetime
import urllib.parse

import cloudkit_manual as manual
import pytest
import requests
from comparison import TEXT, assert_as_manual, difference
from small_client import ServiceError

QUERY = {"query": {"recordType": "Artist"}}


def refusal(call, *arguments) -> ServiceError:
    """The error of a request that fails as a whole. It has the status of the manual's table."""
    with pytest.raises(ServiceError) as caught:
        call(*arguments)
    error = caught.value
    assert error.status == manual.STATUSES[error.code], error
    return error


# ---- Authentication of users


def test_without_a_user_the_answer_has_the_url_of_the_sign_in(application, manual_world):
    error = refusal(application.get, "public/users/current")
    assert error.status == 421
    assert_as_manual(error.answer, manual.AUTHENTICATION_REQUIRED)
    page = requests.get(error.answer["redirectURL"], timeout=60)
    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("subpath", ["public/users/current", "public/users/caller", "private/zones/list", "public/subscriptions/list"])
def test_what_needs_a_user_says_so_also_with_get(application, subpath):
    assert refusal(application.get, subpath).code == "AUTHENTICATION_REQUIRED"


@pytest.mark.parametrize("subpath", ["private/records/query", "private/records/lookup", "public/records/modify", "private/changes/database"])
def test_what_needs_a_user_says_so_with_post(application, subpath):
    error = refusal(application.post, subpath, QUERY | {"records": [], "operations": []})
    assert_as_manual(error.answer, manual.error("AUTHENTICATION_REQUIRED"))


def test_with_a_web_auth_token_the_answer_has_the_user(mei):
    assert mei.get("public/users/current")["userRecordName"].startswith("_")


def test_the_sign_in_returns_to_the_callback_url_with_the_token(manual_world):
    difference("two names of the token")
    links = []
    find = manual_world.send_form

    def note(*arguments, **values):
        page = find(*arguments, **values)
        links.append(page.text)
        return page

    manual_world.send_form = note
    try:
        client = manual_world.user("callback@example.com")
    finally:
        del manual_world.send_form
    encoded = urllib.parse.quote(client.web_auth_token, safe="")
    assert f"{manual.CALLBACK}?ckWebAuthToken={encoded}&amp;ckSession={encoded}" in links[-1]


def test_a_page_that_opens_the_sign_in_gets_a_message(manual_world):
    """The manual: window.addEventListener('message', function(e) { console.log(e.data.ckWebAuthToken) })."""
    difference("two names of the token")
    origin, address = "https://app.example.com", "window@example.com"
    token = manual_world.kinfolk("token", "create", manual.CONTAINER, "window", "--origin", origin, "--environment", manual.ENVIRONMENT).strip()
    asked = requests.get(manual_world.url("users/current"), params={"ckAPIToken": token}, headers={"origin": origin}, timeout=60)
    assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (421, origin)
    url = asked.json()["redirectURL"]
    browser = requests.Session()
    page = browser.get(url, timeout=60)
    page = manual_world.send_form(browser, url, page, step="address", email=address)
    page = manual_world.send_form(browser, url, page, step="code", code=manual_world.code_for(address))
    page = manual_world.send_form(browser, url, page, step="names", given="", family="")
    assert "postMessage({ ckWebAuthToken: token, ckSession: token }, origin)" in page.text
    assert f'"{origin}"' in page.text
    for other in ("https://other.example.com", "null"):
        refused = requests.get(manual_world.url("users/current"), params={"ckAPIToken": token}, headers={"origin": other}, timeout=60)
        assert refused.status_code == 403
        assert_as_manual(refused.json(), manual.error("ACCESS_DENIED"))


def test_a_token_that_is_not_encoded_is_understood(user):
    """Clients forget to encode the + of a token, and some encode it twice."""
    twice = urllib.parse.quote(urllib.parse.quote(user.web_auth_token, safe=""), safe="")
    for written in (user.web_auth_token, twice):
        url = user.url("public/users/current").partition("&ckWebAuthToken=")[0] + "&ckWebAuthToken=" + written
        assert requests.get(url, timeout=60).status_code == 200


def test_a_token_is_valid_with_its_api_token_only(manual_world, mei):
    other = manual_world.application(manual.GALLERY)
    other.web_auth_token = mei.web_auth_token
    assert refusal(other.get, "public/users/current").code == "AUTHENTICATION_REQUIRED"


def test_a_wrong_token_leads_to_the_sign_in(application, mei, manual_world):
    for wrong in ("A" * 43 + "=", mei.web_auth_token[:-4], "%", "x y"):
        client = manual_world.application()
        client.web_auth_token = wrong
        error = refusal(client.get, "public/users/current")
        assert_as_manual(error.answer, manual.AUTHENTICATION_REQUIRED)


def test_tokens_may_be_headers(user):
    difference("header tokens")
    bare = user.url("public/users/current").partition("?")[0]
    headers = {"X-Apple-CloudKit-API-Token": user.api_token, "X-Apple-CloudKit-Web-Auth-Token": user.web_auth_token}
    assert requests.get(bare, headers=headers, timeout=60).json()["userRecordName"]
    assert requests.get(bare, headers={"X-Apple-CloudKit-API-Token": user.api_token}, timeout=60).status_code == 421


# ---- API tokens and URLs


def test_the_api_token_is_required(application, manual_world):
    for token in ("", "0" * 64, application.api_token[:-1], manual_world.api_tokens[manual.GALLERY], manual_world.api_token):
        client = manual_world.application()
        client.api_token = token
        error = refusal(client.get, "public/users/current")
        assert error.code == "AUTHENTICATION_FAILED"
        assert_as_manual(error.answer, manual.error("AUTHENTICATION_FAILED"))
    bare = application.url("public/users/current").partition("?")[0]
    assert requests.get(bare, timeout=60).status_code == 401


def test_an_unknown_container_is_like_an_unknown_token(application, manual_world):
    answers = []
    for container, token in (("iCloud.com.example.nobody", application.api_token), (manual.CONTAINER, "0" * 64)):
        client = manual_world.application()
        client.container, client.api_token = container, token
        answers.append(refusal(client.post, "public/records/query", QUERY).answer | {"uuid": ""})
    assert answers[0] == answers[1]


def test_the_environments_are_apart(application, manual_world):
    client = manual_world.application()
    client.environment = "production"
    assert refusal(client.post, "public/records/query", QUERY).code == "AUTHENTICATION_FAILED"


def test_a_container_may_have_another_name(manual_world):
    difference("container names")
    client = manual_world.application()
    client.container, client.environment, client.api_token = "com.example.notes", "production", manual_world.api_token
    assert client.get("public/zones/list")["zones"]


def test_unknown_items_of_the_query_and_any_content_type_are_ignored(user):
    url = user.url("public/users/current") + "&ckjsVersion=2.6.4&clientId=5f0c&remapEnums=true"
    for kind in ("text/plain", "application/json", "application/x-www-form-urlencoded", ""):
        assert requests.post(url, data="{}", headers={"content-type": kind}, timeout=60).status_code == 200


def test_what_needs_no_body_takes_both_methods(user):
    difference("methods")
    for subpath in ("public/users/current", "public/users/caller", "private/zones/list", "private/subscriptions/list"):
        by_get = user.get(subpath)
        assert by_get == user.post(subpath, {})
        empty = requests.post(user.url(subpath), timeout=60)
        assert empty.json() == by_get


def test_other_methods_are_refused(user):
    for method, subpath in (("GET", "private/records/query"), ("PUT", "private/records/modify"), ("DELETE", "private/zones/list")):
        answer = requests.request(method, user.url(subpath), timeout=60)
        assert (answer.status_code, answer.json()["serverErrorCode"]) == (405, "BAD_REQUEST")
        assert "POST" in answer.headers["allow"]


@pytest.mark.parametrize(
    "path",
    ["/database/1", "/database/2/{c}/development/public/records/query", "/database/1/{c}/testing/public/records/query", "/nothing"],
)
def test_other_paths_are_not_found(application, path):
    answer = requests.post(application.path + path.format(c=manual.CONTAINER), params={"ckAPIToken": application.api_token}, timeout=60)
    assert answer.status_code == 404
    assert_as_manual(answer.json(), manual.error("NOT_FOUND"))


@pytest.mark.parametrize("subpath", ["public/records/nothing", "public/records", "records/query", "private//records/query"])
def test_unknown_operations_are_not_found(mei, subpath):
    assert refusal(mei.post, subpath, QUERY).code == "NOT_FOUND"


def test_answers_are_json_that_no_cache_keeps(mei):
    mei.get("public/users/current")
    headers = mei.last.headers
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"


# ---- Server-to-server keys


def test_a_server_signs_its_requests(server):
    (saved,) = server.modify("public", {"operationType": "create", "record": {"recordType": "Bulletin"}})
    assert saved in server.query("public", {"recordType": "Bulletin"})


def test_the_signed_example_is_refused(server, manual_world):
    """The curl command of the manual, with its content type and its body, to users/lookup/email."""
    difference("servers and users")
    body = manual.LOOK_UP_EMAIL.replace("[user email]", "mei.chen@example.com")
    path = server.subpath("public/users/lookup/email")
    answer = requests.post(server.path + path, data=body, headers=server.headers(path, body), timeout=60)
    assert answer.status_code == 401
    assert_as_manual(answer.json(), manual.error("AUTHENTICATION_FAILED"))
    assert refusal(server.post, "public/users/discover", {"lookupInfos": []}).code == "AUTHENTICATION_FAILED"
    for subpath in ("public/users/current", "public/users/caller"):
        assert_as_manual(server.get(subpath), {"userRecordName": TEXT}, "own user")


def test_a_key_has_an_account_of_its_own(server, mei):
    difference("account of a server")
    own = server.get("public/users/current")["userRecordName"]
    assert own == server.get("public/users/caller")["userRecordName"]
    (saved,) = server.modify("public", {"operationType": "create", "record": {"recordType": "Bulletin"}})
    assert saved["created"]["userRecordName"] == own
    assert own != mei.get("public/users/current")["userRecordName"]


def test_a_key_is_for_the_public_database(server):
    for subpath in ("private/records/query", "private/zones/list", "private/changes/database", "private/users/current"):
        assert refusal(server.post, subpath, QUERY).code == "AUTHENTICATION_FAILED"


def sent(server, headers: dict[str, str], body: str = "{}", target: str = "") -> requests.Response:
    path = server.subpath("public/users/current")
    return requests.post(server.path + path + target, data=body, headers=headers, timeout=60)


def test_a_replay_is_refused(server):
    difference("replays")
    headers = server.headers(server.subpath("public/users/current"), "{}")
    assert sent(server, headers).status_code == 200
    again = sent(server, headers)
    assert again.status_code == 401
    assert_as_manual(again.json(), manual.error("AUTHENTICATION_FAILED"))


def test_a_replay_in_another_form_is_refused(server):
    """A signature (r, s) has others of the same message: (r, n - s), and forms with more bytes than DER prescribes."""
    order = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    headers = server.headers(server.subpath("public/users/current"), "{}")
    name = "X-Apple-CloudKit-Request-SignatureV1"
    der = base64.b64decode(headers[name])
    assert sent(server, headers).status_code == 200
    r, s = der[4 : 4 + der[3]], der[6 + der[3] :]
    other = order - int.from_bytes(s, "big")
    for form in (
        sequence(number(r) + number(other.to_bytes(33, "big").lstrip(b"\0"))),
        sequence(number(b"\0" + r.lstrip(b"\0")) + number(s)),
        der[:1] + b"\x81" + der[1:],
        der + b"\0",
    ):
        assert sent(server, headers | {name: base64.b64encode(form).decode()}).status_code == 401


def sequence(content: bytes) -> bytes:
    return bytes([0x30, len(content)]) + content


def number(digits: bytes) -> bytes:
    digits = b"\0" + digits if digits[0] >= 0x80 else digits
    return bytes([0x02, len(digits)]) + digits


def date(minutes: float) -> str:
    """A date so many minutes from now, as the manual writes it."""
    time = datetime.datetime.now(datetime.UTC) + datetime.timedelta(minutes=minutes)
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.mark.parametrize("minutes", [-11, 11, -60 * 24, 60 * 24 * 365])
def test_another_date_is_refused(server, minutes):
    assert sent(server, server.headers(server.subpath("public/users/current"), "{}", date(minutes))).status_code == 401


@pytest.mark.parametrize("minutes", [-9, 9])
def test_clocks_may_differ_by_minutes(server, minutes):
    assert sent(server, server.headers(server.subpath("public/users/current"), "{}", date(minutes))).status_code == 200


def test_another_body_path_date_key_or_signature_is_refused(server, manual_world):
    path = server.subpath("public/users/current")
    assert sent(server, server.headers(path, "{}"), '{"x": 1}').status_code == 401
    assert sent(server, server.headers(server.subpath("public/users/caller"), "{}")).status_code == 401
    assert sent(server, server.headers(path, "{}") | {"X-Apple-CloudKit-Request-ISO8601Date": date(-1)}).status_code == 401
    assert sent(server, server.headers(path, "{}") | {"X-Apple-CloudKit-Request-KeyID": "0" * 64}).status_code == 401
    assert sent(server, server.headers(path, "{}") | {"X-Apple-CloudKit-Request-SignatureV1": "AAAA"}).status_code == 401
    other = manual_world.server("other")
    assert sent(server, other.headers(path, "{}") | {"X-Apple-CloudKit-Request-KeyID": server.key_id}).status_code == 401
    for name in ("ISO8601Date", "SignatureV1"):
        headers = server.headers(path, "{}")
        del headers[f"X-Apple-CloudKit-Request-{name}"]
        assert sent(server, headers).status_code == 401


def test_what_clients_sign_is_understood(server):
    """The path with its query, and nothing in the place of the hash of no body."""
    difference("signed text")
    path, query = server.subpath("public/users/current"), "?ckjsVersion=2.6.4"
    for signed in (path, path + query):
        assert sent(server, server.headers(signed, "{}"), "{}", query).status_code == 200
    now = date(0)
    empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    for hashed in ("", empty):
        for method in ("GET", "POST"):
            headers = server.signed(now, f"{now}:{hashed}:{path}")
            assert requests.request(method, server.path + path, headers=headers, timeout=60).status_code == 200
    # Only then: the body is what a signature protects.
    assert sent(server, server.signed(now, f"{now}::{path}"), "{}").status_code == 401


def test_a_removed_key_is_refused(manual_world):
    gone = manual_world.server("gone")
    assert gone.get("public/users/current")
    manual_world.kinfolk("server-key", "remove", manual.CONTAINER, gone.key_id, "--environment", manual.ENVIRONMENT)
    assert refusal(gone.get, "public/users/current").code == "AUTHENTICATION_FAILED"
