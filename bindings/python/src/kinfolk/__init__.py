"""Kinfolk: user accounts and friend discovery that live in your process.

Every application (a container) gets its own random, stable ID for each person. A record of fields hangs on that ID.
Nobody is found unless they opted in, and people find the friends whom they have in their contact book without the
application seeing that book: it holds hashes.

    import kinfolk

    with kinfolk.open("kinfolk.db") as service:
        notes = service.open_container("com.example.notes")
        session = notes.open_session(service.find_account("ada@example.com"))
        for friend in session.discover(kinfolk.ContactBook.from_file("contacts.vcf")):
            print(friend.user_record_id, friend.given_name)

A person's device need not show its contacts to the server at all: see PrivateClient and Session.answer().

service     one open store with its key, in a file or a PostgreSQL database; the operator's handle
account     a person: name, e-mail addresses. Known to the operator, never to an application
container   one application's silo, named in reverse DNS. Nothing links one container to another
session     one container seen by one account, or by nobody. All that an application may do

A call that changed something and returned has it on disk. A call that raised has changed nothing, with exceptions: a
wrong code counts as a try; a look-up that found nobody is in the audit log; an import of people keeps the accounts made
until then; the next call resumes a rotation of the keys, a copy to another place, work on directories and the deletion
of a container. And with ServiceUnavailable.in_doubt nobody knows.

Errors. What the library refuses is a KinfolkError; its classes also inherit the built-in exception that fits:
UnknownItem is a KeyError, InvalidArgument a ValueError, NotAuthenticated a PermissionError. A value that no text or
number of C can hold (a NUL, a surrogate, an int of more than 64 bits, a naive datetime) is an InvalidArgument too; a
wrong type is a TypeError; the use of a closed object a ValueError. Any call may raise ServiceUnavailable, StoreCorrupt
and InternalError. No message, and no repr(), holds an address, a name or a key.

Ctrl-C. Calls that take a progress function end at their next step, and KeyboardInterrupt comes out of them; so do other
exceptions of signal handlers, and what the progress function raises. It may be None all the same. Any other call comes
to its end first: one that waits for a locked store when its `wait` is over, and a discovery or the reading of a file
when it is done. What has been said of calls that raised holds then too.

Asyncio. kinfolk.aio has the same classes and methods as coroutines.

Threads. Any object may be used from any thread, and closed while others use it.

Fork. A child opens the store anew: what it inherited raises ServiceUnavailable, and leaves the parent's store alone.
A child that ends by os._exit() counts as killed, so it closes its services before: permits would come back that it
spent. Children of multiprocessing close theirs by themselves.
"""

from __future__ import annotations

from ._account import Account
from ._account_status import AccountStatus
from ._arguments import Bytes as _Bytes
from ._arguments import Path as _Path
from ._audit import AuditEntry
from ._check import Finding, FindingKind, StoreCheck
from ._claim import Claim, ClaimState
from ._contact_book import ContactBook, HashedContact
from ._container import Container
from ._container_deletion import ContainerDeletion
from ._database import Database
from ._directory_modes import DirectoryModes
from ._discoverability import Discoverability
from ._discovery import Discovery
from ._email import Email, canonical_email, contact_hash
from ._erasure import Erasure
from ._error_code import ErrorCode
from ._errors import (
    Cancelled,
    Conflict,
    InternalError,
    InvalidArgument,
    KeyMismatch,
    KinfolkError,
    LimitExceeded,
    NotAuthenticated,
    PermissionFailure,
    RequestRateLimited,
    ServerRecordChanged,
    ServiceUnavailable,
    StoreCorrupt,
    UnknownItem,
)
from ._ffi import lib as _lib
from ._field_type import FieldType
from ._identity import Contact, Identity
from ._import_report import ImportReport, Skip
from ._key_rotation import KeyRotation, RotationConsequences
from ._limits import PermitLimit, PrivateWorkLimit
from ._location import Location
from ._operator_block import OperatorBlock
from ._people_import import PeopleImport, PersonSkip
from ._private_client import PrivateClient
from ._private_epoch import PrivateEpoch
from ._progress import Progress as _Progress
from ._record import Record
from ._reference import Reference
from ._save_policy import SavePolicy
from ._service import Service
from ._session import Session
from ._statistics import Activity, OptedIn, Statistics
from ._verification import CodePurpose, VerificationMail

