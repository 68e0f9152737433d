"""Compares the library with docs/canonical-email.md, the specification for other implementations."""

from __future__ import annotations

import json
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import canonical_email as page
import pytest

import kinfolk

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/canonical-email.md").read_text(encoding="utf-8")
CONTACTS = ROOT / "Tests/KinfolkContactsTests/Contacts"
VECTORS = json.loads((CONTACTS / "canonical-email-vectors.json").read_text(encoding="utf-8"))
REASONS = {sentence: name for name, sentence in re.findall(r"^\| `(\w+)` \| ([^|]+\.) \|$", PAGE, re.MULTILINE)}


def by_library(text: str) -> str:
    """The canonical form, or the reason for refusing the address."""
    try:
        return kinfolk.canonical_email(text)
    except kinfolk.InvalidArgument as error:
        return REASONS[error.reason]


def by_page(text: str) -> str:
    try:
        return page.canonical(text)
    except page.Refused as refused:
        return str(refused)


def snippet() -> Callable[[str], bytes]:
    """The Python function that is shown on the page."""
    names: dict[str, Any] = {}
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code
    exec(code[1], names)  # noqa: S102  # the page is ours
    function: Callable[[str], bytes] = names["contact_hash"]
    return function


def test_the_page_names_every_reason() -> None:
    assert len(REASONS) == 13
    assert {vector["reason"] for vector in VECTORS["refused"]} == set(REASONS.values()) - {"notUTF8"}


def test_the_snippet_makes_the_examples_of_the_page() -> None:
    examples = re.findall(r"^\| `([^`]+)`[^|]* \| `([^`]+)`[^|]* \| `([0-9a-f]{16})…` \|$", PAGE, re.MULTILINE)
    assert len(examples) == 4
    for written, canonical, digest in examples:
        assert snippet()(written).hex().startswith(digest)
        assert kinfolk.contact_hash(written).hex().startswith(digest)
        assert kinfolk.canonical_email(written) == unicodedata.normalize("NFC", canonical)


def test_the_snippet_makes_the_hash_of_every_valid_vector() -> None:
    make = snippet()
    assert [vector["name"] for vector in VECTORS["valid"] if make(vector["input"]).hex() != vector["sha256"]] == []


@pytest.mark.parametrize("text", ["", "@", "nobody", "ada@", "@example.com"])
def test_the_snippet_refuses_a_text_that_lacks_a_part(text: str) -> None:
    with pytest.raises(ValueError, match="not an e-mail address"):
        snippet()(text)
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.contact_hash(text)


@pytest.mark.parametrize("kind", ["valid", "refused"])
def test_the_page_alone_gives_the_published_vectors(kind: str) -> None:
    assert len(VECTORS[kind]) > 500
    expected = {"valid": "canonical", "refused": "reason"}[kind]
    assert [vector["name"] for vector in VECTORS[kind] if by_page(vector["input"]) != vector[expected]] == []


def test_the_library_and_the_page_alone_agree_on_random_addresses() -> None:
    addresses = RandomAddresses(14)
    outcomes: Counter[str] = Counter()
    differences = []
    for _ in range(20_000):
        text = addresses.address()
        result = by_page(text)
        outcomes[result if "@" not in result else "accepted"] += 1
        if by_library(text) != result:
            differences.append((text, by_library(text), result))
    assert differences == []
    # There are enough addresses of each kind.
    assert outcomes["accepted"] > 5_000
    assert set(outcomes) == {"accepted"} | set(REASONS.values()) - {"notUTF8"}
    assert min(outcomes.values()) > 30


