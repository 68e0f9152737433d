"""A session of an application."""

from __future__ import annotations

import atexit
import itertools
import threading
import weakref
from collections.abc import Callable, Iterable
from contextlib import suppress
from ctypes import byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._account_status import AccountStatus
from ._archive import written_to
from ._arguments import Bytes, Writable
from ._closable import Closable
from ._contact_book import ContactBook
from ._database import Database
from ._database_scope import DatabaseScope
from ._device import Device, take_devices
from ._discoverability import Discoverability
from ._discovery import Discovery, only_identity
from ._documents import Documents
from ._errors import KinfolkError
from ._ffi import lib
from ._handle import Handle, inside_callback
from ._identity import Identity
from ._key_value_store import KeyValueStore
from ._notification import Notification, read_notification, read_notifications
from ._outputs import take_bytes, take_text, take_texts, text
from ._raised import report
from ._record import Record
from ._reraise import reraise
from ._save_policy import SavePolicy
from ._server_record_changed import ServerRecordChanged
from ._storage_use import StorageUse, limit_of
from ._watch import Watch, waited


class Session(Closable):
    """One account signed in to one container, or an anonymous session. Applications use only sessions.

    Made by Container.open_session() and open_anonymous_session().
    """

    __slots__ = ("_changed", "_documents", "_order", "_received", "_settings", "_token")

    def __init__(self, handle: Handle) -> None:
        super().__init__(handle)
        self._changed: Callable[[], object] | None = None
        self._received: Callable[[Notification], bool | None] | None = None
        self._token = 0
        self._order = threading.Lock()
        self._settings: KeyValueStore | None = None
        self._documents = Documents(handle)

    @classmethod
    def adopt(cls, pointer: Any, service: Handle) -> Session:
        """Takes over a kinfolk_session."""
        return cls(Handle(pointer, lib.kinfolk_session_free, "session", service))

    @property
    def account_status(self) -> AccountStatus:
        """The present status of the account, read from the store."""
        status = c_int()
        with self._handle as session:
            lib.kinfolk_session_account_status(session, byref(status))
        return AccountStatus(status.value)

    @property
    def user_record_id(self) -> str:
        """Identifies the person in this container: "_" and 32 lower-case hexadecimal digits, random, stable.

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
        """Stores the person's decision: GRANTED or DENIED.

        As the proof of consent the store keeps the moment, `consent_text` (the wording that the person was shown, at
        most 16,384 bytes) and `consent_version` (your name for that wording, at most 255 bytes); a grant needs both.
        The last 50 decisions of a person in the container are kept. Discoveries that begin after a revocation has
        returned do not find the person.
        """
        decision = arguments.member(discoverability, "discoverability", Discoverability)
        proof = arguments.text(consent_text, "consent_text"), arguments.text(consent_version, "consent_version")
        with self._handle as session:
            lib.kinfolk_session_set_discoverability(session, decision, *proof)

    def request_discoverability(
        self, consent_text: str, consent_version: str, prompt: Callable[[str], Discoverability]
    ) -> Discoverability:
        """Asks the person through `prompt(consent_text)`, once: later calls return the stored answer and do not ask.

        The prompt runs on this thread and returns GRANTED, DENIED, or UNDETERMINED if the person closed it without an
        answer. If it raises, this call raises the same exception and stores nothing. The answer is stored as by
        set_discoverability().
        """
        proof = arguments.text(consent_text, "consent_text"), arguments.text(consent_version, "consent_version")
        if not callable(prompt):
            raise arguments.wrong_type("prompt", "callable", prompt)
        raised: list[BaseException] = []

        def ask(shown: bytes, _: object) -> int:
            try:
                number: int = arguments.member(prompt(shown.decode("utf-8")), "the prompt's answer", Discoverability)
            except BaseException as error:  # it must not reach C; it is raised below
                raised.append(error)
                return Discoverability.UNDETERMINED.value
            return number

        function, answer = c.Prompt(ask), c_int()
        try:
            with self._handle as session:
                lib.kinfolk_session_request_discoverability(session, *proof, function, None, byref(answer))
        finally:
            reraise(raised)
        return Discoverability(answer.value)

    @property
    def permits_left(self) -> int:
        """How many permits the person has left here: how many new contacts they may ask about now.

        Counted as by Container.permits_left().

        NotAuthenticated: the session is anonymous.
        """
        permits = c_uint32()
        with self._handle as session:
            lib.kinfolk_session_permits_left(session, byref(permits))
        return permits.value

    # Blocks

    def block(self, user_record_id: str) -> None:
        """Blocks a person in this container: from now on neither can find the other, by any kind of search.

        Neither can detect the block. Anybody who has the ID of a record can still fetch it. Blocking twice changes
        nothing. An ID that nobody has can be blocked too.

        InvalidArgument: it is the person's own ID. LimitExceeded: the person blocks 1,000 others already.
        NotAuthenticated: the session has no account in good standing.
        """
        encoded = arguments.text(user_record_id, "user_record_id")
        with self._handle as session:
            lib.kinfolk_session_block(session, encoded)

    def unblock(self, user_record_id: str) -> None:
        """Ends a block that this person made, if there is one."""
        encoded = arguments.text(user_record_id, "user_record_id")
        with self._handle as session:
            lib.kinfolk_session_unblock(session, encoded)

    @property
    def blocked_user_record_ids(self) -> tuple[str, ...]:
        """The IDs that this person blocked, sorted.

        Not the people who blocked this person, nor the blocks of the operator.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        blocked = c.Blocked()
        with self._handle as session:
            lib.kinfolk_session_blocked(session, byref(blocked))
        return take_texts(blocked, "blocked", "record_id")

    def export(self) -> str:
        """Everything that this container holds about the person, as JSON, which the application may give to the person.

        The user record ID, the name under which others find the person here (null unless the person can be found), all
        records (both user records, those of the private database, and those that the person created in the public one),
        every decision about discoverability, the people whom the person blocked, and what the person spent of limits,
        in whole numbers. It reveals nothing about the account, other containers, addresses or actions of the operator:
        those are in Account.export(). It works for a suspended account too.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        json = c_void_p()
        with self._handle as session:
            lib.kinfolk_session_export(session, byref(json))
        return take_text(json)

    def export_archive(self, file: Writable) -> None:
        """Writes everything that this container holds about the person to a binary file object, as a tar archive.

            with open("ada.tar", "wb") as file:
                session.export_archive(file)

        The archive (POSIX.1-2001, pax) has the text of export() as "export.json", and the files of all assets in the
        folder "assets". It is written a piece at a time, and is as the store was at one moment.

        `file.write` is called on this thread. An exception of it, or Ctrl-C, ends the work and is raised by this call:
        then the archive is not complete.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        with written_to(file) as write, self._handle as session:
            lib.kinfolk_session_export_archive(session, write, None)

    def storage_use(self) -> StorageUse:
        """How many bytes the person has stored in this container, and may store.

            use = session.storage_use()
            if use.private_quota is not None:
                print(use.private_quota - use.private_bytes, "bytes are left")

        NotAuthenticated: the session has no account in good standing.
        """
        numbers = [c_uint64() for _ in range(4)]
        with self._handle as session:
            lib.kinfolk_session_storage_use(session, *map(byref, numbers))
        private, private_quota, public, public_quota = [each.value for each in numbers]
        return StorageUse(private, limit_of(private_quota), public, limit_of(public_quota))

    # The account behind the session

    def on_account_changed(self, changed: Callable[[], object] | None) -> None:
        """Registers `changed()`, to be called after the account changed, in place of the one before; None removes it.

        It is called after the account was suspended, resumed or erased, or its name, its addresses or its consent in
        this container changed. It runs on a thread of the service, one call at a time; one call may stand for several
        changes. A change by another process is reported within about a second. An exception goes to sys.unraisablehook.

        After this call, and after close(), the old function is not running and will not run again, unless the call was
        made from inside that function. So do not hold a lock here that the function waits for.
        """
        arguments.function(changed, "changed")
        with self._handle as session:
            before, self._changed = self._changed, changed
            try:
                if changed is None:
                    lib.kinfolk_session_on_account_changed(session, c.AccountChanged(), None)
                else:
                    lib.kinfolk_session_on_account_changed(session, _tell, self._listening_token())
            except KinfolkError:
                self._changed = before
                raise

    def _listening_token(self) -> int:
        """The number by which C's callbacks find this session."""
        self._token = self._token or next(_tokens)
        _listening[self._token] = self
        return self._token

    # Notifications

    def notifications(self, limit: int = 100, *, timeout: float = 0) -> list[Notification]:
        """The notifications that the session's device has not acknowledged, the oldest first.

            for note in session.notifications(timeout=10):
                print(note.record_name, note.fields)
                session.acknowledge(note)

        At most `limit` are returned, 1 to 400; fewer if their fields have more than 2,000,000 bytes. If there are none,
        the call waits up to `timeout` seconds for some, and then returns an empty list.

        Ctrl-C ends the wait.

        A notification is returned again until it, or a later one, is acknowledged. It tells of a record as it is now;
        one about a record that is gone, or that the user may not read any more, is left out. The store keeps the last
        1,000 notifications of a user. A device that misses older ones gets one of the kind NotificationKind.DROPPED.

        LimitExceeded: the user has 2,000 devices. NotAuthenticated: the session has no account in good standing.
        """
        count, seconds = arguments.integer(limit, "limit", 1, 400), arguments.seconds(timeout, "timeout")
        return waited(lambda wait: self._fetch(count, wait), seconds)

    def acknowledge(self, notification: Notification | Bytes) -> None:
        """Says that the session's device has handled a notification and all before it, so that they do not come again.

        It takes a notification, or the `id` of one that was stored.

        InvalidArgument: the notification is another user's, or this is not the ID of one. ChangeTokenExpired: the store
        was restored from a backup that is older than the notification. NotAuthenticated: the session has no account in
        good standing.
        """
        own = notification.id if isinstance(notification, Notification) else notification
        octets = arguments.octets(own, "notification")
        with self._handle as session:
            lib.kinfolk_notifications_acknowledge(session, octets, len(octets))

    def watch(self) -> Watch:
        """The notifications of the session's device, one after the other, as they come: a loop over them never ends.

            with session.watch() as notes:
                for note in notes:
                    print(note.record_name, note.fields)

        The loop acknowledges a notification when it asks for the next one, so a program that fails in between gets it
        again. Ctrl-C ends the wait. The loop ends when the watch or the session is closed, also by another thread. Each
        step fails as notifications() and acknowledge() do.
        """
        with self._handle:
            return Watch(self._handle, lambda wait: self._fetch(1, wait), self.acknowledge)

    def on_notification(self, receive: Callable[[Notification], bool | None] | None) -> None:
        """Registers `receive(notification)`, in place of the function before; None removes it.

            def receive(note):
                print(note.record_name, note.fields)

            session.on_notification(receive)

        It is called for each notification that waits, and then for those that come. It runs on a thread of the service,
        one call at a time; while it runs, other sessions of the process get no notifications. If it returns None or
        True, the notification and all before it are acknowledged. If it returns False or raises, the notification is
        delivered again, after a second at the earliest. An exception goes to sys.unraisablehook.

        After this call, and after close(), the old function is not running and will not run again, unless the call was
        made from inside that function. So do not hold a lock here that the function waits for.

        LimitExceeded: the user has 2,000 devices. PermissionFailure: the service is open read-only. NotAuthenticated:
        the session has no account in good standing.
        """
        arguments.function(receive, "receive")
        with self._handle as session:
            before, self._received = self._received, receive
            try:
                if receive is None:
                    lib.kinfolk_session_on_notification(session, c.NotificationCallback(), None)
                else:
                    lib.kinfolk_session_on_notification(session, _receive, self._listening_token())
            except KinfolkError:
                self._received = before
                raise

    def devices(self) -> tuple[Device, ...]:
        """The user's devices in this container: those with a name in the order of their names, and then the others.

        A device without a name is forgotten when it has not asked for notifications for a day.

        NotAuthenticated: the session has no account in good standing.
        """
        devices = c.Devices()
        with self._handle as session:
            lib.kinfolk_session_devices(session, byref(devices))
        return take_devices(devices)

    def remove_device(self, name: str) -> None:
        """Forgets a device, and the notifications that wait for it.

        If a session of it is still in use, the device is made again when the session next asks for notifications.

        UnknownItem: the user has no device with this name. InvalidArgument: the name is malformed. NotAuthenticated:
        the session has no account in good standing.
        """
        encoded = arguments.text(name, "name")
        with self._handle as session:
            lib.kinfolk_session_remove_device(session, encoded)

    def _fetch(self, limit: int, seconds: float) -> list[Notification]:
        found = c.Notifications()
        try:
            with self._handle as session:
                lib.kinfolk_notifications_fetch(session, limit, seconds, byref(found))
            return read_notifications(found, self._home)
        finally:
            lib.kinfolk_notifications_free(found)

    def _home(self, scope: DatabaseScope) -> Handle:
        return self.database(scope)._handle

    # Key-value store and documents

    @property
    def key_value_store(self) -> KeyValueStore:
        """The user's small settings in this container, the same on all devices: a mapping of keys to values.

            settings = session.key_value_store
            settings["theme"] = "dark"

        The session has one such object, because it remembers which changes it has reported; after its close() there is
        another one. This reads nothing from the store: each call on the object checks the account.
        """
        with self._handle as session, self._order:
            if self._settings is None or self._settings.closed:
                store = c.Keyvalue()
                lib.kinfolk_session_keyvalue(session, byref(store))
                self._settings = KeyValueStore.adopt(store, self._handle.service)
            return self._settings

    @property
    def documents(self) -> Documents:
        """The user's files in this container, the same on all devices, with paths and versions.

            letter = session.documents.create("letters/test.txt", b"Hello")
            print(session.documents.open("letters/test.txt").read().decode())

        The session has one such object. This reads nothing from the store: each call on the object checks the account.
        """
        with self._handle:
            return self._documents

    # Records

    @property
    def public_database(self) -> Database:
        """The database that all users of the container's environment share."""
        return self.database(DatabaseScope.PUBLIC)

    @property
    def private_database(self) -> Database:
        """The database of the session's user alone."""
        return self.database(DatabaseScope.PRIVATE)

    def database(self, scope: DatabaseScope) -> Database:
        """The public database, or the private one of the session's user.

        It reads nothing from the store: each call on the database checks the account.
        """
        number = arguments.member(scope, "scope", DatabaseScope)
        database = c.Database()
        with self._handle as session:
            lib.kinfolk_session_database(session, number, byref(database))
        return Database.adopt(database, self._handle.service, DatabaseScope(number))

    def fetch_record(self, user_record_id: str | None = None, database: DatabaseScope = DatabaseScope.PUBLIC) -> Record:
        """Fetches a user record: that of the session's own person, unless another ID is given.

        UnknownItem: nobody has this ID in this container; or it is another person's private record. NotAuthenticated:
        own or private record, and the session is anonymous, or its account was erased, or (private) is suspended.
        """
        identifier = arguments.optional_text(user_record_id, "user_record_id")
        number = arguments.member(database, "database", DatabaseScope)
        record = c.Record()
        # Opened first: if it fails, there is no record to free.
        home = self.database(DatabaseScope(number))._handle
        with self._handle as session:
            lib.kinfolk_record_fetch(session, identifier, number, byref(record))
        return Record.adopt(record, home)

    def save_record(self, record: Record, policy: SavePolicy = SavePolicy.IF_UNCHANGED) -> None:
        """Saves a record in the database from which it was fetched, as Database.save() does.

        InvalidArgument: the record was not saved yet, so it belongs to no database.
        """
        if not isinstance(record, Record):
            raise arguments.wrong_type("record", "a kinfolk.Record", record)
        number = arguments.member(policy, "policy", SavePolicy)
        try:
            with self._handle as session, record._handle as own:
                lib.kinfolk_record_save(session, own, number)
        except ServerRecordChanged as changed:
            if record._source is not None:
                changed._bind(record._source)
            raise

    # Discovery

    def discover(self, book: ContactBook, *, sync_state: Bytes | Iterable[Bytes] = b"") -> Discovery:
        """Finds the people in a contact book who granted discoverability in this container.

        Each once, in the order of the book, with all contacts that led to them; the session's own person is left out.
        Each contact that was not asked about before costs a permit.

        `sync_state` tells the call which contacts were asked about before: it is the Discovery.sync_state of an earlier
        call for the same person in this container, or a list of them, for example from several devices. One that is
        damaged or from elsewhere is ignored.

        LimitExceeded: more new contacts than the person can ever hold permits; send the book in parts.
        RequestRateLimited: more new contacts than permits are left. PermissionFailure: the container keeps no directory
        of contact hashes. None of these spends a permit. NotAuthenticated: the session has no account in good standing.
        """
        if not isinstance(book, ContactBook):
            raise arguments.wrong_type("book", "a kinfolk.ContactBook", book)
        state = arguments.states(sync_state, "sync_state")
        found = c.Identities()
        with self._handle as session, book._handle as contacts:
            lib.kinfolk_discover_contacts(session, contacts, state or None, len(state), byref(found))
        return Discovery.adopt(found)

    def discover_email(self, email: str) -> Identity | None:
        """Finds a person by a verified e-mail address, or returns None. Each call costs one permit.

        None does not tell whether the person is unknown, did not opt in, is suspended, or never used this container.
        RequestRateLimited: no permit is left. PermissionFailure: the container keeps no directory of contact hashes.
        """
        encoded = arguments.text(email, "email")
        found = c.Identities()
        with self._handle as session:
            lib.kinfolk_discover_email(session, encoded, byref(found))
        return only_identity(found)

    def discover_record_id(self, user_record_id: str) -> Identity | None:
        """Finds a person by user record ID, or returns None. It costs no permit."""
        encoded = arguments.text(user_record_id, "user_record_id")
        found = c.Identities()
        with self._handle as session:
            lib.kinfolk_discover_record_id(session, encoded, byref(found))
        return only_identity(found)

    # Private discovery

    def answer(self, request: Bytes, threads: int = 1) -> bytes:
        """Answers one request of a PrivateClient, for the session's person: the server's half of private discovery.

        Each point of a batch costs a permit; points of padding cost one too, because the server cannot tell them from
        contacts. A repeated request is charged again. Contacts that were paid for in one epoch are renewed in another
        for free: the client proves that it paid. Every request counts towards the work that a person may cause in a
        day. `threads` is the number of threads that compute; 0 for one for each core.

        InvalidArgument: the message is malformed, or not a request. UnknownItem: the container has no private
        directory, or not the epoch that the request names. Conflict: the prefixes have more bits than the directory has
        now; the client must begin again. LimitExceeded: the request needs more permits or work than the person can ever
        have, or the answer would be larger than 64 MiB. RequestRateLimited: the person has too few permits, or too
        little work, left now. NotAuthenticated: the session has no account in good standing. PermissionFailure: a
        renewal names contacts that were not paid for. StoreCorrupt: a row of the directory was changed without the key.
        None of them spends a permit; the work may stay charged.
        """
        octets, count = arguments.octets(request, "request"), arguments.thread_count(threads, "threads")
        pointer, length = c_void_p(), c_size_t()
        with self._handle as session:
            lib.kinfolk_session_answer(session, octets, len(octets), count, byref(pointer), byref(length))
        return take_bytes(pointer, length)

    def discover_privately(self, book: ContactBook, sync_state: Bytes = b"", threads: int = 0) -> Discovery:
        """Finds the people in a contact book through the private directory, with both halves in this process.

        It also gets the names. For tests, and for programs that the person trusts with the contacts. `sync_state` is
        the Discovery.sync_state of an earlier call, which here holds contact hashes in clear: protect it like the
        address book. It raises as answer() and PrivateClient() do.
        """
        if not isinstance(book, ContactBook):
            raise arguments.wrong_type("book", "a kinfolk.ContactBook", book)
        before, count = arguments.octets(sync_state, "sync_state"), arguments.thread_count(threads, "threads")
        found = c.Identities()
        with self._handle as session, book._handle as contacts:
            lib.kinfolk_discover_contacts_privately(session, contacts, before or None, len(before), count, byref(found))
        return Discovery.adopt(found)


