"""What a child of fork() inherits."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import kinfolk

if TYPE_CHECKING:
    from conftest import Store

# Python warns of forks in programs with threads; that is what is tested here.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")


class Things:
    """Open objects of each kind."""

    def __init__(self, store: Store) -> None:
        self.service = store.open()
        self.ada = self.service.create_account("Ada", "Example")
        self.ada.add_email("ada@example.com", verified=True)
        self.session = self.service.create_container("com.example.notes").open_session(self.ada)
        self.session.on_account_changed(lambda: None)
        self.record = self.session.fetch_record()
        self.client = kinfolk.PrivateClient("com.example.notes")


def in_child(check: Callable[[], None]) -> None:
    """Forks; the child runs the check and ends as a program would, with all finalizers."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(120)  # a child that hangs fails the test, and does not hang it
        status = 1
        try:
            check()
            gc.collect()
            status = 0
        except BaseException as error:
            os.write(write, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(child, 0)
    assert said == ""
    assert status == 0


def test_what_a_fork_inherited_is_unavailable_and_harmless(store: Store) -> None:
    things = Things(store)

    def check() -> None:
        for use in (
            lambda: things.session.account_status,
            lambda: things.session.user_record_id,
            lambda: things.session.on_account_changed(None),
            lambda: things.record["a"],
            lambda: len(things.record),
            lambda: things.ada.id,
            things.client.next_request,
            things.service.create_account,
        ):
            with pytest.raises(kinfolk.ServiceUnavailable, match="fork"):
                use()
        things.record.close()
        vars(things).clear()
        gc.collect()
        with store.open() as own:
            assert own.find_account("ada@example.com").given_name == "Ada"
            own.create_account("Ben").add_email("ben@example.com", verified=True)

    in_child(check)
    assert things.ada.given_name == "Ada"
    assert things.service.find_account("ben@example.com").given_name == "Ben"
    things.service.close()


def test_a_fork_while_threads_call_does_not_hang(service: kinfolk.Service, store: Store) -> None:
    stop = threading.Event()

    def busy() -> None:
        while not stop.is_set():
            service.create_account("Ada")

    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()

    def check() -> None:
        with store.open() as own:
            own.create_account("Ben")

    try:
        for _ in range(5):
            in_child(check)
    finally:
        stop.set()
        for thread in threads:
            thread.join(60)
