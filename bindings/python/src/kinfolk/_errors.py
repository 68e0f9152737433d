"""The exceptions: one class for each failure of the C API, except ServerRecordChanged, which needs Record."""

from __future__ import annotations

from errno import ENOENT
from typing import Any, ClassVar

from ._error_code import ErrorCode


class KinfolkError(Exception):
    """The base of all exceptions of Kinfolk, except for wrong types (TypeError) and use after close (ValueError).

    `reason` is one English sentence. It never holds an address, a person's name or a key, so it may be logged.
    """

    code: ClassVar[ErrorCode] = ErrorCode.INTERNAL_ERROR
    reason: str

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        # Not that of KeyError, which quotes, nor that of OSError, which looks for an errno.
        return self.reason


class InvalidArgument(KinfolkError, ValueError):
    """A value is malformed, out of range or contradictory: a retry will not help."""

    code = ErrorCode.INVALID_ARGUMENT


class UnknownItem(KinfolkError, KeyError):
    """The account, container, record, field, address, code, file or store does not exist."""

    code = ErrorCode.UNKNOWN_ITEM


class UnknownFile(UnknownItem, FileNotFoundError):
    """The file or the store at a path does not exist, or the folder in which it should be made. `errno` is ENOENT."""

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.errno = ENOENT


class NotAuthenticated(KinfolkError, PermissionError):
    """Nobody is signed in, or the account is suspended or erased."""

    code = ErrorCode.NOT_AUTHENTICATED


class PermissionFailure(KinfolkError, PermissionError):
    """The account may not do that, or the file system refused."""

    code = ErrorCode.PERMISSION_FAILURE


class LimitExceeded(KinfolkError):
    """More than one call accepts: send it in parts."""

    code = ErrorCode.LIMIT_EXCEEDED


class RequestRateLimited(KinfolkError):
    """Too many requests for now."""

    code = ErrorCode.REQUEST_RATE_LIMITED
    retry_after: float
    """How many seconds to wait."""

    def __init__(self, reason: str = "", retry_after: float = 0.0) -> None:
        super().__init__(reason)
        self.retry_after = retry_after


class Conflict(KinfolkError):
    """It exists already; or a message of private discovery does not match the request before it."""

    code = ErrorCode.CONFLICT


class ServiceUnavailable(KinfolkError, OSError):
    """The store cannot be reached for now: another process locks it, disk full, server lost, opened before a fork."""

    code = ErrorCode.SERVICE_UNAVAILABLE
    in_doubt: bool
    """Whether the call may have taken effect: the connection was lost before the server confirmed the commit."""

    def __init__(self, reason: str = "", in_doubt: bool = False) -> None:
        super().__init__(reason)
        self.in_doubt = in_doubt

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reason, self.in_doubt)


class KeyMismatch(KinfolkError):
    """The key is missing or is not the key of this store; or a PrivateClient got another key than it expects."""

    code = ErrorCode.KEY_MISMATCH


class StoreCorrupt(KinfolkError):
    """The file is not a Kinfolk store, or is damaged."""

    code = ErrorCode.STORE_CORRUPT


class InternalError(KinfolkError, RuntimeError):
    """A fault of Kinfolk itself, or no memory."""

    code = ErrorCode.INTERNAL_ERROR


class Cancelled(KinfolkError):
    """A progress callback ended the call. Callers never see it: the exception of the callback is raised instead."""

    code = ErrorCode.CANCELLED


class BatchRequestFailed(KinfolkError):
    """Another item of the atomic batch failed; that one says why. Nothing was changed."""

    code = ErrorCode.BATCH_REQUEST_FAILED


class ReferenceViolation(KinfolkError):
    """A record that is referred to is missing, or still needed by another record."""

    code = ErrorCode.REFERENCE_VIOLATION


class ChangeTokenExpired(KinfolkError):
    """The change token is too old, or was made for something else: discard the copy, and begin without a token."""

    code = ErrorCode.CHANGE_TOKEN_EXPIRED


class ZoneNotFound(KinfolkError, KeyError):
    """There is no such zone."""

    code = ErrorCode.ZONE_NOT_FOUND


class QuotaExceeded(KinfolkError):
    """There is no room: a quota of the user, of the public database or of its creator. Delete something first."""

    code = ErrorCode.QUOTA_EXCEEDED


class AssetNotAvailable(KinfolkError):
    """The session may use no such asset: it was deleted, or is another user's; or its upload has ended."""

    code = ErrorCode.ASSET_NOT_AVAILABLE


class AssetFileNotFound(KinfolkError, FileNotFoundError):
    """The file on the disk does not exist, or the folder in which it should be made. `errno` is ENOENT."""

    code = ErrorCode.ASSET_FILE_NOT_FOUND

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.errno = ENOENT


class AssetFileModified(KinfolkError, OSError):
    """The file on the disk was changed while it was read."""

    code = ErrorCode.ASSET_FILE_MODIFIED
