"""An open store."""

from __future__ import annotations

from ctypes import byref, c_bool, c_double, c_size_t, c_uint32, c_void_p, create_string_buffer, pointer

from . import _arguments as arguments
from . import _declarations as c
from ._account import Account
from ._arguments import Bytes, Path
from ._audit import AuditEntry, take_entries
from ._check import StoreCheck, take_check
from ._claim import Claim, take_claims
from ._closable import Closable
from ._container import Container
from ._container_deletion import ContainerDeletion
from ._environment import Environment
from ._ffi import lib
from ._key_rotation import KeyRotation, RotationConsequences
from ._key_source import options_with_key
from ._outputs import take_path, take_texts
from ._progress import Progress, told


class Service(Closable):
    """An open store with its key: the operator's handle. Made by kinfolk.open().

    Any number of processes and threads may use a store at the same time. Closing a service closes the accounts,
    containers, sessions and databases that were opened through it; the records and discoveries that they returned stay
    usable.

    When close() returns, no thread uses the store through this service any more: the file may be copied, moved or
    deleted, if no other service has it open. close() waits for the transactions of calls that other threads are making.
    Such a call raises ValueError, as later uses do, if it needs another transaction or waits for another writer. If
    several threads close, all wait. If another process is writing to the store, close() may wait for it too, for the
    `wait` of open() at most.

    A function that kinfolk calls may close the service. close() then does not wait for such functions. In a progress
    function of this or another service, it may return before the store is closed: the store is closed when the reported
    call has ended.
    """

    __slots__ = ()

    @property
    def is_key_memory_locked(self) -> bool:
        """Whether all keys of this process are in locked memory, so that they are never swapped to a disk."""
        with self._handle as service:
            return bool(lib.kinfolk_service_is_key_memory_locked(service))

    def check(self, progress: Progress | None = None) -> StoreCheck:
        """Checks the whole store, as it is at one moment, while other threads and processes use it.

        It checks that the file is sound, that every sealed value opens, that every authenticated row is the row that
        was written, and that the directories hold exactly the people who can be found. Faults raise nothing: the result
        lists them as findings, which name tables, never a person. The call reads every row, and changes nothing.

        `progress(done, total)` is called on this thread, with rows; it may use the service, but not fork. An exception
        of it, or Ctrl-C, ends the check and is raised by this call.
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
        return Account.adopt(account, self._handle)

    def open_account(self, account_id: str) -> Account:
        """Opens the account with this ID, 32 lower-case hexadecimal digits. UnknownItem if no account has it."""
        encoded = arguments.text(account_id, "account_id")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_open(service, encoded, byref(account))
        return Account.adopt(account, self._handle)

    def find_account(self, email: str) -> Account:
        """Opens the account that has this address, verified.

        UnknownItem if no account has it verified: an unverified address belongs to no account.
        """
        encoded = arguments.text(email, "email")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_find_by_email(service, encoded, byref(account))
        return Account.adopt(account, self._handle)

    def find_account_by_identity(self, issuer: str, subject: str) -> Account:
        """Opens the account with an identity at an OpenID Connect provider. UnknownItem if no account has it."""
        encoded = arguments.text(issuer, "issuer"), arguments.text(subject, "subject")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_find_by_identity(service, *encoded, byref(account))
        return Account.adopt(account, self._handle)

    def find_or_create_account(self, email: str, given_name: str = "", family_name: str = "") -> tuple[Account, bool]:
        """Opens the account that has this address, verified, or makes one. Also returns whether this call made it.

            account, is_new = service.find_or_create_account("ada@example.com", "Ada", "Lovelace")

        The host vouches for the address as in Account.add_email(): use it to sign in a person who has proved the
        address. The names are for a new account; an existing account keeps its own. If several processes call this at
        the same time, one of them makes the account, and all get it.

        LimitExceeded: a name is longer than 1,024 bytes.
        """
        encoded = arguments.text(email, "email")
        names = arguments.text(given_name, "given_name"), arguments.text(family_name, "family_name")
        account, is_new = c.Account(), c_bool()
        with self._handle as service:
            lib.kinfolk_account_find_or_create(service, encoded, *names, byref(account), byref(is_new))
        return Account.adopt(account, self._handle), is_new.value

    def account_ids(self, after: str | None = None, limit: int = 1_000) -> list[str]:
        """The IDs of all accounts, sorted: at most `limit`, after the ID `after`.

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
        return list(take_texts(accounts, "accounts", "id"))

    def create_container(self, name: str) -> Container:
        """Makes a container: the data of one application. Conflict if a container with this name exists.

        The name is in reverse DNS, "com.example.notes": two or more labels of ASCII letters, digits and inner hyphens,
        255 bytes at most. Letter case matters.
        """
        encoded = arguments.text(name, "name")
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_create(service, encoded, byref(container))
        return Container.adopt(container, self._handle)

    def open_container(self, name: str, environment: Environment = Environment.PRODUCTION) -> Container:
        """Opens an environment of the container with this name: production, unless another is given.

            notes = service.open_container("com.example.notes", kinfolk.Environment.DEVELOPMENT)

        The development environment is made when it is first opened. UnknownItem: no container has this name. Conflict:
        the container with this name is being deleted.
        """
        encoded, number = arguments.text(name, "name"), arguments.member(environment, "environment", Environment)
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_open_environment(service, encoded, number, byref(container))
        return Container.adopt(container, self._handle)

    def open_or_create_container(self, name: str) -> tuple[Container, bool]:
        """Opens the container with this name, or makes it. Also returns whether this call made it.

            notes, is_new = service.open_or_create_container("com.example.notes")

        If several processes call this at the same time, one of them makes the container, and all get it. Conflict: the
        container with this name is being deleted.
        """
        encoded = arguments.text(name, "name")
        container, is_new = c.Container(), c_bool()
        with self._handle as service:
            lib.kinfolk_container_open_or_create(service, encoded, byref(container), byref(is_new))
        return Container.adopt(container, self._handle), is_new.value

    @property
    def container_names(self) -> tuple[str, ...]:
        """The names of all containers that are in use, sorted: without those being deleted."""
        containers = c.Containers()
        with self._handle as service:
            lib.kinfolk_service_containers(service, byref(containers))
        return take_texts(containers, "containers", "name")

    def delete_container(self, name: str, progress: Progress | None = None) -> ContainerDeletion:
        """Deletes the container with this name and everything in both of its environments.

        The accounts stay, with their data in other containers.

        From then on all its objects and sessions, in all processes, raise UnknownItem. A container that is made with
        this name later is a new one: in it people have other user record IDs, and no decisions. Entries of the audit
        log stay, without the user record IDs and the reasons. Call it again to resume an interrupted deletion: the name
        cannot be used for another container before the deletion is finished.

        `progress(done, total)` is called on this thread, with people; it may use the service, but not fork. An
        exception of it, or Ctrl-C, ends the work and is raised by this call; call again to resume.

        UnknownItem: no container has this name.
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
        """Reports that the notice of a claim was mailed to all addresses in `claim.notice`. The wait begins now.

        If it has begun before, nothing changes. UnknownItem if the claim does not exist.
        """
        encoded = arguments.text(claim_id, "claim_id")
        with self._handle as service:
            lib.kinfolk_service_acknowledge_notice(service, encoded)

    def dismiss_claim(self, claim_id: str) -> None:
        """Decides a claim for the owner: for 30 days the claimant cannot make it again. UnknownItem if not found."""
        encoded = arguments.text(claim_id, "claim_id")
        with self._handle as service:
            lib.kinfolk_service_dismiss_claim(service, encoded)

    def transfer_email(self, email: str, account: Account) -> None:
        """Gives an address to an account at once, verified, whichever account has it now.

        This is the one call that needs no proof, notice or wait. LimitExceeded: the account has 100 addresses already.
        """
        encoded = arguments.text(email, "email")
        if not isinstance(account, Account):
            raise arguments.wrong_type("account", "a kinfolk.Account", account)
        with self._handle as service, account._handle as winner:
            lib.kinfolk_service_transfer_email(service, encoded, winner)

    @property
    def claim_wait(self) -> float:
        """How many seconds a claim waits after the notice, so that its owner can refuse it: 86,400 unless changed."""
        seconds = c_double()
        with self._handle as service:
            lib.kinfolk_service_claim_wait(service, byref(seconds))
        return seconds.value

    def set_claim_wait(self, seconds: float) -> None:
        """Changes the wait, for notices that are acknowledged from now on. From 0 to 30 days (InvalidArgument)."""
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
        """Changes the service key and all keys below it: seals and indexes everything in the store again.

        Meanwhile this and other processes can use the store, and all calls give the same answers. Private directories
        get new keys too: the announced keys, where there are some. Call it again to resume an interrupted rotation.
        Copies of the store that were made before always need the old key.

        In a planned rotation sync states stay valid, the store opens with either key until the end, and the old epochs
        of private directories answer until Container.end_private_epochs(). With `leaked` the old key never opens the
        new keys, the old epochs end when the new ones are complete, and older sync states and verification codes become
        invalid; the `consequences` of the result list that.

        new_key         a key of 32 bytes from elsewhere
        new_key_file    the file with the new key; the call makes it if it does not exist
        new_passphrase  the text from which the new key is derived
        leaked          whether somebody else may know the old key
        progress        progress(done, total) is called on this thread, with accounts, and then with people for private
                        directories; it may use the service, but not fork. An exception of it, or Ctrl-C, ends the work
                        and is raised by this call; call again to resume

        With none of the three, the call makes a new key, writes it to the key file, and keeps the old key in another
        file in the same folder: `old_key_file` of the result is its path. A service in another process that was opened
        with `key` or `passphrase`, and made no call during the whole rotation, then raises KeyMismatch: open it again.

        InvalidArgument: the new key is the current one; or no new key is given, and the current one is not in a file.
        KeyMismatch: the new key file is malformed, or readable by others. StoreCorrupt: a sealed value does not open;
        nothing is lost, and both keys are needed until the store is repaired. Conflict: `leaked` is true, but a planned
        rotation is under way; finish that one first.
        """
        options = None
        if not (new_key is None and new_key_file is None and new_passphrase is None):
            options = pointer(options_with_key(new_key, new_key_file, new_passphrase))
        is_leaked = arguments.boolean(leaked, "leaked")
        old, consequences = c_void_p(), c_uint32()
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_rotate_keys(service, options, is_leaked, tell, None, byref(old), byref(consequences))
            return KeyRotation(take_path(old), RotationConsequences(consequences.value))

    @property
    def bucket_public_key(self) -> bytes:
        """The key that puts a contact in the same bucket in all containers and epochs: 32 bytes. It never changes.

        The program may distribute it to its clients by its own means: see PrivateClient.

        UnknownItem: the store has never had a private directory.
        """
        key = create_string_buffer(c.PUBLIC_KEY_LENGTH)
        with self._handle as service:
            lib.kinfolk_service_bucket_public_key(service, key)
        return key.raw

    def back_up(self, path: Path, progress: Progress | None = None) -> None:
        """Copies the store, as it is at one moment, into the new file `path`, while it is in use.

        The copy does not hold the key: keep the key apart. Data that is erased from the store later stays in the copy.
        Restore the copy with kinfolk.restore(): a copy that is put in the place of the store by hand may end up next to
        the log (-wal) of the old store.

        `progress(done, total)` is called on this thread, with pages of the file; it may use the service, but not fork.
        An exception of it, or Ctrl-C, ends the work and is raised by this call: then there is no copy.

        Conflict: a file with this name exists. UnknownFile: its folder is missing. PermissionFailure: the process may
        not make it there. InvalidArgument: the store is on a server: see copy(), or pg_dump.
        """
        encoded = arguments.path(path, "path")
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_back_up(service, encoded, tell, None)

    def copy(self, destination: Path, progress: Progress | None = None) -> None:
        """Copies the store, as it is at one moment, to another place while it is in use.

        `destination` is a file to make, or the address of a PostgreSQL database. The key of this service opens the
        copy. After it has written all rows, the call reads them again and compares their number and checksums; the copy
        cannot be opened before that. Call it again to resume an interrupted copy, or to bring a copy up to date that
        has not been opened yet.

        `progress(done, total)` is called on this thread, with rows, and counts from the start three times: rows
        compared (`total` is 0, not known), rows written and rows read again. It may use the service, but not fork. An
        exception of it, or Ctrl-C, ends the work and is raised by this call; call again to resume.

        Conflict: the destination is a store that is not a copy of this one, or a copy that was opened; or another
        process is making the same copy. UnknownFile: the folder is missing. ServiceUnavailable: as for any call, for
        either store; the server refuses, or has no such database. PermissionFailure: the process may not make the copy
        there. StoreCorrupt: the destination holds other data, or the rows read again are not the rows written.
        """
        encoded = arguments.path(destination, "destination")
        with told(progress) as tell, self._handle as service:
            lib.kinfolk_service_copy(service, encoded, tell, None)

    def recount_bytes(self) -> None:
        """Counts the bytes of all records and assets again, on which quotas depend, and corrects the stored counts.

        They can be wrong only if the store was edited without Kinfolk: check() then finds MISCOUNTED. Each container is
        counted in one transaction, during which no other call can write.

        StoreCorrupt: a record or an asset cannot be read; the counts of its container stay as they are.
        PermissionFailure: the store was opened for reading only.
        """
        with self._handle as service:
            lib.kinfolk_recount_bytes(service)

    def audit_log(self, after: int = 0, limit: int = 1_000) -> list[AuditEntry]:
        """The calls of Container.find_account(), in order: at most `limit` entries, with numbers above `after`."""
        number, most = arguments.integer(after, "after", 0, 2**63 - 1), arguments.integer(limit, "limit", 0, 2**63 - 1)
        audit = c.Audit()
        with self._handle as service:
            lib.kinfolk_service_audit_log(service, number, most, byref(audit))
        return take_entries(audit)
