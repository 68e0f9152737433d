"""Subscriptions, the notifications that they make, and the devices that receive these."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import (
    Database,
    DatabaseScope,
    Notification,
    NotificationInfo,
    NotificationKind,
    NotificationReason,
    Record,
    SavePolicy,
    Session,
    Subscription,
    SubscriptionOptions,
    SubscriptionType,
)

MOMENT = datetime(2026, 1, 2, tzinfo=timezone.utc)


@pytest.fixture
def typed(notes: kinfolk.Container) -> kinfolk.Container:
    notes.apply_schema("DEFINE SCHEMA\nRECORD TYPE Note (number INT64 QUERYABLE, text STRING QUERYABLE, file ASSET);\n")
    return notes


@pytest.fixture
def phone(typed: kinfolk.Container, ada: kinfolk.Account) -> Session:
    return typed.open_session(ada, device="phone")


@pytest.fixture
def elsewhere(typed: kinfolk.Container, ada: kinfolk.Account) -> Database:
    """Ada's private database on another device."""
    return typed.open_session(ada).private_database


@pytest.fixture
def watched(phone: Session) -> Session:
    """A session that is notified of all notes."""
    phone.private_database.save_subscription(
        Subscription.query("Note", on={"created", "updated", "deleted"}, keys=["number", "text"], id="notes")
    )
    return phone


def put(db: Database, name: str, number: int = 1, **fields: Any) -> None:
    db.save(Record("Note", name, number=number, **fields), SavePolicy.ALL_KEYS)


