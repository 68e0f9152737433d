"""The log of look-ups of accounts by user record ID."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import moment, text


@documented
class AuditEntry(NamedTuple):
    """One call of Container.find_account(): what Service.audit_log() lists.

    number          From 1, in the order of the look-ups.
    container       The container's name.
    user_record_id  The ID that was looked up; None once its account is erased or the container is deleted.
    reason          The reason that the operator gave; None once the account is erased or the container is deleted.
    noted_at        When, in UTC.
    """

    number: int
    container: str
    user_record_id: str | None
    reason: str | None
    noted_at: datetime

    def __repr__(self) -> str:
        # Without the reason, which may name a person: what is printed ends up in logs.
        return f"<kinfolk.AuditEntry {self.number} {self.container} {self.user_record_id}>"


def take_entries(audit: Any) -> list[AuditEntry]:
    """The entries of a kinfolk_audit; frees it."""
    try:
        return [
            AuditEntry(
                number=lib.kinfolk_audit_number(audit, index),
                container=text(lib.kinfolk_audit_container(audit, index)),
                user_record_id=_optional(lib.kinfolk_audit_record_id(audit, index)),
                reason=_optional(lib.kinfolk_audit_reason(audit, index)),
                noted_at=moment(lib.kinfolk_audit_noted_at(audit, index)),
            )
            for index in range(lib.kinfolk_audit_count(audit))
        ]
    finally:
        lib.kinfolk_audit_free(audit)


def _optional(borrowed: bytes | None) -> str | None:
    return None if borrowed is None else text(borrowed)
