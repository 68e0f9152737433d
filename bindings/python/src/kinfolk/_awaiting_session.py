"""The methods of kinfolk.aio.Session that are written by hand."""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import suppress

from . import _arguments as arguments
from ._awaiting import Awaiting, Calls
from ._discoverability import Discoverability
from ._listener import Listener
from ._session import Session


class AwaitingSession(Awaiting[Session]):
    """The base of kinfolk.aio.Session."""

    __slots__ = ("_listener", "_order")

    def __init__(self, blocking: Session, calls: Calls) -> None:
        super().__init__(blocking, calls)
        self._listener: Listener | None = None
        # Held while the service's listener changes, so that it is always _listener.
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
