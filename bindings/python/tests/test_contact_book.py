"""Contact books: hashes and labels from what people really have."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

import kinfolk
from kinfolk._ffi import lib

ADA = hashlib.sha256(b"ada@example.com").digest()

CARDS = """BEGIN:VCARD
VERSION:4.0
FN:Ada Example
EMAIL:ada@example.com
EMAIL;TYPE=work:ada@example.org
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:No Address
TEL:+1 555 0100
END:VCARD
BEGIN:VCARD
VERSION:3.0
FN:Broken
EMAIL:not an address
END:VCARD
"""


@pytest.fixture
def book() -> kinfolk.ContactBook:
    return kinfolk.ContactBook()


def test_an_address_is_kept_as_its_hash_and_label(book: kinfolk.ContactBook) -> None:
    assert len(book) == 0
    book.add_email(" ADA@Example.com ", "Ada 🌱")
    book.add_email("ben@example.com")
    assert len(book) == 2
    assert (book.hash(0), book.label(0)) == (ADA, "Ada 🌱")
    assert (book.hash(1), book.label(1)) == (kinfolk.contact_hash("ben@example.com"), "")


@pytest.mark.parametrize(
    "contact_hash",
    [ADA, bytearray(ADA), memoryview(ADA), ADA.hex(), ADA.hex().encode()],
    ids=lambda value: type(value).__name__,
)
def test_a_hash_is_bytes_or_digits(book: kinfolk.ContactBook, contact_hash: str | bytes) -> None:
    book.add_hash(contact_hash, "Ada")
    assert (book.hash(0), book.label(0)) == (ADA, "Ada")


def test_an_invalid_hash_is_refused(book: kinfolk.ContactBook) -> None:
    for contact_hash in (b"", bytes(31), bytes(33), "", "zz" * 32, ADA.hex()[:-1], "ä" * 32):
        with pytest.raises(kinfolk.InvalidArgument):
            book.add_hash(contact_hash)
    assert len(book) == 0


@pytest.mark.parametrize(
    "encode", [str, str.encode, lambda text: bytearray(text.encode()), lambda text: text.encode("utf-16")]
)
def test_a_text_has_one_address_or_hash_a_line(book: kinfolk.ContactBook, encode: object) -> None:
    text = f"ada@example.com\r\nBen <ben@example.com>\n\n{ADA.hex()}\nnot an address\n"
    report = book.add_text(encode(text))  # type: ignore[operator]
    assert (report.added, report.skipped) == (3, 1)
    assert [skip.line for skip in report.skips] == [5]
    assert "not an address" not in report.skips[0].reason.replace("this is not an address", "")
    assert [book.label(index) for index in range(3)] == ["", "Ben", ""]
    assert book.hash(0) == book.hash(2) == ADA


def test_cards_are_counted_with_what_was_skipped_and_why(book: kinfolk.ContactBook) -> None:
    report = book.add_vcard(CARDS)
    assert report[:4] == (2, 3, 1, 1)
    assert len(report.skips) == 1
    assert 12 <= report.skips[0].line <= 15
    assert report.skips[0].reason
    assert "Broken" not in report.skips[0].reason
    assert [book.label(0), book.label(1)] == ["Ada Example", "Ada Example"]


def test_a_table_is_read_by_its_headers(book: kinfolk.ContactBook) -> None:
    report = book.add_csv(
        "First Name,Last Name,E-mail 1 - Value\nAda,Example,ada@example.com ::: ada@example.org\nBen,Example,\n"
    )
    assert (report.added, report.entries, report.without_email) == (2, 2, 1)
    assert book.hash(0) == ADA


ENTRIES = """dn: cn=Ada Example,mail=ada@example.com
cn: Ada Example
mail: ada@example.com
mozillaSecondEmail: ada@example.org

dn: cn=No Address
cn: No Address

