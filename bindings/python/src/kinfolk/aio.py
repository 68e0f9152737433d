"""Kinfolk for asyncio: the same classes and methods as in kinfolk, as coroutines.

    import kinfolk.aio

    async with await kinfolk.aio.open("kinfolk.db") as service:
        notes = await service.open_container("com.example.notes")
        session = await notes.open_session(await service.find_account("ada@example.com"))
        for friend in await session.discover(kinfolk.ContactBook(["grace@example.org"])):
            print(friend.user_record_id, friend.given_name)

A property that asks the store is a method here: `await account.emails()`. What is in memory alone is that of kinfolk:
ContactBook, Record, Discovery, all that is handed out, and the exceptions.

Threads. Calls run on at most 32 threads of this module's own, so that none holds up the event loop; further ones wait
for a thread. Any task, of any event loop, may use any object.

Progress. A progress function is called on the event loop, with what the work has come to by then. What it raises ends
the work after its next step and comes out of the call.

Cancellation. The await ends at once. A call that waits for a thread is dropped, one with a progress argument ends
after its next step (the next call resumes it, where kinfolk says so), and any other runs to its end: nobody knows then
whether it was before or after the change. Service.close() waits for all of them, and so does the end of the
interpreter. That is also what Ctrl-C does in a program that asyncio.run() runs.

Fork. As in kinfolk: a child opens the store anew.
"""

# Written by generate-aio from the classes of kinfolk: change those, and run it.

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

from . import (
    AccountStatus,
    AuditEntry,
    Claim,
    CodePurpose,
    ContactBook,
    ContainerDeletion,
    Database,
    DirectoryModes,
    Discoverability,
    Discovery,
    Email,
    Erasure,
    FieldType,
    Identity,
    KeyRotation,
    OperatorBlock,
    PeopleImport,
    PermitLimit,
    PrivateEpoch,
    PrivateWorkLimit,
    Record,
    SavePolicy,
    Statistics,
    StoreCheck,
    VerificationMail,
)
from . import _arguments as arguments
from . import Account as _Account
from . import Container as _Container
from . import PrivateClient as _PrivateClient
from . import Service as _Service
from . import Session as _Session
from . import accept_older as _accept_older
from . import open as _open
from . import restore as _restore
from ._arguments import Bytes, Path
from ._awaiting import Awaiting, Calls, blocking
from ._progress import Progress

__all__ = [
    "Account",
    "Container",
    "PrivateClient",
    "Service",
    "Session",
    "accept_older",
    "contact_book_from_file",
    "open",
    "restore",
]


