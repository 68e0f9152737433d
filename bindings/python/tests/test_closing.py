"""Closing, dropping and threads: nothing crashes, nothing hangs."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk._handle import Handle

if TYPE_CHECKING:
    from conftest import Store

Friend = Callable[..., "tuple[kinfolk.Account, kinfolk.Session]"]


def uses(thing: Any) -> list[Callable[[], object]]:
    """Every public property and method without required arguments, close and closed apart."""
    calls: list[Callable[[], object]] = []
    for name in dir(type(thing)):
        if name.startswith("_") or name in ("close", "closed"):
            continue
        if isinstance(getattr(type(thing), name), property):
            calls.append(lambda name=name: getattr(thing, name))  # type: ignore[misc]
    return calls


def test_after_close_each_use_names_the_closed_object(
    service: kinfolk.Service, notes: kinfolk.Container, ada: kinfolk.Account, session: kinfolk.Session
) -> None:
    book, record = kinfolk.ContactBook(), session.fetch_record()
    database = session.private_database
    found, client = session.discover(book), kinfolk.PrivateClient("com.example.notes")
    closed: list[tuple[Any, str, list[Callable[[], object]]]] = [
        (found, "discovery", [lambda: found[0], lambda: len(found), lambda: list(found), lambda: found[:]]),
        (record, "record", [lambda: record["a"], lambda: len(record), lambda: "a" in record, lambda: list(record)]),
        (book, "contact book", [lambda: len(book), lambda: book.add_email("a@example.com"), lambda: book.label(0)]),
        (client, "private client", [client.begin, client.next_request, client.identities, lambda: client.receive(b"")]),
        (
            database,
            "database",
            [lambda: database.fetch("a"), lambda: database.save(record), lambda: database.delete("a")],
        ),
        (database, "database", [lambda: database.fetch_many(["a"]), database.batch().run]),
        (session, "session", [lambda: session.discover_email("a@example.com"), session.fetch_record]),
        (ada, "account", [ada.suspend, ada.export, ada.erase, lambda: ada.add_email("a@example.com")]),
        (notes, "container", [notes.open_anonymous_session, lambda: notes.block("a", "b")]),
        (service, "service", [service.create_account, service.rotate_keys, service.audit_log]),
    ]
    for thing, kind, calls in closed:
        thing.close()
        thing.close()
        assert thing.closed
        for call in calls + uses(thing) + [thing.__enter__]:
            with pytest.raises(ValueError, match=f"the {kind} is closed"):
                call()
        assert "closed" in repr(thing)


def test_closed_arguments_are_named(session: kinfolk.Session, notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    book, record = kinfolk.ContactBook(), session.fetch_record()
    for thing in (book, record, ada):
        thing.close()
    with pytest.raises(ValueError, match="the contact book is closed"):
        session.discover(book)
    with pytest.raises(ValueError, match="the contact book is closed"):
        kinfolk.PrivateClient("com.example.notes").set_contacts(book)
    with pytest.raises(ValueError, match="the record is closed"):
        session.save_record(record)
    with pytest.raises(ValueError, match="the account is closed"):
        notes.open_session(ada)


def test_closing_a_service_closes_its_objects_and_the_store(store: Store) -> None:
    with store.open() as service:
        account, container = service.create_account(), service.create_container("com.example.notes")
        session = container.open_session(account)
        assert store.is_open()
    for use in (lambda: account.given_name, lambda: container.name, lambda: session.account_status):
        with pytest.raises(ValueError, match="is closed"):
            use()
    assert store.is_closed()


def test_an_object_keeps_the_objects_it_depends_on_open(store: Store) -> None:
    container = store.open().create_container("com.example.notes")
    gc.collect()
    session = container.open_anonymous_session()
    del container
    gc.collect()
    assert session.account_status is kinfolk.AccountStatus.NO_ACCOUNT
    del session
    gc.collect()
    assert store.is_closed()


def test_an_exception_in_a_with_block_closes_too(store: Store) -> None:
    with pytest.raises(LookupError), store.open() as service:
        raise LookupError
    assert service.closed


@pytest.mark.parametrize(
    "kind", [kinfolk.Service, kinfolk.Session, kinfolk.Database, kinfolk.Discovery, kinfolk.Account]
)
@pytest.mark.parametrize("argument", [None, 0, "kinfolk.db", 12345678])
def test_a_class_that_cannot_be_called_says_so(kind: type, argument: object) -> None:
    with pytest.raises(TypeError, match="not made by calling"):
        kind(argument)


def begun(handle: Handle) -> None:
    """Waits until another thread makes a call on this handle."""
    ends = time.monotonic() + 60
    while handle._calls == 0 and time.monotonic() < ends:
        time.sleep(0.01)


def test_a_call_that_waits_for_another_writer_ends_when_its_service_is_closed(
    store: Store, held: Callable[[], AbstractContextManager[None]]
) -> None:
    store.open().close()
    service = store.open(wait=600)
    results: list[object] = []

    def write() -> None:
        try:
            results.append(service.create_account("Ada"))
        except ValueError as error:
            results.append(error)

    writer = threading.Thread(target=write)
    with held():
        writer.start()
        begun(service._handle)
        service.close()
        writer.join(60)
        assert not writer.is_alive()
    assert isinstance(results[0], ValueError)
    assert "the service is closed" in str(results[0])
    assert store.is_closed()


@pytest.mark.parametrize("closers", [1, 3])
def test_close_waits_for_the_transaction_of_another_thread(store: Store, closers: int) -> None:
    service = store.open()
    inside, goes_on = threading.Event(), threading.Event()
    order: list[object] = []

    def tell(_done: int, _total: int) -> None:
        inside.set()
        assert goes_on.wait(60)
        order.append("step")

    def check() -> None:
        # The check may have been complete when the service was closed.
        with contextlib.suppress(ValueError):
            service.check(tell)

    def close() -> None:
        service.close()
        order.append(store.is_closed())

    threads = [threading.Thread(target=check)]
    threads[0].start()
    assert inside.wait(60)
    for _ in range(closers):
        threads.append(threading.Thread(target=close))
        threads[-1].start()
    while not service.closed:
        time.sleep(0.01)
    goes_on.set()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    assert order[0] == "step"
    assert order[-closers:] == [True] * closers


@pytest.mark.parametrize("call", ["check", pytest.param("back_up", marks=pytest.mark.files), "copy"])
def test_a_progress_function_can_close_the_service(store: Store, tmp_path: Path, call: str) -> None:
    service = store.open()
    work = service.check if call == "check" else functools.partial(getattr(service, call), tmp_path / "copy")
    steps: list[int] = []

    def tell(done: int, _total: int) -> None:
        steps.append(done)
        service.close()

    with pytest.raises(ValueError, match="the service is closed"):
        work(tell)
    assert store.is_closed()
    assert len(steps) == 1


def in_threads(functions: list[Callable[[], object]]) -> None:
    """Runs each function on a thread of its own. Those that wait for ever do not keep the process."""
    threads = [threading.Thread(target=function, daemon=True) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()


def check(service: kinfolk.Service, close: Callable[[], None]) -> None:
    """Checks a store, and calls this function once in the transaction of the check."""
    left = [close]

    def tell(_done: int, _total: int) -> None:
        if left:
            left.pop()()

    with contextlib.suppress(ValueError):
        service.check(tell)


def test_two_progress_functions_can_close_the_services_of_both(store: Store) -> None:
    other = store.other("other")
    services = [store.open(), other.open()]
    inside = threading.Barrier(2, timeout=60)

    def close_all() -> None:
        inside.wait()
        for service in services:
            service.close()

    in_threads([functools.partial(check, service, close_all) for service in services])
    assert store.is_closed()
    assert other.is_closed()


def test_two_progress_functions_can_close_the_same_service(store: Store) -> None:
    service = store.open()
    inside, first_closed = threading.Barrier(2, timeout=60), threading.Event()
    closed: list[bool] = []

    def first() -> None:
        inside.wait()
        service.close()
        first_closed.set()
        time.sleep(0.3)  # the other check could end before this one, but the service cannot be closed then

    def second() -> None:
        inside.wait()
        assert first_closed.wait(60)
        service.close()

    def work(close: Callable[[], None]) -> None:
        check(service, close)
        closed.append(store.is_closed())

    in_threads([functools.partial(work, close) for close in (first, second)])
    assert closed == [True, True]


def test_a_callback_and_a_progress_function_can_close_each_others_services(store: Store) -> None:
    services = [store.open(), store.other("other").open()]
    account = services[0].create_account("Ada")
    session = services[0].create_container("com.example.notes").open_session(account)
    inside, ended = threading.Barrier(2, timeout=60), threading.Event()

    def changed() -> None:
        inside.wait()
        services[1].close()
        ended.set()

    def close() -> None:
        inside.wait()
        services[0].close()

    session.on_account_changed(changed)
    account.suspend()
    in_threads([functools.partial(check, services[1], close)])
    assert ended.wait(60)
    assert store.is_closed()
    assert store.other("other").is_closed()


def test_a_callback_can_close_a_service_that_another_thread_closes(store: Store) -> None:
    service = store.open()
    account = service.create_account("Ada")
    session = service.create_container("com.example.notes").open_session(account)
    inside = threading.Event()
    closed: list[bool] = []

    def close() -> None:
        inside.set()
        while not service.closed:
            time.sleep(0.01)
        time.sleep(0.2)  # the other thread waits for this function by now, but need not
        service.close()
        closed.append(store.is_closed())

    session.on_account_changed(close)
    account.suspend()
    assert inside.wait(60)
    in_threads([service.close])
    assert closed == [True]


def test_an_awaited_close_ends_all_calls_that_wait_for_another_writer(
    store: Store, held: Callable[[], AbstractContextManager[None]]
) -> None:
    store.open().close()

    async def run() -> None:
        service = await kinfolk.aio.open(store.path, key_file=store.key_file, wait=600)
        with held():
            # More than there are threads for calls.
            calls = [asyncio.create_task(service.create_account("Ada")) for _ in range(40)]
            await asyncio.sleep(0.2)
            await asyncio.wait_for(service.close(), 60)
            for result in await asyncio.gather(*calls, return_exceptions=True):
                assert isinstance(result, ValueError)
                assert "closed" in str(result)
        assert store.is_closed()

    asyncio.run(run())


def test_a_callback_can_close_the_service(store: Store) -> None:
    service = store.open()
    account = service.create_account("Ada")
    session = service.create_container("com.example.notes").open_session(account)
    closed: list[bool] = []
    told = threading.Event()

    def close() -> None:
        service.close()
        closed.append(store.is_closed())
        told.set()

    session.on_account_changed(close)
    account.suspend()
    assert told.wait(60)
    assert closed == [True]
    with pytest.raises(ValueError, match="the session is closed"):
        _ = session.account_status


def test_threads_that_use_and_close_one_object_get_results_or_closed_errors(
    notes: kinfolk.Container, ada: kinfolk.Account
) -> None:
    unexpected: list[BaseException] = []
    sys.setswitchinterval(1e-5)
    try:
        for _ in range(40):
            session = notes.open_session(ada)
            start, answered = threading.Barrier(5), threading.Event()

            def use(
                session: kinfolk.Session = session,
                start: threading.Barrier = start,
                answered: threading.Event = answered,
            ) -> None:
                start.wait()
                try:
                    while True:
                        assert session.account_status is kinfolk.AccountStatus.AVAILABLE
                        answered.set()
                except ValueError as error:
                    if "is closed" not in str(error):
                        unexpected.append(error)
                except BaseException as error:
                    unexpected.append(error)

            def close(
                session: kinfolk.Session = session,
                start: threading.Barrier = start,
                answered: threading.Event = answered,
            ) -> None:
                start.wait()
                answered.wait(60)
                session.close()

            threads = [threading.Thread(target=target) for target in (use, use, use, close, close)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(60)
                assert not thread.is_alive()
    finally:
        sys.setswitchinterval(0.005)
    assert unexpected == []


def test_concurrent_writes_are_not_lost(service: kinfolk.Service) -> None:
    def write(number: int) -> None:
        for index in range(20):
            service.create_account().add_email(f"p{number}-{index}@example.com", verified=True)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for number in range(8):
        for index in range(20):
            service.find_account(f"p{number}-{index}@example.com")


def run(program: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(Path(kinfolk.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_no_callback_runs_when_the_interpreter_ends(store: Store) -> None:
    program = f"""
