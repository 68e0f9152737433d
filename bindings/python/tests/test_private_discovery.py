"""Private discovery: both halves, and what each refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import kinfolk
from kinfolk import DirectoryModes, PrivateClient

Friend = Callable[..., "tuple[kinfolk.Account, kinfolk.Session]"]

NAME = "com.example.notes"
BOTH = DirectoryModes.HASHED | DirectoryModes.PRIVATE


@pytest.fixture
def notes(service: kinfolk.Service) -> kinfolk.Container:
    container = service.create_container(NAME)
    container.set_directory_modes(BOTH)
    return container


def book_of(*emails: str) -> kinfolk.ContactBook:
    book = kinfolk.ContactBook()
    for email in emails:
        book.add_email(email, email.split("@")[0])
    return book


def converse(client: PrivateClient, session: kinfolk.Session) -> list[bytes]:
    """All requests that the client makes, in their order, after each was answered."""
    requests = []
    while True:
        request = client.next_request()
        if request is None:
            return requests
        requests.append(request)
        client.receive(session.answer(request))


def test_private_discovery_finds_the_same_people_as_hashes(session: kinfolk.Session, friend: Friend) -> None:
    _, bens = friend("ben", "ben@example.com", "ben@example.org")
    book = book_of("unknown@example.com", "ben@example.org", "ada@example.com", "Ben@Example.com")
    hashed = list(session.discover(book))
    assert [identity.user_record_id for identity in hashed] == [bens.user_record_id]
    assert list(session.discover_privately(book)) == hashed

    client = PrivateClient(NAME)
    assert client.next_request() == client.next_request()
    client.set_contacts(book)
    requests = converse(client, session)
    assert [request[3] for request in requests] == [1, 3, 5]
    found = client.identities()
    assert [identity._replace(given_name="Ben", family_name="Example") for identity in found] == hashed
    assert (found[0].given_name, found[0].family_name) == ("", "")
    assert [contact.label for contact in found[0].contacts] == ["ben", "Ben"]
    assert found.sync_state == b""
    named = session.discover_record_id(found[0].user_record_id)
    assert named is not None
    assert named.given_name == "Ben"


def test_no_request_holds_a_contact_hash(session: kinfolk.Session, friend: Friend) -> None:
    friend("ben")
    client = PrivateClient(NAME)
    client.set_contacts(book_of("ben@example.com"))
    requests = converse(client, session)
    assert len(client.identities()) == 1
    contact = kinfolk.contact_hash("ben@example.com")
    assert not any(contact[at : at + 8] in request for request in requests for at in range(0, 32, 8))


def test_the_client_needs_no_service() -> None:
    program = f"""
