"""The example of a page that finds friends: it works, and the service learns no address and no name of a contact."""

import base64
import hashlib
import json
import pathlib
import subprocess
import urllib.parse

import audit
import pytest
import requests
from chromium import PATIENCE, PHONE

VECTORS = pathlib.Path(__file__).parents[3] / "Tests" / "KinfolkContactsTests" / "Contacts" / "canonical-email-vectors.json"
EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"

CARDS = """BEGIN:VCARD\r
VERSION:4.0\r
N:Wombatowski;Wilhelmina;;;\r
FN:Wilhelmina \r
 Wombatowski\r
item1.EMAIL;TYPE="home,x:y";PREF=1:{friend}\r
EMAIL:wilhelmina.wombatowski@quokkaland.example\r
END:VCARD\r
BEGIN:VCARD\r
VERSION:3.0\r
FN:Numbatowska\\, Leonoretta\r
EMAIL;TYPE=INTERNET:mailto:leonoretta.numbatowska@quokkaland.example\r
END:VCARD\r
"""
TABLE = """\ufeffFirst Name;Last Name;E-mail 1 - Value\r
"Wilhelmina";"Wombatowski";"{friend} ::: wilhelmina.wombatowski@quokkaland.example"\r
"Leonoretta ""N"" ";Numbatowska;\r
"""

# What only the contact file has.
SECRETS = ["wombatowski", "wilhelmina", "numbatowska", "leonoretta", "quokkaland"]


@pytest.fixture(scope="module")
def friend(site):
    """Somebody who lets others find them. The address is that of no other test."""
    address = "findable@example.com"
    person = site.world.sign_in(address, "Gracebrook", "Example")
    decision = {"discoverability": "GRANTED", "wording": {"text": "May others find you?", "version": "1"}}
    answer = requests.post(site.world.kinfolk_url("discoverability"), params=person.items, json=decision, timeout=PATIENCE)
    assert answer.status_code == 200, answer.text
    return address


def sign_in_with_popup(site, context, address):
    page = context.page(site.application.origin + "/friends.html")
    page.wait_for("#popup")
    page.click("#popup")
    popup = context.popup(page)
    popup.wait("location.href !== 'about:blank'")
    site.enter_address(popup, address)
    popup.fill("#code", site.world.code_for(address))
    popup.click("button.main")
    popup.wait_for("#given")
    popup.click("button.main")
    page.wait("document.activeElement.id === 'file'")
    return page


def sent(context):
    """All that the pages of a browser have sent: the texts of the events, and the bodies."""
    texts = []
    for event in context.requests:
        texts.append(json.dumps(event, ensure_ascii=False))
        request = event.get("request", {})
        bodies = [request.get("postData", "")]
        bodies += [base64.b64decode(entry["bytes"]).decode() for entry in request.get("postDataEntries", []) if "bytes" in entry]
        texts += [urllib.parse.unquote_plus(text) for text in [request.get("url", ""), *bodies]]
    return texts


def hash_of(address):
    return base64.b64encode(hashlib.sha256(address.encode()).digest()).decode()


@pytest.mark.parametrize(("name", "text"), [("contacts.vcf", CARDS), ("contacts.csv", TABLE)], ids=["vCard", "CSV"])
def test_the_friend_is_found_and_nothing_else_is_told(site, browser, address, friend, tmp_path, name, text):
    file = tmp_path / name
    # As a person may write it.
    file.write_text(text.format(friend=" Findable@EXAMPLE.com"), encoding="utf-8", newline="")
    context = browser()
    page = sign_in_with_popup(site, context, address)
    page.choose_file("#file", file)
    page.wait_for("#people li")
    assert page.evaluate("document.querySelector('#people').innerText") == "Gracebrook Example (in your contacts: Wilhelmina Wombatowski)"
    assert page.evaluate("document.querySelector('#status').textContent") == "1 friend was found."

    discoveries = [event["request"] for event in context.requests if "/discovery/hashes" in event.get("request", {}).get("url", "")]
    hashes = json.loads(discoveries[0]["postData"])["hashes"]
    wanted = [friend, "wilhelmina.wombatowski@quokkaland.example"] + (["leonoretta.numbatowska@quokkaland.example"] if name == "contacts.vcf" else [])
    assert sorted(hashes) == sorted(map(hash_of, wanted))
    for line in sent(context):
        found = [secret for secret in [*SECRETS, friend, "findable"] if secret in line.lower()]
        assert not found, (found, line)

    # The last request, so that the log of those before it is written.
    requests.get(site.world.base + "/the-end-of-" + name, timeout=PATIENCE)
    log = site.world.services[0].log
    assert len(log.all) > 5, "each request is logged at this level"
    secrets = [*SECRETS, friend, "findable", address, *hashes, "Gracebrook"]
    for line in log.all:
        found = [secret for secret in secrets if secret.lower() in line.lower()]
        assert not found, (found, line)