class Service(Awaiting[_Service]):
    """One open store with its key: the operator's handle. Made by kinfolk.aio.open().

    A store takes any number of processes and threads at once. Closing a service closes the accounts, containers and
    sessions that were opened through it; what they handed out (records, discoveries) stays.
    """

    __slots__ = ()

    @property
    def is_key_memory_locked(self) -> bool:
        """Whether all keys of this process are in memory that the system has locked: never swapped to a disk."""
        return self._blocking.is_key_memory_locked

    async def check(self, progress: Progress | None = None) -> StoreCheck:
        """Checks the whole store as it is at one moment, while others use it.

        The file is sound, every sealed value opens, every row that is authenticated is the one that was written, and
        the directories hold the people who can be found, and nobody else: what is not so is among the findings. They
        name tables, and no person. It reads every row, and changes nothing. That something is wrong raises nothing.

        `progress(done, total)` is called on the event loop, in rows; it may use the service, but not fork. What it raises
        ends the check.
        """
        return await self._calls.run_told(progress, lambda tell: self._blocking.check(tell))

    async def create_account(self, given_name: str = "", family_name: str = "") -> Account:
        """Makes an account. Names are at most 1,024 bytes of UTF-8 each (LimitExceeded) and may be empty."""
        return Account(await self._calls.run(lambda: self._blocking.create_account(given_name, family_name)), self._calls)

    async def open_account(self, account_id: str) -> Account:
        """Opens the account with this ID, 32 lower-case hexadecimal digits. UnknownItem if there is none."""
        return Account(await self._calls.run(lambda: self._blocking.open_account(account_id)), self._calls)

    async def find_account(self, email: str) -> Account:
        """Opens the account that has this address, verified.

        UnknownItem if there is none: an address that is not verified belongs to nobody.
        """
        return Account(await self._calls.run(lambda: self._blocking.find_account(email)), self._calls)

    async def find_or_create_account(
        self,
        email: str,
        given_name: str = "",
        family_name: str = "",
    ) -> tuple[Account, bool]:
        """Opens the account that has this address, verified; if none has, makes one with it. Also, whether it was made.

            account, is_new = await service.find_or_create_account("ada@example.com", "Ada", "Lovelace")

        The host vouches for the address as in Account.add_email(): sign a person in by an address that is proved to be
        theirs. The names are those of an account that is made; one that is there keeps its own. Of several processes
        that do so at once one makes the account, and all get it.

        LimitExceeded: a name is longer than 1,024 bytes.
        """
        first, second = await self._calls.run(lambda: self._blocking.find_or_create_account(email, given_name, family_name))
        return Account(first, self._calls), second

    async def account_ids(self, after: str | None = None, limit: int = 1000) -> list[str]:
        """The IDs of all accounts, in their order: at most `limit`, after the ID `after`.

        They are for open_account(), and never for an application. Read all of them page by page:

            last = None
            while page := await service.account_ids(last):
                last = page[-1]
        """
        return await self._calls.run(lambda: self._blocking.account_ids(after, limit))

    async def create_container(self, name: str) -> Container:
        """Makes a container: one application's silo. Conflict if there is one with this name.

        The name is in reverse DNS, "com.example.notes": two or more labels of ASCII letters, digits and inner hyphens,
        255 bytes at most. Letter case matters.
        """
        return Container(await self._calls.run(lambda: self._blocking.create_container(name)), self._calls)

    async def open_container(self, name: str) -> Container:
        """Opens the container with this name. UnknownItem if there is none."""
        return Container(await self._calls.run(lambda: self._blocking.open_container(name)), self._calls)

    async def open_or_create_container(self, name: str) -> Container:
        """Opens the container with this name, and makes it if there is none.

        If several processes call this at once, one makes it. Conflict: the container with this name is being deleted.
        """
        return Container(await self._calls.run(lambda: self._blocking.open_or_create_container(name)), self._calls)

    async def container_names(self) -> tuple[str, ...]:
        """The names of all containers, in their order."""
        return await self._calls.run(lambda: self._blocking.container_names)

    async def delete_container(self, name: str, progress: Progress | None = None) -> ContainerDeletion:
        """Deletes the container with this name and everything in it. The accounts stay, and their other containers.

        From then on all its objects and sessions, in all processes, raise UnknownItem. A container that is made with
        this name later is a new one: people have other user record IDs, and have decided nothing. Entries of the audit
        log stay, without the user record IDs and the reasons. Call it again to resume an interrupted deletion; until it
        is finished there is no other container of this name.

        `progress(done, total)` is called on the event loop, in people; it may use the service, but not fork. What it
        raises ends the work and comes out of this call; call again to resume.

        UnknownItem: there is none with this name.
        """
        return await self._calls.run_told(progress, lambda tell: self._blocking.delete_container(name, tell))

    async def claims(self, after: str | None = None, limit: int = 1000) -> list[Claim]:
        """The claims on addresses, in the order of their IDs: at most `limit`, after the ID `after`."""
        return await self._calls.run(lambda: self._blocking.claims(after, limit))

    async def acknowledge_notice(self, claim_id: str) -> None:
        """Says that the notice of a claim was mailed to all addresses in `claim.notice`. The wait begins now.

        If it has begun before, nothing changes. UnknownItem if there is no such claim.
        """
        await self._calls.run(lambda: self._blocking.acknowledge_notice(claim_id))

    async def dismiss_claim(self, claim_id: str) -> None:
        """Decides a claim for the owner: for 30 days it cannot be made anew. UnknownItem if there is none."""
        await self._calls.run(lambda: self._blocking.dismiss_claim(claim_id))

    async def transfer_email(self, email: str, account: Account) -> None:
        """Gives an address to an account at once, verified, whichever account has it now.

        The one call that needs no proof, notice and wait. LimitExceeded: the account has 100 addresses already.
        """
        await self._calls.run(lambda: self._blocking.transfer_email(email, blocking(account)))

    async def claim_wait(self) -> float:
        """For how many seconds an owner can refuse a claim after the notice: 86,400 unless changed."""
        return await self._calls.run(lambda: self._blocking.claim_wait)

    async def set_claim_wait(self, seconds: float) -> None:
        """Changes that, for notices that are acknowledged from now on. From 0 to 30 days (InvalidArgument)."""
        await self._calls.run(lambda: self._blocking.set_claim_wait(seconds))

    async def rotate_keys(
        self,
        *,
        new_key: Bytes | None = None,
        new_key_file: Path | None = None,
        new_passphrase: str | Bytes | None = None,
        leaked: bool = False,
        progress: Progress | None = None,
    ) -> KeyRotation:
        """Changes the service key and all keys below it: everything in the store is sealed and indexed anew.

        Meanwhile the store is in use, by this and other processes, and all calls give the same answers. Private
        directories get new keys too: the announced ones, if there are any. Call it again to resume an interrupted
        rotation. Copies of the store from before need the old key for ever.

        In a planned rotation sync states stay valid, the store opens with either key until the end, and the old epochs
        of private directories answer until Container.end_private_epochs(). With `leaked` the old key opens the new ones
        at no moment, those epochs end when the new ones are complete, and sync states and verification codes from
        before are void; `consequences` of the answer lists that.

        new_key         a key of 32 bytes from elsewhere
        new_key_file    where the new key is; it is made if there is no such file
        new_passphrase  what the new key is made from
        leaked          whether somebody else may have the old key
        progress        progress(done, total) is called on the event loop, in accounts, and then in people for private
                        directories; it may use the service, but not fork. What it raises ends the work and comes out of
                        this call; call again to resume

        With none of the three the key file is replaced by one with a new key, and the old one kept beside it:
        `old_key_file` of the answer is its path. A service that was opened with `key` or `passphrase` in
        another process, and made no call all the while, then raises KeyMismatch: open it anew.

        InvalidArgument: the new key is the present one; or none is given, and the present one is in no file.
        KeyMismatch: the new key file is malformed, or readable by others. StoreCorrupt: something does not open;
        nothing is lost, and both keys stay needed. Conflict: a planned rotation is under way, and the key leaked.
        """
        return await self._calls.run_told(
            progress, lambda tell: self._blocking.rotate_keys(new_key=new_key, new_key_file=new_key_file, new_passphrase=new_passphrase, leaked=leaked, progress=tell)
        )

    async def bucket_public_key(self) -> bytes:
        """The key by which a contact is in the same bucket in all containers and epochs: 32 bytes. It never changes.

        The program may give it to its clients by a way of its own: see PrivateClient.

        UnknownItem: there was no private directory yet.
        """
        return await self._calls.run(lambda: self._blocking.bucket_public_key)

    async def back_up(self, path: Path, progress: Progress | None = None) -> None:
        """Copies the store, as it is at one moment, into the new file `path`, while it is in use.

        The key is not in the copy: keep it apart. What is erased later stays in the copy. To restore it, call
        kinfolk.restore(): put in the place of the store by hand, it might come beside that one's log (-wal).

        `progress(done, total)` is called on the event loop, in pages of the file; it may use the service, but not fork.
        What it raises ends the work and comes out of this call: then there is no copy.

        Conflict: there is a file of this name. UnknownItem: its folder is missing. PermissionFailure: it may not be
        made there. InvalidArgument: the store is on a server: see copy(), or pg_dump.
        """
        await self._calls.run_told(progress, lambda tell: self._blocking.back_up(path, tell))

    async def copy(self, destination: Path, progress: Progress | None = None) -> None:
        """Copies the store, as it is at one moment, to another place while it is in use.

        `destination` is a file to make, or the address of a PostgreSQL database. The key of this service opens the
        copy. Rows are read again when all are written, and compared by number and checksum; before that nobody can open
        the copy. Called again it goes on where it was interrupted, or brings a copy that nobody has opened up to date.

        `progress(done, total)` is called on the event loop, in rows, three times from the start: of those compared
        (`total` is 0, not known), written and read again. It may use the service, but not fork. What it raises ends the
        work and comes out of this call; call again to resume.

        Conflict: there is a store that is no copy of this one, or that was opened. UnknownItem: the folder is missing.
        ServiceUnavailable: as for any call, of either place; the server refuses, or has no such database.
        PermissionFailure: it may not be made there. StoreCorrupt: something else is there, or what was read again is
        not what was written.
        """
        await self._calls.run_told(progress, lambda tell: self._blocking.copy(destination, tell))

    async def audit_log(self, after: int = 0, limit: int = 1000) -> list[AuditEntry]:
        """The uses of Container.find_account(), in their order: at most `limit`, with numbers above `after`."""
        return await self._calls.run(lambda: self._blocking.audit_log(after, limit))

    async def close(self) -> None:
        """Closes the service, and what was opened through it, and waits for the calls that are under way.

        Closing it again does nothing. Any other use is a ValueError from then on.
        """
        await super().close()
        await self._calls.finish()


