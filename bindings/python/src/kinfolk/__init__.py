"""Kinfolk: user accounts, databases of records and friend discovery that live in your process.

In each application (a container) a person has a random, stable ID of its own, a private database that nobody else can
read, and a public database that all users share. Others can find the person only after the person has opted in. A
person finds friends by the hashes of a contact book; the application never sees the contact book.

    import kinfolk

    with kinfolk.open("kinfolk.db") as service:
        notes = service.open_container("com.example.notes")
        session = notes.open_session(service.find_account("ada@example.com"))
        for friend in session.discover(kinfolk.ContactBook.from_file("contacts.vcf")):
            print(friend.user_record_id, friend.given_name)

Records are mappings. They have a type, a name and fields:

        db = session.private_database
        note = kinfolk.Record("Note", "shopping", title="Groceries", tags=["food", "home"])
        db.save(note)
        print(db.fetch("shopping")["title"])
        with db.batch() as batch:
            batch.update(note)
            batch.create(kinfolk.Record("Note", title="Travel"))

A query finds the records of a type that satisfy a predicate, which is written as for NSPredicate:

        for note in db.query("Note", "title BEGINSWITH %@", "Gro", sort="-createdAt"):
            print(note["title"])

A record can have files, which are called assets. A file is written to the database, and then set in a record:

        note["photo"] = db.upload("photo.jpg")
        db.save(note)
        db.fetch("shopping")["photo"].save("copy.jpg")

A private database can have custom zones, which keep track of changes. Another device follows them with a token:

        db.save_zone("Notes")
        db.save(kinfolk.Record("Note", zone="Notes", title="Groceries"))
        page = db.zone_changes("Notes", since=token)
        print(len(page.records), "saved,", len(page.deleted), "deleted; next token:", page.token)

A subscription makes notifications of changes, which wait for each device of the user until it acknowledges them:

        session = notes.open_session(account, device="phone")
        garden = kinfolk.Subscription.query("Message", "room = %@", "garden", on="created", keys=["text"], id="garden")
        session.public_database.save_subscription(garden)
        for note in session.watch():
            print(note.fields["text"])

Small settings of a user, the same on all devices, are a mapping of keys to values:

        settings = session.key_value_store
        settings["theme"] = "dark"
        for change in settings.watch():
            print(change.keys)

Documents are files of a user, with paths and versions. No device overwrites what another has saved:

        letter = session.documents.create("letters/test.txt", b"Hello")
        letter.save(b"Hello again")
        if letter.conflicts:
            letter.resolve(letter.conflicts[0])

A person's device need not show its contacts to the server at all: see PrivateClient and Session.answer().

service     an open store with its key, in a file or a PostgreSQL database; the operator's handle
account     a person: a name and e-mail addresses. The operator knows it; an application never does
container   the data of one application, named in reverse DNS. Nothing links one container to another
environment production or development: a container has both. Each has its own users, records and schema
session     one account signed in to one container, or an anonymous session; applications use only sessions
database    the records of an environment that all users share (public), or those of one user (private)
zone        a group of records in one database. Private databases have custom zones, which keep track of changes
device      a program of a user that receives notifications of what its subscriptions are about
record      a record type, a name and fields, and what the store maintains: a change tag, times and users
asset       a file that belongs to a field of a record: a photo, a sound, a document
settings    the key-value store of a user: at most 1,024 keys and 1,000,000 bytes. See Session.key_value_store
document    a file of a user with a path and versions. See Session.documents
version     what one device has saved of a document: the current one, a conflict, or one of the last 10 before it
quota       how many bytes a user, a public database or a single asset may have: see Container.set_quota()
schema      the record types of an environment and the types of their fields

A change is on disk when the call returns. A call that raised has changed nothing, with these exceptions: a wrong code
counts as a try; a look-up of an account that found nobody leaves its entry in the audit log; an import of people keeps
the accounts that it has made; a batch that is not atomic has done the items that did not fail; a rotation of the keys,
a copy to another place, work on directories and the deletion of a container are resumed by the next call; the work of a
refused private request stays charged; a failed write to an upload ends it, and deletes what was written of it. The
outcome is unknown if ServiceUnavailable.in_doubt is true, and after KeyboardInterrupt (see Ctrl-C).

Errors. Kinfolk raises KinfolkError. Its subclasses also inherit the built-in exception that fits: UnknownItem is a
KeyError, UnknownFile and AssetFileNotFound are FileNotFoundErrors, InvalidArgument is a ValueError, NotAuthenticated a
PermissionError. InvalidArgument is also raised for a value that C cannot represent: a NUL, a surrogate, an int of more
than 64 bits, a naive datetime. A wrong type is a TypeError; the use of a closed object is a ValueError. Any call may
raise ServiceUnavailable, StoreCorrupt and InternalError. No message, and no repr(), holds an address, a name or a key.

Ctrl-C. A call that takes a progress function ends at its next step and raises KeyboardInterrupt, also if `progress` is
None. Exceptions of other signal handlers, and of the progress function itself, end it in the same way. Any other call
finishes first: a call that waits for a locked store when its `wait` is over, a discovery or the reading of a file when
it is done. Python raises KeyboardInterrupt after that. In both cases the call may have made its change, because the
signal may arrive when the work is already done. A call that takes a progress function replaces the program's signal
handlers until it ends, which clears what signal.siginterrupt(number, False) has set; asyncio's handlers stay.

Asyncio. kinfolk.aio has the same classes and methods as coroutines.

Threads. Any object may be used from any thread, and may be closed while other threads use it. A call needs at most
128 KiB of a thread's stack (threading.stack_size), in addition to what Python needs.

Files. While a store in a file is open, do not write, truncate, rename, delete or replace the file, the log (-wal) and
the other files next to it (-shm, -journal, the key and its .counter), and do not copy the file without its log: use
Service.back_up(). Reading them does no harm. If the file or the log was deleted or replaced, the next call raises
ServiceUnavailable, and the outcome of a change is unknown; later calls use the file that is there then. The calls of
this package refuse to read or replace a file of an open store (InvalidArgument).

Fork. A child must open the store again: inherited objects raise ServiceUnavailable, and do not affect the parent's
store. A child that ends by os._exit() must close its services first: otherwise it counts as killed, and permits that it
has spent are given back. Children of multiprocessing close theirs automatically.
"""

