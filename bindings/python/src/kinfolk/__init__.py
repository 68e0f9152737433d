"""Kinfolk: user accounts and friend discovery that live in your process.

In each application (a container) a person has a random, stable ID of its own, with a record of fields. Others can find
the person only after the person has opted in. A person finds friends by the hashes of a contact book; the application
never sees the contact book.

    import kinfolk

    with kinfolk.open("kinfolk.db") as service:
        notes = service.open_container("com.example.notes")
        session = notes.open_session(service.find_account("ada@example.com"))
        for friend in session.discover(kinfolk.ContactBook.from_file("contacts.vcf")):
            print(friend.user_record_id, friend.given_name)

A person's device need not show its contacts to the server at all: see PrivateClient and Session.answer().

service     an open store with its key, in a file or a PostgreSQL database; the operator's handle
account     a person: a name and e-mail addresses. The operator knows it; an application never does
container   the data of one application, named in reverse DNS. Nothing links one container to another
session     one account signed in to one container, or an anonymous session; applications use only sessions

A change is on disk when the call returns. A call that raised has changed nothing, with these exceptions: a wrong code
counts as a try; a look-up of an account that found nobody leaves its entry in the audit log; an import of people keeps
the accounts that it has made; a rotation of the keys, a copy to another place, work on directories and the deletion of
a container are resumed by the next call; the work of a refused private request stays charged. If
ServiceUnavailable.in_doubt is true, the outcome is unknown.

Errors. Kinfolk raises KinfolkError. Its subclasses also inherit the built-in exception that fits: UnknownItem is a
KeyError, InvalidArgument a ValueError, NotAuthenticated a PermissionError. InvalidArgument is also raised for a value
that C cannot represent: a NUL, a surrogate, an int of more than 64 bits, a naive datetime. A wrong type is a TypeError;
the use of a closed object is a ValueError. Any call may raise ServiceUnavailable, StoreCorrupt and InternalError. No
message, and no repr(), holds an address, a name or a key.

Ctrl-C. A call that takes a progress function ends at its next step and raises KeyboardInterrupt, also if `progress` is
None. Exceptions of other signal handlers, and of the progress function itself, end it in the same way. Any other call
finishes first: a call that waits for a locked store when its `wait` is over, a discovery or the reading of a file when
it is done. Python raises KeyboardInterrupt after that, so the call may have made its change.

Asyncio. kinfolk.aio has the same classes and methods as coroutines.

Threads. Any object may be used from any thread, and may be closed while other threads use it.

Fork. A child must open the store again: inherited objects raise ServiceUnavailable, and do not affect the parent's
store. A child that ends by os._exit() must close its services first: otherwise it counts as killed, and permits that it
has spent are given back. Children of multiprocessing close theirs automatically.
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
    """Opens the store in the file `path`. If the store does not exist, the call makes it, with a new key.

    `path` may also be the address of a PostgreSQL database, a str: "postgresql://user@host/database" (docs/scaling.md).
    A key file cannot be next to a server, so a key must be given.

    key         a service key of 32 bytes from elsewhere (a KMS, a keychain), instead of a key file
    key_file    the file with the key; by default it is next to the store: "kinfolk.db" has "kinfolk.key"
    passphrase  the text from which the key is derived, by Argon2id: about a second and 256 MiB
    create      False: raise UnknownItem if the store does not exist
    wait        seconds to wait for other writers before ServiceUnavailable; 0 for no wait
    page_cache  bytes of the store that each of its connections caches in memory; no effect on a store on a server
    directory_filters  most bytes for filters of directories, about 1.5 for each person who can be found; 0 for none
    require_locked_memory  True: raise ServiceUnavailable if the system does not lock a key in memory: an unlocked key
                could be swapped to a disk. The requirement then holds for the whole process
    read_only   True: change nothing, no byte of the store, its folder or its key. Calls that would write, and discovery
                by contacts and addresses, which spends permits, raise PermissionFailure. The store must exist. It may
                be on read-only media, and other processes may write it meanwhile

    A key file is made with mode 0600 and is refused if other users may read or write it. If the key file is lost, the
    store is lost. Files that belong neither to the process's user nor to root are refused, because an attacker may have
    planted them. Any number of processes and threads may use a store at the same time.

    KeyMismatch: the key is missing, malformed, readable by others, another user's, or another store's. StoreCorrupt:
    the file is not a Kinfolk store, or is an older state of the store than the one last used. InvalidArgument: the
    store was made by a newer Kinfolk; more than one of key, key file and passphrase is given, or none for a server; the
    passphrase is empty. PermissionFailure: the file system refuses, or the store is another user's. ServiceUnavailable:
    the store's server cannot be reached, refuses or has no such database, or libpq is missing.
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
    """Accepts an older state of a store as the present one, if the store was restored in another way than by restore().

    Kinfolk keeps a count of changes in the store, and a copy of it next to the key file, in a file ending in .counter.
    kinfolk.open() refuses a store with a lower count than the one next to the key (StoreCorrupt): an attacker may have
    put back an older file. This call gives the store a new count, and changes nothing else. It returns whether the
    store was older.

    The arguments and the exceptions are those of kinfolk.open() with create=False.
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
    """Restores a backup to the file `path`.

    The call copies the backup, checks the copy as Service.check() does, and then replaces the store in one step, or
    makes it if the file is missing. It removes the old store's log, and accepts the state of the backup as the present
    one. The backup itself is not changed. If the call is interrupted, the file is the complete old store or the
    complete new one. Changes made after the backup are lost.

    backup         a file that Service.back_up() made, or a copy of a store that no process had open
    key, key_file, passphrase  as for kinfolk.open(): the key that the store had when the backup was made
    replace_other  True: also replace a file that is not the store of this backup
    wait           seconds to wait for other processes that have the store open
    progress       progress(done, total) is called on this thread: with bytes that are copied, then with rows that are
                   checked. An exception of it, or Ctrl-C, ends the call, and nothing was changed

    StoreCorrupt: the backup is damaged, or is not a store. ServiceUnavailable: the store or the backup is open.
    Conflict: `path` is another store or another file. KeyMismatch: the key is missing, or is not the key of the backup.
    UnknownItem: the backup does not exist, or the folder is missing. PermissionFailure: the file system refuses.
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


# The public name is kinfolk.Session, without the module that defines it.
for _name in __all__:
    if isinstance(globals()[_name], type) or callable(globals()[_name]):
        globals()[_name].__module__ = __name__
del _name
