"""Signing in by a redirect: to the pages of the service, and back to the application."""

import urllib.parse

import requests
from chromium import PATIENCE


def items_of(page):
    page.wait("location.pathname === '/done'")
    return {name: values[0] for name, values in urllib.parse.parse_qs(urllib.parse.urlparse(page.url).query).items()}


def redeem(site, **body):
    return requests.post(site.world.kinfolk_url("token"), params={"ckAPIToken": site.world.api_token}, json=body, timeout=PATIENCE)


def test_an_application_gets_a_code_and_redeems_it_once(site, browser, address):
    verifier, challenge = site.pkce()
    return_url = site.application.origin + "/done"
    url = site.sign_in_url(redirect_uri=return_url, code_challenge=challenge, code_challenge_method="S256", state="a b&c")
    page = browser().page()
    site.sign_in(page, url, address, "Ada", "Example")
    items = items_of(page)
    assert items.keys() == {"code", "state"}
    assert items["state"] == "a b&c"
    body = {"code": items["code"], "code_verifier": verifier, "redirect_uri": return_url}
    token = redeem(site, **body).json()["ckWebAuthToken"]
    assert site.user(token).json()["userRecordName"]
    assert redeem(site, **body).status_code == 401


def test_an_application_of_the_old_protocol_gets_the_token(site, browser, address):
    page = browser().page()
    site.sign_in(page, site.sign_in_url(), address)
    items = items_of(page)
    assert items.keys() == {"ckWebAuthToken", "ckSession"}
    assert site.user(items["ckWebAuthToken"]).json()["userRecordName"]


def test_a_url_that_is_not_registered_gets_nothing(site, browser):
    page = browser().page(site.sign_in_url(redirect_uri=site.application.origin + "/done/other"))
    assert page.statuses[page.url] == 400
    assert not page.exists("form")


def test_mistakes_are_explained_and_keep_the_focus(site, browser, address):
    page = browser().page(site.sign_in_url())
    page.wait_for("#email")
    for text in ("", "nonsense"):
        page.fill("#email", text)
        page.click("button.main")
        page.wait("document.activeElement.matches('.errors')")
        assert page.evaluate("document.title").startswith("Error: ")
        assert page.evaluate("document.querySelector('#email').getAttribute('aria-invalid')") == "true"
        assert page.evaluate("document.querySelector('#email').value") == text
    page.click(".errors a")
    page.wait("document.activeElement.id === 'email'")
    site.enter_address(page, address)
    page.fill("#code", "AAAA-AAAA")
    page.click("button.main")
    page.wait_for(".errors")
    assert "1 try" not in page.text, "four more tries are possible"
    site.enter_code(page, address)
    site.enter_name(page)
    assert items_of(page)


def test_a_link_that_is_no_link_is_explained(site, browser):
    page = browser().page(site.world.base + "/sign-in/" + "A" * 150)
    assert page.statuses[page.url] == 400
    assert page.exists("h1")


def test_a_form_of_another_browser_is_refused(site, browser, address):
    """Nobody can make somebody else continue a sign-in that they began."""
    url = site.sign_in_url()
    first, second = browser().page(url), browser().page(url)
    first.wait_for("#email")
    second.wait_for("#email")
    flow = first.evaluate("document.querySelector('[name=flow]').value")
    second.evaluate(f"document.querySelector('[name=flow]').value = {flow!r}")
    second.fill("#email", address)
    second.click("button.main")
    second.wait("!document.querySelector('#email')")
    assert not second.exists("#code")
    assert second.statuses[second.url] == 403
