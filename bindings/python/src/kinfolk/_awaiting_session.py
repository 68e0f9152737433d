"""The methods of kinfolk.aio.Session that are written by hand."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress
from functools import partial

from . import _arguments as arguments
from ._awaiting import Awaiting, Calls
from ._discoverability import Discoverability
from ._listener import Listener
from ._notification import Notification
from ._session import Session


class AwaitingSession(Awaiting[Session]):
    """The base of kinfolk.aio.Session."""

    __slots__ = ("_listener", "_order", "_watcher")

    def __init__(self, blocking: Session, calls: Calls) -> None:
        super().__init__(blocking, calls)
        self._listener: Listener | None = None
        self._watcher: Listener | None = None
        # Held while a listener of the service changes, so that it is always _listener, or _watcher.
        self._order = threading.Lock()

    async def request_discoverability(
        self, consent_text: str, consent_version: str, prompt: Callable[[str], Awaitable[Discoverability]]
    ) -> Discoverability:
        """Asks the person through `await prompt(consent_text)`, once: later calls return the stored answer.

        The prompt returns GRANTED, DENIED, or UNDETERMINED if the person closed it without an answer. It blocks no
        thread while the person decides. If it raises, this call raises the same exception and stores nothing. The
        answer is stored as by set_discoverability(). If two calls ask at the same time, the first answer is kept.
        """
        if not callable(prompt):
            raise arguments.wrong_type("prompt", "callable", prompt)
        asked = False

        def ask(_: str) -> Discoverability:
            nonlocal asked
            asked = True
            return Discoverability.UNDETERMINED

        known = await self._calls.run(
            lambda: self._blocking.request_discoverability(consent_text, consent_version, ask)
        )
        if not asked:
            return known
        answer = await prompt(consent_text)
        return await self._calls.run(
            lambda: self._blocking.request_discoverability(consent_text, consent_version, lambda _: answer)
        )

    async def on_account_changed(self, changed: Callable[[], object] | None) -> None:
        """Registers `changed()`, to be called after the account changed, and replaces the one before; None removes it.

        It is called after the account was suspended, resumed or erased, or its name, its addresses or its consent in
        this container changed. It runs on the event loop of this call; one call may stand for several changes. A change
        by another process is reported within about a second. It replaces an account_changes(), which then ends.
        """
        arguments.function(changed, "changed")
        listener = None if changed is None else Listener(self._blocking._handle, changed)
        await self._calls.run(lambda: self._listen(listener))

    async def account_changes(self) -> AsyncGenerator[None, None]:
        """Yields after each change of the account, until the session or the service is closed.

            async for _ in session.account_changes():
                print(await session.account_status())

        It replaces the function of on_account_changed(), and an earlier account_changes() of this session, which then
        ends.
        """
        listener = Listener(self._blocking._handle)
        self._calls.listeners.add(listener)
        try:
            await self._calls.run(lambda: self._listen(listener))
            while await listener.next():
                yield
        finally:
            listener.stop()
            self._calls.listeners.discard(listener)
            # A generator that a `break` left is finalised later: then another listener may have replaced this one.
            if not self.closed:
                await self._calls.run_to_end(lambda: self._end(listener))

    async def watch(self) -> AsyncGenerator[Notification, None]:
        """The notifications of the session's device, one after the other, as they come, until the session is closed.

            async for note in session.watch():
                print(note.record_name, note.fields)

        The loop acknowledges a notification when it asks for the next one, so a program that fails in between gets it
        again. It needs no thread while it waits. It replaces the function of on_notification(), and an earlier watch()
        of this session, which then ends.
        """
        watcher = Listener(self._blocking._handle)
        self._calls.listeners.add(watcher)
        try:
            await self._calls.run(lambda: self._watch(watcher))
            while not watcher.ended:
                found = await self._calls.run(self._next)
                if found is None:
                    # Registered again, because the service leaves a function alone for a second after it has refused.
                    await self._calls.run(lambda: self._watch(watcher, again=True))
                    await watcher.next()
                else:
                    yield found
                    await self._calls.run(partial(self._acknowledge, found.id))
        finally:
            watcher.stop()
            self._calls.listeners.discard(watcher)
            if not self.closed:
                await self._calls.run_to_end(lambda: self._end_watch(watcher))

    async def on_notification(self, receive: Callable[[Notification], bool | None] | None) -> None:
        """Registers `receive(notification)`, in place of the function before; None removes it.

        It is called for each notification that waits, and then for those that come. It runs on a thread of the service,
        and not on the event loop: use watch() to receive them there. If it returns None or True, the notification and
        all before it are acknowledged. If it returns False or raises, the notification is delivered again, after a
        second at the earliest. An exception goes to sys.unraisablehook.

        LimitExceeded: the user has 2,000 devices. PermissionFailure: the service is open read-only. NotAuthenticated:
        the session has no account in good standing.
        """
        await self._calls.run(lambda: self._receive(receive))

    def _receive(self, receive: Callable[[Notification], bool | None] | None) -> None:
        with self._order:
            self._blocking.on_notification(receive)
            before, self._watcher = self._watcher, None
            if before is not None:
                before.stop()

    def _watch(self, watcher: Listener, again: bool = False) -> None:
        def tell(_: Notification) -> bool:
            watcher.tell()
            return False  # the loop fetches and acknowledges it

        with self._order:
            if watcher.ended or (again and self._watcher is not watcher):
                return
            try:
                self._blocking.on_notification(tell)
            except ValueError:
                if self.closed:  # meanwhile
                    return
                raise
            before, self._watcher = self._watcher, watcher
            if before is not None and before is not watcher:
                before.stop()

    def _next(self) -> Notification | None:
        try:
            return next(iter(self._blocking.notifications(1)), None)
        except ValueError:
            if self.closed:  # meanwhile
                return None
            raise

    def _acknowledge(self, notification_id: bytes) -> None:
        try:
            self._blocking.acknowledge(notification_id)
        except ValueError:
            if not self.closed:
                raise

    def _end_watch(self, watcher: Listener) -> None:
        with self._order:
            if self._watcher is watcher:
                self._watcher = None
                with suppress(ValueError):  # closed meanwhile
                    self._blocking.on_notification(None)

    def _listen(self, listener: Listener | None) -> None:
        with self._order:
            if listener is None or self.closed or not listener.ended:
                self._blocking.on_account_changed(None if listener is None else listener.tell)
                before, self._listener = self._listener, listener
                if before is not None:
                    before.stop()

    def _end(self, listener: Listener) -> None:
        with self._order:
            if self._listener is listener:
                self._listener = None
                with suppress(ValueError):  # closed meanwhile
                    self._blocking.on_account_changed(None)
