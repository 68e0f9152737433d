"""The one place where the status of a call becomes an exception.

It stands above the classes, because an exception may hold a Record; they make calls, but only after the import.
"""

from __future__ import annotations

import os
from typing import Any

from ._declarations import FUNCTIONS, Status
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
from ._ffi import lib
from ._record import Record
from ._server_record_changed import ServerRecordChanged

BY_CODE: dict[int, type[KinfolkError]] = {
    int(error.code): error
    for error in (
        InvalidArgument,
        UnknownItem,
        NotAuthenticated,
        PermissionFailure,
        ServerRecordChanged,
        LimitExceeded,
        RequestRateLimited,
        Conflict,
        ServiceUnavailable,
        KeyMismatch,
        StoreCorrupt,
        InternalError,
        Cancelled,
        BatchRequestFailed,
        ReferenceViolation,
        ChangeTokenExpired,
        ZoneNotFound,
        QuotaExceeded,
        AssetNotAvailable,
        AssetFileNotFound,
        AssetFileModified,
    )
}
# If a call of these finds no item, it is a file or a folder.
OF_FILES = {
    "kinfolk_service_open",
    "kinfolk_store_accept_older",
    "kinfolk_store_restore",
    "kinfolk_service_rotate_keys",
    "kinfolk_service_back_up",
    "kinfolk_service_copy",
    "kinfolk_contacts_add_file",
}


def check_error(status: int, function: Any, arguments: Any) -> None:
    """Raises what a failed call on this thread has to say (ctypes calls it after each function with a status)."""
    if status == 0:
        return
    reason = lib.kinfolk_error_message().decode("utf-8", "replace")
    error = BY_CODE.get(status, InternalError)
    if error is RequestRateLimited:
        raise RequestRateLimited(reason, lib.kinfolk_error_retry_after())
    if error is ServiceUnavailable:
        raise ServiceUnavailable(reason, lib.kinfolk_error_in_doubt())
    if error is ServerRecordChanged:
        record = lib.kinfolk_error_take_server_record()
        raise ServerRecordChanged(reason, Record.adopt(record) if record else None)
    if error is UnknownItem and _is_of_file(function.__name__, arguments):
        raise UnknownFile(reason)
    raise error(reason)


def _is_of_file(function: str, arguments: Any) -> bool:
    # An import of people may find no container either.
    return function in OF_FILES or (function == "kinfolk_container_import_people" and not os.path.exists(arguments[1]))


def check_functions() -> None:
    """Lets ctypes check the status of every function that has one. Before that, failed calls go unnoticed."""
    for name, (result, *_) in FUNCTIONS.items():
        if result is Status:
            getattr(lib, name).errcheck = check_error
