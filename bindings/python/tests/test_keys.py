"""Passphrases, and new keys for a store that is in use."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kinfolk

if TYPE_CHECKING:
    from conftest import Store

KEY, OTHER_KEY = bytes(range(32)), bytes(range(1, 33))

Friend = Callable[..., "tuple[kinfolk.Account, kinfolk.Session]"]


def test_a_passphrase_makes_and_opens_a_store_without_a_key_file(store: Store) -> None:
    with store.open(passphrase="Schlüssel aus Wörtern") as service:
        identifier = service.create_account("Ada").id
    assert not store.key_file.exists()
    with store.open(passphrase="Schlüssel aus Wörtern".encode(), create=False) as service:
        assert service.open_account(identifier).given_name == "Ada"
    with pytest.raises(kinfolk.KeyMismatch):
        store.open(passphrase="Schlüssel aus Worten")
    with pytest.raises(kinfolk.KeyMismatch):
        store.open()


def test_a_passphrase_is_not_empty_and_holds_no_nul(store: Store) -> None:
    for passphrase in ("", b"", "a\0b", b"a\0b", "\ud800"):
        with pytest.raises(kinfolk.InvalidArgument):
            store.open(passphrase=passphrase)
    assert not store.exists()


def test_only_one_source_of_a_key_may_be_given(store: Store, tmp_path: Path) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        store.open(passphrase="correct horse", key=KEY)
    with pytest.raises(kinfolk.InvalidArgument):
        store.open(passphrase="correct horse", key_file=tmp_path / "key")
    with store.open() as service, pytest.raises(kinfolk.InvalidArgument):
        service.rotate_keys(new_key=KEY, new_passphrase="correct horse")


def test_the_key_file_is_replaced_and_the_old_one_kept(store: Store, tmp_path: Path) -> None:
    with store.open() as service:
        service.create_account("Ada").add_email("ada@example.com", verified=True)
        before = store.key_file.read_bytes()
        rotation = service.rotate_keys()
        kept = rotation.old_key_file
        assert rotation.consequences == kinfolk.RotationConsequences(0)
        assert kept == str(tmp_path / "kinfolk.key.1")
        assert Path(kept).read_bytes() == before != store.key_file.read_bytes()
        assert service.find_account("ada@example.com").given_name == "Ada"
    with pytest.raises(kinfolk.KeyMismatch):
        store.open(key_file=kept)
    with store.open() as service:
        assert service.find_account("ada@example.com").given_name == "Ada"


def test_the_new_key_comes_from_a_file_bytes_or_a_passphrase(store: Store, tmp_path: Path) -> None:
    with store.open() as service:
        assert service.rotate_keys(new_key_file=tmp_path / "elsewhere").old_key_file is None
        store.open(key_file=tmp_path / "elsewhere").close()
        assert service.rotate_keys(new_key=bytearray(KEY)).old_key_file is None
        store.open(key=KEY).close()
        assert service.rotate_keys(new_passphrase="correct horse").old_key_file is None
    with pytest.raises(kinfolk.KeyMismatch):
        store.open(key=KEY)
    store.open(passphrase="correct horse").close()


def test_an_invalid_new_key_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("a letter")
    with store.open(key=KEY) as service:
        for arguments in ({"new_key": KEY}, {"new_key": KEY[1:]}, {"new_passphrase": ""}, {}):
            with pytest.raises(kinfolk.InvalidArgument):
                service.rotate_keys(**arguments)  # type: ignore[arg-type]
        with pytest.raises(kinfolk.KeyMismatch):
            service.rotate_keys(new_key_file=tmp_path / "letter")
    store.open(key=KEY).close()


def test_answers_stay_the_same_and_progress_may_use_the_service(service: kinfolk.Service, friend: Friend) -> None:
    _, session = friend("ada")
    people = {friend(f"p{number}")[1].user_record_id for number in range(120)}
    book = kinfolk.ContactBook()
    for number in range(120):
        book.add_email(f"p{number}@example.com")
    state = session.discover(book).sync_state
    told: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        told.append((done, total))
        assert {each.user_record_id for each in session.discover(book, sync_state=state)} == people

    service.rotate_keys(progress=progress)
    assert told == [(100, 121), (121, 121)]
    assert {each.user_record_id for each in session.discover(book, sync_state=state)} == people


@pytest.mark.parametrize("error", [LookupError("no window"), KeyboardInterrupt()])
def test_an_exception_of_progress_ends_the_rotation_which_is_then_resumed(
    service: kinfolk.Service, store: Store, tmp_path: Path, error: BaseException
) -> None:
    for number in range(201):
        service.create_account(str(number))
    calls = 0

    def progress(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        raise error

    with pytest.raises(type(error)) as raised:
        service.rotate_keys(progress=progress)
    assert raised.value is error
    assert calls == 1
    store.open(key_file=tmp_path / "kinfolk.key.1").close()  # either key opens it until the end
    service.rotate_keys()
    assert (tmp_path / "kinfolk.key.1").exists()
    with pytest.raises(kinfolk.KeyMismatch):
        store.open(key_file=tmp_path / "kinfolk.key.1")


@pytest.mark.files
def test_an_exception_of_progress_ends_the_backup_and_leaves_no_file(
    service: kinfolk.Service, store: Store, tmp_path: Path
) -> None:
    def progress(done: int, total: int) -> None:
        raise LookupError("no window")

    with pytest.raises(LookupError):
        service.back_up(tmp_path / "copy.db", progress)
    assert list(tmp_path.glob("copy.db*")) == []
    service.back_up(tmp_path / "copy.db")
    kinfolk.open(tmp_path / "copy.db", key_file=store.key_file).close()


def test_an_idle_service_with_a_key_of_the_host_must_be_reopened(store: Store) -> None:
    with store.open(key=KEY) as busy, store.open(key=KEY) as idle:
        busy.rotate_keys(new_key=OTHER_KEY)
        with pytest.raises(kinfolk.KeyMismatch):
            idle.create_account()
    store.open(key=OTHER_KEY).close()
