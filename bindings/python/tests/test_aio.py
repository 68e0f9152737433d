"""kinfolk.aio: the same calls as coroutines."""

from __future__ import annotations

import asyncio
import gc
import inspect
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Discoverability
from kinfolk._awaiting import MOST_THREADS

if TYPE_CHECKING:
    from conftest import Store

    Held = Callable[[], AbstractContextManager[None]]

NAME = "com.example.notes"
Result = TypeVar("Result")


def run(main: Coroutine[Any, Any, Result]) -> Result:
    return asyncio.run(asyncio.wait_for(main, 120))


async def opened(store: Store) -> kinfolk.aio.Service:
    if isinstance(store.path, str):
        return await kinfolk.aio.open(store.path, key_file=store.key_file)
    return await kinfolk.aio.open(store.path)


async def make_person(service: kinfolk.aio.Service, given_name: str) -> kinfolk.aio.Account:
    account = await service.create_account(given_name.capitalize(), "Example")
    assert await account.add_email(f"{given_name}@example.com", verified=True) is None
    return account


@pytest.mark.parametrize(
    "name",
    [
        "Service",
        "Account",
        "Container",
        "Session",
        "Database",
        "KeyValueStore",
        "Document",
        "Documents",
        "DocumentUpload",
        "Upload",
        "PrivateClient",
    ],
)
def test_each_class_has_all_members_of_the_blocking_class_with_docstrings(name: str) -> None:
    blocking, awaited = getattr(kinfolk, name), getattr(kinfolk.aio, name)
    for member in dir(blocking):
        static = inspect.getattr_static(blocking, member)
        if member.startswith("_") or isinstance(static, (staticmethod, classmethod, kinfolk.DatabaseScope)):
            continue
        if (name, member) == ("Document", "open"):  # a stream would block
            continue
        assert inspect.getdoc(getattr(awaited, member)), member
        if not isinstance(inspect.getattr_static(awaited, member), property):
            function = getattr(awaited, member)
            is_awaited = inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
            in_memory = {
                ("Session", "database"),
                ("Database", "batch"),
                ("Database", "begin_upload"),
                ("Database", "query"),
            }
            assert is_awaited is ((name, member) not in in_memory), member
    assert awaited.__module__ == "kinfolk.aio"


