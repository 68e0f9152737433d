"""What a child of fork() inherits."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio

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
        self.session.on_notification(lambda _: None)
        self.record = self.session.fetch_record()
        self.database = self.session.public_database
        self.settings = self.session.key_value_store
        self.settings["key"] = 1
        self.changes = self.settings.watch()
        self.documents = self.session.documents
        self.documents.on_change(lambda _: None)
        self.document = self.documents.create("a", b"text")
        self.upload = self.documents.upload()
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


def test_inherited_objects_fail_in_a_child_and_do_no_harm(store: Store) -> None:
    things = Things(store)

    def check() -> None:
        for use in (
            lambda: things.session.account_status,
            lambda: things.session.user_record_id,
            lambda: things.session.on_account_changed(None),
            lambda: things.session.on_notification(None),
            things.session.notifications,
            things.session.devices,
            things.database.subscriptions,
            lambda: things.record["a"],
            lambda: len(things.record),
            lambda: things.ada.id,
            lambda: things.database.fetch("a"),
            things.database.batch().run,
            lambda: things.settings["key"],
            lambda: "key" in things.settings,
            things.settings.synchronize,
            lambda: things.settings.on_change(None),
            lambda: next(things.changes),
            lambda: things.session.key_value_store,
            lambda: things.session.documents,
            things.documents.search,
            things.documents.watch,
            lambda: things.documents.on_change(None),
            lambda: things.document.path,
            things.document.read,
            lambda: things.document.save(b"again"),
            lambda: things.upload.write(b"text"),
            lambda: things.documents.create("b", upload=things.upload),
            things.client.next_request,
            things.service.create_account,
        ):
            with pytest.raises(kinfolk.ServiceUnavailable, match="fork"):
                use()
        for each in (things.record, things.settings, things.changes, things.document, things.upload):
            each.close()
        vars(things).clear()
        gc.collect()
        with store.open() as own:
            assert own.find_account("ada@example.com").given_name == "Ada"
            own.create_account("Ben").add_email("ben@example.com", verified=True)

    in_child(check)
    assert things.ada.given_name == "Ada"
    assert (things.settings["key"], things.document.read()) == (1, b"text")
    assert things.documents.create("b", upload=things.upload).read() == b""
    assert things.service.find_account("ben@example.com").given_name == "Ben"
    things.service.close()


def test_a_fork_during_calls_of_threads_does_not_hang(service: kinfolk.Service, store: Store) -> None:
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


# Children of multiprocessing end by os._exit(), without the atexit functions of the library.

LOOKUPS = 20


def look_up(opened: kinfolk.Service, account_id: str, times: int = LOOKUPS) -> None:
    session = opened.open_container("com.example.notes").open_session(opened.open_account(account_id))
    for _ in range(times):
        assert session.discover_email("unknown@example.com") is None


def run_children(*targets: Callable[[], object]) -> None:
    """Runs each in a child process of its own, all at once."""
    context: Any = multiprocessing.get_context("fork")
    children = [context.Process(target=each) for each in targets]
    for child in children:
        child.start()
    for child in children:
        child.join(120)
        if child.exitcode is None:  # a child that hangs fails the test, and does not hang it
            child.kill()
            child.join()
    assert [child.exitcode for child in children] == [0] * len(children)


def test_children_of_multiprocessing_spend_one_permit_for_each_look_up(
    store: Store, notes: kinfolk.Container, session: kinfolk.Session, ada: kinfolk.Account
) -> None:
    notes.set_permits(10_000, 0, 10_000)
    account_id = ada.id
    kept = []

    def ask() -> None:
        kept.append(store.open())
        look_up(kept[0], account_id)

    def ask_of_two_services() -> None:
        for _ in range(2):
            kept.append(store.open())
            look_up(kept[-1], account_id)

    def fail() -> None:
        ask()
        raise SystemExit(0)

    def ask_in_a_child_of_its_own() -> None:
        ask()
        kept.clear()
        run_children(ask)

    # Each takes permits ahead, which count as spent until they are settled.
    run_children(ask, ask_of_two_services, fail, ask_in_a_child_of_its_own)
    assert notes.permits_left(session.user_record_id) == 10_000 - 6 * LOOKUPS


def test_a_service_in_a_child_of_multiprocessing_is_open_until_its_threads_have_ended(
    store: Store, notes: kinfolk.Container, session: kinfolk.Session, ada: kinfolk.Account
) -> None:
    notes.set_permits(10_000, 0, 10_000)
    account_id = ada.id

    def ask_in_thread() -> None:
        service = store.open()

        def ask() -> None:
            threading.main_thread().join()  # it counts as ended when multiprocessing waits for threads
            look_up(service, account_id)

        threading.Thread(target=ask).start()

    def ask_in_aio() -> None:
        async def ask() -> None:
            service = await kinfolk.aio.open(store.path, key_file=store.key_file)
            kept.append(service)
            container = await service.open_container("com.example.notes")
            own = await container.open_session(await service.open_account(account_id))
            for _ in range(LOOKUPS):
                await own.discover_email("unknown@example.com")

        asyncio.run(ask())

    kept: list[kinfolk.aio.Service] = []
    run_children(ask_in_thread, ask_in_aio)
    assert notes.permits_left(session.user_record_id) == 10_000 - 2 * LOOKUPS
