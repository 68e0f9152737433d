"""Ctrl-C ends long work: a real SIGINT from another process, at a moment that does not depend on speed."""

from __future__ import annotations

import asyncio
import inspect
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import FrameType
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
from kinfolk._ffi import lib
from kinfolk._signals import PostponedSignals

if TYPE_CHECKING:
    from conftest import Store

PROGRAM = """
import linecache, os, signal, sys, threading, time
import kinfolk

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
read, write = os.pipe()
os.set_blocking(write, False)
signal.set_wakeup_fd(write)

def wait_for_signal(done, total):
    print("working", flush=True)
    os.read(read, 1)  # the signal has arrived, and its handler has not run

def tell_of_c(main=threading.get_ident()):
    while True:
        frame = sys._current_frames()[main]
        if "lib.kinfolk_" in linecache.getline(frame.f_code.co_filename, frame.f_lineno):
            return print("in C", flush=True)
        time.sleep(0.001)

service = {opening}
notes = service.open_container("com.example.notes")
try:
    print("ready", flush=True)
    if {watched}:
        threading.Thread(target=tell_of_c, daemon=True).start()
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
else:
    print("done", flush=True)
"""


class Child:
    """A Python process that makes one call."""

    def __init__(self, store: Store, call: str, *, watched: bool = False) -> None:
        program = PROGRAM.format(opening=store.opening, call=call, watched=watched)
        self.process = subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.expect("ready")

    def expect(self, line: str) -> None:
        assert self.process.stdout
        assert self.process.stdout.readline() == line + "\n"

    def interrupt(self) -> None:
        self.process.send_signal(signal.SIGINT)

    def ends(self, *lines: str) -> None:
        out, errors = self.process.communicate(timeout=120)
        assert out.splitlines() == list(lines)
        assert errors == ""
        assert self.process.returncode == 0


@pytest.fixture
def people(service: kinfolk.Service, notes: kinfolk.Container) -> None:
    for number in range(3):
        account = service.create_account(str(number))
        account.add_email(f"p{number}@example.com", verified=True)
        notes.open_session(account).set_discoverability(kinfolk.Discoverability.GRANTED, "May they?", "1")


CALLS = {
    "rotate": "service.rotate_keys(progress=wait_for_signal)",
    "directories": "notes.set_directory_modes(kinfolk.DirectoryModes(3), wait_for_signal)",
    "copy": "service.copy({copy!r}, wait_for_signal)",
    "back up": "service.back_up({copy!r}, wait_for_signal)",
}


@pytest.mark.files
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("name", CALLS)
def test_an_interrupt_in_progress_ends_the_work_and_the_next_call_resumes_it(
    store: Store, service: kinfolk.Service, notes: kinfolk.Container, name: str
) -> None:
    copy = store.folder / "copy.db"
    child = Child(store, CALLS[name].format(copy=str(copy)))
    child.expect("working")
    child.interrupt()
    child.ends("interrupted")  # once: it was not told again

    if name == "back up":
        assert not copy.exists()
        service.back_up(copy)
    elif name == "copy":
        with pytest.raises(kinfolk.KinfolkError):
            kinfolk.open(copy, key_file=store.key_file, create=False)
        service.copy(copy)
        kinfolk.open(copy, key_file=store.key_file).close()
    elif name == "directories":
        assert notes.directory_modes == kinfolk.DirectoryModes.HASHED
        notes.set_directory_modes(kinfolk.DirectoryModes(3))
    else:
        store.open(key_file=store.folder / "kinfolk.key.1").close()
        service.rotate_keys()
        with pytest.raises(kinfolk.KeyMismatch):
            store.open(key_file=store.folder / "kinfolk.key.1")


@pytest.mark.files
def test_an_import_is_interrupted_while_others_hold_the_store(
    store: Store, service: kinfolk.Service, notes: kinfolk.Container, held: Callable[[], AbstractContextManager[None]]
) -> None:
    people = store.folder / "people.csv"
    people.write_text("email\n" + "".join(f"p{number}@example.com\n" for number in range(30)))
    with held():
        child = Child(store, f"notes.import_people({str(people)!r}, progress=wait_for_signal)")
        child.expect("working")
        child.interrupt()
    child.ends("interrupted")
    report = notes.import_people(people)
    assert report.created + report.skipped == 30
    assert len(service.account_ids()) == 30