def test_people_find_each_other(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            ada, grace = await asyncio.gather(make_person(service, "ada"), make_person(service, "grace"))
            notes = await service.create_container(NAME)
            session, other = await asyncio.gather(notes.open_session(ada), notes.open_session(grace))
            await other.set_discoverability(Discoverability.GRANTED, "May they find you?", "1")
            assert await other.discoverability() is Discoverability.GRANTED
            found = await session.discover(kinfolk.ContactBook([("grace@example.com", "Grace")]))
            assert [each.given_name for each in found] == ["Grace"]
            again = await session.discover(kinfolk.ContactBook(["grace@example.com"]), sync_state=found.sync_state)
            assert len(again) == 1
            record = await session.fetch_record()
            record["motto"] = "awaited"
            await session.save_record(record)
            assert (await other.fetch_record(await session.user_record_id()))["motto"] == "awaited"
            assert await service.open_account(ada.id) == ada
            assert len({ada, await service.find_account("ada@example.com"), grace}) == 2
            assert [each.address for each in await ada.emails()] == ["ada@example.com"]
            assert repr(ada) == "<kinfolk.aio.Account>"
            with pytest.raises(kinfolk.UnknownItem):
                await service.find_account("nobody@example.com")
            with pytest.raises(TypeError, match=r"kinfolk\.Account"):
                await notes.open_session("ada")  # type: ignore[arg-type]
        assert service.closed
        with pytest.raises(ValueError, match="closed"):
            await ada.emails()
        with pytest.raises(ValueError, match="closed"):
            async with service:
                pass

    run(main())


def test_calls_of_private_discovery_are_awaited(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            notes = await service.create_container(NAME)
            await notes.set_directory_modes(kinfolk.DirectoryModes.PRIVATE)
            session = await notes.open_session(await make_person(service, "ada"))
            other = await notes.open_session(await make_person(service, "grace"))
            await other.set_discoverability(Discoverability.GRANTED, "May they find you?", "1")
            async with kinfolk.aio.PrivateClient(NAME) as client:
                await client.set_contacts(kinfolk.ContactBook(["grace@example.com"]))
                while (request := await client.next_request()) is not None:
                    await client.receive(await session.answer(request))
                assert len(await client.identities()) == 1
                assert await client.sync_state()
                assert len(await client.filler_secret()) == 32

    run(main())


# Progress


def test_progress_runs_on_the_event_loop_and_may_use_the_service(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            await make_person(service, "ada")
            loop, told, tasks = asyncio.get_running_loop(), [], []

            def progress(done: int, total: int) -> None:
                assert asyncio.get_running_loop() is loop
                told.append((done, total))
                tasks.append(loop.create_task(service.find_account("ada@example.com")))

            await service.rotate_keys(progress=progress)
            assert told == [(1, 1)]
            await asyncio.gather(*tasks)

    run(main())


def test_an_exception_of_the_progress_function_is_raised_by_the_call(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            await make_person(service, "ada")
            error = LookupError("no window")

            def progress(done: int, total: int) -> None:
                raise error

            with pytest.raises(LookupError) as raised:
                await service.rotate_keys(progress=progress)
            assert raised.value is error
            await service.rotate_keys()
            with pytest.raises(TypeError):
                await service.rotate_keys(progress=5)  # type: ignore[arg-type]

    run(main())


@pytest.mark.files
def test_more_calls_than_threads_do_not_wait_for_each_other(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            account = await make_person(service, "ada")
            tasks: list[asyncio.Task[Any]] = []

            def progress(done: int, total: int) -> None:
                tasks.append(asyncio.create_task(account.emails()))  # type: ignore[arg-type]

            copies = [store.folder / f"copy{number}.db" for number in range(MOST_THREADS + 8)]
            await asyncio.gather(*(service.back_up(copy, progress) for copy in copies))
            await asyncio.gather(*tasks)
            assert all(copy.exists() for copy in copies)

    run(main())


def test_a_waiting_prompt_occupies_no_thread(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            notes = await service.create_container(NAME)
            account = await make_person(service, "ada")
            sessions = [await notes.open_session(await service.create_account()) for _ in range(MOST_THREADS + 8)]
            thinking = 0

            async def prompt(text: str) -> Discoverability:
                nonlocal thinking
                assert text == "May they?"
                thinking += 1
                while thinking < len(sessions):
                    await account.emails()
                return Discoverability.GRANTED

            answers = await asyncio.gather(
                *(each.request_discoverability("May they?", "1", prompt) for each in sessions)
            )
            assert set(answers) == {Discoverability.GRANTED}
            again = await sessions[0].request_discoverability("May they?", "1", prompt)
            assert (again, thinking) == (Discoverability.GRANTED, len(sessions))

            async def close(_: str) -> Discoverability:
                return Discoverability.UNDETERMINED

            async def fail(_: str) -> Discoverability:
                raise LookupError("no window")

            session = await notes.open_session(account)
            assert await session.request_discoverability("May they?", "1", close) is Discoverability.UNDETERMINED
            with pytest.raises(LookupError):
                await session.request_discoverability("May they?", "1", fail)
            with pytest.raises(TypeError):
                await session.request_discoverability("May they?", "1", 5)  # type: ignore[arg-type]
            assert await session.discoverability() is Discoverability.UNDETERMINED

    run(main())


# Changes


def test_changes_call_back_on_the_event_loop(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            account = await make_person(service, "ada")
            session = await (await service.create_container(NAME)).open_session(account)
            changed = asyncio.Event()
            await session.on_account_changed(changed.set)
            await account.suspend()
            await changed.wait()
            assert await session.account_status() is kinfolk.AccountStatus.RESTRICTED
            with pytest.raises(TypeError):
                await session.on_account_changed(5)  # type: ignore[arg-type]

    run(main())


async def one_change(session: kinfolk.aio.Session) -> None:
    async for _ in session.account_changes():
        break


async def count_changes(session: kinfolk.aio.Session) -> int:
    return len([None async for _ in session.account_changes()])


async def change_until_done(task: asyncio.Future[Any], account: kinfolk.aio.Account) -> None:
    while not task.done():
        await account.set_name("Ada", "Example")
        await asyncio.sleep(0)
    await task


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.001)


def test_a_second_loop_over_changes_gets_them(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            account = await make_person(service, "ada")
            session = await (await service.create_container(NAME)).open_session(account)
            first, second = session.account_changes(), session.account_changes()
            await change_until_done(asyncio.ensure_future(first.__anext__()), account)
            replaced = session._listener
            waiting = asyncio.ensure_future(second.__anext__())
            await until(lambda: session._listener is not replaced)
            await first.aclose()
            await change_until_done(waiting, account)
            await change_until_done(asyncio.ensure_future(one_change(session)), account)
            await second.aclose()

    run(main())


def test_a_loop_over_changes_ends_when_another_replaces_it(store: Store) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            account = await make_person(service, "ada")
            session = await (await service.create_container(NAME)).open_session(account)
            replaced = asyncio.ensure_future(count_changes(session))
            await until(lambda: session._listener is not None)
            last = asyncio.ensure_future(one_change(session))
            assert await replaced == 0
            await change_until_done(last, account)
            await until(lambda: session._blocking._changed is None)
            assert session._listener is None
            assert not service._calls.listeners

    run(main())


@pytest.mark.parametrize("name", ["session", "service"])
def test_closing_ends_a_loop_over_changes(store: Store, name: str) -> None:
    async def main() -> None:
        async with await opened(store) as service:
            account = await make_person(service, "ada")
            session = await (await service.create_container(NAME)).open_session(account)
            changes = asyncio.ensure_future(count_changes(session))
            await until(lambda: session._listener is not None)
            await (session if name == "session" else service).close()
            assert await changes == 0
            with pytest.raises(ValueError, match="closed"):
                await one_change(session)

    run(main())


def test_functions_that_nothing_would_await_are_refused(store: Store) -> None:
    class Progress:
        async def __call__(self, done: int, total: int) -> None: ...

    async def changed() -> None: ...

    async def main() -> None:
        async with await opened(store) as service:
            session = await (await service.create_container(NAME)).open_session(await service.create_account())
            with pytest.raises(TypeError, match="progress must not be an async function"):
                await service.check(Progress())
            with pytest.raises(TypeError, match="changed must not be an async function"):
                await session.on_account_changed(changed)

    run(main())


# Cancellation, and the end


@pytest.mark.files
def test_a_cancelled_call_runs_to_its_end_and_closing_waits_for_it(store: Store) -> None:
    release, ended = threading.Event(), threading.Event()

    def work() -> None:
        release.wait(60)
        ended.set()

    async def main() -> None:
        service = await opened(store)
        task = asyncio.create_task(service._calls.run(work))
        while not service._calls._pending:
            await asyncio.sleep(0)
        while not any(each.running() for each in service._calls._pending):
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (call,) = service._calls._pending
        closing = asyncio.create_task(service.close())
        await until(lambda: service.closed and service._calls._pending == {call})  # only the call is left to wait for
        for _ in range(10):
            await asyncio.sleep(0)
        assert not closing.done()
        release.set()
        await closing
        assert call.done()
        assert ended.is_set()

    run(main())


def test_closing_ends_a_call_that_waits_for_another_writer(store: Store, held: Held) -> None:
    async def main() -> None:
        service = await opened(store)
        await make_person(service, "ada")
        await service.close()
        service = await opened(store)
        account = await service.find_account("ada@example.com")
        holding = held()
        holding.__enter__()
        task = asyncio.create_task(account.suspend())
        while not service._calls._pending:
            await asyncio.sleep(0)
        while not any(each.running() for each in service._calls._pending):
            await asyncio.sleep(0.001)
        await service.close()
        with pytest.raises(ValueError, match="is closed"):
            await task
        await asyncio.to_thread(holding.__exit__, None, None, None)

    run(main())


def test_closing_that_is_cancelled_cancels_no_call_of_other_tasks(store: Store) -> None:
    release = threading.Event()

    async def main() -> None:
        service = await opened(store)
        # The last ones wait for a thread: those could be cancelled.
        calls = [asyncio.create_task(service._calls.run(release.wait)) for _ in range(MOST_THREADS + 4)]
        while len(service._calls._pending) < len(calls):
            await asyncio.sleep(0)
        waiting = asyncio.create_task(service._calls.finish())  # what close() does in the end
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        release.set()
        assert await asyncio.gather(*calls, return_exceptions=True) == [True] * len(calls)
        await service.close()

    try:
        run(main())
    finally:
        release.set()


def test_an_object_is_closed_although_its_task_is_cancelled_before_a_thread_is_free(store: Store) -> None:
    release = threading.Event()

    async def main() -> None:
        service = await opened(store)
        account = await make_person(service, "ada")
        calls = [asyncio.create_task(service._calls.run(release.wait)) for _ in range(MOST_THREADS)]
        await until(lambda: len(service._calls._pending) == len(calls))
        for each in (account, service):
            closing = asyncio.create_task(each.close())
            await asyncio.sleep(0)
            closing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await closing
            assert each.closed
        release.set()
        await until(lambda: account._blocking._handle._pointer is None is service._blocking._handle._pointer)
        await asyncio.gather(*calls)

    try:
        run(main())
    finally:
        release.set()


def test_closing_does_not_report_calls_that_fail(store: Store) -> None:
    said: list[object] = []
    release = threading.Event()

    def fail() -> None:
        release.wait()
        raise LookupError

    async def main() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: said.append(context))
        service = await opened(store)
        call = asyncio.create_task(service._calls.run(fail))
        while not service._calls._pending:
            await asyncio.sleep(0)
        waiting = asyncio.create_task(service._calls.finish())
        await asyncio.sleep(0)
        release.set()
        with pytest.raises(LookupError):
            await call
        await waiting
        await service.close()
        del call, waiting
        gc.collect()

    try:
        run(main())
    finally:
        release.set()
    assert said == []


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_forked_child_does_not_wait_for_calls_of_its_parent(store: Store) -> None:
    release = threading.Event()

    async def begin() -> kinfolk.aio.Service:
        service = await opened(store)
        task = asyncio.create_task(service._calls.run(release.wait))
        while not service._calls._pending:
            await asyncio.sleep(0)
        # A call that has not begun would be dropped with its task.
        while not any(each.running() for each in service._calls._pending):
            await asyncio.sleep(0.001)
        task.cancel()
        return service

    service = run(begin())
    try:
        assert service._calls._pending
        child = os.fork()
        if child == 0:  # pragma: no cover
            signal.alarm(120)  # a child that hangs fails the test, and does not hang it
            try:
                run(service.close())
                os._exit(0)
            except BaseException:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert service._calls._pending
    finally:
        release.set()
    run(service.close())


@pytest.mark.files
def test_a_cancelled_call_with_progress_ends_and_is_resumed(store: Store, held: Held) -> None:
    async def main() -> None:
        service = await opened(store)
        await make_person(service, "ada")
        holding = held()
        holding.__enter__()
        task = asyncio.create_task(service.rotate_keys())
        while not any(each.running() for each in service._calls._pending):
            await asyncio.sleep(0.001)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(holding.__exit__, None, None, None)
        await service.close()

    run(main())
    store.open(key_file=store.folder / "kinfolk.key.1").close()  # it did not come to its end
    with store.open() as service:
        service.rotate_keys()
    with pytest.raises(kinfolk.KeyMismatch):
        store.open(key_file=store.folder / "kinfolk.key.1")


INTERRUPTED = """
import asyncio, sys
import kinfolk.aio

async def main():
    service = await kinfolk.aio.open({path!r}, key_file={key!r})
    print("ready", flush=True)
    {call}

try:
    asyncio.run(main())
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.files
@pytest.mark.parametrize("call", ["await service.rotate_keys()", "await service.create_account('Zoe')"])
def test_an_interrupt_ends_the_program_when_its_calls_have_ended(store: Store, held: Held, call: str) -> None:
    store.open().close()
    program = INTERRUPTED.format(path=str(store.path), key=str(store.key_file), call=call)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    with held():
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
    out, errors = process.communicate(timeout=60)
    assert (out, errors, process.returncode) == ("", "", 0)


def test_a_closed_loop_does_not_block_the_next_one(store: Store) -> None:
    async def begin() -> kinfolk.aio.Service:
        service = await opened(store)
        asyncio.create_task(service.rotate_keys(progress=print))  # noqa: RUF006
        await asyncio.sleep(0)
        return service

    service = run(begin())
    run(service.close())


def test_a_forked_child_opens_its_own_service(store: Store) -> None:
    async def main() -> kinfolk.aio.Service:
        service = await opened(store)
        await make_person(service, "ada")
        return service

    service = run(main())
    child = os.fork()
    if child == 0:  # pragma: no cover

        async def in_child() -> int:
            try:
                await service.find_account("ada@example.com")
            except kinfolk.ServiceUnavailable:
                async with await opened(store) as own:
                    await own.find_account("ada@example.com")
                return 0
            return 1

        try:
            os._exit(run(in_child()))
        except BaseException:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    run(service.close())


def test_functions_of_the_module_are_coroutines_too(store: Store, tmp_path: Path) -> None:
    (tmp_path / "friends.txt").write_text("ada@example.com\n")

    async def main() -> None:
        (await opened(store)).__repr__()
        assert len(await kinfolk.aio.contact_book_from_file(tmp_path / "friends.txt")) == 1
        with pytest.raises(kinfolk.UnknownItem):
            await kinfolk.aio.open(tmp_path / "none.db", create=False)
        with pytest.raises(TypeError, match="is not made by calling"):
            kinfolk.aio.Account(5, 5)  # type: ignore[arg-type]

    run(main())
