"""A person that discovery found."""

from __future__ import annotations

from typing import NamedTuple

from ._documented import documented


@documented
class Contact(NamedTuple):
    """A contact of a contact book that led to a person.

    index  Its position in the book, from 0.
    label  The label of the contact; empty if it has none.
    """

    index: int  # type: ignore[assignment]  # not the method of tuple, which nobody needs here
    label: str

    def __repr__(self) -> str:
        # Without the label: it is often a name.
        return f"<kinfolk.Contact {self.index}>"


@documented
class Identity(NamedTuple):
    """A person that discovery found. The names are as they were at that moment, and may be empty.

    user_record_id  "_" and 32 lower-case hexadecimal digits: identifies the person in this container only.
    given_name      The given name; may be empty.
    family_name     The family name; may be empty.
    contacts        All contacts that led to the person. Empty after a discovery by user record ID or by e-mail.
    """

    user_record_id: str
    given_name: str
    family_name: str
    contacts: tuple[Contact, ...]

    def __repr__(self) -> str:
        # Without the names: what is printed ends up in logs.
        return f"<kinfolk.Identity {self.user_record_id} contacts={len(self.contacts)}>"