def wait_for(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


# Subscriptions


def test_a_query_subscription_is_saved_and_read(phone: Session) -> None:
    db = phone.private_database
    made = Subscription.query(
        "Note",
        "number >= %@ AND modifiedAt > %@",
        3,
        MOMENT,
        on={"created", "deleted"},
        once=True,
        keys=["text"],
        info=NotificationInfo(alert_body="A note", desired_keys=("number",), should_badge=True),
        id="notes",
    )
    db.save_subscription(made)
    (listed,) = db.subscriptions()
    for each in (made, db.subscription("notes"), listed):
        assert each.id == "notes"
        assert each.type is SubscriptionType.QUERY
        assert each.options == SubscriptionOptions.ON_RECORD_CREATION | SubscriptionOptions.ON_RECORD_DELETION | (
            SubscriptionOptions.ONCE
        )
        assert (each.record_type, each.predicate) == ("Note", "number >= 3 AND modifiedAt > %@")
        assert each.values == (MOMENT,)
        assert each.zone_name is None
        assert each.info == NotificationInfo(alert_body="A note", desired_keys=("number", "text"), should_badge=True)
    db.delete_subscription("notes")
    assert db.subscriptions() == ()
    for missing in (db.delete_subscription, db.subscription):
        with pytest.raises(kinfolk.UnknownItem):
            missing("notes")


def test_zones_and_databases_are_subscribed_to(phone: Session) -> None:
    db = phone.private_database
    zone, whole = Subscription.zone("Notes", id="zone"), Subscription.database()
    assert (zone.type, whole.type) == (SubscriptionType.ZONE, SubscriptionType.DATABASE)
    assert (zone.zone_name, zone.record_type, zone.predicate) == ("Notes", None, None)
    assert (whole.zone_name, whole.options, whole.values) == (None, SubscriptionOptions(0), ())
    assert len(whole.id) == 36
    with pytest.raises(kinfolk.ZoneNotFound):
        db.save_subscription(zone)
    db.save_zone("Notes")
    db.save_subscription(zone)
    db.save_subscription(whole)
    assert {each.id for each in db.subscriptions()} == {"zone", whole.id}


def test_every_field_of_the_info_crosses_the_interface() -> None:
    for name in NotificationInfo._fields:
        default = getattr(NotificationInfo(), name)
        value: Any = True if default is False else ("number", "text") if default == () else "Größe"
        info = NotificationInfo(**{name: value})
        assert Subscription.database(info=info).info == info


def test_invalid_subscriptions_are_refused(phone: Session) -> None:
    for invalid in (
        lambda: Subscription.query("Note", on=()),
        lambda: Subscription.query("Note", on="removed"),
        lambda: Subscription.query("Note", "number >=", on="created"),
        lambda: Subscription.query("Note", on="created", id="größe"),
        lambda: Subscription.query("Note", on="created", keys=["1"]),
        lambda: Subscription.zone("a\0b"),
        lambda: Subscription.database(info=NotificationInfo(title="a\0b")),
        lambda: phone.notifications(0),
        lambda: phone.notifications(401),
    ):
        with pytest.raises(kinfolk.InvalidArgument):
            invalid()
    with pytest.raises(kinfolk.LimitExceeded):
        Subscription.database(info=NotificationInfo(title="t" * 4097))
    for wrong in (
        lambda: Subscription(),  # type: ignore[call-arg]
        lambda: Subscription("id"),  # type: ignore[arg-type]
        lambda: Subscription.query("Note", on=3),  # type: ignore[arg-type]
        lambda: Subscription.query("Note", on=[3]),  # type: ignore[list-item]
        lambda: Subscription.query("Note", on="created", once="no"),  # type: ignore[arg-type]
        lambda: Subscription.query("Note", on="created", keys="text"),
        lambda: Subscription.database(info="text"),  # type: ignore[arg-type]
        lambda: Subscription.database(info=NotificationInfo(desired_keys="text")),  # type: ignore[arg-type]
        lambda: Subscription.database(info=NotificationInfo(should_badge=1)),  # type: ignore[arg-type]
        lambda: phone.private_database.save_subscription("notes"),  # type: ignore[arg-type]
        lambda: phone.private_database.save(Subscription.database()),  # type: ignore[arg-type]
        lambda: phone.acknowledge("id"),  # type: ignore[arg-type]
        lambda: phone.on_notification(3),  # type: ignore[arg-type]
        lambda: phone.notifications(timeout="1"),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError):
            wrong()


def test_nothing_printed_shows_what_is_in_it(watched: Session, elsewhere: Database) -> None:
    put(elsewhere, "secret", text="secret")
    (note,) = watched.notifications(timeout=60)
    subscription = watched.private_database.subscription("notes")
    printed = repr([note, note.info, subscription, watched.devices(), watched.watch()])
    assert "secret" not in printed
    assert "phone" not in printed
    assert "<kinfolk.Notification query>" in printed


# Devices


def test_devices_are_listed_and_removed(typed: kinfolk.Container, ada: kinfolk.Account, phone: Session) -> None:
    nameless = typed.open_session(ada)
    nameless.notifications()
    assert [(each.name, each.is_current) for each in nameless.devices()] == [("phone", False), (None, True)]
    tablet = typed.open_session(ada, device="Büro")
    nameless.remove_device("phone")
    assert [(each.name, each.is_current) for each in tablet.devices()] == [("Büro", True), (None, False)]
    with pytest.raises(kinfolk.UnknownItem):
        nameless.remove_device("phone")
    for bad in ("", "n" * 256, "a\0b"):
        with pytest.raises(kinfolk.InvalidArgument):
            typed.open_session(ada, device=bad)
        with pytest.raises(kinfolk.InvalidArgument):
            nameless.remove_device(bad)
    with pytest.raises(TypeError):
        typed.open_session(ada, device=3)  # type: ignore[arg-type]


# Fetching


def test_a_notification_tells_of_the_record(watched: Session, elsewhere: Database) -> None:
    put(elsewhere, "a", 3, text="Größe")
    (note,) = watched.notifications(timeout=60)
    assert isinstance(note, Notification)
    assert (note.kind, note.reason) == (NotificationKind.QUERY, NotificationReason.RECORD_CREATED)
    assert (note.subscription_id, note.database) == ("notes", DatabaseScope.PRIVATE)
    assert (note.record_name, note.record_type, note.zone) == ("a", "Note", "_defaultZone")
    assert note.fields == {"number": 3, "text": "Größe"}
    assert note.info.desired_keys == ("number", "text")
    watched.acknowledge(note)
    elsewhere.delete("a")
    (note,) = watched.notifications(timeout=60)
    assert (note.reason, note.record_name, note.fields) == (NotificationReason.RECORD_DELETED, "a", {})
    watched.acknowledge(note.id)
    assert watched.notifications() == []


def test_the_files_of_a_notification_are_read(phone: Session, elsewhere: Database) -> None:
    phone.private_database.save_subscription(Subscription.query("Note", on="created", keys=["file"]))
    put(elsewhere, "a", file=elsewhere.upload(b"content"))
    (note,) = phone.notifications(timeout=60)
    assert note.fields["file"].read() == b"content"


def test_some_of_the_notifications_are_fetched_and_acknowledged(watched: Session, elsewhere: Database) -> None:
    for name in ("a", "b"):
        put(elsewhere, name)
    wait_for(lambda: len(watched.notifications()) == 2)
    (first,) = watched.notifications(1)
    assert first.record_name == "a"
    watched.acknowledge(first)
    assert [each.record_name for each in watched.notifications()] == ["b"]
    for wrong in (b"", first.id[:-1]):
        with pytest.raises(kinfolk.InvalidArgument):
            watched.acknowledge(wrong)


def test_a_wait_ends_in_time(watched: Session) -> None:
    began = time.monotonic()
    assert watched.notifications(timeout=0.5) == []
    assert 0.5 <= time.monotonic() - began < 30


def test_closing_the_session_ends_a_wait(watched: Session) -> None:
    ended: list[BaseException] = []

    def run() -> None:
        try:
            watched.notifications(timeout=60)
        except ValueError as error:
            ended.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.3)
    began = time.monotonic()
    watched.close()
    thread.join(60)
    assert time.monotonic() - began < 20
    assert len(ended) == 1


