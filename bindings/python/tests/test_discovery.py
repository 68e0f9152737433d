"""Finding friends, by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone

import pytest

import kinfolk
from kinfolk import Contact, Identity

Friend = Callable[..., "tuple[kinfolk.Account, kinfolk.Session]"]


def book_of(*emails: str) -> kinfolk.ContactBook:
    book = kinfolk.ContactBook()
    for email in emails:
        book.add_email(email, email.split("@")[0].capitalize())
    return book


def test_friends_are_found_in_the_order_of_the_book_each_once(session: kinfolk.Session, friend: Friend) -> None:
    _, bens = friend("ben", "ben@example.com", "ben@example.org")
    _, cleos = friend("cleo")
    book = book_of("nobody@example.com", "cleo@example.com", "ben@example.org", "ada@example.com", "BEN@example.com")
    found = session.discover(book)
    assert isinstance(found, Sequence)
    assert list(found) == [
        Identity(cleos.user_record_id, "Cleo", "Example", (Contact(1, "Cleo"),)),
        Identity(bens.user_record_id, "Ben", "Example", (Contact(2, "Ben"), Contact(4, "Ben"))),
    ]
    assert all(book.label(contact.index) == contact.label for person in found for contact in person.contacts)


def test_a_discovery_is_a_sequence(session: kinfolk.Session, friend: Friend) -> None:
    names = ["ben", "cleo", "dan"]
    for name in names:
        friend(name)
    found = session.discover(book_of(*(f"{name}@example.com" for name in names)))
    assert len(found) == 3
    assert found[-1] == found[2]
    assert found[0].given_name == "Ben"
    assert [person.given_name for person in found[1:]] == ["Cleo", "Dan"]
    assert [person.given_name for person in reversed(found)] == ["Dan", "Cleo", "Ben"]
    assert found[1] in found
    for index in (3, -4, 2**64):
        with pytest.raises(IndexError):
            found[index]
    with pytest.raises(TypeError):
        found["0"]  # type: ignore[call-overload]


def test_nobody_is_found_in_an_empty_book(session: kinfolk.Session) -> None:
    found = session.discover(kinfolk.ContactBook())
    assert list(found) == []
    assert isinstance(found.sync_state, bytes)


def test_a_friend_is_found_by_address_and_by_id(session: kinfolk.Session, friend: Friend) -> None:
    _, bens = friend("ben")
    ben = Identity(bens.user_record_id, "Ben", "Example", ())
    assert session.discover_email("ben@example.com") == ben
    assert session.discover_record_id(bens.user_record_id) == ben
    assert session.discover_email("unknown@example.com") is None
    assert session.discover_record_id("_" + "0" * 32) is None


def test_a_sync_state_makes_repeated_searches_free(
    notes: kinfolk.Container, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    notes.set_permits(2, 1.0)
    book = book_of("ben@example.com", "unknown@example.com")
    first = session.discover(book)
    with pytest.raises(kinfolk.RequestRateLimited) as raised:
        session.discover(book)
    assert 7100 < raised.value.retry_after <= 7200
    for state in (first.sync_state, bytearray(first.sync_state), [b"", first.sync_state], (first.sync_state,) * 2):
        again = session.discover(book, sync_state=state)
        assert list(again) == list(first)


def test_an_erasure_reports_what_is_remembered_of_addresses(notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    notes.set_permits(1, 0, unverified_capacity=0)
    notes.open_session(ada).discover_email("unknown@example.com")
    erasure = ada.erase()
    assert erasure.remembered_email_count == 1
    assert erasure.remembered_until is not None
    assert erasure.remembered_until > datetime.now(timezone.utc)


def test_results_can_be_read_after_the_service_is_closed(
    service: kinfolk.Service, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    found = session.discover(book_of("ben@example.com"))
    service.close()
    assert [person.given_name for person in found] == ["Ben"]
    assert found.sync_state
