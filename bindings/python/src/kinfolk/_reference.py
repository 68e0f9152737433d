"""A pointer to another record."""

from __future__ import annotations

from typing import Protocol

from . import _arguments as arguments
from ._reference_action import ReferenceAction

DEFAULT_ZONE = "_defaultZone"


class Named(Protocol):
    """A Record. Records have references, so that module is above this one and cannot be imported here."""

    @property
    def name(self) -> str: ...

    @property
    def zone(self) -> str: ...


class Reference:
    """A field's pointer to another record of the same database and zone, or to a user record of the same container.

        item["list"] = kinfolk.Reference(shopping, kinfolk.ReferenceAction.DELETE_SELF)
        item["author"] = kinfolk.Reference(session.user_record_id)
        shopping = db.fetch(item["list"].name)

    The target is a Record, which need not be saved yet, or a record name with its zone. A user record is named by its
    user record ID; its action is NONE. References are equal if name, zone and action are. They do not change.
    """

    __slots__ = ("_action", "_name", "_zone")

    def __init__(
        self,
        target: Named | str,
        action: ReferenceAction = ReferenceAction.NONE,
        *,
        zone: str | None = None,
    ) -> None:
        arguments.member(action, "action", ReferenceAction)
        if isinstance(target, str):
            name = target
        elif not hasattr(target, "zone"):
            raise TypeError("target must be a Record or a str")
        else:
            if zone is not None:
                raise TypeError("zone must be left out for a Record, which has one")
            name, zone = target.name, target.zone
        arguments.text(name, "target")
        arguments.optional_text(zone, "zone")
        self._name = name
        self._zone = DEFAULT_ZONE if zone is None or name.startswith("_") else zone
        self._action = action

    @property
    def name(self) -> str:
        """The name of the target."""
        return self._name

    @property
    def zone(self) -> str:
        """The zone of the target. A record can be saved only if it refers to records of its own zone."""
        return self._zone

    @property
    def action(self) -> ReferenceAction:
        """What happens to the record that holds the reference when the target is deleted."""
        return self._action

    @property
    def user_record_id(self) -> str | None:
        """The name, if the target is a user record; otherwise None."""
        return self._name if self._name.startswith("_") else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Reference):
            return NotImplemented
        return (self._name, self._zone, self._action) == (other._name, other._zone, other._action)

    def __hash__(self) -> int:
        return hash((self._name, self._zone, self._action))

    def __repr__(self) -> str:
        # Without the name, which the application chose: it may be an address. A user record ID is random.
        user = "" if self.user_record_id is None else f" {self.user_record_id}"
        return f"<kinfolk.Reference{user} {self._action.name}>"