def test_the_sign_in_comes_back_to_the_page(site, browser, address):
    context = browser()
    page = context.page(site.application.origin + "/friends.html")
    page.wait_for("#redirect")
    page.click("#redirect")
    page.wait("location.pathname.startsWith('/sign-in/')")
    site.enter_address(page, address)
    site.enter_code(page, address)
    site.enter_name(page)
    page.wait_for("#search:not([hidden])")
    assert page.url == site.application.origin + "/friends.html"
    page.click("#sign-out")
    page.wait_for("#sign-in:not([hidden])")
    page.wait("document.querySelector('#status').textContent === 'You are signed out.'")


def test_a_code_that_this_page_did_not_ask_for_is_not_redeemed(site, browser):
    context = browser()
    page = context.page(site.application.origin + "/friends.html?code=abc&state=def")
    page.wait("document.querySelector('#status').textContent.includes('not begun here')")
    assert not any("/token" in event.get("request", {}).get("url", "") for event in context.requests)


def test_a_message_of_another_window_is_not_believed(site, browser):
    context = browser()
    page = context.page(site.application.origin + "/friends.html")
    page.wait_for("#popup")
    page.click("#popup")
    popup = context.popup(page)
    popup.wait("location.href !== 'about:blank'")
    popup.wait_for("#email")
    # From the right window after it went to another page, and from another window.
    popup.evaluate(f"void (location.href = '{site.application.origin}/done')")
    popup.wait_for("#back")
    popup.evaluate("opener.postMessage({ckWebAuthToken: 'forged'}, '*')")
    page.evaluate("postMessage({ckWebAuthToken: 'forged'}, '*')")
    page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))")
    assert page.evaluate("sessionStorage.getItem('token')") is None


@pytest.mark.parametrize("dark", [False, True])
def test_anybody_can_use_the_page(site, browser, address, dark):
    context = browser(size=PHONE, dark=dark)
    page = context.page(site.application.origin + "/friends.html")
    page.wait_for("#sign-in:not([hidden])")
    audit.check(page)
    for name in ("popup", "redirect"):
        page.press("Tab")
        focus = page.evaluate(audit.FOCUS)
        assert (focus["name"], focus["isVisible"]) == (name, True)
    page.evaluate("for (const section of document.querySelectorAll('section')) section.hidden = false")
    audit.check(page)


def test_canonical_addresses_are_those_of_the_library(site, browser):
    page = browser().page(site.application.origin + "/done")
    vectors = json.loads(VECTORS.read_text())
    inputs = [vector["input"] for vector in vectors["valid"] + vectors["refused"]]
    found = page.evaluate(f"import('/contacts.js').then(({{canonicalAddress}}) => {json.dumps(inputs)}.map(canonicalAddress))")
    count = len(vectors["valid"])
    wrong = [
        (vector["name"], vector["input"], actual, vector["canonical"])
        for vector, actual in zip(vectors["valid"], found[:count])
        if actual != vector["canonical"]
    ]
    assert not wrong
    # The page says that some refused addresses get a form. Plain mistakes must not.
    plain = {
        "noAtSign",
        "emptyLocalPart",
        "emptyDomain",
        "localPartTooLong",
        "addressTooLong",
        "misplacedDot",
        "quotedLocalPart",
        "unqualifiedDomain",
    }
    accepted = [
        (vector["name"], vector["input"], actual)
        for vector, actual in zip(vectors["refused"], found[count:])
        if actual is not None and vector["reason"] in plain
    ]
    assert not accepted


@pytest.mark.parametrize("name", ["contacts.vcf", "people.csv"])
def test_the_hashes_of_the_example_files_are_those_of_the_command(site, browser, name):
    page = browser().page(site.application.origin + "/done")
    file = EXAMPLES / name
    hashes = page.evaluate(
        f"""import('/contacts.js').then(async ({{contactsByHash, readContacts}}) =>
            [...(await contactsByHash(readContacts({json.dumps(file.read_text())}))).keys()])"""
    )
    command = [site.world.kinfolk_path, "contacts", str(file), "--hashes", "--json"]
    shown = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout)
    missing = {each["hash"] for each in shown["hashes"]} ^ {base64.b64decode(each).hex() for each in hashes}
    # The page does not read a card that is the value of AGENT in another card (RFC 2426, section 3.5.4).
    agent = hashlib.sha256(b"omar.sato@office.example.com").hexdigest()
    assert missing <= {agent} if name == "contacts.vcf" else not missing
