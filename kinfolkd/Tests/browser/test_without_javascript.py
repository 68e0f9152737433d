"""The pages without JavaScript."""


def test_a_person_signs_in_and_comes_back(site, browser, address):
    page = browser(javascript=False).page()
    site.sign_in(page, site.sign_in_url(), address, "Ada")
    page.wait("location.pathname === '/done'")
    assert "ckWebAuthToken=" in page.url


def test_a_person_adds_an_address_to_the_account(site, browser, address):
    page = browser(javascript=False).page()
    site.open_account(page, address)
    page.fill("#email", "second-" + address)
    page.click("form:has(#email) button")
    page.wait_for("#code")
    site.enter_code(page, "second-" + address)
    page.wait_for(".notice")
    assert "second-" + address in page.text


def test_a_popup_says_that_it_needs_javascript(site, browser, address):
    page = browser(javascript=False).page()
    site.sign_in(page, site.sign_in_url(origin=site.application.origin), address)
    page.wait_for("noscript .error")
    assert "JavaScript" in page.text