# Watching


def test_a_watch_acknowledges_what_it_has_passed(watched: Session, elsewhere: Database) -> None:
    for name in ("a", "b", "c"):
        put(elsewhere, name)
    seen = []
    with watched.watch() as watch:
        assert iter(watch) is watch
        for note in watch:
            seen.append(note.record_name)
            if len(seen) == 2:
                break
    assert seen == ["a", "b"]
    assert list(watch) == []
    wait_for(lambda: [each.record_name for each in watched.notifications()] == ["b", "c"])


def test_closing_ends_a_watch_that_waits(watched: Session) -> None:
    for what in ("watch", "session"):
        watch = watched.watch()
        thread = threading.Thread(target=list, args=(watch,))
        thread.start()
        time.sleep(0.3)
        (watch if what == "watch" else watched).close()
        thread.join(60)
        assert not thread.is_alive()
        assert watch.closed
    with pytest.raises(ValueError, match="the session is closed"):
        watched.watch()


def test_ctrl_c_ends_a_wait_at_once(watched: Session) -> None:
    def interrupt() -> None:
        time.sleep(0.5)
        os.kill(os.getpid(), signal.SIGINT)

    def start_and_wait(thread: threading.Thread, wait: Callable[[], object]) -> None:
        thread.start()
        wait()

    for wait in (lambda: watched.notifications(timeout=60), lambda: next(watched.watch())):
        thread = threading.Thread(target=interrupt)
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            start_and_wait(thread, wait)
        assert time.monotonic() - began < 20
        thread.join()


# Callbacks


def test_a_callback_gets_what_waits_and_what_comes(watched: Session, elsewhere: Database) -> None:
    seen: list[str | None] = []
    put(elsewhere, "a")
    watched.on_notification(lambda note: seen.append(note.record_name))
    wait_for(lambda: seen == ["a"])
    put(elsewhere, "b")
    wait_for(lambda: seen == ["a", "b"])
    watched.on_notification(None)
    put(elsewhere, "c")
    (note,) = watched.notifications(timeout=60)
    assert note.record_name == "c"
    assert seen == ["a", "b"]


@pytest.mark.parametrize("how", ["False", "an exception"])
def test_a_refused_notification_comes_again(
    watched: Session, elsewhere: Database, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    caught: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: caught.append(hook.exc_value))
    seen: list[str | None] = []

    def receive(note: Notification) -> bool:
        seen.append(note.record_name)
        if len(seen) == 1 and how != "False":
            raise LookupError("a fault of the callback")
        return len(seen) > 1

    watched.on_notification(receive)
    put(elsewhere, "a")
    wait_for(lambda: len(seen) == 2)
    put(elsewhere, "b")
    wait_for(lambda: len(seen) == 3)
    watched.on_notification(None)
    assert seen == ["a", "a", "b"]
    assert [type(each) for each in caught] == ([] if how == "False" else [LookupError])
    assert watched.notifications() == []


