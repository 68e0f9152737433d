"""A subscription: a stored question whose answers come as notifications."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from . import _field_values as fields
from ._errors import InvalidArgument
from ._ffi import lib
from ._field_values import FieldValue
from ._handle import Handle
from ._notification_info import NotificationInfo, read_info, set_info
from ._outputs import optional_text, text
from ._query_calls import make_query
from ._subscription_options import SubscriptionOptions
from ._subscription_type import SubscriptionType

_EVENTS = {
    "created": SubscriptionOptions.ON_RECORD_CREATION,
    "updated": SubscriptionOptions.ON_RECORD_UPDATE,
    "deleted": SubscriptionOptions.ON_RECORD_DELETION,
}
_NOTHING = NotificationInfo()


class Subscription:
    """A stored question of one user, whose answers come as notifications to the devices of the user.

        garden = kinfolk.Subscription.query("Message", "room = %@", "garden", on="created", keys=["text"], id="garden")
        db.save_subscription(garden)
        for note in session.watch():
            print(note.fields["text"])

    It is about the records that satisfy a predicate, about a custom zone, or about a private database. Each change
    makes a notification for all devices of the user, except for the device that made the change. It does not change:
    to replace a stored subscription, save another one with its ID.
    """

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, handle: Handle) -> None:
        if not isinstance(handle, Handle):
            raise TypeError("a Subscription is made by its methods query(), zone() and database()")
        self._handle = handle

    @classmethod
    def adopt(cls, pointer: Any) -> Subscription:
        """Takes over a kinfolk_subscription."""
        return cls(Handle(pointer, lib.kinfolk_subscription_free, "subscription"))

    @classmethod
    def query(
        cls,
        record_type: str,
        predicate: str | None = None,
        *values: FieldValue,
        on: str | Iterable[str],
        once: bool = False,
        zone: str | None = None,
        keys: Iterable[str] | None = None,
        info: NotificationInfo = _NOTHING,
        id: str | None = None,  # noqa: A002
    ) -> Subscription:
        """A subscription to the records of a type that satisfy a predicate; Database.query() says how it is written.

            kinfolk.Subscription.query("Message", "room = %@", "garden", on={"created", "updated"}, keys=["text"])
            kinfolk.Subscription.query("Note", on="deleted", once=True, id="first deletion")

        on    Which changes make a notification: "created", "updated" or "deleted", or several of them. The predicate is
              tested on the state in which the service finds the record after the change, which may be that of a later
              change; for a deletion, on the last state.
        once  Whether the first notification deletes the subscription.
        zone  Only records of this zone; without it, of all zones of the database.
        keys  The names of the fields whose values a notification has, in addition to the desired_keys of `info`.
        info  What the notifications tell.
        id    1 to 255 printable ASCII characters, unique among the user's subscriptions of a database; without it, a
              random UUID.

        InvalidArgument: the ID is malformed, the predicate is not valid, or `on` names no change. LimitExceeded: the
        predicate is too large, or the texts of `info` have more than 4,096 bytes.
        """
        options, encoded = _options(on, once), arguments.optional_text(id, "id")
        _check(info)
        desired = (*info.desired_keys, *(() if keys is None else _listed(keys)))
        query = make_query(record_type, predicate, values, None, zone, None, 100)
        subscription = c.Subscription()
        with query as pointer:
            lib.kinfolk_subscription_new_query(pointer, options, encoded, byref(subscription))
        return cls._told(subscription, info._replace(desired_keys=tuple(dict.fromkeys(desired))))

    @classmethod
    def zone(
        cls,
        name: str,
        *,
        info: NotificationInfo = _NOTHING,
        id: str | None = None,  # noqa: A002
    ) -> Subscription:
        """A subscription to all changes of a custom zone.

            db.save_subscription(kinfolk.Subscription.zone("Notes", id="notes"))

        InvalidArgument: this is not the name of a custom zone, or the ID is malformed.
        """
        encoded = arguments.text(name, "name"), arguments.optional_text(id, "id")
        _check(info)
        subscription = c.Subscription()
        lib.kinfolk_subscription_new_zone(*encoded, byref(subscription))
        return cls._told(subscription, info)

    @classmethod
    def database(cls, *, info: NotificationInfo = _NOTHING, id: str | None = None) -> Subscription:  # noqa: A002
        """A subscription to all changes of the private database in which it is saved.

            db.save_subscription(kinfolk.Subscription.database(id="all"))

        InvalidArgument: the ID is malformed.
        """
        encoded = arguments.optional_text(id, "id")
        _check(info)
        subscription = c.Subscription()
        lib.kinfolk_subscription_new_database(encoded, byref(subscription))
        return cls._told(subscription, info)

    @classmethod
    def _told(cls, pointer: Any, info: NotificationInfo) -> Subscription:
        subscription = cls.adopt(pointer)
        set_info(pointer, info)
        return subscription

    @property
    def id(self) -> str:
        """The subscription ID."""
        with self._handle as subscription:
            return text(lib.kinfolk_subscription_id(subscription))

    @property
    def type(self) -> SubscriptionType:
        """What it is about."""
        with self._handle as subscription:
            return SubscriptionType(lib.kinfolk_subscription_type(subscription))

    @property
    def options(self) -> SubscriptionOptions:
        """When a query subscription makes a notification; empty for the others."""
        with self._handle as subscription:
            return SubscriptionOptions(lib.kinfolk_subscription_options(subscription))

    @property
    def record_type(self) -> str | None:
        """The record type of a query subscription; None for the others."""
        with self._handle as subscription:
            return optional_text(lib.kinfolk_subscription_record_type(subscription))

    @property
    def predicate(self) -> str | None:
        """The predicate of a query subscription, in the library's own words; None for the others.

        Values that a text can express are part of it: "number >= 3 AND due < %@".
        """
        with self._handle as subscription:
            return optional_text(lib.kinfolk_subscription_predicate(subscription))

    @property
    def values(self) -> tuple[Any, ...]:
        """The values of the placeholders that are left in the predicate: dates, bytes, locations and the like."""
        found = []
        with self._handle as subscription:
            for index in range(lib.kinfolk_subscription_argument_count(subscription)):
                value = c.Value()
                lib.kinfolk_subscription_argument(subscription, index, byref(value))
                found.append(fields.take(value))
        return tuple(found)

    @property
    def zone_name(self) -> str | None:
        """The name of its zone; None if it is about all zones of its database."""
        with self._handle as subscription:
            return optional_text(lib.kinfolk_subscription_zone(subscription))

    @property
    def info(self) -> NotificationInfo:
        """What its notifications tell."""
        with self._handle as subscription:
            return read_info(subscription, "subscription")

    def __reduce__(self) -> Any:
        raise TypeError("a Subscription can be neither copied nor pickled")

    def __repr__(self) -> str:
        return f"<kinfolk.Subscription {self.type.name.lower()}>"


def take_subscriptions(subscriptions: Any) -> tuple[Subscription, ...]:
    """The subscriptions of a kinfolk_subscription_list; frees it."""
    found = []
    try:
        for index in range(lib.kinfolk_subscription_list_count(subscriptions)):
            subscription = c.Subscription()
            lib.kinfolk_subscription_list_subscription(subscriptions, index, byref(subscription))
            found.append(Subscription.adopt(subscription))
    finally:
        lib.kinfolk_subscription_list_free(subscriptions)
    return tuple(found)


def _options(on: str | Iterable[str], once: bool) -> SubscriptionOptions:
    options = SubscriptionOptions.ONCE if arguments.boolean(once, "once") else SubscriptionOptions(0)
    if not isinstance(on, (str, list, tuple, set, frozenset)):
        raise arguments.wrong_type("on", "str or a set of str", on)
    for each in [on] if isinstance(on, str) else on:
        if not isinstance(each, str):
            raise arguments.wrong_type("an element of on", "str", each)
        if each not in _EVENTS:
            raise InvalidArgument('on must be "created", "updated" or "deleted", or a set of these')
        options |= _EVENTS[each]
    return options


def _check(info: NotificationInfo) -> None:
    if not isinstance(info, NotificationInfo):
        raise arguments.wrong_type("info", "a kinfolk.NotificationInfo", info)


def _listed(keys: Iterable[str]) -> list[str]:
    if isinstance(keys, (str, bytes)):
        raise arguments.wrong_type("keys", "a list of str", keys)
    return list(keys)
