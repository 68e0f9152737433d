"""What a person does at /account."""

import json

import requests
from chromium import PATIENCE


def begin_session(site, address, **options):
    """Signs the person in to the application elsewhere."""
    person = site.world.sign_in(address, **options)
    assert is_signed_in(site, person)
    return person


def is_signed_in(site, person):
    answer = requests.get(site.world.url("users/current"), params=person.items, timeout=PATIENCE)
    assert answer.status_code in (200, 421), answer.text
    return answer.status_code == 200


def submit(page, step):
    page.click(f"form:has([value={step}]) button")


def test_sign_out_everywhere_ends_all_sessions(site, browser, address):
    people = [begin_session(site, address), begin_session(site, address, keep=True)]
    page = browser().page()
    site.open_account(page, address)
    assert page.evaluate("document.querySelectorAll('.devices li').length") == 2
    submit(page, "sign-out-everywhere")
    page.wait_for("[name=confirmed]")
    assert all(is_signed_in(site, person) for person in people), "nothing happens before the person confirms"
    page.click("button.main")
    page.wait("!document.querySelector('[name=confirmed]')")
    assert not any(is_signed_in(site, person) for person in people)
    # The page has said that it includes this browser.
    assert not page.exists("form"), page.text


def test_one_device_is_signed_out(site, browser, address):
    people = [begin_session(site, address), begin_session(site, address)]
    page = browser().page()
    site.open_account(page, address)
    submit(page, "sign-out-device")
    page.wait("document.querySelectorAll('.devices li').length === 1")
    assert sorted(is_signed_in(site, person) for person in people) == [False, True]


def test_after_signing_out_the_history_does_not_show_the_account(site, browser, address):
    page = browser().page()
    site.open_account(page, address)
    page.click("[hreflang=de]")
    page.wait("document.documentElement.lang === 'de'")
    account_url = page.url
    assert page.exists("#addresses")
    submit(page, "sign-out")
    page.wait("!document.querySelector('#addresses')")
    page.go(account_url)
    assert not page.exists("#addresses")
    assert address not in page.text


def test_an_address_is_added_and_removed(site, browser, address):
    other = "other-" + address
    page = browser().page()
    site.open_account(page, address)
    page.fill("#email", other)
    submit(page, "add-address")
    page.wait_for("#code")
    site.enter_code(page, other)
    page.wait_for(".notice")
    assert page.evaluate("document.querySelectorAll('#addresses ~ .items li').length") == 2
    page.click(f"form:has([value=remove-address]):has([value='{other}']) button")
    page.wait_for("button.danger")
    page.click("button.danger")
    page.wait_for(".notice")
    assert other not in page.text


def test_the_export_is_downloaded(site, browser, address, tmp_path):
    begin_session(site, address, given="Ada", family="Example")
    context = browser()
    context.chromium.call("Browser.setDownloadBehavior", behavior="allow", browserContextId=context.identifier, downloadPath=str(tmp_path))
    page = context.page()
    site.open_account(page, address)
    page.click("[href*='show=export']")
    page.wait_for("[value=export]")
    page.click("button.main")
    file = tmp_path / "export.json"
    context.chromium.wait(lambda: page.chromium.handle(0.02) or file.exists(), "a download")
    exported = json.loads(file.read_text())
    assert address in json.dumps(exported)
    assert "Example" in json.dumps(exported)


def test_an_account_is_erased_after_the_word_was_typed(site, browser, address):
    person = begin_session(site, address, given="Ada")
    page = browser().page()
    site.open_account(page, address)
    page.click("[href*='show=erase']")
    page.wait_for("#word")
    page.fill("#word", "no")
    page.click("button.danger")
    page.wait_for(".errors")
    assert is_signed_in(site, person)
    page.fill("#word", "erase")
    page.click("button.danger")
    page.wait("!document.querySelector('form')")
    assert not is_signed_in(site, person)
    # The address is free: the next sign-in makes a new account, and so asks for a name.
    site.sign_in(page, site.account_url, address)
    assert "Ada" not in page.text


def test_no_button_leads_to_a_question_that_the_container_does_not_have(site, browser, address):
    begin_session(site, address)
    page = browser().page()
    site.open_account(page, address)
    assert not page.exists("[value=ask-consent]")