class Account(Awaiting[_Account]):
    """A person: name, e-mail addresses, status. Known to the operator, never to an application.

    Made by Service.create_account(), open_account() and find_account(). After erase() everything but `id` and close()
    is an UnknownItem. Two of the same person in one store are equal, and have one hash, also when they are closed.
    """

    __slots__ = ()

    @property
    def id(self) -> str:
        """32 hexadecimal digits: the operator's name for a person. Never give it to an application."""
        return self._blocking.id

    async def given_name(self) -> str:
        """The given name as it is now; may be empty."""
        return await self._calls.run(lambda: self._blocking.given_name)

    async def family_name(self) -> str:
        """The family name as it is now; may be empty."""
        return await self._calls.run(lambda: self._blocking.family_name)

    async def set_name(self, given_name: str, family_name: str) -> None:
        """Changes the name, in all that others discover too. At most 1,024 bytes of UTF-8 each (LimitExceeded)."""
        await self._calls.run(lambda: self._blocking.set_name(given_name, family_name))

    async def emails(self) -> tuple[Email, ...]:
        """The addresses as they are now, in the order in which they were added."""
        return await self._calls.run(lambda: self._blocking.emails)

    async def add_email(self, email: str, *, verified: bool = False) -> Claim | None:
        """Adds an address; at most 100 (LimitExceeded).

        With `verified` the host vouches that it is this person's: the address counts at once, unless another account
        has it verified. Then the answer is a claim, as with verify_email(). Adding an address again keeps what is
        there, and proves it if `verified` is true.
        """
        return await self._calls.run(lambda: self._blocking.add_email(email, verified=verified))

    async def request_verification(
        self,
        email: str,
        purpose: CodePurpose = CodePurpose.ADD_EMAIL,
        *,
        reader_pass: str | None = None,
    ) -> VerificationMail | None:
        """Requests a code for an address of the account. The host mails it, with the pass.

        It works for this account, address and purpose, is valid for 10 minutes and 5 tries, and replaces the one
        before. An address gets 5 mails in 24 hours, whichever accounts request them. When they are used up the answer
        is None: show the same page as if a mail had been sent. Any code then counts as a wrong one, so nobody can tell
        what others do. `reader_pass` is the pass of an earlier mail to the address: it buys a mail that does not count.

        UnknownItem: the account does not have this address; to refuse, no claim on it can be refused. Conflict: to add,
        it is verified already; otherwise, it is not. RequestRateLimited: this account made 5 requests for the address
        in 24 hours, or 20 for all its addresses.
        """
        return await self._calls.run(
            lambda: self._blocking.request_verification(email, purpose, reader_pass=reader_pass)
        )

    async def verify_email(self, email: str, code: str) -> Claim | None:
        """Proves an address with the code that was mailed to it. It counts from then on, and the answer is None.

        If another account has it verified, that account keeps it, and the answer is a claim. Mail a notice to all of
        `claim.notice`, and say so with Service.acknowledge_notice(): the owner then has 24 hours to refuse. After that,
        the claimant proves the address again within 7 days, with a new code, and has it.

        UnknownItem: the account does not have this address, or no valid code was requested. PermissionFailure: this is
        not the code. LimitExceeded: the code was tried five times; request another.
        """
        return await self._calls.run(lambda: self._blocking.verify_email(email, code))

    async def confirm_sign_in(self, email: str, code: str) -> None:
        """Returns if this is the code that was mailed for CodePurpose.SIGN_IN. It raises as verify_email()."""
        await self._calls.run(lambda: self._blocking.confirm_sign_in(email, code))

    async def refuse_claims(self, email: str, code: str) -> list[Claim]:
        """Refuses all claims on an address, with a code that was mailed to it for CodePurpose.REFUSE_CLAIM.

        For 30 days a claimant who was refused cannot claim the address, and no claim on it by anybody moves it without
        the operator. It raises as verify_email(); UnknownItem also if no claim can be refused any more.
        """
        return await self._calls.run(lambda: self._blocking.refuse_claims(email, code))

    async def claims(self) -> list[Claim]:
        """The claims that the account made, then those against it."""
        return await self._calls.run(lambda: self._blocking.claims)

    async def set_email_discoverable(self, email: str, discoverable: bool) -> None:
        """Lets people find the account by this address, or not.

        Every address starts with True; it takes effect where the account has granted discoverability.
        """
        await self._calls.run(lambda: self._blocking.set_email_discoverable(email, discoverable))

    async def remove_email(self, email: str) -> None:
        """Removes an address. UnknownItem if the account does not have it."""
        await self._calls.run(lambda: self._blocking.remove_email(email))

    async def suspend(self) -> None:
        """Suspends the account: its sessions become RESTRICTED, and no discovery finds it any more."""
        await self._calls.run(lambda: self._blocking.suspend())

    async def resume(self) -> None:
        """Ends the suspension. What the person had granted holds again."""
        await self._calls.run(lambda: self._blocking.resume())

    async def is_suspended(self) -> bool:
        """Whether the account is suspended now."""
        return await self._calls.run(lambda: self._blocking.is_suspended)

    async def export(self) -> str:
        """Everything that is held about the account, as JSON."""
        return await self._calls.run(lambda: self._blocking.export())

    async def erase(self) -> Erasure:
        """Erases the account and everything held about it, in one transaction, and says what was removed."""
        return await self._calls.run(lambda: self._blocking.erase())


