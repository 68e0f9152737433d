"""Being told that the account behind a session changed."""

from __future__ import annotations

import gc
import linecache
import sys
import threading
import time
import weakref
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import pytest

import kinfolk
from kinfolk import AccountStatus

if TYPE_CHECKING:
    from conftest import Store


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen within a minute"
        time.sleep(0.01)


def tell_others(notes: kinfolk.Container, account: kinfolk.Account, change: Callable[[], object]) -> None:
    """Makes a change, and waits until all functions that were registered before have been called for it.

    They are called in the order in which they were registered, so one that is registered now is called last.
    """
    told = threading.Event()
    with notes.open_session(account) as last:
        last.on_account_changed(told.set)
        change()
        assert told.wait(60)


def end_during_callback(
    session: kinfolk.Session, account: kinfolk.Account, end: Callable[[], object], line: str
) -> None:
    """Calls `end` while a callback runs, and checks that it returns after the callback.

    `line` is a part of the line of code in which `end` waits.
    """
    started, ending, finished = threading.Event(), threading.Event(), threading.Event()
    had_finished: list[bool] = []

    def slow() -> None:
        started.set()
        assert ending.wait(60)
        finished.set()

    def run_end() -> None:
        end()
        had_finished.append(finished.is_set())

    def is_waiting() -> bool:
        frame = sys._current_frames().get(thread.ident or 0)
        return frame is not None and line in linecache.getline(frame.f_code.co_filename, frame.f_lineno)

    session.on_account_changed(slow)
    account.suspend()
    assert started.wait(60)
    thread = threading.Thread(target=run_end)
    thread.start()
    wait_for(lambda: is_waiting() or not thread.is_alive())
    ending.set()
    thread.join(60)
    assert had_finished == [True]


def test_a_change_of_the_account_calls_the_callback(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    seen: list[AccountStatus] = []
    session.on_account_changed(lambda: seen.append(session.account_status))
    ada.suspend()
    wait_for(lambda: AccountStatus.RESTRICTED in seen)
    ada.erase()
    wait_for(lambda: AccountStatus.NO_ACCOUNT in seen)


def test_only_the_last_callback_is_called_and_none_removes_it(
    notes: kinfolk.Container, ada: kinfolk.Account, session: kinfolk.Session
) -> None:
    first, second = [], []
    session.on_account_changed(lambda: first.append(1))
    session.on_account_changed(lambda: second.append(1))
    ada.suspend()
    wait_for(lambda: second)
    session.on_account_changed(None)
    told = len(second)
    tell_others(notes, ada, ada.resume)
    assert first == []
    assert len(second) == told


def test_ending_waits_for_a_running_callback(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    end_during_callback(
        session, ada, lambda: session.on_account_changed(None), "lib.kinfolk_session_on_account_changed("
    )


def test_closing_waits_for_a_running_callback(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    end_during_callback(session, ada, session.close, "self._free(pointer)")


@pytest.mark.parametrize("how", ["close", "end", "replace"])
def test_a_callback_can_remove_itself(
    notes: kinfolk.Container, ada: kinfolk.Account, session: kinfolk.Session, how: str
) -> None:
    calls: list[int] = []

    def once() -> None:
        calls.append(1)
        if how == "close":
            session.close()
        else:
            session.on_account_changed(None if how == "end" else lambda: None)

    session.on_account_changed(once)
    ada.suspend()
    wait_for(lambda: calls)
    tell_others(notes, ada, ada.resume)
    assert calls == [1]
    if how == "close":
        with pytest.raises(ValueError, match="the session is closed"):
            session.account_status  # noqa: B018


def test_callbacks_that_close_each_others_sessions_do_not_hang(
    notes: kinfolk.Container, ada: kinfolk.Account, store: Store
) -> None:
    """Two services, each with a thread of its own; each callback closes the other's session."""
    with store.other("other").open() as other:
        ben = other.create_account("Ben")
        pair = [notes.open_session(ada), other.create_container("com.example.notes").open_session(ben)]
        both, done = threading.Barrier(2), [threading.Event(), threading.Event()]

        def closing(mine: int) -> Callable[[], None]:
            def changed() -> None:
                both.wait(60)
                pair[1 - mine].close()
                done[mine].set()

            return changed

        for index in (0, 1):
            pair[index].on_account_changed(closing(index))
        ada.suspend()
        ben.suspend()
        assert all(event.wait(60) for event in done)


def test_a_failed_registration_keeps_the_earlier_callback(
    ada: kinfolk.Account, session: kinfolk.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kinfolk._ffi import lib

    def fail(*_: object) -> None:
        raise kinfolk.ServiceUnavailable("not now")

    first: list[int] = []
    second: list[int] = []
    session.on_account_changed(lambda: first.append(1))
    with monkeypatch.context() as patch:
        patch.setattr(lib, "kinfolk_session_on_account_changed", fail)
        with pytest.raises(kinfolk.ServiceUnavailable):
            session.on_account_changed(lambda: second.append(1))
    ada.suspend()
    wait_for(lambda: first)
    assert second == []


def test_an_exception_of_a_callback_goes_to_the_unraisable_hook(
    ada: kinfolk.Account, session: kinfolk.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: caught.append(hook.exc_value))

    def broken() -> None:
        raise LookupError("a fault of the callback")

    session.on_account_changed(broken)
    ada.suspend()
    wait_for(lambda: caught)
    session.on_account_changed(None)
    assert isinstance(caught[0], LookupError)
    assert session.account_status is AccountStatus.RESTRICTED


def test_the_callback_of_a_dropped_session_is_not_called(notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    calls: list[int] = []
    session = notes.open_session(ada)
    session.on_account_changed(partial(lambda own: calls.append(len(own.user_record_id)), session))  # a cycle
    reference = weakref.ref(session)
    del session
    gc.collect()
    assert reference() is None
    tell_others(notes, ada, ada.suspend)
    assert calls == []
