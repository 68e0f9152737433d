"""Signing in in a popup, which gives the token to the page that opened it, and to no other."""

import json


def open_popup(site, context, url):
    opener = context.page(f"{site.application.origin}/popup#{url}")
    opener.click("#sign-in")
    return opener, context.popup(opener)


def test_the_page_that_opened_the_popup_gets_the_token(site, browser, address):
    context = browser()
    opener, popup = open_popup(site, context, site.sign_in_url(origin=site.application.origin))
    site.enter_address(popup, address)
    popup.fill("#code", site.world.code_for(address))
    popup.click("button.main")
    popup.wait_for("#given")
    popup.click("button.main")
    opener.wait("document.querySelector('#messages li')")
    message = json.loads(opener.evaluate("document.querySelector('#messages li').textContent"))
    assert message["origin"] == site.world.base
    token = message["data"]["ckWebAuthToken"]
    assert message["data"] == {"ckWebAuthToken": token, "ckSession": token}
    context.chromium.wait(lambda: popup.is_closed, "the popup closes itself")
    assert site.user(token, origin=site.application.origin).json()["userRecordName"]


def test_a_page_of_another_origin_that_opened_the_popup_gets_nothing(site, browser, address):
    context = browser()
    url = site.sign_in_url(origin=site.application.origin)
    # The same website under another name is another origin.
    opener = context.page(site.application.origin.replace("localhost", "127.0.0.1") + "/popup#" + url)
    opener.click("#sign-in")
    popup = context.popup(opener)
    site.enter_address(popup, address)
    popup.fill("#code", site.world.code_for(address))
    popup.click("button.main")
    popup.wait_for("#given")
    popup.click("button.main")
    context.chromium.wait(lambda: popup.is_closed, "the popup closes itself")
    assert not opener.exists("#messages li")


def test_a_window_without_an_opener_says_so(site, browser, address):
    page = browser().page()
    site.sign_in(page, site.sign_in_url(origin=site.application.origin), address)
    page.wait_for("#lost:not([hidden])")


def test_a_page_of_an_origin_that_is_not_registered_gets_no_link(site):
    asked = site.user(origin="http://evil.example.com")
    assert asked.status_code == 403
    assert "redirectURL" not in asked.json()