class Container(Awaiting[_Container]):
    """One application's silo. Nothing links one container to another.

    Made by Service.create_container(), open_container() and open_or_create_container(). Two of one name in one
    store are equal, and have one hash, also when they are closed. Once it is deleted, all but `name` and close() is an
    UnknownItem.
    """

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name in reverse DNS, "com.example.notes"."""
        return self._blocking.name

    async def open_session(self, account: Account) -> Session:
        """Signs an account in. Its first session here makes its user record ID and its two user records.

        NotAuthenticated: the account was erased, or it is suspended and never used this container. InvalidArgument:
        account and container are of two services.
        """
        return Session(await self._calls.run(lambda: self._blocking.open_session(blocking(account))), self._calls)

    async def open_anonymous_session(self) -> Session:
        """Opens a session without an account. It may read public user records, and nothing else."""
        return Session(await self._calls.run(lambda: self._blocking.open_anonymous_session()), self._calls)

    async def set_permits(self, capacity: int, per_hour: float, unverified_capacity: int = 100) -> None:
        """Changes the rate limit of discovery.

        Each person holds at most `capacity` permits (20,000 unless changed; 1 to 4,294,967,295) and gains `per_hour`
        an hour (10 unless changed; not negative). A person without a verified e-mail address holds at most
        `unverified_capacity`, and never more than `capacity`. What a person has spent is kept, so a new limit gives no
        spent permit back.
        """
        await self._calls.run(lambda: self._blocking.set_permits(capacity, per_hour, unverified_capacity))

    async def permits(self) -> PermitLimit:
        """The rate limit of discovery, as it is now."""
        return await self._calls.run(lambda: self._blocking.permits)

    async def permits_left(self, user_record_id: str) -> int:
        """How many permits a person has left, rounded down.

        What other processes hold ready for the person, 64 at most each and for two minutes at most, counts as spent.
        UnknownItem: nobody has this ID in this container.
        """
        return await self._calls.run(lambda: self._blocking.permits_left(user_record_id))

    async def set_permits_left(self, user_record_id: str, permits: int) -> None:
        """Sets how many permits a person has left: more for somebody who has spent them on a bad import say, or none.

        It also replaces what the person's addresses keep of spent permits. What other processes have spent in the last
        minutes, and not written yet, still counts afterwards. LimitExceeded: the person can hold fewer; raise the limit
        first. UnknownItem: nobody has this ID in this container.
        """
        await self._calls.run(lambda: self._blocking.set_permits_left(user_record_id, permits))

    async def top_up_permits(self, user_record_id: str) -> None:
        """Gives a person as many permits as the person can hold. Otherwise as set_permits_left()."""
        await self._calls.run(lambda: self._blocking.top_up_permits(user_record_id))

    async def set_private_work(
        self,
        multiplications_per_day: int | None = None,
        rows_per_day: int | None = None,
    ) -> None:
        """Changes how much work each person may cause a day by private discovery.

        That is how many multiplications of points, and how many rows of the directory are read, with one for each
        bucket asked for, whether or not they are sent. None stands for what follows from the permits, as in a new
        container: 8 multiplications and 400 rows for each permit that a person may hold, but at least 8,000,000 rows.
        A person without a verified address has as large a part of the multiplications as of the permits, and a quarter
        of the rows.
        """
        await self._calls.run(
            lambda: self._blocking.set_private_work(multiplications_per_day, rows_per_day)
        )

    async def private_work(self) -> PrivateWorkLimit:
        """The limit of work by private discovery, as it was set."""
        return await self._calls.run(lambda: self._blocking.private_work)

    async def set_field_limit(self, fields: int) -> None:
        """Changes how many new fields each person may add to the schema: 50 unless changed; 0 for none."""
        await self._calls.run(lambda: self._blocking.set_field_limit(fields))

    async def field_limit(self) -> int:
        """How many new fields each person may add, as it is now."""
        return await self._calls.run(lambda: self._blocking.field_limit)

    async def find_account(self, user_record_id: str, *, reason: str) -> Account:
        """Opens the account behind a user record ID: for the operator, when there is a report of abuse say.

        Each call leaves an entry in Service.audit_log(), on disk before the answer, also when nobody has the ID.
        `reason` says why in 1 to 1,024 bytes of UTF-8, a ticket's number for example. No session leads from an ID to
        an account.

        UnknownItem: nobody has this ID in this container. InvalidArgument: the reason is empty. LimitExceeded: it is
        too long.
        """
        return Account(await self._calls.run(lambda: self._blocking.find_account(user_record_id, reason=reason)), self._calls)

    async def block(self, user_record_id: str, other_user_record_id: str) -> None:
        """The operator's block: neither of two people finds the other any more.

        They do not see it and cannot end it. Blocking twice is blocking once. InvalidArgument: both are the same.
        """
        await self._calls.run(lambda: self._blocking.block(user_record_id, other_user_record_id))

    async def unblock(self, user_record_id: str, other_user_record_id: str) -> None:
        """Ends the operator's block between two people, if there is one. Their own blocks stay."""
        await self._calls.run(lambda: self._blocking.unblock(user_record_id, other_user_record_id))

    async def blocks(self, after: OperatorBlock | None = None, limit: int = 1000) -> list[OperatorBlock]:
        """The operator's blocks, each pair once: at most `limit`, after the pair `after`. Not those of people."""
        return await self._calls.run(lambda: self._blocking.blocks(after, limit))

    async def statistics(self) -> Statistics:
        """The container in numbers. It reads all of it, which takes seconds for a million people."""
        return await self._calls.run(lambda: self._blocking.statistics())

    async def import_people(
        self,
        path: Path,
        consent_text: str | None = None,
        consent_version: str | None = None,
        progress: Progress | None = None,
    ) -> PeopleImport:
        """Makes an account for each person in a CSV file, signs it in here, and keeps what the person decided.

        The first row names the columns given_name, family_name, email and consent, of which email must be there.
        Several addresses in a cell are separated by " ::: ". The host vouches for the addresses. A consent is yes, no
        or empty. The wording is what the people were shown, as in Session.set_discoverability(): a file with a consent
        column needs both.

        A person with an address that an account has already is skipped and reported. So an interrupted import is simply
        run again: accounts that were made until then stay.

        `progress(done, total)` is called on the event loop, in rows, at least every half second while there is something
        to read; `total` is an estimate until the end, and 0 if the size of the file is not known. It may use the
        service, but not fork. What it raises ends the work and comes out of this call.

        UnknownItem: there is no such file. PermissionFailure: it may not be read. InvalidArgument: it is no file of
        people, or has consents and no wording is given. LimitExceeded: the wording is too long.
        """
        return await self._calls.run_told(
            progress, lambda tell: self._blocking.import_people(path, consent_text, consent_version, tell)
        )

    async def add_field(self, field: str, field_type: FieldType) -> None:
        """Adds a field to the schema: for the operator.

        Otherwise the first user who saves a field of a new name adds it. Conflict if the schema has a field of this
        name already; LimitExceeded if it has 1,000.
        """
        await self._calls.run(lambda: self._blocking.add_field(field, field_type))

    async def remove_field(self, field: str) -> None:
        """Removes a field from the schema, and its values from every user record.

        Its name may then be used with another type. UnknownItem if the schema has no such field.
        """
        await self._calls.run(lambda: self._blocking.remove_field(field))

    async def directory_modes(self) -> DirectoryModes:
        """How people can be found. A mode whose directory is being built is not among these."""
        return await self._calls.run(lambda: self._blocking.directory_modes)

    async def set_directory_modes(self, modes: DirectoryModes, progress: Progress | None = None) -> None:
        """Changes how people can be found: HASHED, which a new container has, PRIVATE or HASHED | PRIVATE.

        Directories that are new are built, while the container is in use, in batches and on all cores, and then those
        that go are emptied. What was interrupted is gone on with by calling this again with the same modes.

        `progress(done, total)` is called on the event loop, in people; it may use the service, but not fork. What it
        raises ends the work and comes out of this call; call again to resume.

        InvalidArgument: modes is none of these.
        """
        await self._calls.run_told(progress, lambda tell: self._blocking.set_directory_modes(modes, tell))

    async def announce_next_private_key(self) -> int:
        """Makes the next key of the private directory, before anything is indexed under it.

        So clients which only take published keys can have it first: it is among `private_epochs`. The next
        renew_private_key() or Service.rotate_keys() uses it. Returns the number of its epoch, the same until then.

        UnknownItem: the container has no private directory.
        """
        return await self._calls.run(lambda: self._blocking.announce_next_private_key())

    async def renew_private_key(self, progress: Progress | None = None) -> int:
        """Takes a new key for the private directory, and indexes everybody under it while the old one still answers.

        Clients move at their next discovery, and what they had paid for is free under the new key, and nothing else.
        When they have, end the old one with end_private_epochs(). Returns the number of the new epoch. Call it again to
        resume an interrupted renewal. `progress` is that of set_directory_modes().

        UnknownItem: the container has no private directory. LimitExceeded: it has 100 epochs.
        """
        return await self._calls.run_told(progress, lambda tell: self._blocking.renew_private_key(tell))

    async def end_private_epochs(self, before: int) -> None:
        """Ends the epochs before this one: they answer no more.

        Their keys stay only to tell what was paid for in them, until the service key is rotated because it leaked.

        UnknownItem: there is no such epoch that is complete.
        """
        await self._calls.run(lambda: self._blocking.end_private_epochs(before))

    async def set_prefix_bits(self, bits: int | None) -> None:
        """Sets how many bits of each contact's bucket a client tells: 0 to 32.

        None, which a new container has, is what suits the number of rows: 0, the whole directory, while that fits
        1 MiB, and then so many that a bucket has 16 to 32 rows. With fewer bits the server learns less, and sends more.
        """
        await self._calls.run(lambda: self._blocking.set_prefix_bits(bits))

    async def private_epochs(self) -> tuple[PrivateEpoch, ...]:
        """The epochs of the private directory, newest first; none if there is no such directory."""
        return await self._calls.run(lambda: self._blocking.private_epochs)


