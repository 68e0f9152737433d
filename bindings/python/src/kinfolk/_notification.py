"""A notification: the message that a record or a zone of a subscription was changed."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import byref, c_size_t, c_void_p
from typing import Any, NamedTuple

from . import _declarations as c
from . import _field_values as fields
from ._database_scope import DatabaseScope
from ._documented import documented
from ._ffi import lib
from ._handle import Handle
from ._notification_info import NotificationInfo, read_info
from ._notification_kind import NotificationKind
from ._notification_reason import NotificationReason
from ._outputs import borrowed_bytes, optional_text


@documented
class Notification(NamedTuple):
    """The message that a record, a zone or a database of a subscription was changed, or that some were dropped.

    id               By this it is acknowledged: at most 256 bytes, which may be stored; other ones each time that it is
                     delivered. See Session.acknowledge().
    kind             What it reports.
    subscription_id  The ID of the subscription; None if notifications were dropped.
    database         The database of the subscription; None if notifications were dropped.
    reason           What happened to the record of a query subscription; None for the other kinds.
    record_name      The name of that record; None for the other kinds.
    record_type      The type of that record; None for the other kinds.
    zone             The zone of that record, or of a zone subscription; None for the other kinds.
    fields           The desired fields that have a value, as they are when the notification is delivered. A deleted
                     record has none.
    info             What the subscription wanted the notification to tell.
    """

    id: bytes
    kind: NotificationKind
    subscription_id: str | None
    database: DatabaseScope | None
    reason: NotificationReason | None
    record_name: str | None
    record_type: str | None
    zone: str | None
    fields: dict[str, Any]
    info: NotificationInfo

    def __repr__(self) -> str:
        # Without names and values: what is printed ends up in logs.
        return f"<kinfolk.Notification {self.kind.name.lower()}>"


def read_notification(notification: Any, database: Callable[[DatabaseScope], Handle]) -> Notification:
    """Copies a kinfolk_notification. `database` opens the database from which assets are read."""
    pointer, length = c_void_p(), c_size_t()
    lib.kinfolk_notification_id(notification, byref(pointer), byref(length))
    number = lib.kinfolk_notification_database(notification)
    scope = DatabaseScope(number) if number in set(DatabaseScope) else None
    reason = lib.kinfolk_notification_reason(notification)

    def home() -> Handle | None:
        return None if scope is None else database(scope)

    found: dict[str, Any] = {}
    for index in range(lib.kinfolk_notification_field_count(notification)):
        name = lib.kinfolk_notification_field_name(notification, index)
        value = c.Value()
        lib.kinfolk_notification_get_value(notification, name, byref(value))
        found[name.decode()] = fields.take(value, home)
    return Notification(
        borrowed_bytes(pointer, length),
        NotificationKind(lib.kinfolk_notification_kind(notification)),
        optional_text(lib.kinfolk_notification_subscription_id(notification)),
        scope,
        NotificationReason(reason) if reason else None,
        optional_text(lib.kinfolk_notification_record_name(notification)),
        optional_text(lib.kinfolk_notification_record_type(notification)),
        optional_text(lib.kinfolk_notification_zone(notification)),
        found,
        read_info(notification, "notification"),
    )


def read_notifications(notifications: Any, database: Callable[[DatabaseScope], Handle]) -> list[Notification]:
    """Copies the notifications of a kinfolk_notifications."""
    found = []
    for index in range(lib.kinfolk_notifications_count(notifications)):
        notification = c.Notification()
        lib.kinfolk_notifications_notification(notifications, index, byref(notification))
        try:
            found.append(read_notification(notification, database))
        finally:
            lib.kinfolk_notification_free(notification)
    return found
