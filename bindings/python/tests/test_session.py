"""Sessions: who is signed in, and what they decided."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import kinfolk
from kinfolk import AccountStatus, Discoverability

if TYPE_CHECKING:
    from conftest import Store


def test_a_user_record_id_is_stable_in_its_container(service: kinfolk.Service, ada: kinfolk.Account) -> None:
    notes, chess = service.create_container("com.example.notes"), service.create_container("com.example.chess")
    first = notes.open_session(ada).user_record_id
    assert re.fullmatch("_[0-9a-f]{32}", first)
    assert notes.open_session(ada).user_record_id == first
    assert chess.open_session(ada).user_record_id != first


def test_an_anonymous_session_can_only_read(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    anonymous = notes.open_anonymous_session()
    assert anonymous.account_status is AccountStatus.NO_ACCOUNT
    assert anonymous.fetch_record(session.user_record_id).user_record_id == session.user_record_id
    record = anonymous.fetch_record(session.user_record_id)
    for refused in (
        lambda: anonymous.user_record_id,
        lambda: anonymous.discoverability,
        anonymous.fetch_record,
        lambda: anonymous.save_record(record),
        lambda: anonymous.set_discoverability(Discoverability.DENIED),
        lambda: anonymous.discover_email("ada@example.com"),
        lambda: anonymous.discover(kinfolk.ContactBook()),
        lambda: anonymous.on_account_changed(print),
    ):
        with pytest.raises(kinfolk.NotAuthenticated):
            refused()


def test_account_and_container_must_belong_to_one_service(notes: kinfolk.Container, store: Store) -> None:
    with store.other("other").open() as other:
        stranger = other.create_account("Ada")
        with pytest.raises(kinfolk.InvalidArgument):
            notes.open_session(stranger)


def test_a_decision_is_stored(session: kinfolk.Session) -> None:
    assert session.discoverability is Discoverability.UNDETERMINED
    session.set_discoverability(Discoverability.GRANTED, "May friends find you?", "1")
    assert session.discoverability is Discoverability.GRANTED
    session.set_discoverability(Discoverability.DENIED)
    assert session.discoverability is Discoverability.DENIED


def test_a_grant_needs_the_wording(session: kinfolk.Session) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        session.set_discoverability(Discoverability.GRANTED)
    with pytest.raises(kinfolk.InvalidArgument):
        session.set_discoverability(Discoverability.UNDETERMINED, "May friends find you?", "1")
    assert session.discoverability is Discoverability.UNDETERMINED


def test_a_person_is_asked_once(session: kinfolk.Session) -> None:
    shown: list[str] = []

    def prompt(text: str) -> Discoverability:
        shown.append(text)
        return Discoverability.GRANTED

    for _ in range(3):
        assert session.request_discoverability("Dürfen Freunde dich finden?", "1", prompt) is Discoverability.GRANTED
    assert shown == ["Dürfen Freunde dich finden?"]
    assert session.discoverability is Discoverability.GRANTED


def test_a_prompt_without_an_answer_asks_again(session: kinfolk.Session) -> None:
    answers = [Discoverability.UNDETERMINED, Discoverability.DENIED]
    asked = session.request_discoverability("May friends find you?", "1", lambda _: answers.pop(0))
    assert asked is Discoverability.UNDETERMINED
    asked = session.request_discoverability("May friends find you?", "1", lambda _: answers.pop(0))
    assert asked is Discoverability.DENIED


@pytest.mark.parametrize("error", [LookupError("no window"), KeyboardInterrupt()])
def test_an_exception_of_a_prompt_reaches_the_caller_and_nothing_is_stored(
    session: kinfolk.Session, error: BaseException
) -> None:
    def prompt(_: str) -> Discoverability:
        raise error

    with pytest.raises(type(error)) as raised:
        session.request_discoverability("May friends find you?", "1", prompt)
    assert raised.value is error
    assert session.discoverability is Discoverability.UNDETERMINED


@pytest.mark.parametrize("answer", [None, True, 1, "granted", AccountStatus.AVAILABLE])
def test_a_prompt_answers_with_a_discoverability(session: kinfolk.Session, answer: object) -> None:
    with pytest.raises(TypeError, match="prompt's answer"):
        session.request_discoverability("May friends find you?", "1", lambda _: answer)  # type: ignore[arg-type,return-value]
    assert session.discoverability is Discoverability.UNDETERMINED


def test_a_prompt_may_use_the_session(session: kinfolk.Session) -> None:
    def prompt(_: str) -> Discoverability:
        assert session.discoverability is Discoverability.UNDETERMINED
        return Discoverability.GRANTED

    assert session.request_discoverability("May friends find you?", "1", prompt) is Discoverability.GRANTED
