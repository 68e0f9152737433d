"""The pages with a keyboard alone."""

import audit


def tab_to(page, name):
    """Presses Tab until an element has the focus, and checks that the focus can be seen on the way."""
    for _ in range(30):
        page.press("Tab")
        focus = page.evaluate(audit.FOCUS)
        if focus["tag"] == "body":
            continue
        assert focus["isVisible"], focus
        if focus["name"] == name:
            return
    raise AssertionError(f"Tab never reaches {name}")


def test_a_person_signs_in(site, browser, address):
    page = browser().page(site.sign_in_url())
    page.wait_for("#email")
    tab_to(page, "email")
    page.type(address)
    tab_to(page, "keep")
    page.press("Space")
    assert page.evaluate("document.querySelector('#keep').checked")
    tab_to(page, "Send code")
    page.press("Enter")
    page.wait_for("#code")
    tab_to(page, "code")
    page.type(site.world.code_for(address).lower().replace("-", ""))
    page.press("Enter")
    page.wait_for("#given")
    tab_to(page, "given")
    page.type("Ada")
    page.press("Enter")
    page.wait("location.pathname === '/done'")


def test_every_control_of_the_account_can_be_reached(site, browser, address):
    page = browser().page()
    site.sign_in(page, site.sign_in_url(), address)
    page.wait("location.pathname === '/done'")
    site.open_account(page, address)
    count = page.evaluate("document.querySelectorAll('a[href], button, summary, input:not([type=hidden])').length")
    page.evaluate("document.body.focus()")
    reached = set()
    for number in range(count):
        page.press("Tab")
        focus = page.evaluate(audit.FOCUS)
        assert focus["isVisible"], focus
        reached.add(page.evaluate("Array.from(document.querySelectorAll('a[href], button, input')).indexOf(document.activeElement)"))
        assert len(reached) == number + 1, focus
    tab_to(page, "Erase your account")
    page.press("Enter")
    page.wait_for("#word")
    tab_to(page, "word")
    page.type("erase")
    tab_to(page, "Erase my account")
    page.press("Enter")
    page.wait("!document.querySelector('form')")
    assert "erased" in page.text