import atexit, threading
def late():
    before, told = len(calls), threading.Event()
    last = notes.open_session(ada)
    last.on_account_changed(told.set)  # called after those that were registered before
    ada.suspend()
    print("calls", before, told.wait(60), len(calls))
    last.on_account_changed(None)
atexit.register(late)  # before kinfolk's own, so that it runs after it
import kinfolk
service = {store.opening}
ada = service.create_account("Ada", "Example")
notes = service.create_container("com.example.notes")
session = notes.open_session(ada)
calls = []
session.on_account_changed(lambda: calls.append(1))
"""
    assert run(program) == (0, "calls 0 True 0\n", "")


def test_a_process_with_open_objects_ends_without_output(store: Store) -> None:
    """Open objects, a callback and a thread that still works, when the program ends."""
    program = f"""
import threading, kinfolk
service = {store.opening}
ada = service.create_account("Ada", "Example")
session = service.create_container("com.example.notes").open_session(ada)
told = threading.Event()
session.on_account_changed(lambda: (session.account_status, told.set()))
session.on_notification(lambda _: None)
settings, documents = session.key_value_store, session.documents
settings["key"] = 1
document = documents.create("a", b"text")
settings.on_change(lambda _: None)
changes = documents.watch()
threading.Thread(target=lambda: list(changes), daemon=True).start()
watch = session.watch()
def wait():
    try:
        next(watch)
    except kinfolk.NotAuthenticated:
        pass  # the account is suspended now and then
threading.Thread(target=wait, daemon=True).start()
book = kinfolk.ContactBook()
def work():
    while True:
        ada.suspend()
        ada.resume()
threading.Thread(target=work, daemon=True).start()
told.wait(60)
"""
    assert run(program) == (0, "", "")