class RandomAddresses:
    """Addresses that are valid, nearly valid, international or hostile."""

    ASCII = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789"
    ALPHABETS = (
        "äöüÄÖÜßẞéÉıİiIñçÇøåł",
        "αβγΑΒΓΣσςΐΰὀᾳΩΩ͵",
        "абвАБВёЁйЙӀӏіїґ",
        "山田太郎やまだヤマダーﾔﾏﾀﾞ・々〇ゝ",
        "김민수가각\u1100\u1161\u11a8",
        "אבגד\u05b0\u05f3\u05f41",
        "محمدعليپ١٢٣۱۲\u200c\u064b\u0640",
        "रामक्षि\u093c\u094d\u200d\u200c",
        "สมชายกำ่",
        "ＡＢＣａｂｃ１２３．＋－＠",
        "aeols\u0301\u0308\u0323\u0307\u0304\u0345·",
        "ⴀⴁႠႡაბᲐᲑꭰꭱᎠᎡ𞤀𞤢",
        "ǆǅﬁﬀℌ²½①㈱ªº℀≠",
        "ܐܒܓߊߋߵࠀࠁ\u07eb",
    )
    MARKS = "!#$%&'*+-/=?^_`{|}~.."
    HOSTILE = (
        " \t\n\x0b\x1c\x1f\x7f\x85\xa0\xad\u034f\u061c\u115f\u1680\u180b\u180e\u200b\u200c\u200d\u200e\u2028\u202e"
        "\u2060\u2063\u2066"
        '\u3000\ufdd0\ufe0f\ufeff\ufffd\uffff\U000e0001\U000e0100\U0010ffff\ue000\u0378"(),:;<>[\\]@＠。．｡\u0338\u20e3\U0001d165👍'
    )

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311  # reproducible, not secret
        # The characters of Unicode 3.2 have nearly the same properties in all later versions.
        self.assigned = [
            chr(code)
            for code in range(0x80, 0x30000)
            if unicodedata.ucd_3_2_0.category(chr(code)) not in ("Cn", "Cs") and not 0xE000 <= code <= 0xF8FF
        ]

    def address(self) -> str:
        text = self.local_part() + "@" + self.domain()
        chance = self.random.random()
        if chance < 0.25:
            return self.disturbed(text)
        if chance < 0.27:
            return self.random.choice(
                ["", "@", "ada@", "@example.com", "ada", "ada@@", "＠", "ada＠", "[ada", " @ ", "a@[b", "a@["]
            )
        if chance < 0.29:
            return self.random.choice(self.HOSTILE) + text + self.random.choice(self.HOSTILE)
        return text

    def local_part(self) -> str:
        chance = self.random.random()
        if chance < 0.3:
            text = self.some(self.ASCII, 12)
        elif chance < 0.5:
            text = self.some(self.ASCII + self.MARKS, 12)
        elif chance < 0.85:
            text = self.some(self.alphabet(), 8)
        elif chance < 0.9:
            text = self.some(self.assigned, 3)
        elif chance < 0.93:
            text = self.some(self.ASCII, 6) * self.random.randint(1, 14)
        elif chance < 0.95:
            text = '"' + self.some(self.ASCII, 5) + '"'
        else:
            text = self.some(self.alphabet(), 4) + self.random.choice(".-_1") + self.some(self.alphabet(), 4)
        return text

    def domain(self) -> str:
        chance = self.random.random()
        if chance < 0.02:
            return self.random.choice(
                ["localhost", "bücher", "192.0.2.1", "[192.0.2.1]", "example.123", "1.２", "example.", ".a.b", "a..b"]
            )
        if chance < 0.05:
            return ".".join(self.label() * self.random.randint(1, 9) for _ in range(self.random.randint(2, 7)))
        labels = [self.label() for _ in range(self.random.choice([1, 1, 1, 2, 3]))]
        return self.random.choice(["."] * 8 + list("。．｡")).join(
            [*labels, self.random.choice(["com", "example", "Example", "рф", "例"])]
        )

    def label(self) -> str:
        chance = self.random.random()
        if chance < 0.35:
            return self.some(self.ASCII, 10)
        if chance < 0.42:
            return self.some(self.ASCII + "---", 8)
        if chance < 0.7:
            return self.some(self.alphabet(), 6)
        if chance < 0.78:
            return self.some(self.alphabet(), 3) + self.some(self.ASCII + "-", 3)
        if chance < 0.82:
            return self.some(self.assigned, 2)
        return self.a_label()

    def a_label(self) -> str:
        """The A-label of a text that may or may not be a U-label, perhaps with one letter changed."""
        source = self.random.choice(
            [self.alphabet(), self.alphabet().lower(), self.assigned, self.ASCII + "ü", "ü≠Üㆍßẞ--a"]
        )
        rest = page.punycode_encoded(
            unicodedata.normalize(self.random.choice(["NFC", "NFKC", "NFD"]), self.some(source, 5))
        )
        if self.random.random() < 0.2 and rest:
            place = self.random.randrange(len(rest))
            rest = rest[:place] + self.some(self.ASCII + "-", 1) + rest[place + 1 :]
        return self.random.choice(["xn--", "xn--", "xn--", "XN--", "Xn--", "ｘｎ－－", "xn-", "xn---", "ab--"]) + rest

    def alphabet(self) -> str:
        return self.random.choice(self.ALPHABETS)

    def some(self, alphabet: str | list[str], most: int) -> str:
        return "".join(self.random.choice(alphabet) for _ in range(self.random.randint(1, most)))

    def disturbed(self, text: str) -> str:
        """The text with one or two code points inserted, removed or doubled."""
        for _ in range(self.random.choice([1, 1, 2])):
            place = self.random.randint(0, len(text))
            choice = self.random.random()
            if choice < 0.5:
                text = text[:place] + self.random.choice(self.HOSTILE) + text[place:]
            elif choice < 0.7:
                text = text[:place] + text[place + 1 :]
            elif choice < 0.9:
                text = text[:place] + text[place : place + 1] + text[place:]
            else:
                text = text[:place] + text[place : place + 3] * self.random.randint(2, 200) + text[place:]
        return text
