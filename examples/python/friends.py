"""Finds friends in a contact book: the main task of Kinfolk, in Python.

    python friends.py [kinfolk.db [contacts.vcf]]

Without a store it uses a temporary one; without a contact book it uses the one below. In a clone, run `make stage` first,
and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

import argparse
import sys
import tempfile

import kinfolk
from kinfolk import Discoverability

CONTACTS = """\
BEGIN:VCARD
VERSION:4.0
FN:Yusuf from chess
EMAIL:Weber.Yusuf9@Example.com
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Victor
EMAIL:tanaka.victor30@example.com
END:VCARD
BEGIN:VCARD
VERSION:4.0
FN:Somebody else
EMAIL:somebody@example.org
END:VCARD
"""

CONSENT = "May people who have your e-mail address find you here?"

# Names, address, and the person's answer to the prompt.
PEOPLE = [
    ("Ada", "Example", "ada@example.com", Discoverability.GRANTED),
    ("Yusuf", "Weber", "weber.yusuf9@example.com", Discoverability.GRANTED),
    ("Victor", "Tanaka", "tanaka.victor30@example.com", Discoverability.DENIED),
]


def main() -> None:
    """Reads the command line, and opens the store."""
    parser = argparse.ArgumentParser(description="Finds friends in a contact book.")
    parser.add_argument("store", nargs="?", help="where to keep the store")
    parser.add_argument("contacts", nargs="?", help="a vCard or CSV file, or addresses one a line")
    options = parser.parse_args()

    book = kinfolk.ContactBook()
    report = book.add_file(options.contacts) if options.contacts else book.add_vcard(CONTACTS)
    for skip in report.skips:
        print(f"line {skip.line} skipped: {skip.reason}")

    with tempfile.TemporaryDirectory() as folder, kinfolk.open(options.store or f"{folder}/kinfolk.db") as service:
        find_friends(service, book)


def find_friends(service: kinfolk.Service, book: kinfolk.ContactBook) -> None:
    """Signs three people in, and looks for the friends of the first."""
    notes, _ = service.open_or_create_container("com.example.notes")
    sessions = [notes.open_session(sign_up(service, *person)) for *person, _ in PEOPLE]

    # Nobody can be found before saying yes. A real prompt shows the text; each person is asked once.
    for session, (*_, answer) in zip(sessions, PEOPLE):
        session.request_discoverability(CONSENT, "1", lambda text, answer=answer: answer)

    # The application sees the people found. Of the book it sees only the number of contacts.
    ada = sessions[0]
    matched = 0
    for friend in ada.discover(book):
        labels = ", ".join(contact.label for contact in friend.contacts)
        print(f"{friend.user_record_id}  {friend.given_name} {friend.family_name}  (your contact {labels})")
        matched += len(friend.contacts)
    print(f"{matched} of {len(book)} contacts can be found here")


def sign_up(service: kinfolk.Service, given_name: str, family_name: str, email: str) -> kinfolk.Account:
    """The account with this address, created if there is none. This program vouches for the address."""
    account, _ = service.find_or_create_account(email, given_name, family_name)
    return account


if __name__ == "__main__":
    try:
        main()
    except kinfolk.KinfolkError as error:
        sys.exit(f"friends.py: {error}")