class Session(Awaiting[_Session]):
    """One container, seen by one account, or by nobody: all that an application may do.

    Made by Container.open_session() and open_anonymous_session().
    """

    __slots__ = ()

    async def account_status(self) -> AccountStatus:
        """The status of the account, read afresh."""
        return await self._calls.run(lambda: self._blocking.account_status)

    async def user_record_id(self) -> str:
        """Who the person is in this container: "_" and 32 lower-case hexadecimal digits, random, stable.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        return await self._calls.run(lambda: self._blocking.user_record_id)

    async def discoverability(self) -> Discoverability:
        """What the person decided about being found in this container."""
        return await self._calls.run(lambda: self._blocking.discoverability)

    async def set_discoverability(
        self,
        discoverability: Discoverability,
        consent_text: str = "",
        consent_version: str = "",
    ) -> None:
        """Stores what the person decided: GRANTED or DENIED.

        The moment, `consent_text` (the wording that the person was shown, at most 16,384 bytes) and `consent_version`
        (your name for that wording, at most 255 bytes) are kept as the proof of consent; a grant needs both. A
        discovery that begins after a revocation returned does not find the person.
        """
        await self._calls.run(
            lambda: self._blocking.set_discoverability(discoverability, consent_text, consent_version)
        )

    async def permits_left(self) -> float:
        """How many permits the person has left here: how many new contacts they may ask about now.

        NotAuthenticated: the session is anonymous.
        """
        return await self._calls.run(lambda: self._blocking.permits_left)

    async def block(self, user_record_id: str) -> None:
        """Blocks somebody in this container: from now on neither finds the other, by whatever they search.

        Nobody can tell whether they are blocked. Records can still be fetched by those who have their ID. Blocking
        twice is blocking once, and an ID that nobody has can be blocked too.

        InvalidArgument: it is the person's own ID. LimitExceeded: 10,000 are blocked. NotAuthenticated: the session
        has no account in good standing.
        """
        await self._calls.run(lambda: self._blocking.block(user_record_id))

    async def unblock(self, user_record_id: str) -> None:
        """Ends a block of this person's own, if there is one."""
        await self._calls.run(lambda: self._blocking.unblock(user_record_id))

    async def blocked_user_record_ids(self) -> tuple[str, ...]:
        """Whom this person blocked, in the order of the IDs: not who blocked them, nor what the operator blocked.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        return await self._calls.run(lambda: self._blocking.blocked_user_record_ids)

    async def export(self) -> str:
        """Everything that this container holds about the person, as JSON, for the application to hand to them.

        The user record ID, the name under which others find them here (null unless they can be found), both user
        records, every decision about discoverability, whom they blocked, and what they spent of limits, in whole
        numbers. Nothing in it leads to the account, to another container or to an address, and nothing is of what the
        operator did: that is in Account.export(). A suspended account has it too.

        NotAuthenticated: the session is anonymous, or its account was erased.
        """
        return await self._calls.run(lambda: self._blocking.export())

    async def fetch_record(self, user_record_id: str | None = None, database: Database = Database.PUBLIC) -> Record:
        """Fetches a user record: that of the session's own person, unless another's ID is given.

        UnknownItem: there is none in this container; in the private database: it is somebody else's. NotAuthenticated:
        own or private record, and the session is anonymous, its account erased, or (private) suspended.
        """
        return await self._calls.run(lambda: self._blocking.fetch_record(user_record_id, database))

    async def save_record(self, record: Record, policy: SavePolicy = SavePolicy.IF_UNCHANGED) -> None:
        """Saves a record, which then has the change tag, the times and the fields of the store.

        ServerRecordChanged: somebody saved it since it was fetched; its `server_record` is what the store holds.
        PermissionFailure: it is somebody else's. InvalidArgument: a field has another type in this container, where a
        type is fixed by a field's first use. LimitExceeded: names and values are more than 1,000,000 bytes.
        """
        await self._calls.run(lambda: self._blocking.save_record(record, policy))

    async def discover(self, book: ContactBook, *, sync_state: Bytes | Iterable[Bytes] = b"") -> Discovery:
        """Finds the people in a contact book who granted discoverability in this container.

        Each once, in the order of the book, with all contacts that led to them; the session's own person is left out.
        Each contact that was not asked about before costs a permit. What was asked about before is told by
        `sync_state`, the Discovery.sync_state of an earlier call for the same person in this container, or a list of
        them (from several devices, say). One that is damaged or another's counts as none.

        LimitExceeded: more new contacts than permits can ever be held; send the book in parts. RequestRateLimited: more
        than are left. PermissionFailure: the container keeps no directory of contact hashes. None of these spends a
        permit. NotAuthenticated: the session has no account in good standing.
        """
        return await self._calls.run(lambda: self._blocking.discover(book, sync_state=sync_state))

    async def discover_email(self, email: str) -> Identity | None:
        """Finds a person by a verified e-mail address, or nobody. It costs one permit, each time.

        Unknown, not opted in, suspended, never here: all give None. RequestRateLimited: no permit is left.
        PermissionFailure: the container keeps no directory of contact hashes.
        """
        return await self._calls.run(lambda: self._blocking.discover_email(email))

    async def discover_record_id(self, user_record_id: str) -> Identity | None:
        """Finds a person by user record ID, or nobody. It costs no permit."""
        return await self._calls.run(lambda: self._blocking.discover_record_id(user_record_id))

    async def answer(self, request: Bytes, threads: int = 1) -> bytes:
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
        return await self._calls.run(lambda: self._blocking.answer(request, threads))

    async def discover_privately(self, book: ContactBook, sync_state: Bytes = b"", threads: int = 0) -> Discovery:
        """Finds the people in a contact book through the private directory, both halves here, names included.

        For tests, and for programs that the person trusts with the contacts. `sync_state` is that of an earlier call
        (Discovery.sync_state), which here holds contact hashes in clear: keep it like the address book. It may
        raise what answer() and PrivateClient() may.
        """
        return await self._calls.run(lambda: self._blocking.discover_privately(book, sync_state, threads))

    async def request_discoverability(
        self, consent_text: str, consent_version: str, prompt: Callable[[str], Awaitable[Discoverability]]
    ) -> Discoverability:
        """Asks the person through `await prompt(consent_text)`, once: later calls return the stored answer unasked.

        The prompt returns GRANTED, DENIED, or UNDETERMINED if it was closed unanswered. It takes up no thread while the
        person thinks. What it raises comes out of this call, and nothing is stored. The answer is kept as in
        set_discoverability(). If the person was asked twice at the same time, the first answer holds.
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
        """Has `changed()` called after the account changed, in the place of the one before; None ends it.

        Suspended, resumed, erased, name, addresses, consent in this container. It runs on the event loop of this call;
        several changes may give one call. Changes made by another process are told within about a second.
        """
        if changed is not None and not callable(changed):
            raise arguments.wrong_type("changed", "callable or None", changed)
        loop = asyncio.get_running_loop()

        def tell() -> None:
            if changed is not None and not loop.is_closed():
                loop.call_soon_threadsafe(changed)

        await self._calls.run(lambda: self._blocking.on_account_changed(None if changed is None else tell))

    async def account_changes(self) -> AsyncGenerator[None, None]:
        """Yields after each change of the account, as on_account_changed() tells it, which this takes the place of.

            async for _ in session.account_changes():
                print(await session.account_status())
        """
        changed = asyncio.Event()
        await self.on_account_changed(changed.set)
        try:
            while True:
                await changed.wait()
                changed.clear()
                yield
        finally:
            if not self.closed:
                await self.on_account_changed(None)


