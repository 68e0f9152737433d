"""The base of the classes of kinfolk.aio: they run the calls of kinfolk's own classes on threads."""

from __future__ import annotations

import asyncio
import contextvars
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, Generic, TypeVar

from . import _arguments as arguments
from ._closable import Closable
from ._handle import fork_generation
from ._listener import Listener
from ._progress import Progress
from ._service import Service

Result = TypeVar("Result")
Blocking = TypeVar("Blocking", bound=Closable)
Own = TypeVar("Own", bound="Awaiting[Any]")

MOST_THREADS = 32

_lock = threading.Lock()
_threads: ThreadPoolExecutor | None = None


def _executor() -> ThreadPoolExecutor:
    """The threads of this process. The interpreter waits for them when it exits."""
    global _threads
    with _lock:
        if _threads is None:
            _threads = ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="kinfolk.aio")
        return _threads


def _after_fork_in_child() -> None:
    # The threads exist only in the parent, and one of them may have held the lock.
    global _lock, _threads
    _lock, _threads = threading.Lock(), None


os.register_at_fork(after_in_child=_after_fork_in_child)


class Calls:
    """The running calls of one service, and its listeners that are awaited."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self._pending: set[Future[Any]] = set()
        self._generation = fork_generation()

    async def run(self, call: Callable[[], Result]) -> Result:
        """Runs a call on a thread. If the task is cancelled, a call that has begun runs to its end."""
        return await asyncio.wrap_future(self._submit(call))

    async def run_to_end(self, call: Callable[[], Result]) -> Result:
        """Runs a call on a thread, also if the task is cancelled while the call waits for a thread."""
        future = self._submit(call)
        await _end(future)
        return future.result()

    async def run_apart(self, call: Callable[[], Result]) -> Result:
        """Runs a call on a thread of its own, to its end: all others may be waiting for what this call ends."""
        self._forget_calls_of_parent()
        future: Future[Result] = Future()

        def run() -> None:
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)

        try:
            threading.Thread(target=contextvars.copy_context().run, args=(run,), name="kinfolk.aio.close").start()
        except RuntimeError:  # the system cannot start a thread
            return await self.run_to_end(call)
        await _end(future)
        return future.result()

    async def run_told(self, progress: Progress | None, call: Callable[[Progress], Result]) -> Result:
        """Runs a call that reports progress. If the task is cancelled, the call ends after its next step."""
        arguments.function(progress, "progress")
        steps = _Steps(progress)
        try:
            result = await self.run(lambda: call(steps.tell))
        except asyncio.CancelledError:
            steps.ended = True
            raise
        except _Ended:
            if steps.raised is None:
                raise
            raise steps.raised from None
        if steps.raised is not None:
            raise steps.raised
        return result

    async def finish(self) -> None:
        """Waits for all calls, also those whose tasks were cancelled."""
        self._forget_calls_of_parent()
        while self._pending:
            for each in tuple(self._pending):
                await _end(each)

    def _submit(self, call: Callable[[], Result]) -> Future[Result]:
        self._forget_calls_of_parent()
        future = _executor().submit(contextvars.copy_context().run, call)
        self._pending.add(future)
        future.add_done_callback(self._pending.discard)
        return future

    def _forget_calls_of_parent(self) -> None:
        # The threads that run them do not exist in a forked child: finish() would wait for ever.
        if self._generation != fork_generation():
            self._generation, self._pending = fork_generation(), set()


async def _end(future: Future[Any]) -> None:
    """Waits until a call has ended. Unlike wrap_future(), it does not cancel the call if the task is cancelled."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def tell(_: Future[Any]) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(ended.set)

    future.add_done_callback(tell)
    await ended.wait()


class _Ended(Exception):
    """Ends a call from inside."""


class _Steps:
    """Passes the progress of a call from its thread to the event loop, without making the thread wait.

    A thread that waited for the loop could wait for ever: if the progress function itself waits for a thread.
    """

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._loop = asyncio.get_running_loop()
        self.ended = False
        self.raised: BaseException | None = None

    def tell(self, done: int, total: int) -> None:
        if self.ended or self._loop.is_closed():
            raise _Ended
        if self._progress is not None:
            self._loop.call_soon_threadsafe(self._step, done, total)

    def _step(self, done: int, total: int) -> None:
        if self.ended or self._progress is None:
            return
        try:
            self._progress(done, total)
        except BaseException as error:  # run_told() raises it
            self.ended, self.raised = True, error


class Awaiting(Generic[Blocking]):
    """An object of kinfolk whose calls are awaited.

    Any task, of any event loop, may use it. `async with` closes it at the end of the block.
    """

    __slots__ = ("__weakref__", "_blocking", "_calls")
    _blocking: Blocking
    _calls: Calls

    def __init__(self, blocking: Blocking, calls: Calls) -> None:
        if not isinstance(blocking, Closable):
            raise TypeError(f"a {type(self).__name__} is not made by calling its class: see help(kinfolk.aio)")
        self._blocking = blocking
        self._calls = calls

    async def close(self) -> None:
        """Closes the object; closing it again does nothing. After that, any other use is a ValueError.

        If the task is cancelled meanwhile, the object is closed all the same.
        """
        await self._close(self._calls.run_to_end)

    async def _close(self, run: Callable[[Callable[[], None]], Awaitable[None]]) -> None:
        self._blocking._handle.refuse_calls()
        for each in tuple(self._calls.listeners):
            if each.ended:
                each.tell()
        await run(self._blocking.close)

    @property
    def closed(self) -> bool:
        """Whether the object was closed."""
        return self._blocking.closed

    async def __aenter__(self: Own) -> Own:
        with self._blocking._handle:
            return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __eq__(self, other: object) -> bool:
        return self._blocking == other._blocking if isinstance(other, type(self)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._blocking)

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled")

    def __repr__(self) -> str:
        return repr(self._blocking).replace("<kinfolk.", "<kinfolk.aio.", 1)


class AwaitingService(Awaiting[Service]):
    """The base of kinfolk.aio.Service."""

    __slots__ = ()

    async def close(self) -> None:
        """Closes the service and everything that was opened through it, and waits for the running calls.

        Closing it again does nothing. After that, any other use is a ValueError. If the task is cancelled meanwhile,
        the service is closed all the same.
        """
        await self._close(self._calls.run_apart)
        await self._calls.finish()


def blocking(value: Any) -> Any:
    """The wrapped object of one of these classes; any other value unchanged, so that kinfolk refuses it."""
    return value._blocking if isinstance(value, Awaiting) else value
