"""One open store."""

from __future__ import annotations

import os
from collections.abc import Hashable
from ctypes import byref, c_bool, c_double, c_size_t, c_uint32, c_void_p, create_string_buffer, pointer

from . import _arguments as arguments
from . import _declarations as c
from ._account import Account
from ._arguments import Bytes, Path
from ._audit import AuditEntry, take_entries
from ._check import StoreCheck, take_check
from ._child_end import close_at_end_of_child
from ._claim import Claim, take_claims
from ._closable import Closable
from ._container import Container
from ._container_deletion import ContainerDeletion
from ._ffi import OpenOptions, lib
from ._handle import Handle
from ._key_rotation import KeyRotation, RotationConsequences
from ._key_source import set_key
from ._outputs import take_path, text
from ._private_epoch import PUBLIC_KEY_LENGTH
from ._progress import Progress, told


class Service(Closable):
    """One open store with its key: the operator's handle. Made by kinfolk.open().

    A store takes any number of processes and threads at once. Closing a service closes the accounts, containers and
    sessions that were opened through it; what they handed out (records, discoveries) stays.
    """

    __slots__ = ()

    @classmethod
    def open(
        cls,
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
        """Opens the store in the file `path`: see kinfolk.open()."""
        seconds = arguments.seconds(wait, "wait")
        options = OpenOptions(
            version=3,
            existing_only=not arguments.boolean(create, "create"),
            # C takes 0 for its default, and a negative number for not at all.
            wait=seconds if seconds > 0 else -1.0,
            page_cache=arguments.byte_count(page_cache, "page_cache") or -1,
            directory_filters=arguments.byte_count(directory_filters, "directory_filters") or -1,
            require_locked_memory=arguments.boolean(require_locked_memory, "require_locked_memory"),
            read_only=arguments.boolean(read_only, "read_only"),
        )
        set_key(options, key, key_file, passphrase)
        service = c.Service()
        lib.kinfolk_service_open(arguments.path(path, "path"), pointer(options), byref(service))
        handle = Handle(service, lib.kinfolk_service_free, "service", store=_identity(path))
        close_at_end_of_child(handle)
        return cls(handle)

    @property
    def is_key_memory_locked(self) -> bool:
        """Whether all keys of this process are in memory that the system has locked: never swapped to a disk."""
        with self._handle as service:
            return bool(lib.kinfolk_service_is_key_memory_locked(service))

    @staticmethod
    def accept_older(
        path: Path,
        *,
        key: Bytes | None = None,
        key_file: Path | None = None,
        passphrase: str | Bytes | None = None,
        wait: float = 30.0,
    ) -> bool:
        """Accepts an older state of the store: see kinfolk.accept_older()."""
        seconds = arguments.seconds(wait, "wait")
        options = set_key(OpenOptions(version=3, wait=seconds if seconds > 0 else -1.0), key, key_file, passphrase)
        was_older = c_bool()
        lib.kinfolk_store_accept_older(arguments.path(path, "path"), pointer(options), byref(was_older))
        return was_older.value

    @staticmethod
    def restore(
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
        """Puts a backup in the place of the store: see kinfolk.restore()."""
        seconds = arguments.seconds(wait, "wait")
        options = set_key(OpenOptions(version=3, wait=seconds if seconds > 0 else -1.0), key, key_file, passphrase)
        paths = arguments.path(path, "path"), arguments.path(backup, "backup")
        replaces = arguments.boolean(replace_other, "replace_other")
        with told(progress) as tell:
            lib.kinfolk_store_restore(*paths, pointer(options), replaces, tell, None)

    def check(self, progress: Progress | None = None) -> StoreCheck:
        """Checks the whole store as it is at one moment, while others use it.

        The file is sound, every sealed value opens, every row that is authenticated is the one that was written, and
        the directories hold the people who can be found, and nobody else: what is not so is among the findings. They
        name tables, and no person. It reads every row, and changes nothing. That something is wrong raises nothing.

        `progress(done, total)` is called on this thread, in rows; it may use the service, but not fork. What it raises
        ends the check.
        """
        check = c.Check()
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_check(service, tell, None, byref(check))
            return take_check(check)

    def create_account(self, given_name: str = "", family_name: str = "") -> Account:
        """Makes an account. Names are at most 1,024 bytes of UTF-8 each (LimitExceeded) and may be empty."""
        names = arguments.text(given_name, "given_name"), arguments.text(family_name, "family_name")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_create(service, *names, byref(account))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle))

    def open_account(self, account_id: str) -> Account:
        """Opens the account with this ID, 32 lower-case hexadecimal digits. UnknownItem if there is none."""
        encoded = arguments.text(account_id, "account_id")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_open(service, encoded, byref(account))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle))

    def find_account(self, email: str) -> Account:
        """Opens the account that has this address, verified.

        UnknownItem if there is none: an address that is not verified belongs to nobody.
        """
        encoded = arguments.text(email, "email")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_find_by_email(service, encoded, byref(account))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle))

    def find_or_create_account(self, email: str, given_name: str = "", family_name: str = "") -> tuple[Account, bool]:
        """Opens the account that has this address, verified; if none has, makes one with it. Also, whether it was made.

            account, is_new = service.find_or_create_account("ada@example.com", "Ada", "Lovelace")

        The host vouches for the address as in Account.add_email(): sign a person in by an address that is proved to be
        theirs. The names are those of an account that is made; one that is there keeps its own. Of several processes
        that do so at once one makes the account, and all get it.

        LimitExceeded: a name is longer than 1,024 bytes.
        """
        encoded = arguments.text(email, "email")
        names = arguments.text(given_name, "given_name"), arguments.text(family_name, "family_name")
        account, is_new = c.Account(), c_bool()
        with self._handle as service:
            lib.kinfolk_account_find_or_create(service, encoded, *names, byref(account), byref(is_new))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle)), is_new.value

    def account_ids(self, after: str | None = None, limit: int = 1_000) -> list[str]:
        """The IDs of all accounts, in their order: at most `limit`, after the ID `after`.

        They are for open_account(), and never for an application. Read all of them page by page:

            last = None
            while page := service.account_ids(last):
                last = page[-1]
        """
        last = arguments.optional_text(after, "after")
        most = arguments.integer(limit, "limit", 0, 2**63 - 1)
        accounts = c.Accounts()
        with self._handle as service:
            lib.kinfolk_service_accounts(service, last, most, byref(accounts))
        try:
            return [
                text(lib.kinfolk_accounts_id(accounts, index)) for index in range(lib.kinfolk_accounts_count(accounts))
            ]
        finally:
            lib.kinfolk_accounts_free(accounts)

    def create_container(self, name: str) -> Container:
        """Makes a container: one application's silo. Conflict if there is one with this name.

        The name is in reverse DNS, "com.example.notes": two or more labels of ASCII letters, digits and inner hyphens,
        255 bytes at most. Letter case matters.
        """
        encoded = arguments.text(name, "name")
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_create(service, encoded, byref(container))
        return Container(Handle(container, lib.kinfolk_container_free, "container", self._handle))

    def open_container(self, name: str) -> Container:
        """Opens the container with this name. UnknownItem if there is none."""
        encoded = arguments.text(name, "name")
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_open(service, encoded, byref(container))
        return Container(Handle(container, lib.kinfolk_container_free, "container", self._handle))

    def open_or_create_container(self, name: str) -> Container:
        """Opens the container with this name, and makes it if there is none.

        If several processes call this at once, one makes it. Conflict: the container with this name is being deleted.
        """
        encoded = arguments.text(name, "name")
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_open_or_create(service, encoded, byref(container))
        return Container(Handle(container, lib.kinfolk_container_free, "container", self._handle))

    @property
    def container_names(self) -> tuple[str, ...]:
        """The names of all containers, in their order."""
        containers = c.Containers()
        with self._handle as service:
            lib.kinfolk_service_containers(service, byref(containers))
        try:
            count = lib.kinfolk_containers_count(containers)
            return tuple(text(lib.kinfolk_containers_name(containers, index)) for index in range(count))
        finally:
            lib.kinfolk_containers_free(containers)

    def delete_container(self, name: str, progress: Progress | None = None) -> ContainerDeletion:
        """Deletes the container with this name and everything in it. The accounts stay, and their other containers.

        From then on all its objects and sessions, in all processes, raise UnknownItem. A container that is made with
        this name later is a new one: people have other user record IDs, and have decided nothing. Entries of the audit
        log stay, without the user record IDs and the reasons. Call it again to resume an interrupted deletion; until it
        is finished there is no other container of this name.

        `progress(done, total)` is called on this thread, in people; it may use the service, but not fork. What it
        raises ends the work and comes out of this call, and so does Ctrl-C; call again to resume.

        UnknownItem: there is none with this name.
        """
        encoded = arguments.text(name, "name")
        people, is_pending = c_size_t(), c_bool()
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_container_delete(service, encoded, tell, None, byref(people), byref(is_pending))
        return ContainerDeletion(people.value, is_pending.value)

    # Claims on addresses

    def claims(self, after: str | None = None, limit: int = 1_000) -> list[Claim]:
        """The claims on addresses, in the order of their IDs: at most `limit`, after the ID `after`."""
        last = arguments.optional_text(after, "after")
        most = arguments.integer(limit, "limit", 0, 2**63 - 1)
        claims = c.Claims()
        with self._handle as service:
            lib.kinfolk_service_claims(service, last, most, byref(claims))
        return take_claims(claims)

    def acknowledge_notice(self, claim_id: str) -> None:
        """Says that the notice of a claim was mailed to all addresses in `claim.notice`. The wait begins now.

        If it has begun before, nothing changes. UnknownItem if there is no such claim.
        """
        encoded = arguments.text(claim_id, "claim_id")
        with self._handle as service:
            lib.kinfolk_service_acknowledge_notice(service, encoded)

    def dismiss_claim(self, claim_id: str) -> None:
        """Decides a claim for the owner: for 30 days it cannot be made anew. UnknownItem if there is none."""
        encoded = arguments.text(claim_id, "claim_id")
        with self._handle as service:
            lib.kinfolk_service_dismiss_claim(service, encoded)

    def transfer_email(self, email: str, account: Account) -> None:
        """Gives an address to an account at once, verified, whichever account has it now.

        The one call that needs no proof, notice and wait. LimitExceeded: the account has 100 addresses already.
        """
        encoded = arguments.text(email, "email")
        if not isinstance(account, Account):
            raise arguments.wrong_type("account", "a kinfolk.Account", account)
        with self._handle as service, account._handle as winner:
            lib.kinfolk_service_transfer_email(service, encoded, winner)

    @property
    def claim_wait(self) -> float:
        """For how many seconds an owner can refuse a claim after the notice: 86,400 unless changed."""
        seconds = c_double()
        with self._handle as service:
            lib.kinfolk_service_claim_wait(service, byref(seconds))
        return seconds.value

    def set_claim_wait(self, seconds: float) -> None:
        """Changes that, for notices that are acknowledged from now on. From 0 to 30 days (InvalidArgument)."""
        duration = arguments.number(seconds, "seconds")
        with self._handle as service:
            lib.kinfolk_service_set_claim_wait(service, duration)

    # What an operator does now and then

    def rotate_keys(
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
        progress        progress(done, total) is called on this thread, in accounts, and then in people for private
                        directories; it may use the service, but not fork. What it raises ends the work and comes out of
                        this call, and so does Ctrl-C; call again to resume

        With none of the three the key file is replaced by one with a new key, and the old one kept beside it:
        `old_key_file` of the answer is its path. A service that was opened with `key` or `passphrase` in
        another process, and made no call all the while, then raises KeyMismatch: open it anew.

        InvalidArgument: the new key is the present one; or none is given, and the present one is in no file.
        KeyMismatch: the new key file is malformed, or readable by others. StoreCorrupt: something does not open;
        nothing is lost, and both keys stay needed. Conflict: a planned rotation is under way, and the key leaked.
        """
        options = None
        if not (new_key is None and new_key_file is None and new_passphrase is None):
            options = pointer(set_key(OpenOptions(version=3), new_key, new_key_file, new_passphrase))
        is_leaked = arguments.boolean(leaked, "leaked")
        old, consequences = c_void_p(), c_uint32()
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_rotate_keys(service, options, is_leaked, tell, None, byref(old), byref(consequences))
            return KeyRotation(take_path(old), RotationConsequences(consequences.value))

    @property
    def bucket_public_key(self) -> bytes:
        """The key by which a contact is in the same bucket in all containers and epochs: 32 bytes. It never changes.

        The program may give it to its clients by a way of its own: see PrivateClient.

        UnknownItem: there was no private directory yet.
        """
        key = create_string_buffer(PUBLIC_KEY_LENGTH)
        with self._handle as service:
            lib.kinfolk_service_bucket_public_key(service, key)
        return key.raw

    def back_up(self, path: Path, progress: Progress | None = None) -> None:
        """Copies the store, as it is at one moment, into the new file `path`, while it is in use.

        The key is not in the copy: keep it apart. What is erased later stays in the copy. To restore it, call
        kinfolk.restore(): put in the place of the store by hand, it might come beside that one's log (-wal).

        `progress(done, total)` is called on this thread, in pages of the file; it may use the service, but not fork.
        What it raises ends the work and comes out of this call, and so does Ctrl-C: then there is no copy.

        Conflict: there is a file of this name. UnknownItem: its folder is missing. PermissionFailure: it may not be
        made there. InvalidArgument: the store is on a server: see copy(), or pg_dump.
        """
        encoded = arguments.path(path, "path")
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_back_up(service, encoded, tell, None)

    def copy(self, destination: Path, progress: Progress | None = None) -> None:
        """Copies the store, as it is at one moment, to another place while it is in use.

        `destination` is a file to make, or the address of a PostgreSQL database. The key of this service opens the
        copy. Rows are read again when all are written, and compared by number and checksum; before that nobody can open
        the copy. Called again it goes on where it was interrupted, or brings a copy that nobody has opened up to date.

        `progress(done, total)` is called on this thread, in rows, three times from the start: of those compared
        (`total` is 0, not known), written and read again. It may use the service, but not fork. What it raises ends the
        work and comes out of this call, and so does Ctrl-C; call again to resume.

        Conflict: there is a store that is no copy of this one, or that was opened. UnknownItem: the folder is missing.
        ServiceUnavailable: as for any call, of either place; the server refuses, or has no such database.
        PermissionFailure: it may not be made there. StoreCorrupt: something else is there, or what was read again is
        not what was written.
        """
        encoded = arguments.path(destination, "destination")
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_copy(service, encoded, tell, None)

    def audit_log(self, after: int = 0, limit: int = 1_000) -> list[AuditEntry]:
        """The uses of Container.find_account(), in their order: at most `limit`, with numbers above `after`."""
        number, most = arguments.integer(after, "after", 0, 2**63 - 1), arguments.integer(limit, "limit", 0, 2**63 - 1)
        audit = c.Audit()
        with self._handle as service:
            lib.kinfolk_service_audit_log(service, number, most, byref(audit))
        return take_entries(audit)


def _identity(path: Path) -> Hashable:
    """What tells a store from others: the same for two services of one store."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):  # a server's address
        return os.fsdecode(path)
    return status.st_dev, status.st_ino
