"""The caller's contacts, as hashes."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, create_string_buffer

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Path
from ._closable import Closable
from ._ffi import lib
from ._handle import Handle
from ._import_report import ImportReport, take_report

HASH_LENGTH = 32


class ContactBook(Closable):
    """The caller's contacts: hashes and labels, never an address; at most 1,000,000 (LimitExceeded).

    A contact is one address: a card with three addresses makes three. A label is what discovery hands back with a
    contact, a name for example, at most 1,024 bytes of UTF-8. A book needs no service. It need not be closed.

    The four that add many at once skip and count what cannot be used, and add the rest. They take UTF-8, or UTF-16 with
    a byte-order mark; InvalidArgument says that the whole is not of that kind at all.
    """

    __slots__ = ()

    def __init__(self) -> None:
        contacts = c.Contacts()
        lib.kinfolk_contacts_new(byref(contacts))
        super().__init__(Handle(contacts, lib.kinfolk_contacts_free, "contact book"))

    @classmethod
    def from_file(cls, path: Path) -> ContactBook:
        """A book with the contacts of a file: see add_file(), which also tells what was skipped."""
        book = cls()
        book.add_file(path)
        return book

    def add_email(self, email: str, label: str | None = None) -> None:
        """Adds one address. InvalidArgument if it is none."""
        encoded, name = arguments.text(email, "email"), arguments.optional_text(label, "label")
        with self._handle as contacts:
            lib.kinfolk_contacts_add_email(contacts, encoded, name)

    def add_hash(self, contact_hash: str | Bytes, label: str | None = None) -> None:
        """Adds a contact hash: 32 bytes, or 64 hexadecimal digits. InvalidArgument if it is neither."""
        octets, name = arguments.octets_or_utf8(contact_hash, "contact_hash"), arguments.optional_text(label, "label")
        with self._handle as contacts:
            lib.kinfolk_contacts_add_hash(contacts, octets, len(octets), name)

    def add_text(self, text: str | Bytes) -> ImportReport:
        """Adds addresses, or contact hashes in hexadecimal, one a line; "Name <address>" gives a label."""
        return self._add(lib.kinfolk_contacts_add_text, text)

    def add_vcard(self, text: str | Bytes) -> ImportReport:
        """Adds the cards of a vCard text: 2.1, 3.0 or 4.0, as phones and mail programs export it."""
        return self._add(lib.kinfolk_contacts_add_vcard, text)

    def add_csv(self, text: str | Bytes) -> ImportReport:
        """Adds the rows of a table as Google Contacts, Outlook and Thunderbird export it; bytes may be Latin-1."""
        return self._add(lib.kinfolk_contacts_add_csv, text)

    def add_file(self, path: Path) -> ImportReport:
        """Adds a file of any of these kinds, told apart by its content and read in pieces.

        UnknownItem: there is no such file. PermissionFailure: it may not be read.
        """
        encoded, report = arguments.path(path, "path"), c.Import()
        with self._handle as contacts:
            lib.kinfolk_contacts_add_file(contacts, encoded, byref(report))
        return take_report(report)

    def label(self, index: int) -> str:
        """The label of the contact at an index, in the order in which they were added; empty if it has none."""
        with self._handle as contacts:
            count = lib.kinfolk_contacts_count(contacts)
            label: bytes = lib.kinfolk_contacts_label(contacts, arguments.position(index, count, "contact book"))
        return label.decode("utf-8")

    def hash(self, index: int) -> bytes:
        """The contact hash at an index: 32 bytes."""
        octets = create_string_buffer(HASH_LENGTH)
        with self._handle as contacts:
            count = lib.kinfolk_contacts_count(contacts)
            lib.kinfolk_contacts_get_hash(contacts, arguments.position(index, count, "contact book"), octets)
        return octets.raw

    def __len__(self) -> int:
        with self._handle as contacts:
            count: int = lib.kinfolk_contacts_count(contacts)
        return count

    def _add(self, function: Callable[..., None], text: str | Bytes) -> ImportReport:
        octets, report = arguments.octets_or_utf8(text, "text"), c.Import()
        with self._handle as contacts:
            function(contacts, octets, len(octets), byref(report))
        return take_report(report)

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"<kinfolk.ContactBook contacts={len(self)}>"