dn: cn=Broken
mail: not an address
"""

JSON_CARDS = [
    ["vcard", [["fn", {}, "text", "Ada Example"], ["email", {}, "text", "ada@example.com", "ada@example.org"]]],
    ["vcard", [["fn", {}, "text", "No Address"]]],
    ["vcard", [["email", {}, "text", "not an address"]]],
]


def test_ldif_and_json_give_the_same_contacts_as_vcards(book: kinfolk.ContactBook) -> None:
    for report in (book.add_ldif(ENTRIES), book.add_jcard(json.dumps(JSON_CARDS).encode())):
        assert report[:4] == (2, 3, 1, 1)
        assert len(report.skips) == 1
    assert [book.label(index) for index in range(4)] == ["Ada Example"] * 4
    assert book.hash(0) == book.hash(2) == ADA
    assert book.hash(1) == book.hash(3)


@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_the_format_of_a_file_is_detected_from_its_content(tmp_path: Path, kind: type) -> None:
    file = tmp_path / "contacts"
    file.write_text(CARDS)
    assert kinfolk.ContactBook().add_file(kind(file)).added == 2
    book = kinfolk.ContactBook.from_file(kind(file))
    assert (len(book), book.label(0)) == (2, "Ada Example")


def test_a_text_of_another_kind_is_refused(book: kinfolk.ContactBook, tmp_path: Path) -> None:
    for add in (book.add_vcard, book.add_csv, book.add_ldif, book.add_jcard):
        with pytest.raises(kinfolk.InvalidArgument):
            add("once upon a time")
    (tmp_path / "contacts").write_text("BEGIN:VCALENDAR\nATTENDEE:mailto:ada@example.com\nEND:VCALENDAR\n")
    with pytest.raises(kinfolk.InvalidArgument, match="calendar"):
        book.add_file(tmp_path / "contacts")
    assert len(book) == 0


def test_a_nul_affects_only_its_own_line(book: kinfolk.ContactBook) -> None:
    report = book.add_text("ada@example.com\nb\0n@example.com\neve@example.com\n")
    assert (report.added, report.skipped) == (2, 1)


def test_an_index_counts_from_either_end_and_no_further(book: kinfolk.ContactBook) -> None:
    book.add_email("ben@example.com", "Ben")
    book.add_email("ada@example.com", "Ada")
    assert book.label(-1) == "Ada"
    assert book.hash(-1) == ADA
    for index in (2, -3, 2**64, -(2**64)):
        with pytest.raises(IndexError):
            book.label(index)
        with pytest.raises(IndexError):
            book.hash(index)


# As a Python sequence

BEN = kinfolk.contact_hash("ben@example.com")


def test_a_book_is_made_of_addresses_and_hashes_with_and_without_labels() -> None:
    book = kinfolk.ContactBook([" ADA@example.com", ("ben@example.com", "Ben"), ADA, (ADA.hex(), None), (ADA, "Ada")])
    assert list(book) == [(ADA, ""), (BEN, "Ben"), (ADA, ""), (ADA, ""), (ADA, "Ada")]
    assert book[1].label == "Ben"
    assert book[-1] == kinfolk.HashedContact(ADA, "Ada")
    assert book[1:3] == ((BEN, "Ben"), (ADA, ""))
    assert next(reversed(book)).label == "Ada"
    with pytest.raises(IndexError):
        book[5]


def test_a_book_grows_by_any_iterable_and_by_itself(book: kinfolk.ContactBook) -> None:
    book.extend(f"p{number}@example.com" for number in range(3))
    book.extend({"ada@example.com": "Ada"}.items())
    book.extend(book)
    assert len(book) == 8
    assert book[3:5] == ((ADA, "Ada"), (kinfolk.contact_hash("p0@example.com"), ""))


def test_a_refused_entry_keeps_the_entries_before_it(book: kinfolk.ContactBook) -> None:
    for wrong in ("no address", "@", b"short", ("ada@example.com", "a\0b")):
        with pytest.raises(kinfolk.InvalidArgument):
            book.extend(["ada@example.com", wrong])
    assert len(book) == 4
    for wrong in ("ada@example.com", ADA, [5], [None], [("ada@example.com",)], [("ada@example.com", "a", "b")], 5):
        with pytest.raises(TypeError):
            book.extend(wrong)  # type: ignore[arg-type]
    assert len(book) == 4


def test_a_book_supports_in_for_addresses_and_hashes() -> None:
    book = kinfolk.ContactBook([("ada@example.com", "Ada")])
    assert "ADA@Example.com " in book
    assert ADA in book
    assert ADA.hex() in book
    assert ADA.hex().upper().encode() in book
    assert bytearray(ADA) in book
    assert (ADA, "Ada") in book
    assert book.index((ADA, "Ada")) == 0  # type: ignore[arg-type]
    for absent in ("ben@example.com", "@", "ada", BEN, b"", (ADA, ""), None, 5):
        assert absent not in book


def test_the_in_operator_hashes_the_address_and_reads_the_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    book = kinfolk.ContactBook(f"p{number}@example.com" for number in range(5))
    called: list[str] = []

    def note(name: str, call: Any) -> None:
        monkeypatch.setattr(lib, name, lambda *given: (called.append(name), call(*given))[1])

    for name in ("kinfolk_email_hash", "kinfolk_contacts_count", "kinfolk_contacts_get_hash"):
        note(name, getattr(lib, name))
    assert "nobody@example.com" not in book
    assert sorted(called) == ["kinfolk_contacts_count", *["kinfolk_contacts_get_hash"] * 5, "kinfolk_email_hash"]


def test_books_of_the_same_contacts_are_equal() -> None:
    book = kinfolk.ContactBook([("ada@example.com", "Ada"), BEN])
    assert book == kinfolk.ContactBook(book)
    assert book == book
    assert book != kinfolk.ContactBook(reversed(book))
    assert book != kinfolk.ContactBook([ADA, BEN])
    assert book != [(ADA, "Ada"), (BEN, "")]
    with pytest.raises(TypeError):
        hash(book)


def test_printing_a_book_shows_neither_hash_nor_label() -> None:
    book = kinfolk.ContactBook([("ada@example.com", "Ada")])
    for shown in (repr(book), repr(book[0]), str(list(book)), f"{book[0]}"):
        assert "Ada" not in shown
        assert str(ADA)[2:10] not in shown
        assert ADA.hex() not in shown
