"""Sessions: who is signed in, and what they decided."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import kinfolk
from kinfolk import AccountStatus, Discoverability

if TYPE_CHECKING:
    from conftest import Store


def test_a_user_record_id_is_text(notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    first = notes.open_session(ada).user_record_id
    assert re.fullmatch("_[0-9a-f]{32}", first)
    assert notes.open_session(ada).user_record_id == first


def test_an_anonymous_session_can_only_read(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    anonymous = notes.open_anonymous_session()
    assert anonymous.account_status is AccountStatus.NO_ACCOUNT
    record = anonymous.fetch_record(session.user_record_id)
    assert record.user_record_id == session.user_record_id
    for refused in (
        lambda: anonymous.user_record_id,
        anonymous.fetch_record,
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
    with pytest.raises(kinfolk.InvalidArgument):
        session.set_discoverability(Discoverability.GRANTED)  # without the wording
    session.set_discoverability(Discoverability.GRANTED, "May friends find you?", "1")
    assert session.discoverability is Discoverability.GRANTED
    session.set_discoverability(Discoverability.DENIED)
    assert session.discoverability is Discoverability.DENIED


def test_a_person_is_asked_until_there_is_an_answer(session: kinfolk.Session) -> None:
    shown: list[str] = []
    answers = [Discoverability.UNDETERMINED, Discoverability.GRANTED]

    def prompt(text: str) -> Discoverability:
        shown.append(text)
        return answers.pop(0)

    found = [session.request_discoverability("Dürfen Freunde dich finden?", "1", prompt) for _ in range(3)]
    assert found == [Discoverability.UNDETERMINED, Discoverability.GRANTED, Discoverability.GRANTED]
    assert shown == ["Dürfen Freunde dich finden?"] * 2
    assert session.discoverability is Discoverability.GRANTED


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


def test_a_prompt_answers_with_a_discoverability(session: kinfolk.Session) -> None:
    for answer in (None, True, 1, "granted", AccountStatus.AVAILABLE):
        with pytest.raises(TypeError, match="prompt's answer"):
            session.request_discoverability("May friends find you?", "1", lambda _, answer=answer: answer)  # type: ignore[arg-type,return-value,misc]
    assert session.discoverability is Discoverability.UNDETERMINED


def test_a_prompt_may_use_the_session(session: kinfolk.Session) -> None:
    def prompt(_: str) -> Discoverability:
        assert session.discoverability is Discoverability.UNDETERMINED
        return Discoverability.GRANTED

    assert session.request_discoverability("May friends find you?", "1", prompt) is Discoverability.GRANTED