class PrivateClient(Awaiting[_PrivateClient]):
    """The person's half of private discovery, which finds people without showing the server a contact.

    It needs no service. It says what to send, and takes what came back; how that travels is the program's part. The
    server's half is Session.answer(), for the session of this person.

        client = kinfolk.aio.PrivateClient("com.example.notes", sync_state=kept)
        await client.set_contacts(book)
        while (request := await client.next_request()) is not None:
            await client.receive(await send(request))
        kept = client.sync_state
        for person in await client.identities():
            print(person.user_record_id, person.contacts[0].label)

    container    the container's name
    public_keys  PrivateEpoch.public_key of the epochs that the program knows of, if it has them from elsewhere than
                 this server, from its own package say: then the server must prove that it used one of them. Without any
                 it is trusted to use the same key for everybody
    bucket_key   Service.bucket_public_key, if the program has it from elsewhere. Without it the first one that the
                 server names is kept in the state, and another one refused from then on
    filler_secret  32 random bytes that a person's applications share, if they can: then all of them fill up requests
                 with the same hashes, and ask for the same buckets
    sync_state   `sync_state` after an earlier discovery of the same person in the same container. Without it the server
                 is asked about all contacts again, and could find out by comparing how many there are, unless the
                 filler secret is the same
    threads      on how many to compute; 0 for as many as there are cores

    InvalidArgument: this is not a container's name, or not a public key; the state is damaged, of an older version, of
    another container or of another filler secret. KeyMismatch: the state is of another bucket key. LimitExceeded: more
    than 1,000 public keys.
    """

    __slots__ = ()

    def __init__(
        self,
        container: str,
        public_keys: Iterable[Bytes] = (),
        sync_state: Bytes = b"",
        threads: int = 0,
        *,
        bucket_key: Bytes | None = None,
        filler_secret: Bytes | None = None,
    ) -> None:
        super().__init__(_PrivateClient(container, public_keys, sync_state, threads, bucket_key=bucket_key, filler_secret=filler_secret), Calls())

    async def set_contacts(self, book: ContactBook) -> None:
        """Takes the contacts that count from now on, copied, and begins a discovery."""
        await self._calls.run(lambda: self._blocking.set_contacts(book))

    async def begin(self) -> None:
        """Begins another discovery with the same contacts: after a request that failed, or to see what has changed."""
        await self._calls.run(lambda: self._blocking.begin())

    async def set_maximum_prefix_bits(self, bits: int) -> None:
        """Sets how many bits of a contact's bucket the client tells at most: 0 to 32, and 20 unless changed.

        Where the server's directory has more, it asks for larger buckets. So a server cannot ask for so many that they
        tell one contact from all others. What suits a directory of a million people is 15. It counts from the next
        discovery on.
        """
        await self._calls.run(lambda: self._blocking.set_maximum_prefix_bits(bits))

    async def next_request(self) -> bytes | None:
        """What to send next; the same again until its answer came. None when all is known."""
        return await self._calls.run(lambda: self._blocking.next_request())

    async def receive(self, answer: Bytes) -> None:
        """Takes the answer to the request. If it is refused, the request stands.

        InvalidArgument: it is malformed, or there is no request. Conflict: it is the answer to another request; or the
        bucket key, or the key of an epoch, is not what it was. KeyMismatch: a key of the server is none of the
        published ones, or it did not use it.
        """
        await self._calls.run(lambda: self._blocking.receive(answer))

    async def identities(self) -> Discovery:
        """The people in the contacts, by what has been received so far.

        Each once, in the order of the book, with all contacts that led to them. Their names are empty: they come by
        Session.discover_record_id(), which tells the server who they are, and may be put off or left out.
        """
        return await self._calls.run(lambda: self._blocking.identities())

    @property
    def sync_state(self) -> bytes:
        """What to keep for the next discovery: nothing is asked about known contacts then, and only changes are sent.

        It holds contact hashes in clear: keep it like the address book.
        """
        return self._blocking.sync_state

    @property
    def filler_secret(self) -> bytes:
        """By what the hashes are made that fill up requests: 32 bytes, for the person's other applications.

        Keep it like the address book. Give it to a client that begins without a state.
        """
        return self._blocking.filler_secret


