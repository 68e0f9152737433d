"""A handle is freed once, after its last call, by the process and in the thread that may."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any

import pytest

from kinfolk import _handle
from kinfolk._handle import Handle, free_postponed, inside_callback

Freed = list[Any]


@pytest.fixture
def freed() -> Freed:
    return []


def test_a_handle_is_freed_once(freed: Freed) -> None:
    handle = Handle("pointer", freed.append, "thing")
    handle.close()
    handle.close()
    del handle
    assert freed == ["pointer"]


def test_a_dropped_handle_is_freed(freed: Freed) -> None:
    handle = Handle("pointer", freed.append, "thing")
    assert freed == []
    del handle
    assert freed == ["pointer"]


def test_a_handle_is_freed_after_the_last_of_its_calls(freed: Freed) -> None:
    handle = Handle("pointer", freed.append, "thing")
    with handle as pointer:
        with handle:
            handle.close()
            assert handle.closed
        assert pointer == "pointer"
        with pytest.raises(ValueError, match="the thing is closed"), handle:
            pass
        assert freed == []
    assert freed == ["pointer"]


def test_concurrent_closes_free_a_handle_once(freed: Freed) -> None:
    for _ in range(200):
        handle = Handle("pointer", freed.append, "thing")
        start = threading.Barrier(4)

        def close(handle: Handle = handle, start: threading.Barrier = start) -> None:
            start.wait()
            handle.close()

        threads = [threading.Thread(target=close) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    del handle
    assert len(freed) == 200


def test_closing_a_service_frees_its_objects_first(freed: Freed) -> None:
    service = Handle("service", freed.append, "service")
    session = Handle("session", freed.append, "session", service)
    service.close()
    assert freed == ["session", "service"]
    assert session.closed


def test_an_object_opened_through_a_closed_service_is_freed(freed: Freed) -> None:
    service = Handle("service", freed.append, "service")
    service.close()
    with pytest.raises(ValueError, match="the service is closed"):
        Handle("session", freed.append, "session", service)
    assert freed == ["service", "session"]


@pytest.mark.parametrize("end", ["close", "drop"])
def test_a_callback_frees_nothing_in_its_own_thread(freed: Freed, end: str) -> None:
    handle = Handle("pointer", freed.append, "thing")
    with inside_callback():
        if end == "close":
            handle.close()
        del handle
        free_postponed()
        assert freed == []
    Handle("another", freed.append, "thing")
    assert freed == ["pointer", "another"]


def in_child(check: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            check()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_child_does_not_free_inherited_handles(freed: Freed) -> None:
    handles = [Handle("pointer", freed.append, "thing")]

    def check() -> None:
        handles[0].close()
        handles.clear()
        assert freed == []

    assert in_child(check) == 0
    handles.clear()
    assert freed == ["pointer"]


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_fork_waits_until_no_thread_counts_calls(freed: Freed) -> None:
    held, begun = threading.Event(), threading.Event()
    os.register_at_fork(before=begun.set)  # called first: before what kinfolk registered earlier, which waits

    def hold() -> None:
        with _handle._lock:
            held.set()
            assert begun.wait(60)

    thread = threading.Thread(target=hold)
    thread.start()
    assert held.wait(60)
    locked = []

    def check() -> None:
        locked.append(_handle._lock.acquire(blocking=False))
        assert locked == [True]

    assert in_child(check) == 0
    thread.join()