@pytest.mark.parametrize("how", ["close", "end", "replace"])
def test_a_callback_can_remove_itself(watched: Session, elsewhere: Database, how: str) -> None:
    seen: list[str | None] = []
    other: list[str | None] = []

    def once(note: Notification) -> None:
        seen.append(note.record_name)
        if how == "close":
            watched.close()
        else:
            watched.on_notification(None if how == "end" else lambda note: other.append(note.record_name))

    watched.on_notification(once)
    put(elsewhere, "a")
    wait_for(lambda: seen)
    put(elsewhere, "b")
    if how == "replace":
        wait_for(lambda: "b" in other)
    else:
        time.sleep(1.5)
    assert seen == ["a"]


def test_a_failed_registration_keeps_the_earlier_callback(
    watched: Session, elsewhere: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kinfolk._ffi import lib

    def fail(*_: object) -> None:
        raise kinfolk.ServiceUnavailable("not now")

    first: list[Notification] = []
    watched.on_notification(first.append)
    with monkeypatch.context() as patch:
        patch.setattr(lib, "kinfolk_session_on_notification", fail)
        with pytest.raises(kinfolk.ServiceUnavailable):
            watched.on_notification(lambda _: None)
    put(elsewhere, "a")
    wait_for(lambda: first)


# Asyncio


def test_notifications_are_awaited(store: Any, typed: kinfolk.Container, ada: kinfolk.Account) -> None:
    async def run() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            notes = await service.open_container("com.example.notes")
            account = await service.find_account("ada@example.com")
            phone = await notes.open_session(account, device="phone")
            db = phone.private_database
            await db.save_subscription(Subscription.query("Note", on="created", keys=["number"], id="notes"))
            assert [each.id for each in await db.subscriptions()] == ["notes"]
            assert (await db.subscription("notes")).record_type == "Note"
            assert [each.name for each in await phone.devices()] == ["phone"]
            other = (await notes.open_session(account)).private_database
            seen: list[int] = []

            async def save() -> None:
                for number in range(5):
                    await other.save(Record("Note", f"note{number}", number=number))
                    await asyncio.sleep(0.05)

            saving = asyncio.create_task(save())
            watch = phone.watch()
            async for note in watch:
                seen.append(note.fields["number"])
                if len(seen) == 5:
                    break
            await watch.aclose()
            await saving
            assert seen == [0, 1, 2, 3, 4]
            (left,) = await phone.notifications(timeout=60)
            assert left.fields == {"number": 4}
            await phone.acknowledge(left)
            called = asyncio.Event()
            loop = asyncio.get_running_loop()
            await phone.on_notification(lambda _: loop.call_soon_threadsafe(called.set) and None)
            await other.save(Record("Note", "last", number=5))
            await asyncio.wait_for(called.wait(), 60)
            await db.delete_subscription("notes")
            await phone.remove_device("phone")

    asyncio.run(run())


def test_a_watch_that_is_awaited_ends_with_its_session(
    store: Any, typed: kinfolk.Container, ada: kinfolk.Account
) -> None:
    async def run() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            notes = await service.open_container("com.example.notes")
            account = await service.find_account("ada@example.com")
            for end in ("close", "another watch", "a callback", "cancel"):
                session = await notes.open_session(account, device=end)

                async def watch(session: kinfolk.aio.Session = session) -> list[Notification]:
                    return [note async for note in session.watch()]

                waiting = asyncio.create_task(watch())
                await asyncio.sleep(0.3)
                if end == "close":
                    await session.close()
                elif end == "another watch":
                    other = asyncio.create_task(watch())
                elif end == "a callback":
                    await session.on_notification(lambda _: None)
                else:
                    waiting.cancel()
                with suppress(asyncio.CancelledError):
                    assert await asyncio.wait_for(waiting, 60) == []
                if end == "another watch":
                    other.cancel()

    asyncio.run(run())
