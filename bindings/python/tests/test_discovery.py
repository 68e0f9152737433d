"""Finding friends, by the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timezone

import pytest

import kinfolk
from kinfolk import Contact, Discoverability, Identity

Person = Callable[..., kinfolk.Account]
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


def test_all_people_who_may_not_be_found_look_alike(
    notes: kinfolk.Container, session: kinfolk.Session, person: Person, friend: Friend
) -> None:
    undecided, _ = person("undecided"), notes.open_session(person("visitor"))
    suspended, suspended_session = friend("suspended")
    suspended.suspend()
    _, revoked_session = friend("revoked")
    revoked_session.set_discoverability(Discoverability.DENIED)
    hidden, _ = friend("hidden")
    hidden.set_email_discoverable("hidden@example.com", False)
    emails = [f"{name}@example.com" for name in ("undecided", "visitor", "suspended", "revoked", "hidden", "unknown")]
    assert [session.discover_email(email) for email in emails] == [None] * 6
    assert list(session.discover(book_of(*emails))) == []
    for identifier in (suspended_session.user_record_id, revoked_session.user_record_id, "_" + "0" * 32):
        assert session.discover_record_id(identifier) is None
    assert undecided.is_suspended is False


def test_a_friend_is_found_by_address_and_by_id(session: kinfolk.Session, friend: Friend) -> None:
    _, bens = friend("ben")
    ben = Identity(bens.user_record_id, "Ben", "Example", ())
    assert session.discover_email("ben@example.com") == ben
    assert session.discover_record_id(bens.user_record_id) == ben


def test_a_discoverable_person_finds_themself_by_id(session: kinfolk.Session) -> None:
    assert session.discover_record_id(session.user_record_id) is None
    session.set_discoverability(Discoverability.GRANTED, "May friends find you?", "1")
    found = session.discover_record_id(session.user_record_id)
    assert found is not None
    assert found.user_record_id == session.user_record_id


def test_an_id_of_another_container_finds_nobody(
    service: kinfolk.Service, ada: kinfolk.Account, session: kinfolk.Session, friend: Friend
) -> None:
    _, bens = friend("ben")
    elsewhere = service.create_container("com.example.chess").open_session(ada)
    assert elsewhere.discover_record_id(bens.user_record_id) is None
    assert elsewhere.discover_email("ben@example.com") is None


def test_a_discovery_returns_the_current_name(session: kinfolk.Session, friend: Friend) -> None:
    ben, _ = friend("ben")
    before = session.discover(book_of("ben@example.com"))
    ben.set_name("Benjamin", "李")
    after = session.discover_email("ben@example.com")
    assert before[0].given_name == "Ben"
    assert after is not None
    assert (after.given_name, after.family_name) == ("Benjamin", "李")


def test_a_sync_state_makes_repeated_searches_free(
    notes: kinfolk.Container, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    notes.set_permits(2, 0.001)
    book = book_of("ben@example.com", "unknown@example.com")
    first = session.discover(book)
    with pytest.raises(kinfolk.RequestRateLimited) as raised:
        session.discover(book)
    assert raised.value.retry_after > 0
    for state in (first.sync_state, bytearray(first.sync_state), [b"", first.sync_state], (first.sync_state,) * 2):
        again = session.discover(book, sync_state=state)
        assert list(again) == list(first)
    damaged = bytes([first.sync_state[0] ^ 1]) + first.sync_state[1:]
    with pytest.raises(kinfolk.RequestRateLimited):
        session.discover(book, sync_state=damaged)


def test_a_book_above_the_capacity_is_a_different_error(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    notes.set_permits(1, 1.0)
    with pytest.raises(kinfolk.LimitExceeded):
        session.discover(book_of("a@example.com", "b@example.com"))
    session.discover(book_of("a@example.com"))  # neither cost a permit


def test_a_discovery_by_address_costs_a_permit_and_one_by_id_none(
    notes: kinfolk.Container, session: kinfolk.Session
) -> None:
    notes.set_permits(1, 1.0)
    for _ in range(3):
        session.discover_record_id("_" + "0" * 32)
    session.discover_email("unknown@example.com")
    with pytest.raises(kinfolk.RequestRateLimited) as raised:
        session.discover_email("unknown@example.com")
    assert 3500 < raised.value.retry_after <= 3600


def test_erasing_and_verifying_again_returns_no_permits(service: kinfolk.Service, notes: kinfolk.Container) -> None:
    notes.set_permits(1, 0, unverified_capacity=0)
    nobody = service.create_account("Eve")
    with pytest.raises(kinfolk.LimitExceeded):
        notes.open_session(nobody).discover_email("unknown@example.com")
    for number in range(3):
        eve = service.create_account("Eve")
        eve.add_email("eve@example.com", verified=True)
        if number == 0:
            notes.open_session(eve).discover_email("unknown@example.com")
        else:
            with pytest.raises(kinfolk.RequestRateLimited):
                notes.open_session(eve).discover_email("unknown@example.com")
        erasure = eve.erase()
        assert erasure.remembered_email_count == 1
        assert erasure.remembered_until is not None
        assert erasure.remembered_until > datetime.now(timezone.utc)


def test_a_suspended_person_may_not_search(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    ada.suspend()
    for ask in (
        lambda: session.discover(kinfolk.ContactBook()),
        lambda: session.discover_email("ben@example.com"),
        lambda: session.discover_record_id("_" + "0" * 32),
    ):
        with pytest.raises(kinfolk.NotAuthenticated):
            ask()


def test_results_can_be_read_after_the_service_is_closed(
    service: kinfolk.Service, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    found = session.discover(book_of("ben@example.com"))
    service.close()
    assert [person.given_name for person in found] == ["Ben"]
    assert found.sync_state
