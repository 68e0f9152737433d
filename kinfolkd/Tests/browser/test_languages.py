"""All pages in all languages, on a phone, in light and dark: what a person can read, reach and hit."""

import audit
import pytest
from chromium import PHONE
from site_pages import ASKING

TITLES = {
    "en": "Sign in to Notes",
    "fr": "Se connecter à Notes",
    "de": "Bei Notes anmelden",
    "es": "Iniciar sesión en Notes",
    "it": "Accedi a Notes",
    "ja": "Notesにサインイン",
}
# The languages of browsers; the service does not have all of them.
ACCEPTED = {"en": "nl,en-GB", "fr": "fr-CA,en", "de": "rm,de-CH,en", "es": "es-MX", "it": "it-CH,de", "ja": "ja"}


@pytest.mark.parametrize(("language", "dark"), [(language, number % 2 == 1) for number, language in enumerate(TITLES)])
def test_every_page(site, browser, address, language, dark):
    context = browser(language=ACCEPTED[language], dark=dark, size=PHONE)
    page = context.page(site.sign_in_url(ASKING))
    assert page.evaluate("document.querySelector('h1').textContent") == TITLES[language]
    seen = []
    for name in site.walk(page, address):
        seen.append(name)
        audit.check(page, language)
    assert "consent" in seen


def test_every_page_on_a_large_screen(site, browser, address):
    page = browser().page(site.sign_in_url(ASKING))
    for _ in site.walk(page, address):
        audit.check(page)


def test_another_language_can_be_chosen_and_stays(site, browser, address):
    _, challenge = site.pkce()
    return_url = site.application.origin + "/other"
    url = site.sign_in_url(redirect_uri=return_url, code_challenge=challenge, code_challenge_method="S256", state="kept")
    page = browser().page(url)
    page.click("[hreflang=fr]")
    page.wait("document.documentElement.lang === 'fr'")
    site.enter_address(page, address)
    assert page.evaluate("document.documentElement.lang") == "fr"
    code = site.world.code_for(address)
    page.click("[hreflang=ja]")
    page.wait("document.documentElement.lang === 'ja'")
    # The code that is on its way is still valid.
    page.fill("#code", code)
    page.click("button.main")
    page.wait("!document.querySelector('#code')")
    site.enter_name(page)
    # The sign-in still returns where it was asked to.
    page.wait("location.pathname === '/other'")
    assert page.evaluate("new URL(location).searchParams.get('ckWebAuthToken')") is None
    assert page.evaluate("new URL(location).searchParams.get('state')") == "kept"


def test_the_mail_has_the_language_of_the_page(site, browser, address):
    page = browser(language="de").page(site.sign_in_url())
    site.enter_address(page, address)
    mail = site.world.mail_to(address)
    assert "Ihr Code" in mail["Subject"]
    assert "Der Code gilt 10 Minuten." in mail.get_content()
