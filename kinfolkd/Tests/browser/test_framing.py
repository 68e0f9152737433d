"""No other website can show the pages inside its own."""

import pytest


@pytest.mark.parametrize("path", ["sign-in", "account", "error"])
def test_a_frame_stays_empty(site, browser, path):
    url = {"sign-in": site.sign_in_url(), "account": site.account_url, "error": site.world.base + "/sign-in/none"}[path]
    context = browser()
    page = context.page(f"{site.application.origin}/frame#{url}")
    context.chromium.wait(lambda: page.failures, "the frame is refused")
    assert [failure["errorText"] for failure in page.failures] == ["net::ERR_BLOCKED_BY_RESPONSE"]
    assert any("frame-ancestors 'none'" in message for message in page.messages), list(page.messages)


def test_a_page_of_the_application_can_be_framed(site, browser):
    """Otherwise the frames could be empty for another reason."""
    context = browser()
    page = context.page(f"{site.application.origin}/frame#{site.application.origin}/done")
    page.wait("document.querySelector('#frame').contentDocument.querySelector('#back')")
    assert not page.failures