from __future__ import annotations

from ._account import Account
from ._account_status import AccountStatus
from ._api_token import APIToken
from ._asset import Asset
from ._audit import AuditEntry
from ._back_reference import BackReference, BackReferenceKind
from ._batch import Batch
from ._batch_error import BatchError
from ._batch_result import BatchResult
from ._change_watch import ChangeWatch
from ._check import Finding, FindingKind, StoreCheck
from ._claim import Claim, ClaimState
from ._contact_book import ContactBook, HashedContact
from ._container import Container
from ._container_deletion import ContainerDeletion
from ._database import Database
from ._database_changes import DatabaseChanges
from ._database_scope import DatabaseScope
from ._deleted_record import DeletedRecord
from ._device import Device
from ._directory_modes import DirectoryModes
from ._discoverability import Discoverability
from ._discovery import Discovery
from ._document import Document
from ._document_change import DocumentChange
from ._document_change_kind import DocumentChangeKind
from ._document_changes import DocumentChanges
from ._document_export import DocumentExport
from ._document_import import DocumentImport
from ._document_skip import DocumentSkip
from ._document_upload import DocumentUpload
from ._document_version import DocumentVersion
from ._documents import Documents
from ._email import Email, canonical_email, contact_hash
from ._environment import Environment
from ._erasure import Erasure
from ._error_code import ErrorCode
from ._errors import (
    AssetFileModified,
    AssetFileNotFound,
    AssetNotAvailable,
    BatchRequestFailed,
    Cancelled,
    ChangeTokenExpired,
    Conflict,
    InternalError,
    InvalidArgument,
    KeyMismatch,
    KinfolkError,
    LimitExceeded,
    NotAuthenticated,
    PermissionFailure,
    QuotaExceeded,
    ReferenceViolation,
    RequestRateLimited,
    ServiceUnavailable,
    StoreCorrupt,
    UnknownFile,
    UnknownItem,
    ZoneNotFound,
)
from ._failures import check_functions as _check_functions
from ._fetched_records import FetchedRecords
from ._ffi import lib as _lib
from ._field_indexes import FieldIndexes
from ._field_type import FieldType
from ._identity import Contact, Identity
from ._import_report import ImportReport, Skip
from ._index_build import IndexBuild
from ._key_rotation import KeyRotation, RotationConsequences
from ._key_value_change import KeyValueChange
from ._key_value_change_reason import KeyValueChangeReason
from ._key_value_store import KeyValueStore
from ._limits import PermitLimit, PrivateWorkLimit
from ._linked_identity import LinkedIdentity
from ._location import Location
from ._notification import Notification
from ._notification_info import NotificationInfo
from ._notification_kind import NotificationKind
from ._notification_reason import NotificationReason
from ._opening import accept_older, open, restore
from ._operation import Operation
from ._operator_block import OperatorBlock
from ._people_import import PeopleImport, PersonSkip
from ._private_client import PrivateClient
from ._private_epoch import PrivateEpoch
from ._query import Query
from ._query_explanation import QueryExplanation
from ._query_page import QueryPage
from ._quota import Quota
from ._record import Record
from ._reference import Reference
from ._reference_action import ReferenceAction
from ._save_policy import SavePolicy
from ._schema_change import SchemaChange
from ._schema_change_kind import SchemaChangeKind
from ._server_key import ServerKey
from ._server_record_changed import ServerRecordChanged
from ._service import Service
from ._session import Session
from ._statistics import Activity, OptedIn, Statistics
from ._storage_use import StorageUse
from ._subscription import Subscription
from ._subscription_options import SubscriptionOptions
from ._subscription_type import SubscriptionType
from ._upload import Upload
from ._verification import CodePurpose, VerificationMail
from ._watch import Watch
from ._web_session import WebSession
from ._zone_changes import ZoneChanges

