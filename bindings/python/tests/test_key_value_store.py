"""The key-value store of a user: its values and its changes."""

from __future__ import annotations

import asyncio
import gc
import math
import os
import pickle
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import KeyValueChange, KeyValueChangeReason, KeyValueStore, Quota

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=timezone.utc)
SERVER = KeyValueChangeReason.SERVER_CHANGE
INITIAL = KeyValueChangeReason.INITIAL_SYNC_CHANGE
QUOTA = KeyValueChangeReason.QUOTA_VIOLATION_CHANGE
ACCOUNT = KeyValueChangeReason.ACCOUNT_CHANGE


@pytest.fixture
def settings(notes: kinfolk.Container, ada: kinfolk.Account) -> KeyValueStore:
    return notes.open_session(ada, device="phone").key_value_store


@pytest.fixture
def elsewhere(notes: kinfolk.Container, ada: kinfolk.Account) -> KeyValueStore:
    """Ada's settings on another device."""
    return notes.open_session(ada, device="laptop").key_value_store


def nested(depth: int) -> Any:
    value: Any = "inside"
    for level in range(depth):
        value = [value] if level % 2 else {"key": value}
    return value


def wait_for(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


# Values


VALUES: list[Any] = [
    "",
    "Größe \0 \U0001f600",
    2**63 - 1,
    -(2**63),
    0.0,
    math.inf,
    True,
    False,
    b"",
    b"\0\xff",
    MOMENT,
    datetime(1, 1, 1, tzinfo=timezone.utc),
    [],
    {},
    [1, 1.0, True, "text", b"bytes", MOMENT, [], {}],
    {"": 1, "a\0b": [{"c": [0, {"d": b""}]}], "Größe": {"e": 2.5}},
    nested(32),
]


def test_values_are_read_as_they_were_set(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    for number, value in enumerate(VALUES):
        settings[str(number)] = value
    for store in (settings, elsewhere):
        for number, value in enumerate(VALUES):
            found = store[str(number)]
            assert found == value
            assert type(found) is type(value)
            assert repr(found) == repr(value) or isinstance(value, dict)
    (nan,) = struct.unpack("<d", b"\x01\x02\x03\x04\x05\x06\xf8\x7f")
    settings["key"] = {"nan": nan}
    assert struct.pack("<d", settings["key"]["nan"]) == b"\x01\x02\x03\x04\x05\x06\xf8\x7f"


def test_values_of_similar_types_are_taken(settings: KeyValueStore) -> None:
    settings["tuple"] = (1, (2, "a"))
    assert settings["tuple"] == [1, [2, "a"]]
    settings["bytes"] = [bytearray(b"a"), memoryview(b"b")]
    assert settings["bytes"] == [b"a", b"b"]
    settings["int"] = Quota.ASSET
    assert settings["int"] == 3
    settings["date"] = MOMENT.astimezone(timezone(timedelta(hours=5)))
    assert settings["date"] == MOMENT
    assert settings["date"].tzinfo is timezone.utc


def test_a_dict_is_read_in_the_order_of_its_keys(settings: KeyValueStore) -> None:
    settings["key"] = {"b": 1, "ä": 2, "a": 3, "Z": 4}
    assert list(settings["key"]) == ["Z", "a", "b", "ä"]


def test_what_was_read_is_a_copy(settings: KeyValueStore) -> None:
    settings["key"] = [1]
    settings["key"].append(2)
    assert settings["key"] == [1]


def test_a_wrong_type_is_refused(settings: KeyValueStore) -> None:
    settings["key"] = 1
    wrong: list[tuple[Any, str]] = [
        (None, "the value must be str, int, float, bool, bytes, datetime, list, tuple or dict, not NoneType"),
        ([1, [set()]], "an element of the value must be .* not set"),
        ({"a": 1j}, "an element of the value must be .* not complex"),
        ({1: "a"}, "a key of a dict in the value must be str, not int"),
        (kinfolk.Location(1, 2), "the value must be .* not Location"),
        ([kinfolk.Location(1, 2)], "an element of the value must be .* not Location"),
        (kinfolk.Reference("a"), "the value must be .* not Reference"),
        (MOMENT.date(), "the value must be .* not date"),
        (iter([]), "the value must be .* not list_iterator"),
    ]
    for value, complaint in wrong:
        with pytest.raises(TypeError, match=complaint):
            settings["key"] = value
    assert settings["key"] == 1


def test_a_value_that_cannot_be_stored_is_refused(settings: KeyValueStore) -> None:
    for value in (
        2**63,
        [-(2**63) - 1],
        datetime(2026, 1, 2),
        {"a": datetime(2026, 1, 2)},
        "\ud800",
        {"\ud800": 1},
        {"\u00e9": 1, "e\u0301": 2},
        nested(33),
        nested(100_000),
    ):
        with pytest.raises(kinfolk.InvalidArgument):
            settings["key"] = value
    assert "key" not in settings


def test_a_value_that_contains_itself_is_refused(settings: KeyValueStore) -> None:
    loop: list[Any] = []
    loop.append({"a": [1, loop]})
    for value in (loop, {"b": loop}, loop[0]):
        with pytest.raises(ValueError, match="contains itself"):
            settings["key"] = value
    twice = [1]
    settings["key"] = [twice, twice]
    assert settings["key"] == [[1], [1]]


def test_lists_that_are_shared_many_times_do_not_exhaust_memory(settings: KeyValueStore) -> None:
    value: Any = []
    for _ in range(30):
        value = [value, value]
    with pytest.raises(kinfolk.LimitExceeded):
        settings["key"] = value


# Keys


def test_a_store_is_a_mapping_in_the_order_of_the_keys(settings: KeyValueStore) -> None:
    assert (len(settings), list(settings), dict(settings)) == (0, [], {})
    settings.update(b=2, a=1)
    settings["ä"] = settings["Z"] = 3
    assert list(settings) == list(settings.keys()) == ["Z", "a", "b", "ä"]
    assert list(settings.values()) == [3, 1, 2, 3]
    assert list(settings.items()) == [("Z", 3), ("a", 1), ("b", 2), ("ä", 3)]
    assert settings == {"Z": 3, "a": 1, "b": 2, "ä": 3}
    assert len(settings) == 4
    assert "a" in settings
    assert "c" not in settings
    assert 3 not in settings
    assert settings.get("c") is None
    assert settings.get("c", 5) == 5
    assert settings.setdefault("c", 6) == 6
    assert settings.pop("c") == 6
    assert settings.pop("c", 7) == 7
    assert settings.popitem() == ("Z", 3)
    del settings["a"]
    assert list(settings) == ["b", "ä"]
    settings.clear()
    assert len(settings) == 0


def test_the_items_do_not_change_when_the_store_does(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    settings.update(a=1, b=2)
    items, keys, values = settings.items(), settings.keys(), settings.values()
    elsewhere.clear()
    assert (list(items), list(keys), list(values)) == ([("a", 1), ("b", 2)], ["a", "b"], [1, 2])


def test_a_missing_key_is_a_key_error(settings: KeyValueStore) -> None:
    for use in (lambda: settings["key"], lambda: settings.__delitem__("key"), lambda: settings.pop("key")):
        with pytest.raises(KeyError) as raised:
            use()
        assert isinstance(raised.value, kinfolk.UnknownItem)
    with pytest.raises(KeyError):
        settings.popitem()


def test_malformed_keys_are_refused(settings: KeyValueStore) -> None:
    for key in ("k" * 65, "a\0b", "\ud800"):
        for use in (
            lambda key=key: settings[key],
            lambda key=key: settings.__setitem__(key, 1),
            lambda key=key: settings.__delitem__(key),
        ):
            with pytest.raises(kinfolk.InvalidArgument):
                use()
        assert key not in settings
    for use in (
        lambda: settings[3],  # type: ignore[index]
        lambda: settings.__setitem__(b"a", 1),  # type: ignore[arg-type]
        lambda: settings.__delitem__(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="key must be str"):
            use()


def test_printed_stores_and_changes_show_nothing(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    elsewhere["theme"] = "dark"
    printed = repr([settings, settings.synchronize(), settings.watch()])
    assert "theme" not in printed
    assert "dark" not in printed
    assert "<kinfolk.KeyValueStore>" in printed


def test_a_full_store_keeps_old_values_and_says_which_keys_it_refused(
    notes: kinfolk.Container, settings: KeyValueStore
) -> None:
    settings["a"] = "old"
    notes.set_quota(Quota.KEY_VALUE_STORE, 100)
    for key in ("b", "a"):
        with pytest.raises(kinfolk.QuotaExceeded):
            settings[key] = "x" * 100
    assert dict(settings) == {"a": "old"}
    assert settings.synchronize() == [KeyValueChange(QUOTA, ("a", "b"))]
    assert settings.synchronize() == []


# Changes


def test_a_device_reports_the_changes_of_others_once(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    assert settings.synchronize() == []
    settings["own"] = 1
    elsewhere["b"], elsewhere["a"] = 1, 2
    (change,) = settings.synchronize()
    assert (change.reason, change.keys) == (SERVER, ("a", "b"))
    assert settings.synchronize() == []
    assert elsewhere.synchronize() == [KeyValueChange(INITIAL, ("own",))]


def test_a_session_has_one_store(session: kinfolk.Session) -> None:
    first = session.key_value_store
    found: list[KeyValueStore] = []
    threads = [threading.Thread(target=lambda: found.append(session.key_value_store)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(each is first for each in found)
    first.close()
    second = session.key_value_store
    assert second is not first
    second["a"] = 1
    session.close()
    assert second["a"] == 1
    with pytest.raises(ValueError, match="the session is closed"):
        session.key_value_store  # noqa: B018


def test_a_function_is_called_for_changes(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    seen: list[KeyValueChange] = []
    elsewhere["a"] = 1
    settings.on_change(seen.append)
    wait_for(lambda: seen == [KeyValueChange(INITIAL, ("a",))])
    elsewhere["b"] = 2
    wait_for(lambda: seen[1:] == [KeyValueChange(SERVER, ("b",))])
    assert settings.synchronize() == []
    settings.on_change(None)
    elsewhere["c"] = 3
    assert settings.synchronize() == [KeyValueChange(SERVER, ("c",))]
    assert len(seen) == 2


def test_the_account_is_reported_too(settings: KeyValueStore, elsewhere: KeyValueStore, ada: kinfolk.Account) -> None:
    settings["own"] = 1
    seen: list[KeyValueChange] = []
    settings.on_change(seen.append)
    ada.suspend()
    wait_for(lambda: seen == [KeyValueChange(ACCOUNT, ())])
    for use in (lambda: settings["own"], lambda: list(settings), settings.synchronize, settings.watch):
        with pytest.raises(kinfolk.NotAuthenticated):
            use()
    ada.resume()
    wait_for(lambda: seen[1:] == [KeyValueChange(ACCOUNT, ("own",))])


def test_an_exception_of_the_function_is_reported(
    settings: KeyValueStore, elsewhere: KeyValueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: caught.append(hook.exc_value))

    def fail(_: KeyValueChange) -> None:
        raise LookupError("a fault of the callback")

    settings.on_change(fail)
    elsewhere["a"] = 1
    wait_for(lambda: caught)
    settings.on_change(None)
    assert [type(each) for each in caught] == [LookupError]
    assert settings.synchronize() == []


@pytest.mark.parametrize("how", ["close", "end", "replace", "drop"])
def test_a_function_can_remove_itself(
    notes: kinfolk.Container, ada: kinfolk.Account, elsewhere: KeyValueStore, how: str
) -> None:
    stores = [notes.open_session(ada).key_value_store]
    seen: list[KeyValueChange] = []
    other: list[KeyValueChange] = []

    def once(change: KeyValueChange) -> None:
        seen.append(change)
        if how == "close":
            stores[0].close()
        elif how == "drop":
            stores.clear()
            gc.collect()
        else:
            stores[0].on_change(None if how == "end" else other.append)

    stores[0].on_change(once)
    elsewhere["a"] = 1
    wait_for(lambda: seen)
    elsewhere["b"] = 1
    if how == "replace":
        wait_for(lambda: other)
    else:
        time.sleep(1)
    assert len(seen) == 1


def test_a_failed_registration_keeps_the_earlier_function(
    settings: KeyValueStore, elsewhere: KeyValueStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kinfolk._ffi import lib

    def fail(*_: object) -> None:
        raise kinfolk.ServiceUnavailable("not now")

    first: list[KeyValueChange] = []
    settings.on_change(first.append)
    with monkeypatch.context() as patch:
        patch.setattr(lib, "kinfolk_keyvalue_on_change", fail)
        with pytest.raises(kinfolk.ServiceUnavailable):
            settings.on_change(lambda _: None)
        with pytest.raises(kinfolk.ServiceUnavailable):
            settings.watch()
    elsewhere["a"] = 1
    wait_for(lambda: first)


# Watching


def test_a_watch_gets_what_waits_and_what_comes(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    elsewhere["a"] = 1
    with settings.watch() as watch:
        assert iter(watch) is watch
        assert next(watch) == KeyValueChange(INITIAL, ("a",))
        thread = threading.Timer(0.5, lambda: elsewhere.__setitem__("b", 2))
        thread.start()
        assert next(watch) == KeyValueChange(SERVER, ("b",))
        thread.join()
    assert watch.closed
    assert list(watch) == []


def test_a_watch_with_a_timeout_ends_when_nothing_comes(settings: KeyValueStore) -> None:
    began = time.monotonic()
    assert list(settings.watch(timeout=0.5)) == []
    assert 0.5 <= time.monotonic() - began < 30
    assert list(settings.watch(timeout=0)) == []
    for wrong in (-1, math.nan):
        with pytest.raises(kinfolk.InvalidArgument):
            settings.watch(timeout=wrong)
    with pytest.raises(TypeError):
        settings.watch(timeout="1")  # type: ignore[arg-type]


def test_no_change_is_lost_when_a_watch_ends(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    settings.synchronize()
    watch = settings.watch()
    elsewhere["b"] = 1
    wait_for(lambda: not settings._reported.empty())
    elsewhere["a"] = 1
    wait_for(lambda: settings._reported.qsize() == 2)
    watch.close()
    elsewhere["c"] = 1
    assert settings.synchronize() == [KeyValueChange(SERVER, ("a", "b", "c"))]
    assert settings.synchronize() == []


def test_a_dropped_watch_is_removed(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    settings.synchronize()
    settings.watch()
    gc.collect()
    assert settings._observer is None
    elsewhere["a"] = 1
    assert settings.synchronize() == [KeyValueChange(SERVER, ("a",))]


@pytest.mark.parametrize("how", ["the watch", "the store", "the service", "another watch", "a function"])
def test_a_watch_that_waits_is_ended(service: kinfolk.Service, settings: KeyValueStore, how: str) -> None:
    watch = settings.watch()
    thread = threading.Thread(target=list, args=(watch,))
    thread.start()
    time.sleep(0.3)
    if how == "another watch":
        other = settings.watch()
        assert not other.closed
    elif how == "a function":
        settings.on_change(print)
    else:
        {"the watch": watch, "the store": settings, "the service": service}[how].close()
    thread.join(60)
    assert not thread.is_alive()
    assert watch.closed


def test_closing_an_old_watch_leaves_the_new_one(settings: KeyValueStore, elsewhere: KeyValueStore) -> None:
    old, new = settings.watch(), settings.watch()
    old.close()
    elsewhere["a"] = 1
    assert next(new).keys == ("a",)


def test_ctrl_c_ends_a_watch_at_once(settings: KeyValueStore) -> None:
    thread = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    watch = settings.watch()
    began = time.monotonic()

    def start_and_wait() -> None:
        thread.start()
        next(watch)

    with pytest.raises(KeyboardInterrupt):
        start_and_wait()
    assert time.monotonic() - began < 20
    thread.join()


# Use after the end


def test_a_closed_store_says_so(settings: KeyValueStore) -> None:
    watch = settings.watch()
    with settings:
        pass
    settings.close()
    for use in (
        lambda: settings["a"],
        lambda: settings.__setitem__("a", 1),
        lambda: settings.__delitem__("a"),
        lambda: "a" in settings,
        lambda: 3 in settings,
        lambda: list(settings),
        lambda: len(settings),
        settings.keys,
        settings.items,
        settings.clear,
        settings.synchronize,
        settings.watch,
        lambda: settings.on_change(print),
        settings.__enter__,
    ):
        with pytest.raises(ValueError, match="the key-value store is closed"):
            use()
    assert list(watch) == []
    assert settings.closed
    assert "closed" in repr(settings)


def test_stores_and_watches_are_not_made_or_copied_by_callers(settings: KeyValueStore) -> None:
    for make in (
        lambda: KeyValueStore("a"),  # type: ignore[arg-type]
        lambda: kinfolk.ChangeWatch("a", "b", None),  # type: ignore[arg-type]
        lambda: pickle.dumps(settings),
        lambda: pickle.dumps(settings.watch()),
        lambda: settings.on_change(3),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            make()


# Asyncio


async def opened(store: Any) -> tuple[kinfolk.aio.Service, kinfolk.aio.Session, kinfolk.aio.Session]:
    service = await kinfolk.aio.open(store.path, key_file=store.key_file)
    container = await service.open_container("com.example.notes")
    account = await service.find_account("ada@example.com")
    return service, await container.open_session(account, device="one"), await container.open_session(account)


def test_settings_are_awaited(store: Any, notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    async def run() -> None:
        service, one, two = await opened(store)
        async with service:
            settings, other = one.key_value_store, two.key_value_store
            assert settings == one.key_value_store
            assert len({settings, one.key_value_store, other}) == 2
            await settings.set("a", [1])
            await settings.update({"b": 2}, c=3)
            assert await other.get("a") == [1]
            assert await other.get("d", 4) == 4
            assert "b" in await other.keys()
            assert list(await other.items()) == [("a", [1]), ("b", 2), ("c", 3)]
            assert list(await other.values()) == [[1], 2, 3]
            assert await other.setdefault("d", 4) == 4
            assert await other.pop("d") == 4
            assert await other.pop("d", None) is None
            assert await other.popitem() == ("a", [1])
            await other.remove("b")
            for missing in (other.remove("b"), other.pop("b")):
                with pytest.raises(KeyError):
                    await missing
            await other.set("e", 5)
            assert await settings.synchronize() == [KeyValueChange(INITIAL, ("e",))]
            await settings.clear()
            assert await other.keys() == set()
            async with settings:
                assert "KeyValueStore" in repr(settings)
            with pytest.raises(ValueError, match="closed"):
                await settings.get("a")

    asyncio.run(run())


def test_changes_are_awaited(store: Any, notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    async def run() -> None:
        service, one, two = await opened(store)
        async with service:
            settings, other = one.key_value_store, two.key_value_store
            await settings.synchronize()

            async def save() -> None:
                for number in range(5):
                    await other.set(f"key{number}", number)
                    await asyncio.sleep(0.05)

            saving = asyncio.create_task(save())
            keys: set[str] = set()
            watch = settings.watch()
            async for change in watch:
                keys.update(change.keys)
                if len(keys) == 5:
                    break
            await watch.aclose()
            await saving
            assert settings._blocking._observer is None
            called: asyncio.Future[KeyValueChange] = asyncio.get_running_loop().create_future()
            await settings.on_change(called.set_result)
            await other.set("last", 1)
            assert await asyncio.wait_for(called, 60) == KeyValueChange(SERVER, ("last",))
            await settings.on_change(None)

    asyncio.run(run())


@pytest.mark.parametrize("end", ["close", "the service", "another watch", "a function", "cancel"])
def test_an_awaited_watch_ends(store: Any, notes: kinfolk.Container, ada: kinfolk.Account, end: str) -> None:
    async def run() -> None:
        service, one, _ = await opened(store)
        settings = one.key_value_store

        async def watch() -> list[KeyValueChange]:
            return [change async for change in settings.watch()]

        waiting = asyncio.create_task(watch())
        await asyncio.sleep(0.3)
        if end == "close":
            await settings.close()
        elif end == "the service":
            await service.close()
        elif end == "another watch":
            other = asyncio.create_task(watch())
        elif end == "a function":
            await settings.on_change(print)
        else:
            waiting.cancel()
        try:
            assert await asyncio.wait_for(waiting, 60) == []
        except asyncio.CancelledError:
            assert end == "cancel"
        if end == "another watch":
            other.cancel()
        await service.close()

    asyncio.run(run())
