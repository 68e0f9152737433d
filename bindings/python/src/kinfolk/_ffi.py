"""The loaded library, its functions declared, and the one place where a status becomes an exception."""

from __future__ import annotations

from ctypes import c_int

from ._declarations import FUNCTIONS, Status
from ._errors import BY_CODE, InternalError, RequestRateLimited, ServerRecordChanged, ServiceUnavailable
from ._loader import load

lib = load()


def check_error(status, function, arguments):
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
        from ._record import Record

        record = lib.kinfolk_error_take_server_record()
        raise ServerRecordChanged(reason, Record.adopt(record) if record else None)
    raise error(reason)


def _declare():
    for name, (result, *arguments) in FUNCTIONS.items():
        try:
            function = getattr(lib, name)
        except AttributeError:
            raise ImportError(f"{lib._name} lacks {name}: it is not the library of this package's version") from None
        function.argtypes = arguments
        if result is Status:
            function.restype, function.errcheck = c_int, check_error
        else:
            function.restype = result


_declare()
