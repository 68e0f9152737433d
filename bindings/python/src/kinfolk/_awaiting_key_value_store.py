"""kinfolk.aio.KeyValueStore."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, ItemsView, Iterable, KeysView, Mapping, ValuesView
from typing import Any

from ._awaiting import Awaiting
from ._awaiting_changes import observe, watched
from ._key_value_change import KeyValueChange
from ._key_value_store import KeyValueStore as _KeyValueStore
from ._key_value_values import KeyValue

_MISSING = object()


class KeyValueStore(Awaiting[_KeyValueStore]):
    """Small settings of one user in one container, the same on all devices.

        settings = session.key_value_store
        await settings.set("theme", "dark")
        await settings.update(window={"width": 800, "height": 600.5}, recent=["shopping", "travel"])
        print(await settings.get("theme"), "theme" in await settings.keys())
        await settings.remove("theme")

    help(kinfolk.KeyValueStore) says which values there are, how large they can be, and how the calls fail.
    """

    __slots__ = ()

    async def get(self, key: str, default: Any = None) -> Any:
        """The value of a key; `default` if it has none."""
        return await self._calls.run(lambda: self._blocking.get(key, default))

    async def set(self, key: str, value: KeyValue) -> None:
        """Sets the value of a key. It is on disk when the call returns."""
        await self._calls.run(lambda: self._blocking.__setitem__(key, value))

    async def remove(self, key: str) -> None:
        """Removes a key with its value.

        UnknownItem, which is a KeyError: the key has no value.
        """
        await self._calls.run(lambda: self._blocking.__delitem__(key))

    async def keys(self) -> KeysView[str]:
        """The keys at one moment, in the order of their bytes. It does not change when the store does."""
        return await self._calls.run(lambda: self._blocking.keys())

    async def values(self) -> ValuesView[Any]:
        """The values at one moment, in the order of their keys. It does not change when the store does."""
        return await self._calls.run(lambda: self._blocking.values())

    async def items(self) -> ItemsView[str, Any]:
        """The keys with their values at one moment, in the order of the keys.

            for key, value in await settings.items():
                print(key, value)

        It does not change when the store does.
        """
        return await self._calls.run(lambda: self._blocking.items())

    async def pop(self, key: str, default: Any = _MISSING) -> Any:
        """Removes a key, and returns its value; `default` if it has none.

        UnknownItem, which is a KeyError: the key has no value, and there is no `default`.
        """
        given = () if default is _MISSING else (default,)
        return await self._calls.run(lambda: self._blocking.pop(key, *given))

    async def popitem(self) -> tuple[str, Any]:
        """Removes a key, and returns it with its value. KeyError: there is none."""
        return await self._calls.run(lambda: self._blocking.popitem())

    async def setdefault(self, key: str, default: KeyValue) -> Any:
        """The value of a key. If it has none, it is set to `default`."""
        return await self._calls.run(lambda: self._blocking.setdefault(key, default))

    async def update(
        self, other: Mapping[str, KeyValue] | Iterable[tuple[str, KeyValue]] = (), /, **keys: KeyValue
    ) -> None:
        """Sets the values of keys, one after the other."""
        await self._calls.run(lambda: self._blocking.update(other, **keys))

    async def clear(self) -> None:
        """Removes all keys, one after the other."""
        await self._calls.run(lambda: self._blocking.clear())

    async def synchronize(self) -> list[KeyValueChange]:
        """The keys that other devices have set or removed since the last call, and those that could not be set.

            for change in await settings.synchronize():
                print(change.reason, change.keys)

        There is at most one change for each reason. Each change is reported once, by this call, watch() or on_change().

        NotAuthenticated: the session has no account in good standing.
        """
        return await self._calls.run(lambda: self._blocking.synchronize())

    async def watch(self) -> AsyncGenerator[KeyValueChange, None]:
        """The changes since the last report, and then those that come, until the object is closed.

            async for change in settings.watch():
                print(change.reason, change.keys)

        It needs no thread while it waits. Changes that the loop has not taken when it ends are reported by the next
        watch() or synchronize(). It takes the place of an earlier watch(), which then ends, and of the function of
        on_change().

        NotAuthenticated: the session has no account in good standing. A suspension during the loop is a change.
        """
        changes = watched(self._calls, self._blocking, self._blocking._reported)
        try:
            async for change in changes:
                yield change
        finally:
            await changes.aclose()

    async def on_change(self, changed: Callable[[KeyValueChange], object] | None) -> None:
        """Registers `changed(change)`, in place of the function or the watch() before; None removes it.

        It is called for the changes since the last report, and then for those that come. It runs on the event loop of
        this call.

        NotAuthenticated: the session has no account in good standing.
        """
        await observe(self._calls, self._blocking, changed)

    def __eq__(self, other: object) -> bool:
        # Without reading the values, which would block.
        return self._blocking is other._blocking if isinstance(other, KeyValueStore) else NotImplemented

    def __hash__(self) -> int:
        return id(self._blocking)