async def open(
    path: Path,
    *,
    key: Bytes | None = None,
    key_file: Path | None = None,
    passphrase: str | Bytes | None = None,
    create: bool = True,
    wait: float = 30.0,
    page_cache: int = 2 << 20,
    directory_filters: int = 64 << 20,
    require_locked_memory: bool = False,
    read_only: bool = False,
) -> Service:
    """Opens the store in the file `path`, and makes it, with a new key, if there is none.

    `path` may also be the address of a PostgreSQL database, a str: "postgresql://user@host/database" (docs/scaling.md).
    There is no place beside it for a key, so one must be given.

    key         a service key of 32 bytes from elsewhere (a KMS, a keychain), instead of a key file
    key_file    where the key is; without any of these, beside the store: "kinfolk.db" has "kinfolk.key"
    passphrase  what the key is derived from, by Argon2id: about a second and 256 MiB
    create      False: there must be such a store (UnknownItem)
    wait        seconds to wait for other writers before ServiceUnavailable; 0 for not at all
    page_cache  bytes of the store that each of its connections keeps in memory; of one on a server, nothing
    directory_filters  most bytes for filters of directories, about 1.5 for each person who can be found; 0 for none
    require_locked_memory  True: ServiceUnavailable where the system does not lock a key in memory, so that it could be
                swapped to a disk; from then on in the whole process
    read_only   True: nothing is changed, no byte of the store, its folder or its key. Calls that would write, and
                discovery by contacts and addresses, which spends permits, raise PermissionFailure. No store is made.
                The store may be on media that cannot be written, and be written by others meanwhile

    A key file is made with mode 0600 and is refused if anybody else may read or write it. Whoever loses it loses the
    store. Files of another user than the process's and root are refused, for somebody may have planted them. A store
    takes any number of processes and threads at once.

    KeyMismatch: the key is missing, malformed, readable by others, another user's, or another store's. StoreCorrupt:
    the file is not a Kinfolk store, or an older one than was used last. InvalidArgument: the store was made by a newer
    Kinfolk; more than one of key, key file and passphrase is given, or none for a server; the passphrase is empty.
    PermissionFailure: the file system refuses, or the store is another user's. ServiceUnavailable: the store's
    server cannot be reached, refuses or has no such database, or there is no libpq.
    """
    calls = Calls()
    return Service(await calls.run(
        lambda: _open(path, key=key, key_file=key_file, passphrase=passphrase, create=create, wait=wait, page_cache=page_cache, directory_filters=directory_filters, require_locked_memory=require_locked_memory, read_only=read_only)
    ), calls)