__all__ = [
    "APIToken",
    "Account",
    "AccountStatus",
    "Activity",
    "Asset",
    "AssetFileModified",
    "AssetFileNotFound",
    "AssetNotAvailable",
    "AuditEntry",
    "BackReference",
    "BackReferenceKind",
    "Batch",
    "BatchError",
    "BatchRequestFailed",
    "BatchResult",
    "Cancelled",
    "ChangeTokenExpired",
    "ChangeWatch",
    "Claim",
    "ClaimState",
    "CodePurpose",
    "Conflict",
    "Contact",
    "ContactBook",
    "Container",
    "ContainerDeletion",
    "Database",
    "DatabaseChanges",
    "DatabaseScope",
    "DeletedRecord",
    "Device",
    "DirectoryModes",
    "Discoverability",
    "Discovery",
    "Document",
    "DocumentChange",
    "DocumentChangeKind",
    "DocumentChanges",
    "DocumentExport",
    "DocumentImport",
    "DocumentSkip",
    "DocumentUpload",
    "DocumentVersion",
    "Documents",
    "Email",
    "Environment",
    "Erasure",
    "ErrorCode",
    "FetchedRecords",
    "FieldIndexes",
    "FieldType",
    "Finding",
    "FindingKind",
    "HashedContact",
    "Identity",
    "ImportReport",
    "IndexBuild",
    "InternalError",
    "InvalidArgument",
    "KeyMismatch",
    "KeyRotation",
    "KeyValueChange",
    "KeyValueChangeReason",
    "KeyValueStore",
    "KinfolkError",
    "LimitExceeded",
    "LinkedIdentity",
    "Location",
    "NotAuthenticated",
    "Notification",
    "NotificationInfo",
    "NotificationKind",
    "NotificationReason",
    "Operation",
    "OperatorBlock",
    "OptedIn",
    "PeopleImport",
    "PermissionFailure",
    "PermitLimit",
    "PersonSkip",
    "PrivateClient",
    "PrivateEpoch",
    "PrivateWorkLimit",
    "Query",
    "QueryExplanation",
    "QueryPage",
    "Quota",
    "QuotaExceeded",
    "Record",
    "Reference",
    "ReferenceAction",
    "ReferenceViolation",
    "RequestRateLimited",
    "RotationConsequences",
    "SavePolicy",
    "SchemaChange",
    "SchemaChangeKind",
    "ServerKey",
    "ServerRecordChanged",
    "Service",
    "ServiceUnavailable",
    "Session",
    "Skip",
    "Statistics",
    "StorageUse",
    "StoreCheck",
    "StoreCorrupt",
    "Subscription",
    "SubscriptionOptions",
    "SubscriptionType",
    "UnknownFile",
    "UnknownItem",
    "Upload",
    "VerificationMail",
    "Watch",
    "WebSession",
    "ZoneChanges",
    "ZoneNotFound",
    "accept_older",
    "canonical_email",
    "contact_hash",
    "library_version",
    "open",
    "restore",
]

__version__ = "0.2.0"

_check_functions()

library_version: str = _lib.kinfolk_version().decode()
"""The version of the library that was loaded."""

# The public name is kinfolk.Session, without the module that defines it.
for _name in __all__:
    if isinstance(globals()[_name], type) or callable(globals()[_name]):
        globals()[_name].__module__ = __name__
del _name
