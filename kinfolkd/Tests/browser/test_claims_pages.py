"""Somebody else proves an address of a person. The person is told, and refuses."""


def claim(site, browser, address, claimant):
    """The claimant can read the mails of the address, and adds it to their own account."""
    page = browser().page()
    site.open_account(page, claimant)
    page.fill("#email", address)
    page.click("form:has(#email) button")
    page.wait_for("#code")
    site.enter_code(page, address)
    return page


def test_a_person_refuses_a_takeover_of_their_address(site, browser, address):
    owner = browser().page()
    site.open_account(owner, address, "Ada")
    claimant = claim(site, browser, address, "claimant-" + address)
    assert "has been added" not in claimant.text
    notice = site.world.mail_to(address)
    assert site.account_url in notice.get_content()

    site.open_account(owner, address)
    assert owner.exists("#claims")
    owner.click("form:has([value=refuse-claim]) button")
    owner.wait_for("[name=confirmed]")
    owner.click("button.main")
    owner.wait_for("#code")
    site.enter_code(owner, address)
    owner.wait_for(".notice")
    assert not owner.exists("form:has([value=refuse-claim])")
    assert address in owner.evaluate("document.querySelector('#addresses ~ .items').textContent")
    # It is still the way to the account of its owner.
    site.open_account(owner, address)
    assert "Ada" in owner.text


def test_a_claimant_does_not_have_the_address(site, browser, address):
    owner = browser().page()
    site.open_account(owner, address, "Ada")
    claimant = claim(site, browser, address, "claimant-" + address)
    claimant.wait_for("#addresses")
    site.world.mail_to(address)  # the notice
    page = browser().page()
    site.open_account(page, address)
    assert "Ada" in page.text