@pytest.mark.files
@pytest.mark.usefixtures("people")
@pytest.mark.parametrize("call", ["service.rotate_keys()", "notes.set_directory_modes(kinfolk.DirectoryModes.PRIVATE)"])
def test_without_a_progress_function_an_interrupt_ends_the_work_too(
    store: Store, held: Callable[[], AbstractContextManager[None]], notes: kinfolk.Container, call: str
) -> None:
    with held():  # so that it cannot be done before the signal
        child = Child(store, call, watched=True)
        child.expect("in C")
        child.interrupt()
    child.ends("interrupted")
    if "rotate" in call:
        store.open(key_file=store.folder / "kinfolk.key.1").close()
    assert notes.directory_modes == kinfolk.DirectoryModes.HASHED


@pytest.mark.files
def test_a_call_without_progress_finishes_before_the_interrupt_is_raised(
    store: Store, notes: kinfolk.Container, held: Callable[[], AbstractContextManager[None]]
) -> None:
    with held():
        child = Child(store, "service.create_account()", watched=True)
        child.expect("in C")
        child.interrupt()
    child.ends("interrupted")


@pytest.mark.usefixtures("people")
def test_a_handler_that_does_not_raise_does_not_end_the_call(service: kinfolk.Service) -> None:
    arrived: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: arrived.append(number))
    try:
        handler = signal.getsignal(signal.SIGINT)
        service.rotate_keys(progress=lambda done, total: signal.raise_signal(signal.SIGINT))
        assert signal.getsignal(signal.SIGINT) is handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert arrived
    assert set(arrived) == {signal.SIGINT}


def test_handlers_are_restored_when_a_call_fails(service: kinfolk.Service, store: Store) -> None:
    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    with pytest.raises(kinfolk.InvalidArgument):
        service.copy("")
    assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before


# Signals that arrive at the end of a call


class Interruption(Exception):
    """What a handler of the tests raises."""


@pytest.fixture
def raising_handlers() -> Iterator[list[int]]:
    """Installs two handlers that raise; returns the list of the signals that were handled."""
    handled: list[int] = []

    def handle(number: int, frame: object) -> None:
        handled.append(number)
        raise Interruption(number)

    before = {number: signal.signal(number, handle) for number in (signal.SIGUSR1, signal.SIGUSR2)}
    yield handled
    for number, handler in before.items():
        signal.signal(number, handler)


def test_all_signals_are_handled_when_the_first_handler_raises(raising_handlers: list[int]) -> None:
    signals = PostponedSignals()
    signals.__enter__()
    for number in (signal.SIGUSR2, signal.SIGUSR1, signal.SIGUSR2):
        signal.raise_signal(number)
    assert raising_handlers == []
    with pytest.raises(Interruption, match=str(int(signal.SIGUSR2))):
        signals.__exit__()
    assert raising_handlers == [signal.SIGUSR2, signal.SIGUSR1, signal.SIGUSR2]


def test_all_signals_are_handled_when_one_raises_in_progress(
    service: kinfolk.Service, raising_handlers: list[int]
) -> None:
    service.create_account("Ada")

    def progress(done: int, total: int) -> None:
        signal.raise_signal(signal.SIGUSR1)
        signal.raise_signal(signal.SIGUSR2)

    with pytest.raises(Interruption, match=str(int(signal.SIGUSR1))):
        service.rotate_keys(progress=progress)
    assert raising_handlers == [signal.SIGUSR1, signal.SIGUSR2]


def test_signals_are_handled_although_restoring_handlers_fails(raising_handlers: list[int]) -> None:
    class Failing(PostponedSignals):
        def _restore(self) -> None:
            super()._restore()
            raise LookupError

    with pytest.raises(Interruption), Failing():
        signal.raise_signal(signal.SIGUSR1)
    assert raising_handlers == [signal.SIGUSR1]