async def accept_older(
    path: Path,
    *,
    key: Bytes | None = None,
    key_file: Path | None = None,
    passphrase: str | Bytes | None = None,
    wait: float = 30.0,
) -> bool:
    """Accepts an older state of a store as the present one, after it came back in another way than by restore().

    A count of changes is kept in the store, and beside its key file in a file ending in .counter. kinfolk.open()
    refuses a store with a lower count than the one beside the key (StoreCorrupt): somebody may have put back an older
    file. This gives the store a new count, and changes nothing else. The answer is whether the store was older.

    The arguments, and what is raised, are those of kinfolk.open() with create=False.
    """
    return await Calls().run(
        lambda: _accept_older(path, key=key, key_file=key_file, passphrase=passphrase, wait=wait)
    )


async def restore(
    path: Path,
    backup: Path,
    *,
    key: Bytes | None = None,
    key_file: Path | None = None,
    passphrase: str | Bytes | None = None,
    replace_other: bool = False,
    wait: float = 5.0,
    progress: Progress | None = None,
) -> None:
    """Puts a backup in the place of the store in the file `path`, or where there is none.

    The backup is copied and checked, as by Service.check(); then it replaces the store at one moment, the old store's
    log goes, and the state of the backup is accepted as the present one. Nothing of the backup is changed. Whenever
    this is interrupted, there is the old store or the new one, whole. What was changed after the backup was made is
    lost.

    backup         a file that Service.back_up() made, or a copy of a store that nobody had open
    key, key_file, passphrase  as for kinfolk.open(); the key of the moment when the backup was made
    replace_other  True: also a store of which this is no backup is replaced
    wait           seconds to wait for others who have the store open
    progress       progress(done, total) is called on the event loop: in bytes that are copied, then in rows that are
                   checked. What it raises ends the call, and nothing was changed

    StoreCorrupt: the backup is damaged, or is no store. ServiceUnavailable: somebody has the store open, or the backup.
    Conflict: there is another store or file. KeyMismatch: the key is missing, or is not the one of the backup.
    UnknownItem: there is no backup, or the folder is missing. PermissionFailure: the file system refuses.
    InvalidArgument: the store is on a server.
    """
    await Calls().run_told(
        progress, lambda tell: _restore(path, backup, key=key, key_file=key_file, passphrase=passphrase, replace_other=replace_other, wait=wait, progress=tell)
    )


async def contact_book_from_file(path: Path) -> ContactBook:
    """Reads a book with the contacts of a file, as kinfolk.ContactBook.from_file() does."""
    return await Calls().run(lambda: ContactBook.from_file(path))


# What people see is kinfolk.aio.Session.
for _name in __all__:
    globals()[_name].__module__ = __name__
del _name