import kinfolk
client = kinfolk.PrivateClient({NAME!r})
client.set_contacts(kinfolk.ContactBook())
print(client.next_request().hex(), client.sync_state[:4].decode(), len(client.identities()))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(kinfolk.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "4b46020100000000 KNP2 0\n"


def test_a_client_with_its_state_does_not_pay_for_known_contacts(
    notes: kinfolk.Container, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    notes.set_permits(64, 0)
    book = book_of("ben@example.com")
    client = PrivateClient(NAME)
    client.set_contacts(book)
    converse(client, session)
    for state in (client.sync_state, bytearray(client.sync_state), memoryview(client.sync_state)):
        again = PrivateClient(NAME, sync_state=state)
        again.set_contacts(book)
        assert [request[3] for request in converse(again, session)] == [1, 5]
        assert len(again.identities()) == 1
    assert len(session.discover_privately(book, client.sync_state)) == 1
    with pytest.raises(kinfolk.RequestRateLimited) as raised:
        session.discover_privately(book)
    assert raised.value.retry_after > 0


def test_the_state_of_a_call_is_passed_to_the_next_one(session: kinfolk.Session, friend: Friend) -> None:
    _, bens = friend("ben")
    book = book_of("ben@example.com", "cleo@example.com")
    first = session.discover_privately(book)
    bens.set_discoverability(kinfolk.Discoverability.DENIED)
    friend("cleo")
    second = session.discover_privately(book, sync_state=first.sync_state, threads=1)
    assert [identity.given_name for identity in second] == ["Cleo"]


def test_begin_sees_new_and_removed_people(session: kinfolk.Session, friend: Friend) -> None:
    _, bens = friend("ben")
    client = PrivateClient(NAME, threads=1)
    client.set_contacts(book_of("ben@example.com"))
    converse(client, session)
    assert client.next_request() is None
    bens.set_discoverability(kinfolk.Discoverability.DENIED)
    assert len(client.identities()) == 1
    client.begin()
    converse(client, session)
    assert len(client.identities()) == 0


# Directories and epochs


def test_a_container_can_change_its_modes_of_discovery(
    service: kinfolk.Service, notes: kinfolk.Container, session: kinfolk.Session, friend: Friend
) -> None:
    assert service.create_container("com.example.chess").directory_modes is DirectoryModes.HASHED
    assert notes.directory_modes == BOTH
    friend("ben")
    notes.set_directory_modes(DirectoryModes.PRIVATE)
    assert notes.directory_modes is DirectoryModes.PRIVATE
    with pytest.raises(kinfolk.PermissionFailure):
        session.discover_email("ben@example.com")
    told: list[tuple[int, int]] = []
    notes.set_directory_modes(DirectoryModes.HASHED, progress=lambda done, total: told.append((done, total)))
    assert told == [(2, 2)]
    assert notes.private_epochs == ()
    for modes in (DirectoryModes(0), DirectoryModes(4), BOTH | DirectoryModes(8)):
        with pytest.raises(kinfolk.InvalidArgument):
            notes.set_directory_modes(modes)
    for ask in (
        lambda: session.discover_privately(book_of("ben@example.com")),
        notes.renew_private_key,
        lambda: notes.end_private_epochs(1),
    ):
        with pytest.raises(kinfolk.UnknownItem):
            ask()


def test_a_new_key_takes_over(notes: kinfolk.Container, session: kinfolk.Session, friend: Friend) -> None:
    friend("ben")
    (old,) = notes.private_epochs
    assert (old.number, old.is_complete, old.row_count, old.prefix_bits) == (1, True, 1, 0)
    assert len(old.public_key) == 32
    client = PrivateClient(NAME, [old.public_key])
    client.set_contacts(book_of("ben@example.com"))
    converse(client, session)

    told: list[tuple[int, int]] = []
    assert notes.renew_private_key(lambda done, total: told.append((done, total))) == 2
    assert told == [(2, 2)]
    new, still = notes.private_epochs
    assert (new.number, still) == (2, old)
    assert new.public_key != old.public_key
    with pytest.raises(kinfolk.UnknownItem):
        notes.end_private_epochs(3)
    notes.end_private_epochs(2)
    assert notes.private_epochs == (new,)

    client.begin()
    request = client.next_request()
    assert request is not None
    with pytest.raises(kinfolk.KeyMismatch):
        client.receive(session.answer(request))
    both = PrivateClient(NAME, [old.public_key, bytearray(new.public_key)], client.sync_state)
    both.set_contacts(book_of("ben@example.com"))
    converse(both, session)
    assert len(both.identities()) == 1


def test_an_exception_of_progress_ends_the_work_which_is_then_resumed(notes: kinfolk.Container, friend: Friend) -> None:
    friend("ben")
    error = LookupError("no window")

    def progress(done: int, total: int) -> None:
        raise error

    with pytest.raises(LookupError) as raised:
        notes.renew_private_key(progress)
    assert raised.value is error
    assert [(epoch.number, epoch.is_complete) for epoch in notes.private_epochs] == [(2, False), (1, True)]
    assert notes.renew_private_key() == 2
    notes.set_directory_modes(DirectoryModes.PRIVATE)
    with pytest.raises(LookupError):
        notes.set_directory_modes(BOTH, progress)
    assert notes.directory_modes == DirectoryModes.PRIVATE


def test_the_operator_sets_the_prefix_bits_and_the_client_limits_them(
    notes: kinfolk.Container, session: kinfolk.Session
) -> None:
    notes.set_prefix_bits(32)
    assert notes.private_epochs[0].prefix_bits == 32
    client = PrivateClient(NAME)
    client.set_contacts(book_of("ben@example.com"))
    for most, told in ((None, 20), (9, 9), (0, 0), (32, 32)):
        if most is not None:
            client.set_maximum_prefix_bits(most)
        client.begin()
        *_, request = converse(client, session)
        assert request[24] == told
    notes.set_prefix_bits(None)
    assert notes.private_epochs[0].prefix_bits == 0
    for bits in (-1, 33, 2**32, 2**40):
        with pytest.raises(kinfolk.InvalidArgument):
            client.set_maximum_prefix_bits(bits)
        with pytest.raises(kinfolk.InvalidArgument):
            notes.set_prefix_bits(bits)


# What is refused


def test_a_session_refuses_malformed_requests(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    client = PrivateClient(NAME)
    client.set_contacts(book_of("ben@example.com"))
    description = client.next_request()
    assert description is not None
    client.receive(session.answer(description))
    request = client.next_request()
    assert request is not None
    assert len(request) == 27 + 64 * 32
    for bad in (b"", request[:-1], request + b"\0", request[:27] + bytes(32) + request[59:]):
        with pytest.raises(kinfolk.InvalidArgument):
            session.answer(bad)
    with pytest.raises(kinfolk.UnknownItem):
        session.answer(request[:4] + b"\0\0\0\2" + request[8:])
    with pytest.raises(kinfolk.NotAuthenticated):
        notes.open_anonymous_session().answer(request)
    client.receive(session.answer(bytearray(request), threads=2))


def test_a_client_refuses_malformed_answers_and_keeps_its_request(session: kinfolk.Session, friend: Friend) -> None:
    friend("ben")
    client = PrivateClient(NAME)
    with pytest.raises(kinfolk.InvalidArgument):
        client.receive(session.answer(b"KF\2\1\0\0\0\0"))  # it has asked for nothing
    client.set_contacts(book_of("ben@example.com"))
    for _ in range(3):
        request = client.next_request()
        assert request is not None
        answer = session.answer(request)
        for bad in (b"", answer[:-1], answer + b"\0"):
            with pytest.raises(kinfolk.InvalidArgument):
                client.receive(bad)
        with pytest.raises(kinfolk.Conflict):
            client.receive(request)
        assert client.next_request() == request
        client.receive(memoryview(answer))
    assert client.next_request() is None
    assert len(client.identities()) == 1


def test_a_client_refuses_invalid_keys_and_states(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    key = notes.private_epochs[0].public_key
    for bad in ([b""], [key, key[1:]], [key + b"\0"], [bytes(32)]):
        with pytest.raises(kinfolk.InvalidArgument):
            PrivateClient(NAME, bad)
    with pytest.raises(kinfolk.LimitExceeded):
        PrivateClient(NAME, [key] * 1001)
    with pytest.raises(kinfolk.InvalidArgument):
        PrivateClient("notes")
    client = PrivateClient(NAME, iter([key]))
    client.set_contacts(book_of("ben@example.com"))
    converse(client, session)
    state = client.sync_state
    assert PrivateClient(NAME, sync_state=state).sync_state == state
    for damaged in (state[:-1], state + b"\0", b"x"):
        with pytest.raises(kinfolk.InvalidArgument):
            PrivateClient(NAME, sync_state=damaged)
        with pytest.raises(kinfolk.InvalidArgument):
            session.discover_privately(book_of("ben@example.com"), damaged)


def test_the_number_of_threads_does_not_change_the_result(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    client = PrivateClient(NAME, threads=0)
    client.set_contacts(book_of("ben@example.com"))
    description = client.next_request()
    assert description is not None
    client.receive(session.answer(description))
    request = client.next_request()
    assert request is not None
    assert session.answer(request, 1) == session.answer(request, threads=0) == session.answer(request, 2**32 - 1)
    for threads in (-1, 2**32):
        with pytest.raises(kinfolk.InvalidArgument):
            session.answer(request, threads)
        with pytest.raises(kinfolk.InvalidArgument):
            PrivateClient(NAME, threads=threads)
        with pytest.raises(kinfolk.InvalidArgument):
            session.discover_privately(book_of(), threads=threads)


def test_a_key_is_announced_before_it_answers(
    service: kinfolk.Service, notes: kinfolk.Container, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    assert notes.announce_next_private_key() == notes.announce_next_private_key() == 2
    announced, answering = notes.private_epochs
    assert (announced.is_announced, announced.is_complete, answering.is_announced) == (True, False, False)
    assert notes.renew_private_key() == 2
    assert notes.private_epochs[0].public_key == announced.public_key
    rotation = service.rotate_keys(leaked=True)
    assert rotation.consequences == kinfolk.RotationConsequences(63)
    assert [epoch.number for epoch in notes.private_epochs] == [3]
    assert len(session.discover_privately(book_of("ben@example.com"))) == 1


def test_a_client_uses_a_given_bucket_key_and_filler_secret(
    service: kinfolk.Service, notes: kinfolk.Container, session: kinfolk.Session, friend: Friend
) -> None:
    friend("ben")
    notes.set_prefix_bits(16)
    key, other_key = service.bucket_public_key, notes.private_epochs[0].public_key
    client = PrivateClient(NAME, bucket_key=key)
    client.set_contacts(book_of("ben@example.com"))
    *_, asked = converse(client, session)
    assert len(client.identities()) == 1
    again = PrivateClient(NAME, filler_secret=client.filler_secret)
    again.set_contacts(book_of("ben@example.com"))
    *_, repeated = converse(again, session)
    assert repeated[24:] == asked[24:]
    with pytest.raises(kinfolk.KeyMismatch):
        PrivateClient(NAME, bucket_key=other_key, sync_state=client.sync_state)
    with pytest.raises(kinfolk.InvalidArgument):
        PrivateClient(NAME, filler_secret=bytes(32), sync_state=client.sync_state)
    for bad in (b"", bytes(31), bytes(33)):
        with pytest.raises(kinfolk.InvalidArgument):
            PrivateClient(NAME, filler_secret=bad)
        with pytest.raises(kinfolk.InvalidArgument):
            PrivateClient(NAME, bucket_key=bad)
