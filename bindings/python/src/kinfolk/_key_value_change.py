"""A change of a key-value store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._key_value_change_reason import KeyValueChangeReason


@documented
class KeyValueChange(NamedTuple):
    """Keys of a key-value store that changed for one reason.

    reason  Why the keys are reported.
    keys    The keys, in the order of their bytes. Empty if the account was suspended or erased.
    """

    reason: KeyValueChangeReason
    keys: tuple[str, ...]

    def __repr__(self) -> str:
        # Without the keys: what is printed ends up in logs.
        return f"<kinfolk.KeyValueChange {self.reason.name.lower()} keys={len(self.keys)}>"


def read_key_value_changes(changes: Any) -> list[KeyValueChange]:
    """Copies a kinfolk_keyvalue_changes: one change for each reason."""
    found: dict[KeyValueChangeReason, list[str]] = {}
    for index in range(lib.kinfolk_keyvalue_changes_count(changes)):
        keys = found.setdefault(KeyValueChangeReason(lib.kinfolk_keyvalue_changes_reason(changes, index)), [])
        key = lib.kinfolk_keyvalue_changes_key(changes, index)
        if key is not None:
            keys.append(key.decode())
    return [KeyValueChange(reason, tuple(keys)) for reason, keys in found.items()]


def merged(changes: Iterable[KeyValueChange]) -> list[KeyValueChange]:
    """The same changes, with at most one for each reason, in the order of the reasons."""
    found: dict[KeyValueChangeReason, set[str]] = {}
    for change in changes:
        found.setdefault(change.reason, set()).update(change.keys)
    return [KeyValueChange(reason, tuple(sorted(found[reason], key=str.encode))) for reason in sorted(found)]