# One C function for all sessions, which is never freed, so that C cannot call a function that Python has dropped. It
# finds the session by a number, without keeping it alive: a dropped session gets no more calls.
_tokens = itertools.count(1)
_listening: weakref.WeakValueDictionary[int, Session] = weakref.WeakValueDictionary()


@c.AccountChanged  # type: ignore[untyped-decorator, unused-ignore]
def _tell(token: int) -> None:
    with inside_callback():
        session = _listening.get(token)
        if session is not None and not session.closed and session._changed is not None:
            session._changed()
        del session


@c.NotificationCallback  # type: ignore[untyped-decorator, unused-ignore]
def _receive(notification: Any, token: int) -> bool:
    with inside_callback():
        try:
            session = _listening.get(token)
            if session is None or session.closed or session._received is None:
                return False
            return session._received(read_notification(notification, session._home)) is not False
        except BaseException as error:  # it must not reach C, which needs an answer
            report(error)
            return False
        finally:
            del session


def _stop_listening() -> None:
    # Before the interpreter exits: a thread of the service that called into it later would never return.
    for session in list(_listening.values()):
        with suppress(KinfolkError, ValueError):
            session.on_notification(None)
        with suppress(KinfolkError, ValueError):
            session.on_account_changed(None)


atexit.register(_stop_listening)
