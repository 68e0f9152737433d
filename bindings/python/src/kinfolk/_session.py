"""One container, seen by one account or by nobody."""

from __future__ import annotations

import atexit
import itertools
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from ctypes import byref, c_char_p, c_double, c_int, c_size_t, c_void_p

from . import _arguments as arguments
from . import _declarations as c
from ._account_status import AccountStatus
from ._arguments import Bytes
from ._closable import Closable
from ._contact_book import ContactBook
from ._database import Database
from ._discoverability import Discoverability
from ._discovery import Discovery, only_identity
from ._errors import KinfolkError
from ._ffi import lib
from ._handle import Handle, inside_callback
from ._identity import Identity
from ._outputs import take_bytes, take_text, text
from ._record import Record
from ._save_policy import SavePolicy


class Session(Closable):
    """One container, seen by one account, or by nobody: all that an application may do.

    Made by Container.open_session() and open_anonymous_session().
    """

    __slots__ = ("_changed", "_token")

    def __init__(self, handle: Handle) -> None:
        super().__init__(handle)
        self._changed: Callable[[], object] | None = None
        self._token = 0

    @property
    def account_status(self) -> AccountStatus:
        """The status of the account, read afresh."""
        status = c_int()
        with self._handle as session:
            lib.kinfolk_session_account_status(session, byref(status))
        return AccountStatus(status.value)

    @property
    def user_record_id(self) -> str:
        """Who the person is in this container: "_" and 32 lower-case hexadecimal digits, random, stable.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        identifier = c_char_p()
        with self._handle as session:
            lib.kinfolk_session_user_record_id(session, byref(identifier))
            return text(identifier.value)

    # Discoverability

    @property
    def discoverability(self) -> Discoverability:
        """What the person decided about being found in this container."""
        discoverability = c_int()
        with self._handle as session:
            lib.kinfolk_session_discoverability(session, byref(discoverability))
        return Discoverability(discoverability.value)

    def set_discoverability(
        self, discoverability: Discoverability, consent_text: str = "", consent_version: str = ""
    ) -> None:
        """Stores what the person decided: GRANTED or DENIED.

        The moment, `consent_text` (the wording that the person was shown, at most 16,384 bytes) and `consent_version`
        (your name for that wording, at most 255 bytes) are kept as the proof of consent; a grant needs both. A
        discovery that begins after a revocation returned does not find the person.
        """
        decision = arguments.member(discoverability, "discoverability", Discoverability)
        proof = arguments.text(consent_text, "consent_text"), arguments.text(consent_version, "consent_version")
        with self._handle as session:
            lib.kinfolk_session_set_discoverability(session, decision, *proof)

    def request_discoverability(
        self, consent_text: str, consent_version: str, prompt: Callable[[str], Discoverability]
    ) -> Discoverability:
        """Asks the person through `prompt(consent_text)`, once: later calls return the stored answer without asking.

        The prompt runs on this thread and returns GRANTED, DENIED, or UNDETERMINED if it was closed unanswered. What it
        raises comes out of this call, and nothing is stored. The answer is kept as in set_discoverability().
        """
        proof = arguments.text(consent_text, "consent_text"), arguments.text(consent_version, "consent_version")
        if not callable(prompt):
            raise arguments.wrong_type("prompt", "callable", prompt)
        raised: list[BaseException] = []

        def ask(shown: bytes, _: object) -> int:
            try:
                number: int = arguments.member(prompt(shown.decode("utf-8")), "the prompt's answer", Discoverability)
            except BaseException as error:  # it must not end in C, and comes out below
                raised.append(error)
                return Discoverability.UNDETERMINED.value
            return number

        function, answer = c.Prompt(ask), c_int()
        try:
            with self._handle as session:
                lib.kinfolk_session_request_discoverability(session, *proof, function, None, byref(answer))
        finally:
            if raised:
                try:
                    raise raised[0]
                finally:
                    raised.clear()  # it holds this frame, which holds it
        return Discoverability(answer.value)

    @property
    def permits_left(self) -> float:
        """How many permits the person has left here: how many new contacts they may ask about now.

        NotAuthenticated: the session is anonymous.
        """
        permits = c_double()
        with self._handle as session:
            lib.kinfolk_session_permits_left(session, byref(permits))
        return permits.value

    # Blocks

    def block(self, user_record_id: str) -> None:
        """Blocks somebody in this container: from now on neither finds the other, by whatever they search.

        Nobody can tell whether they are blocked. Records can still be fetched by those who have their ID. Blocking
        twice is blocking once, and an ID that nobody has can be blocked too.

        InvalidArgument: it is the person's own ID. LimitExceeded: 10,000 are blocked. NotAuthenticated: the session
        has no account in good standing.
        """
        encoded = arguments.text(user_record_id, "user_record_id")
        with self._handle as session:
            lib.kinfolk_session_block(session, encoded)

    def unblock(self, user_record_id: str) -> None:
        """Ends a block of this person's own, if there is one."""
        encoded = arguments.text(user_record_id, "user_record_id")
        with self._handle as session:
            lib.kinfolk_session_unblock(session, encoded)

    @property
    def blocked_user_record_ids(self) -> tuple[str, ...]:
        """Whom this person blocked, in the order of the IDs: not who blocked them, nor what the operator blocked.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        blocked = c.Blocked()
        with self._handle as session:
            lib.kinfolk_session_blocked(session, byref(blocked))
        try:
            count = lib.kinfolk_blocked_count(blocked)
            return tuple(text(lib.kinfolk_blocked_record_id(blocked, index)) for index in range(count))
        finally:
            lib.kinfolk_blocked_free(blocked)

    def export(self) -> str:
        """Everything that this container holds about the person, as JSON, for the application to hand to them.

        The user record ID, the name under which others find them here (null unless they can be found), both user
        records, every decision about discoverability, whom they blocked, and what they spent of limits, in whole
        numbers. Nothing in it leads to the account, to another container or to an address, and nothing is of what the
        operator did: that is in Account.export(). A suspended account has it too.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        json = c_void_p()
        with self._handle as session:
            lib.kinfolk_session_export(session, byref(json))
        return take_text(json)

    # The account behind the session

    def on_account_changed(self, changed: Callable[[], object] | None) -> None:
        """Has `changed()` called after the account changed, in the place of the one before; None ends it.

        Suspended, resumed, erased, name, addresses, consent in this container. It runs on a thread of the service, one
        call at a time; several changes may give one call. Changes made by another process are told within about a
        second. An exception goes to sys.unraisablehook.

        When this call returns, and when close() does, the one before is not running and will not run again, unless the
        call comes from inside of it: so hold no lock here that it waits for.
        """
        if changed is not None and not callable(changed):
            raise arguments.wrong_type("changed", "callable or None", changed)
        with self._handle as session:
            before, self._changed = self._changed, changed
            try:
                if changed is None:
                    lib.kinfolk_session_on_account_changed(session, c.AccountChanged(), None)
                else:
                    self._token = self._token or next(_tokens)
                    _listening[self._token] = self
                    lib.kinfolk_session_on_account_changed(session, _tell, self._token)
            except KinfolkError:
                self._changed = before
                raise

    # Records

    def fetch_record(self, user_record_id: str | None = None, database: Database = Database.PUBLIC) -> Record:
        """Fetches a user record: that of the session's own person, unless another's ID is given.

        UnknownItem: there is none in this container; in the private database: it is somebody else's. NotAuthenticated:
        own or private record, and the session is anonymous, its account erased, or (private) suspended.
        """
        identifier = arguments.optional_text(user_record_id, "user_record_id")
        number = arguments.member(database, "database", Database)
        record = c.Record()
        with self._handle as session:
            lib.kinfolk_record_fetch(session, identifier, number, byref(record))
        return Record.adopt(record)

    def save_record(self, record: Record, policy: SavePolicy = SavePolicy.IF_UNCHANGED) -> None:
        """Saves a record, which then has the change tag, the times and the fields of the store.

        ServerRecordChanged: somebody saved it since it was fetched; its `server_record` is what the store holds.
        PermissionFailure: it is somebody else's. InvalidArgument: a field has another type in this container, where a
        type is fixed by a field's first use. LimitExceeded: names and values are more than 1,000,000 bytes.
        """
        if not isinstance(record, Record):
            raise arguments.wrong_type("record", "a kinfolk.Record", record)
        number = arguments.member(policy, "policy", SavePolicy)
        with self._handle as session, record._handle as own:
            lib.kinfolk_record_save(session, own, number)

    # Discovery

    def discover(self, book: ContactBook, *, sync_state: Bytes | Iterable[Bytes] = b"") -> Discovery:
        """Finds the people in a contact book who granted discoverability in this container.

        Each once, in the order of the book, with all contacts that led to them; the session's own person is left out.
        Each contact that was not asked about before costs a permit. What was asked about before is told by
        `sync_state`, the Discovery.sync_state of an earlier call for the same person in this container, or a list of
        them (from several devices, say). One that is damaged or another's counts as none.

        LimitExceeded: more new contacts than permits can ever be held; send the book in parts. RequestRateLimited: more
        than are left. PermissionFailure: the container keeps no directory of contact hashes. None of these spends a
        permit. NotAuthenticated: the session has no account in good standing.
        """
        if not isinstance(book, ContactBook):
            raise arguments.wrong_type("book", "a kinfolk.ContactBook", book)
        state = arguments.states(sync_state, "sync_state")
        found = c.Identities()
        with self._handle as session, book._handle as contacts:
            lib.kinfolk_discover_contacts(session, contacts, state or None, len(state), byref(found))
        return Discovery.adopt(found)

    def discover_email(self, email: str) -> Identity | None:
        """Finds a person by a verified e-mail address, or nobody. It costs one permit, each time.

        Unknown, not opted in, suspended, never here: all give None. RequestRateLimited: no permit is left.
        PermissionFailure: the container keeps no directory of contact hashes.
        """
        encoded = arguments.text(email, "email")
        found = c.Identities()
        with self._handle as session:
            lib.kinfolk_discover_email(session, encoded, byref(found))
        return only_identity(found)

    def discover_record_id(self, user_record_id: str) -> Identity | None:
        """Finds a person by user record ID, or nobody. It costs no permit."""
        encoded = arguments.text(user_record_id, "user_record_id")
        found = c.Identities()
        with self._handle as session:
            lib.kinfolk_discover_record_id(session, encoded, byref(found))
        return only_identity(found)

    # Private discovery

    def answer(self, request: Bytes, threads: int = 1) -> bytes:
        """Answers one request of a PrivateClient, for the session's person: the server's half of private discovery.

        Each point of a batch costs a permit, the padding too, which cannot be told from contacts; what is asked for
        again is charged again. Contacts that were paid for in one epoch are renewed in another for nothing: the client
        shows that it paid. All of it counts towards the work that a person may cause in a day. `threads` is on how many
        to compute; 0 for as many as there are cores.

        InvalidArgument: the message is malformed, or no request. UnknownItem: the container has no private directory,
        or not of the epoch that the request names. Conflict: prefixes have more bits than the directory's, or than it
        has by now; the client must begin anew. LimitExceeded: so many permits can never be held, or the answer would
        have more than 64 MiB. RequestRateLimited: they are not there now. NotAuthenticated: the session has no account
        in good standing. PermissionFailure: a renewal is of contacts that were not paid for. StoreCorrupt: somebody
        changed a row of the directory. None of them spends a permit.
        """
        octets, count = arguments.octets(request, "request"), arguments.thread_count(threads, "threads")
        pointer, length = c_void_p(), c_size_t()
        with self._handle as session:
            lib.kinfolk_session_answer(session, octets, len(octets), count, byref(pointer), byref(length))
        return take_bytes(pointer, length)

    def discover_privately(self, book: ContactBook, sync_state: Bytes = b"", threads: int = 0) -> Discovery:
        """Finds the people in a contact book through the private directory, both halves here, names included.

        For tests, and for programs that the person trusts with the contacts. `sync_state` is that of an earlier call
        (Discovery.sync_state), which here holds contact hashes in clear: keep it like the address book. It may
        raise what answer() and PrivateClient() may.
        """
        if not isinstance(book, ContactBook):
            raise arguments.wrong_type("book", "a kinfolk.ContactBook", book)
        before, count = arguments.octets(sync_state, "sync_state"), arguments.thread_count(threads, "threads")
        found = c.Identities()
        with self._handle as session, book._handle as contacts:
            lib.kinfolk_discover_contacts_privately(session, contacts, before or None, len(before), count, byref(found))
        return Discovery.adopt(found)


# One C function for all sessions and for ever, so that C never holds one that Python has dropped. It finds the session
# by a number, without keeping it alive: a session that is dropped is not told any more.
_tokens = itertools.count(1)
_listening: weakref.WeakValueDictionary[int, Session] = weakref.WeakValueDictionary()


@c.AccountChanged  # type: ignore[untyped-decorator, unused-ignore]
def _tell(token: int) -> None:
    with inside_callback():
        session = _listening.get(token)
        if session is not None and not session.closed and session._changed is not None:
            session._changed()
        del session


def _stop_listening() -> None:
    # Before the interpreter goes: a thread of the service that called into it later would never come back.
    for session in list(_listening.values()):
        with suppress(KinfolkError, ValueError):
            session.on_account_changed(None)


atexit.register(_stop_listening)
