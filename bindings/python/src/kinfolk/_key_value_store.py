"""The key-value store of a user."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, ItemsView, Iterator, KeysView, MutableMapping, ValuesView
from ctypes import byref
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from . import _key_value_values as values
from ._change_watch import ChangeWatch
from ._closable import Closable
from ._errors import InvalidArgument, UnknownItem
from ._ffi import lib
from ._handle import Handle, inside_callback
from ._key_value_change import KeyValueChange, merged, read_key_value_changes
from ._key_value_values import KeyValue
from ._observer import Observed, Observer, observer_of


class KeyValueStore(Closable, Observed[KeyValueChange], MutableMapping[str, Any]):
    """Small settings of one user in one container, the same on all devices: a mapping of keys to values.

        settings = session.key_value_store
        settings["theme"] = "dark"
        settings["recent"] = ["shopping", "travel"]
        settings["window"] = {"width": 800, "height": 600.5, "full screen": False}
        print(settings["theme"], settings.get("font", "Sans"), "theme" in settings)
        del settings["theme"]

    A value that was set is on disk when the call returns, and all devices read it from then on. If two devices set one
    key, both then read the later value. Nothing has to be synchronized for that: synchronize(), watch() and on_change()
    say which keys other devices have changed.

        str                 also with U+0000
        int                 -2**63 to 2**63 - 1
        float               with any bits, including those of NaN
        bool
        bytes               also bytearray and memoryview; read as bytes
        datetime            aware; to the microsecond; read in UTC
        list, tuple         of values of any of these types; read as a list
        dict                of such values, with str as keys; read as a dict in the order of the bytes of its keys

    At most 32 lists and dicts can be inside each other. What was read is a copy: changing it changes nothing in the
    store. In a dict, two keys that differ only in their Unicode normalization form are the same: InvalidArgument.

    A key of the store has 1 to 64 bytes of UTF-8. Keys are compared by their bytes. A user has at most 1,024 keys, and
    keys and values have at most 1,000,000 bytes together, unless the operator sets a lower limit
    (Quota.KEY_VALUE_STORE). A key counts its bytes. A value counts its content (8 bytes for a number or a date, 1 for a
    bool) and 1 byte for its type; str, bytes, lists and dicts count 4 bytes more, and so does each key of a dict.

    A session has one such object, which remembers what was reported. It stays usable when the session is closed.

    Each call fails as follows. UnknownItem, which is a KeyError: the key has no value. InvalidArgument: the key is
    malformed, or a value is out of range. QuotaExceeded: there would be more than 1,024 keys, or too many bytes; the
    key then keeps its old value. LimitExceeded: the value alone is too large. NotAuthenticated: the session has no
    account in good standing. Operations that need several calls, such as pop() and update(), are not atomic.
    """

    __slots__ = ("_observer", "_reported", "_turn")
    _observer: Observer[KeyValueChange] | None
    _reported: queue.SimpleQueue[KeyValueChange]
    """What C has reported to a watch, and its loop has not taken yet. C reports each change once."""

    @classmethod
    def adopt(cls, pointer: Any, service: Handle) -> KeyValueStore:
        """Takes over a kinfolk_keyvalue."""
        store = cls(Handle(pointer, lib.kinfolk_keyvalue_free, "key-value store", service))
        store._observer = None
        store._turn = threading.Lock()
        store._reported = queue.SimpleQueue()
        return store

    # A mapping

    def __getitem__(self, key: str) -> Any:
        encoded = arguments.text(key, "key")
        value = c.Value()
        with self._handle as store:
            lib.kinfolk_keyvalue_get(store, encoded, byref(value))
        return values.take(value)

    def __setitem__(self, key: str, value: KeyValue) -> None:
        encoded = arguments.text(key, "key")
        with self._handle as store, values.made(value) as whole:
            lib.kinfolk_keyvalue_set(store, encoded, whole)

    def __delitem__(self, key: str) -> None:
        encoded = arguments.text(key, "key")
        with self._handle as store:
            self._require(store, encoded)  # C removes nothing without a complaint
            lib.kinfolk_keyvalue_remove(store, encoded)

    def __contains__(self, key: object) -> bool:
        with self._handle as store:
            if not isinstance(key, str):
                return False
            try:
                self._require(store, arguments.text(key, "key"))
            except (UnknownItem, InvalidArgument):
                return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys())

    def __len__(self) -> int:
        return len(self._keys())

    def keys(self) -> KeysView[str]:
        """The keys at one moment, in the order of their bytes. It does not change when the store does."""
        return dict.fromkeys(self._keys()).keys()

    def values(self) -> ValuesView[Any]:
        """The values at one moment, in the order of their keys. It does not change when the store does."""
        return self._entries().values()

    def items(self) -> ItemsView[str, Any]:
        """The keys with their values at one moment, in the order of the keys.

            for key, value in settings.items():
                print(key, value)

        It does not change when the store does.
        """
        return self._entries().items()

    def clear(self) -> None:
        """Removes all keys, one after the other."""
        for key in self._keys():
            with self._handle as store:
                lib.kinfolk_keyvalue_remove(store, key.encode())

    # Changes

    def synchronize(self) -> list[KeyValueChange]:
        """The keys that other devices have set or removed since the last call, and those that could not be set.

            for change in settings.synchronize():
                if change.reason is kinfolk.KeyValueChangeReason.SERVER_CHANGE:
                    for key in change.keys:
                        print(key, settings.get(key))

        There is at most one change for each reason. Each change is reported once, by this call, watch() or on_change().
        A device with a name (see Container.open_session()) continues where its last object ended, also after a restart
        of the program. A session without a name begins with all keys that other devices have set.

        NotAuthenticated: the session has no account in good standing.
        """
        changes = c.KeyvalueChanges()
        with self._handle as store:
            lib.kinfolk_keyvalue_synchronize(store, byref(changes))
        try:
            found = read_key_value_changes(changes)
        finally:
            lib.kinfolk_keyvalue_changes_free(changes)
        return merged([*self._take_reported(), *found])

    def watch(self, *, timeout: float | None = None) -> ChangeWatch[KeyValueChange]:
        """The changes since the last report, and then those that come: a loop over them waits for the next change.

            with settings.watch(timeout=0.5) as changes:
                for change in changes:
                    print(change.reason, change.keys)

        With `timeout`, the loop ends when no change has come for so many seconds. Changes that the loop has not taken
        when it ends are reported by the next watch() or synchronize(). It takes the place of an earlier watch(), which
        then ends, and of the function of on_change().

        NotAuthenticated: the session has no account in good standing. A suspension during the loop is a change.
        """
        seconds = None if timeout is None else arguments.seconds(timeout, "timeout")
        return ChangeWatch(self, self._reported, seconds)

    def on_change(self, changed: Callable[[KeyValueChange], object] | None) -> None:
        """Registers `changed(change)`, in place of the function or the watch() before; None removes it.

            def changed(change):
                print(change.reason, change.keys)

            settings.on_change(changed)

        It is called for the changes since the last report, and then for those that come. It runs on a thread of the
        service, one call at a time; while it runs, other sessions of the process get no notifications and no changes.
        An exception goes to sys.unraisablehook, and the change counts as reported.

        After this call, and after close(), the old function is not running and will not run again, unless the call was
        made from inside that function. So do not hold a lock here that the function waits for.

        NotAuthenticated: the session has no account in good standing.
        """
        arguments.function(changed, "changed")
        self._observe(None if changed is None else Observer(self, changed))

    def _register(self, number: int, since: bytes) -> None:
        with self._handle as store:
            if number:
                lib.kinfolk_keyvalue_on_change(store, _tell, number)
            else:
                lib.kinfolk_keyvalue_on_change(store, c.KeyvalueCallback(), None)

    def _take_reported(self) -> list[KeyValueChange]:
        found = []
        try:
            while True:
                found.append(self._reported.get_nowait())
        except queue.Empty:
            return found

    @staticmethod
    def _require(store: Any, key: bytes) -> None:
        """Fails if a key has no value."""
        value = c.Value()
        lib.kinfolk_keyvalue_get(store, key, byref(value))
        lib.kinfolk_value_free(value)

    def _keys(self) -> list[str]:
        entries = self._all()
        try:
            indexes = range(lib.kinfolk_keyvalue_entries_count(entries))
            return [lib.kinfolk_keyvalue_entries_key(entries, index).decode() for index in indexes]
        finally:
            lib.kinfolk_keyvalue_entries_free(entries)

    def _entries(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        entries = self._all()
        try:
            for index in range(lib.kinfolk_keyvalue_entries_count(entries)):
                value = c.Value()
                lib.kinfolk_keyvalue_entries_value(entries, index, byref(value))
                found[lib.kinfolk_keyvalue_entries_key(entries, index).decode()] = values.take(value)
        finally:
            lib.kinfolk_keyvalue_entries_free(entries)
        return found

    def _all(self) -> Any:
        entries = c.KeyvalueEntries()
        with self._handle as store:
            lib.kinfolk_keyvalue_all(store, byref(entries))
        return entries


@c.KeyvalueCallback  # type: ignore[untyped-decorator, unused-ignore]
def _tell(changes: Any, number: int) -> None:
    with inside_callback():
        observer = observer_of(number)
        if observer is not None:
            for change in read_key_value_changes(changes):
                observer.tell(change)
        del observer
