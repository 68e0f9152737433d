"""Opening a store."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import kinfolk

if TYPE_CHECKING:
    from conftest import Store

KEY = bytes(range(32))


@pytest.mark.files
def test_opening_makes_the_store_and_a_private_key_file_next_to_it(store: Store) -> None:
    store.open().close()
    assert store.exists()
    assert store.key_file.stat().st_mode & 0o777 == 0o600


def test_data_is_there_when_the_store_is_reopened(store: Store) -> None:
    with store.open() as service:
        identifier = service.create_account("Ada", "Example").id
    with store.open() as service:
        assert service.open_account(identifier).given_name == "Ada"


@pytest.mark.files
@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_a_path_is_a_str_bytes_or_path(store: Store, kind: type) -> None:
    with kinfolk.open(kind(store.file)):
        assert store.exists()


def test_an_address_that_became_a_path_is_refused() -> None:
    with pytest.raises(kinfolk.InvalidArgument, match="postgresql://"):
        kinfolk.open(Path("postgresql://ada@db.example.com/people"), key=KEY)


def test_service_open_and_kinfolk_open_do_the_same(store: Store) -> None:
    with kinfolk.open(store.path, key=KEY) as service:
        service.create_container("com.example.notes")
    with store.open(key=KEY) as service:
        assert service.open_container("com.example.notes").name == "com.example.notes"


def test_without_create_there_must_be_a_store(store: Store) -> None:
    with pytest.raises(kinfolk.UnknownItem):
        store.open(create=False)
    assert not store.exists()
    store.open().close()
    store.open(create=False).close()


def test_memory_is_a_number_of_bytes(store: Store) -> None:
    for name in ("page_cache", "directory_filters"):
        for wrong in (-1, 2**63):
            with pytest.raises(kinfolk.InvalidArgument):
                store.open(**{name: wrong})
        for kind in (True, 1.5, "2 MiB"):
            with pytest.raises(TypeError):
                store.open(**{name: kind})  # type: ignore[arg-type]
    assert not store.exists()
    for amount in (0, 2**63 - 1):
        for keywords in ({"page_cache": amount}, {"directory_filters": amount}):
            with store.open(**keywords) as service:
                service.create_account()


def test_locked_memory_is_reported_and_can_be_required(store: Store) -> None:
    with store.open() as service:
        is_locked = service.is_key_memory_locked
    assert isinstance(is_locked, bool)
    if is_locked:
        store.open(require_locked_memory=True).close()
    else:
        with store.open(), pytest.raises(kinfolk.ServiceUnavailable):
            store.open(require_locked_memory=True)
    with pytest.raises(TypeError):
        store.open(require_locked_memory=1)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_key_from_elsewhere_needs_no_key_file(store: Store, kind: type) -> None:
    store.open(key=kind(KEY)).close()
    assert not store.key_file.exists()
    store.open(key=KEY).close()


def test_a_wrong_key_is_a_mismatch(store: Store) -> None:
    store.open(key=KEY).close()
    with pytest.raises(kinfolk.KeyMismatch):
        store.open(key=bytes(32))
    with pytest.raises(kinfolk.KeyMismatch):
        store.open()


def test_a_key_file_may_be_elsewhere(store: Store, tmp_path: Path) -> None:
    store.open(key_file=tmp_path / "elsewhere").close()
    assert (tmp_path / "elsewhere").exists()
    assert not store.key_file.exists()


def test_a_key_has_32_bytes(store: Store) -> None:
    for length in (0, 31, 33):
        with pytest.raises(kinfolk.InvalidArgument):
            store.open(key=bytes(length))
    assert not store.exists()


def test_a_key_and_a_key_file_contradict_each_other(store: Store, tmp_path: Path) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        store.open(key=KEY, key_file=tmp_path / "key")


@pytest.mark.files
def test_another_file_is_no_store(store: Store) -> None:
    store.file.write_bytes(b"a letter to nobody\n" * 1000)
    with pytest.raises(kinfolk.StoreCorrupt):
        store.open(key=KEY)
    assert store.file.read_bytes().startswith(b"a letter")


def test_a_wait_may_be_zero_or_infinite_but_not_negative(store: Store) -> None:
    for wrong in (-1.0, float("nan")):
        with pytest.raises(kinfolk.InvalidArgument):
            store.open(wait=wrong)
    for wait in (0, 0.0, 1, 1e300, float("inf")):
        store.open(wait=wait).close()


def test_a_container_is_made_once(service: kinfolk.Service) -> None:
    service.create_container("com.example.notes")
    with pytest.raises(kinfolk.Conflict):
        service.create_container("com.example.notes")


def test_a_container_has_a_name_in_reverse_dns(service: kinfolk.Service) -> None:
    for name in ("notes", "com.exämple.notes"):
        with pytest.raises(kinfolk.InvalidArgument):
            service.create_container(name)


def test_an_account_has_an_id_of_32_digits(service: kinfolk.Service) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        service.open_account("ada")
    with pytest.raises(kinfolk.UnknownItem):
        service.open_account("0" * 32)


def test_permits_are_within_their_range(notes: kinfolk.Container) -> None:
    notes.set_permits(1, 0)
    notes.set_permits(2**32 - 1, 0.5)
    for capacity, per_hour in [(0, 1.0), (-1, 1.0), (2**32, 1.0), (1, -1.0), (1, float("nan")), (1, 10**400)]:
        with pytest.raises(kinfolk.InvalidArgument):
            notes.set_permits(capacity, per_hour)
    for unverified in (-1, 2**32):
        with pytest.raises(kinfolk.InvalidArgument):
            notes.set_permits(1, 1.0, unverified)


def test_the_work_of_private_discovery_and_new_fields_have_limits_of_their_own(notes: kinfolk.Container) -> None:
    notes.set_private_work(multiplications_per_day=1, rows_per_day=2**64 - 1)
    notes.set_private_work()
    notes.set_field_limit(0)
    notes.add_field("color", kinfolk.FieldType.STRING)
    with pytest.raises(kinfolk.Conflict):
        notes.add_field("color", kinfolk.FieldType.INT64)
    with pytest.raises(kinfolk.InvalidArgument):
        notes.set_private_work(rows_per_day=0)
    with pytest.raises(kinfolk.InvalidArgument):
        notes.set_field_limit(-1)
