"""The caller's contacts, as hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ctypes import byref, create_string_buffer
from typing import Any, NamedTuple, Union, overload

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Path
from ._closable import Closable
from ._documented import documented
from ._email import contact_hash as hash_of_address
from ._ffi import lib
from ._handle import Handle
from ._import_report import ImportReport, take_report


@documented
class HashedContact(NamedTuple):
    """A contact of a contact book.

    hash   The contact hash: 32 bytes.
    label  The label of the contact; empty if it has none.
    """

    hash: bytes
    label: str

    def __repr__(self) -> str:
        # Neither the hash nor the label: printed text ends up in logs, and a hash can be reversed by guessing.
        return "<kinfolk.HashedContact>"


AddressOrHash = Union[str, Bytes]
"""An e-mail address, or a contact hash: 32 bytes or 64 hexadecimal digits."""
NewContact = Union[AddressOrHash, "tuple[AddressOrHash, str | None]"]
"""An address or a contact hash, alone or with a label."""


class ContactBook(Closable, Sequence[HashedContact]):
    """The caller's contacts: hashes and labels, never an address; at most 1,000,000 (LimitExceeded).

        book = kinfolk.ContactBook(["ada@example.com", ("grace@example.org", "Grace from chess")])
        book.extend((each.email, each.name) for each in people)
        "Grace@Example.ORG" in book  # True

    It takes addresses and contact hashes, each alone or with a label, and is a sequence of HashedContact, so
    ContactBook(book) is a copy. Two books with the same contacts in the same order are equal. `in` searches linearly.

    A contact is one address: a card with three addresses makes three contacts. A label is a text that discovery returns
    with a contact, for example a name; at most 1,024 bytes of UTF-8. An address inside a label is removed, so "Ada
    <ada@example.com>" becomes "Ada". A book needs no service. It need not be closed.

    The six methods that add many contacts at once skip and count the entries that cannot be used, and add the rest.
    They take UTF-8, or UTF-16 with a byte-order mark. InvalidArgument means that the whole text is not of that kind.
    """

    __slots__ = ()

    def __init__(self, contacts: Iterable[NewContact] = ()) -> None:
        pointer = c.Contacts()
        lib.kinfolk_contacts_new(byref(pointer))
        super().__init__(Handle(pointer, lib.kinfolk_contacts_free, "contact book"))
        self.extend(contacts)

    @classmethod
    def from_file(cls, path: Path) -> ContactBook:
        """A book with the contacts of a file: see add_file(), which also tells what was skipped."""
        book = cls()
        book.add_file(path)
        return book

    def add_email(self, email: str, label: str | None = None) -> None:
        """Adds one address. InvalidArgument if it is not an e-mail address."""
        encoded, name = arguments.text(email, "email"), arguments.optional_text(label, "label")
        with self._handle as contacts:
            lib.kinfolk_contacts_add_email(contacts, encoded, name)

    def add_hash(self, contact_hash: str | Bytes, label: str | None = None) -> None:
        """Adds a contact hash: 32 bytes, or 64 hexadecimal digits. InvalidArgument if it is neither."""
        octets, name = arguments.octets_or_utf8(contact_hash, "contact_hash"), arguments.optional_text(label, "label")
        with self._handle as contacts:
            lib.kinfolk_contacts_add_hash(contacts, octets, len(octets), name)

    def add(self, contact: AddressOrHash, label: str | None = None) -> None:
        """Adds an address, if it contains an "@", or a contact hash. InvalidArgument if it is neither."""
        if isinstance(contact, str) and "@" in contact:
            self.add_email(contact, label)
        else:
            self.add_hash(contact, label)

    def extend(self, contacts: Iterable[NewContact]) -> None:
        """Adds addresses and contact hashes, each alone or as a pair with its label.

        InvalidArgument if one is neither; the contacts before it stay in the book.
        """
        if isinstance(contacts, (str, bytes, bytearray, memoryview)):
            raise arguments.wrong_type("contacts", "an iterable of contacts", contacts)
        # A book that is added to itself does not grow while it is read.
        for contact in tuple(contacts) if contacts is self else contacts:
            if isinstance(contact, tuple):
                if len(contact) != 2:
                    raise TypeError("a contact is an address or a hash, or a pair of it and a label")
                self.add(*contact)
            else:
                self.add(contact)

    def add_text(self, text: str | Bytes) -> ImportReport:
        """Adds addresses, or contact hashes in hexadecimal, one on each line; "Name <address>" gives a label.

        A line may hold several, separated by commas or semicolons.
        """
        return self._add(lib.kinfolk_contacts_add_text, text)

    def add_vcard(self, text: str | Bytes) -> ImportReport:
        """Adds the cards of a vCard text: 2.1, 3.0 or 4.0, as phones and mail programs export it."""
        return self._add(lib.kinfolk_contacts_add_vcard, text)

    def add_csv(self, text: str | Bytes) -> ImportReport:
        """Adds the rows of a table as Google Contacts, Outlook and Thunderbird export it; bytes may be Latin-1."""
        return self._add(lib.kinfolk_contacts_add_csv, text)

    def add_ldif(self, text: str | Bytes) -> ImportReport:
        """Adds the entries of LDIF (RFC 2849), as Thunderbird and directory servers export it.

        Addresses come from mail, mozillaSecondEmail and similar attributes; labels from cn, displayName, or givenName
        and sn.
        """
        return self._add(lib.kinfolk_contacts_add_ldif, text)

    def add_jcard(self, text: str | Bytes) -> ImportReport:
        """Adds jCards (RFC 7095), vCards as JSON: one, an array of them, or JSON that contains them."""
        return self._add(lib.kinfolk_contacts_add_jcard, text)

    def add_file(self, path: Path) -> ImportReport:
        """Adds a file of any of these kinds. Its content decides the kind, and it is read in pieces.

        A file is a list if nearly all of its lines are addresses or hashes. For a file that cannot be read, a calendar
        or a spreadsheet for example, InvalidArgument says what the file is and what to export instead.

        UnknownFile: the file does not exist. PermissionFailure: the process may not read it.
        """
        encoded, report = arguments.path(path, "path"), c.Import()
        with self._handle as contacts:
            lib.kinfolk_contacts_add_file(contacts, encoded, byref(report))
        return take_report(report)

    def label(self, index: int) -> str:
        """The label of the contact at an index; empty if it has none."""
        with self._handle as contacts:
            count = lib.kinfolk_contacts_count(contacts)
            label: bytes = lib.kinfolk_contacts_label(contacts, arguments.position(index, count, "contact book"))
        return label.decode("utf-8")

    def hash(self, index: int) -> bytes:
        """The contact hash at an index: 32 bytes."""
        octets = create_string_buffer(c.CONTACT_HASH_LENGTH)
        with self._handle as contacts:
            count = lib.kinfolk_contacts_count(contacts)
            lib.kinfolk_contacts_get_hash(contacts, arguments.position(index, count, "contact book"), octets)
        return octets.raw

    def __len__(self) -> int:
        with self._handle as contacts:
            count: int = lib.kinfolk_contacts_count(contacts)
        return count

    @overload
    def __getitem__(self, index: int) -> HashedContact: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[HashedContact, ...]: ...
    def __getitem__(self, index: int | slice) -> HashedContact | tuple[HashedContact, ...]:
        if isinstance(index, slice):
            return tuple(self[each] for each in range(*index.indices(len(self))))
        with self._handle:
            return HashedContact(self.hash(index), self.label(index))

    def __contains__(self, contact: object) -> bool:
        """Whether the book contains this address, contact hash or HashedContact."""
        wanted = contact[0] if isinstance(contact, tuple) and len(contact) == 2 else _hash(contact)
        octets, get_hash = create_string_buffer(c.CONTACT_HASH_LENGTH), lib.kinfolk_contacts_get_hash
        with self._handle as contacts:
            count = 0 if wanted is None else lib.kinfolk_contacts_count(contacts)
            for index in range(count):
                get_hash(contacts, index, octets)
                if octets.raw == wanted and (not isinstance(contact, tuple) or self[index] == contact):
                    return True
        return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContactBook):
            return NotImplemented
        if self is other:
            return True
        with self._handle, other._handle:
            return len(self) == len(other) and all(one == another for one, another in zip(self, other))

    __hash__ = None  # type: ignore[assignment]

    def _add(self, function: Callable[..., None], text: str | Bytes) -> ImportReport:
        octets, report = arguments.octets_or_utf8(text, "text"), c.Import()
        with self._handle as contacts:
            function(contacts, octets, len(octets), byref(report))
        return take_report(report)

    def __repr__(self) -> str:
        return super().__repr__() if self.closed else f"<kinfolk.ContactBook contacts={len(self)}>"


def _hash(contact: Any) -> bytes | None:
    """The contact hash that the argument stands for; None if it cannot be one."""
    if isinstance(contact, str):
        try:
            return hash_of_address(contact) if "@" in contact else bytes.fromhex(contact)
        except ValueError:
            return None
    if not isinstance(contact, (bytes, bytearray, memoryview)):
        return None
    octets = bytes(contact)
    return _hash(octets.decode("latin-1")) if len(octets) == 2 * c.CONTACT_HASH_LENGTH else octets