__all__ = [
    "Account",
    "AccountStatus",
    "Activity",
    "AuditEntry",
    "Cancelled",
    "Claim",
    "ClaimState",
    "CodePurpose",
    "Conflict",
    "Contact",
    "ContactBook",
    "Container",
    "ContainerDeletion",
    "Database",
    "DirectoryModes",
    "Discoverability",
    "Discovery",
    "Email",
    "Erasure",
    "ErrorCode",
    "FieldType",
    "Finding",
    "FindingKind",
    "HashedContact",
    "Identity",
    "ImportReport",
    "InternalError",
    "InvalidArgument",
    "KeyMismatch",
    "KeyRotation",
    "KinfolkError",
    "LimitExceeded",
    "Location",
    "NotAuthenticated",
    "OperatorBlock",
    "OptedIn",
    "PeopleImport",
    "PermissionFailure",
    "PermitLimit",
    "PersonSkip",
    "PrivateClient",
    "PrivateEpoch",
    "PrivateWorkLimit",
    "Record",
    "Reference",
    "RequestRateLimited",
    "RotationConsequences",
    "SavePolicy",
    "ServerRecordChanged",
    "Service",
    "ServiceUnavailable",
    "Session",
    "Skip",
    "Statistics",
    "StoreCheck",
    "StoreCorrupt",
    "UnknownItem",
    "VerificationMail",
    "accept_older",
    "canonical_email",
    "contact_hash",
    "library_version",
    "open",
    "restore",
]

__version__ = "0.1.0"

library_version: str = _lib.kinfolk_version().decode()
"""The version of the library that was loaded."""


def open(
    path: _Path,
    *,
    key: _Bytes | None = None,
    key_file: _Path | None = None,
    passphrase: str | _Bytes | None = None,
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
    return Service.open(
        path,
        key=key,
        key_file=key_file,
        passphrase=passphrase,
        create=create,
        wait=wait,
        page_cache=page_cache,
        directory_filters=directory_filters,
        require_locked_memory=require_locked_memory,
        read_only=read_only,
    )


def accept_older(
    path: _Path,
    *,
    key: _Bytes | None = None,
    key_file: _Path | None = None,
    passphrase: str | _Bytes | None = None,
    wait: float = 30.0,
) -> bool:
    """Accepts an older state of a store as the present one, after it came back in another way than by restore().

    A count of changes is kept in the store, and beside its key file in a file ending in .counter. kinfolk.open()
    refuses a store with a lower count than the one beside the key (StoreCorrupt): somebody may have put back an older
    file. This gives the store a new count, and changes nothing else. The answer is whether the store was older.

    The arguments, and what is raised, are those of kinfolk.open() with create=False.
    """
    return Service.accept_older(path, key=key, key_file=key_file, passphrase=passphrase, wait=wait)


def restore(
    path: _Path,
    backup: _Path,
    *,
    key: _Bytes | None = None,
    key_file: _Path | None = None,
    passphrase: str | _Bytes | None = None,
    replace_other: bool = False,
    wait: float = 5.0,
    progress: _Progress | None = None,
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
    progress       progress(done, total) is called on this thread: in bytes that are copied, then in rows that are
                   checked. What it raises ends the call, and nothing was changed

    StoreCorrupt: the backup is damaged, or is no store. ServiceUnavailable: somebody has the store open, or the backup.
    Conflict: there is another store or file. KeyMismatch: the key is missing, or is not the one of the backup.
    UnknownItem: there is no backup, or the folder is missing. PermissionFailure: the file system refuses.
    InvalidArgument: the store is on a server.
    """
    Service.restore(
        path,
        backup,
        key=key,
        key_file=key_file,
        passphrase=passphrase,
        replace_other=replace_other,
        wait=wait,
        progress=progress,
    )


# What people see is kinfolk.Session, not the module that happens to hold it.
for _name in __all__:
    if isinstance(globals()[_name], type) or callable(globals()[_name]):
        globals()[_name].__module__ = __name__
del _name
