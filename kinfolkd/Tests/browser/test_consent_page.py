"""The question whether others may find a person."""

import urllib.parse

import pytest
from site_pages import ASKING


def reach_question(site, page, address):
    site.sign_in(page, site.sign_in_url(ASKING), address, "Ada", "Example")
    page.wait_for("blockquote")


def user_after(site, page):
    page.wait("location.pathname === '/done'")
    token = urllib.parse.parse_qs(urllib.parse.urlparse(page.url).query)["ckWebAuthToken"][0]
    return site.user(token, ASKING).json()


@pytest.mark.parametrize("answer", ["granted", "denied"])
def test_the_answer_holds(site, browser, address, answer):
    page = browser().page()
    reach_question(site, page, address)
    page.click(f"[value={answer}]")
    user = user_after(site, page)
    assert ("nameComponents" in user) == (answer == "granted"), user
    # It is asked once.
    site.sign_in(page, site.sign_in_url(ASKING), address)
    assert ("nameComponents" in user_after(site, page)) == (answer == "granted")


@pytest.mark.parametrize(("language", "words", "tag"), [("fr", "peuvent-elles", "fr"), ("ja", "見つけても", "ja"), ("de", "find you", "")])
def test_the_words_are_those_of_the_application(site, browser, address, language, words, tag):
    page = browser(language=language).page()
    reach_question(site, page, address)
    assert words in page.evaluate("document.querySelector('blockquote').textContent")
    # An unknown language is marked as unknown, so that a screen reader does not read English as German.
    assert page.evaluate("document.querySelector('blockquote').lang") == tag


def test_neither_answer_is_suggested(site, browser, address):
    page = browser().page()
    reach_question(site, page, address)
    styles = page.evaluate(
        """Array.from(document.querySelectorAll("[name=discoverability]"), (button) => {
            const {color, backgroundColor, borderColor, width, height, fontWeight} = getComputedStyle(button);
            return [color, backgroundColor, borderColor, width, height, fontWeight].join(" ");
        })"""
    )
    assert len(styles) == 2
    assert styles[0] == styles[1]
    assert page.evaluate("document.activeElement === document.body")


def test_the_answer_can_be_changed_on_the_page_of_the_account(site, browser, address):
    page = browser().page()
    reach_question(site, page, address)
    page.click("[value=denied]")
    page.wait("location.pathname === '/done'")
    site.open_account(page, address)
    page.click("form:has([value=ask-consent]) button")
    page.wait_for("blockquote")
    page.click("[value=granted]")
    page.wait_for(".notice")
    page.click("form:has([value=hide]) button")
    page.wait_for("form:has([value=ask-consent])")