@pytest.mark.usefixtures("raising_handlers")
@pytest.mark.parametrize("name", ["check", "people_import"])
def test_results_of_c_are_freed_when_a_signal_arrives_at_the_end(
    store: Store, service: kinfolk.Service, notes: kinfolk.Container, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    people = store.folder / "people.csv"
    people.write_text("email\nada@example.com\n")
    owner = "kinfolk_service_check" if name == "check" else "kinfolk_container_import_people"
    call, free = getattr(lib, owner), getattr(lib, f"kinfolk_{name}_free")
    freed = []

    def call_and_signal(*arguments: object) -> None:
        call(*arguments)
        signal.raise_signal(signal.SIGUSR1)  # C has returned its results, and calls no progress function any more

    def note(pointer: object) -> None:
        freed.append(pointer)
        free(pointer)

    monkeypatch.setattr(lib, owner, call_and_signal)
    monkeypatch.setattr(lib, f"kinfolk_{name}_free", note)
    with pytest.raises(Interruption):
        service.check() if name == "check" else notes.import_people(people)
    assert len(freed) == 1


@pytest.mark.usefixtures("raising_handlers")
def test_handlers_are_restored_although_a_signal_raises_at_any_line() -> None:
    lines, first = inspect.getsourcelines(PostponedSignals)
    handler, handled = signal.getsignal(signal.SIGINT), 0
    for number in range(first, first + len(lines)):
        for pass_of_line in range(1, 4):
            try:
                with Signalling(number, pass_of_line), PostponedSignals():
                    pass
            except Interruption:
                handled += 1
            left = signal.getsignal(signal.SIGINT)
            signal.signal(signal.SIGINT, handler)
            assert left is handler, lines[number - first]
    assert handled > 10


class Signalling:
    """Sends SIGUSR1 the n-th time that a line of _signals.py is about to run."""

    def __init__(self, line: int, passes: int) -> None:
        self.line, self.passes = line, passes

    def __enter__(self) -> None:
        self.before = sys.gettrace()
        sys.settrace(lambda frame, event, argument: self.trace if _is_of_signals(frame) else None)

    def __exit__(self, *_: object) -> None:
        sys.settrace(self.before)

    def trace(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line" and frame.f_lineno == self.line:
            self.passes -= 1
            if self.passes == 0:
                signal.raise_signal(signal.SIGUSR1)
        return self.trace


def _is_of_signals(frame: FrameType) -> bool:
    return frame.f_code.co_filename == inspect.getsourcefile(PostponedSignals)


@pytest.mark.usefixtures("people")
def test_a_signal_ends_a_call_inside_a_progress_function(service: kinfolk.Service, raising_handlers: list[int]) -> None:
    ended: list[str] = []

    def inner(done: int, total: int) -> None:
        ended.append("told")
        signal.raise_signal(signal.SIGUSR1)

    def outer(done: int, total: int) -> None:
        found = signal.getsignal(signal.SIGUSR1)
        try:
            service.check(inner)
        except Interruption:
            ended.append("inner")
            assert signal.getsignal(signal.SIGUSR1) == found
            raise

    with pytest.raises(Interruption):
        service.rotate_keys(progress=outer)
    assert ended == ["told", "inner"]
    assert raising_handlers == [signal.SIGUSR1]


@pytest.mark.usefixtures("people")
def test_handlers_of_asyncio_stay_because_replacing_them_would_clear_sa_restart(service: kinfolk.Service) -> None:
    found: list[object] = []

    async def main() -> None:
        arrived = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, arrived.set)
        before = signal.getsignal(signal.SIGUSR1)

        def progress(done: int, total: int) -> None:
            found.append(signal.getsignal(signal.SIGUSR1) is before)
            signal.raise_signal(signal.SIGUSR1)

        service.rotate_keys(progress=progress)
        await asyncio.wait_for(arrived.wait(), 60)

    asyncio.run(main())
    assert set(found) == {True}
