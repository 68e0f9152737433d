"""Nothing from outside becomes markup of a page, or a header of a mail."""

from __future__ import annotations

import html.parser
import time
from email import message_from_bytes, policy
from urllib.parse import quote

from world import CONTAINER

from ..browser import REFRESH, Browser
from ..finding import Finding, Length, Tally, require
from ..scene import RETURN_URL, Scene
from ..wire import Reply

NAME = "pages"
PROMISE = "markup"

VALUES = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title><script>alert(1)</script>",
    "&lt;b&gt;",
    "{{7*7}}",
    "{application}",
    "\u202ekcatta",
    "a\u0000b",
    "<!--",
    "]]>",
    "</textarea><b>",
    "javascript:alert(1)",
    "\ufeff<b>",
    "<\u0301script>",
    "${x}",
    "%3Cb%3E",
)


class Structure(html.parser.HTMLParser):
    """The tags of a page with the names of their attributes, and the values of those that act."""

    ACTING = ("href", "action", "src", "http-equiv", "type", "method")

    def __init__(self, page: Reply) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[object] = []
        self.feed(page.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(
            (
                tag,
                tuple(name for name, _ in attrs),
                tuple((value or "").partition("?")[0].partition("/sign-in/")[0] for name, value in attrs if name in self.ACTING),
            )
        )

    def handle_endtag(self, tag: str) -> None:
        self.tags.append("/" + tag)

    def handle_comment(self, data: str) -> None:
        self.tags.append("comment")


def run(scene: Scene, length: Length) -> list[Finding]:
    return [names(scene), requests(scene), applications(scene), mails(scene)]


def same(tally: Tally, page: Reply, usual: Reply, what: str) -> None:
    left, right = Structure(page).tags, Structure(usual).tags
    difference = next(((a, b) for a, b in zip(left, right) if a != b), None)
    tally.check(left == right, f"{what}: {difference or 'more tags'}")


def names(scene: Scene) -> Finding:
    """The name of a person on the page of the account."""
    tally = Tally()
    member = scene.sign_in(None, "Ann", "Lee")
    _, usual = scene.account_page(member.address)
    for value in VALUES:
        other = scene.sign_in(None, value, value)
        _, page = scene.account_page(other.address)
        same(tally, page, usual, repr(value))
        tally.check(("alert(1)<" not in page.text and value not in page.text) or "<" not in value, f"{value!r} is not escaped")
    return tally.finding("names of people with markup, {} checks", "text, and nothing else")


def requests(scene: Scene) -> Finding:
    """What a link or a form brings: addresses, codes, states, languages, URLs."""
    tally = Tally()
    link = scene.link()
    target = link[link.index("/sign-in/") :]
    wire = scene.wire
    usual = {
        "lang": wire.ask("GET", f"{target}?lang=x"),
        "redirect_uri": wire.ask("GET", f"{target}?redirect_uri=x"),
        "path": wire.ask("GET", "/sign-in/xxx"),
        "accept": wire.ask("GET", target, None, {"Accept-Language": "en"}),
    }
    forms = Browser(wire)
    forms.open(link)
    flow = forms.flow
    wrong = forms.send(step="address", email="nothing")
    forms.flow = flow
    code_page = forms.send(step="address", email=scene.new_address())
    wrong_code = forms.send(step="code", code="x")
    require("errors" in wrong.text and "errors" in wrong_code.text and code_page.status == 200, "the usual pages are not as expected")
    for value in VALUES:
        coded = quote(value)
        same(tally, wire.ask("GET", f"{target}?lang={coded}"), usual["lang"], f"lang {value!r}")
        same(tally, wire.ask("GET", f"{target}?redirect_uri={coded}"), usual["redirect_uri"], f"redirect_uri {value!r}")
        same(tally, wire.ask("GET", f"/sign-in/{coded}"), usual["path"], f"path {value!r}")
        page = wire.ask("GET", target, None, {"Accept-Language": value.encode().decode("latin-1").replace("\0", "")})
        same(tally, page, usual["accept"], f"Accept-Language {value!r}")
        forms.flow = flow
        same(tally, forms.send(step="address", email=value), wrong, f"email {value!r}")
        # An address whose code has tries left.
        forms.flow = flow
        forms.send(step="address", email=scene.new_address())
        same(tally, forms.send(step="code", code=value), wrong_code, f"code {value!r}")
        same(tally, forms.send(step="code", code="x", lang=value), wrong_code, f"lang of a form {value!r}")
    # An address that is valid and has what it may have.
    for local in ("o'brien&co", "a+b=c", "x{y}|z~", "`id`", "a/b?c#d", "ü.é", "$HOME"):
        forms.flow = flow
        page = forms.send(step="address", email=f"{local}@example.com")
        if 'name="code"' in page.text:
            same(tally, page, code_page, f"the address {local!r}")
        tally.check(f"{local}@" not in page.text.replace("&#39;", "").replace("&amp;", "") or "&" not in local, f"the address {local!r}")
    return tally.finding("links, forms and headers with markup, {} pages", "the same tags as usual")


def applications(scene: Scene) -> Finding:
    """The name that the operator gave an application, on all pages up to the return."""
    tally = Tally()

    def pages_of(token: str) -> list[Reply]:
        browser = Browser(scene.wire)
        found = [browser.open(scene.link(token))]
        address = scene.new_address()
        found.append(browser.send(step="address", email=address))
        found.append(browser.send(step="code", code="AAAA-AAAA"))
        found.append(browser.send(step="code", code=scene.code_for(address)))
        found.append(browser.send(step="names", given="A", family="B"))
        require(REFRESH.search(found[-1].text), "a sign-in did not end")
        return found

    usual = pages_of(scene.token)
    for number, value in enumerate(VALUES[:6]):
        try:
            name = f"{value}{number}"
            token = scene.world.make_token(name, "--return-url", RETURN_URL)
        except AssertionError:
            continue  # the operator cannot give it that name
        for page, like in zip(pages_of(token), usual):
            same(tally, page, like, f"the application {value!r}")
    require(CONTAINER, "")
    return tally.finding("names of applications with markup, {} pages", "the same tags as usual")


HEADERS = {"To", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding", "Auto-Submitted"}


def mails(scene: Scene) -> Finding:
    """Addresses and names that try to add headers, recipients and options to a mail."""
    tally = Tally()
    link = scene.link()
    for path in scene.world.mails.glob("*.mail"):
        path.unlink()
    attempts = [
        "a@example.com\r\nBcc: b@example.com",
        "a@example.com\nBcc: b@example.com",
        "a@example.com,b@example.com",
        "a@example.com b@example.com",
        "a@example.com;b@example.com",
        "<a@example.com>",
        '"a b"@example.com',
        '"a\r\nBcc: x@example.com"@example.com',
        "a@example.com%0aBcc: b@example.com",
        "-oQ/tmp@example.com",
        "a(comment)@example.com",
        "a@[127.0.0.1]",
        "a@example.com\0b",
        "A <a@example.com>",
        "a@example.com\u2028Bcc: b@example.com",
        "a@example.com>",
        "|id@example.com",
        "`id`@example.com",
        "$(id)@example.com",
        "a@exam\u00adple.com",
        "a@b@example.com",
        "undisclosed:a@example.com;",
        "=?utf-8?Q?a=40b?=@example.com",
        "a@example.com\t",
        " a@example.com",
        "a@example.com\x0bb",
    ]
    for address in attempts:
        browser = Browser(scene.wire)
        browser.open(link)
        page = browser.send(step="address", email=address)
        tally.check(page.status in (200, 400), f"{address!r}: {page.status}")
    for name in (
        "Notes\r\nBcc: b@example.com",
        "Notes\nX: y",
        "Notes\u2028Bcc: b@example.com",
        "Notes " + "x" * 300,
        "=?utf-8?B?eA==?=",
        "N\u00f6tes \U0001f4dd",
    ):
        try:
            token = scene.world.make_token(name[:90], "--return-url", RETURN_URL)
        except AssertionError:
            continue
        browser = Browser(scene.wire)
        browser.open(scene.link(token))
        browser.send(step="address", email=scene.new_address())
    time.sleep(0.4)
    for path in scene.world.mails.glob("*.mail"):
        data = path.read_bytes()
        mail = message_from_bytes(data, policy=policy.default)
        recipients = mail["To"].addresses if mail["To"] else ()
        tally.check(set(mail.keys()) == HEADERS, f"a mail has the headers {sorted(mail.keys())}")
        tally.check(len(recipients) == 1, f"a mail has {len(recipients)} recipients: {mail['To']!r}")
        tally.check(b"Bcc" not in data.partition(b"\n\n")[0] and b"\r" not in data, "a mail has a line more")
        tally.check("Bcc" not in (mail["Subject"] or "") or "\n" not in mail["Subject"], "the subject has a line break")
        path.unlink()
    return tally.finding(
        f"{len(attempts)} addresses and names of applications that hold headers, {{}} checks of pages and mails", "one recipient, six headers"
    )
