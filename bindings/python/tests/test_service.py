"""Opening a store."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

import kinfolk

KEY = bytes(range(32))


def test_opening_makes_the_store_and_a_private_key_file_beside_it(path: Path) -> None:
    kinfolk.open(path).close()
    assert path.exists()
    assert path.with_suffix(".key").stat().st_mode & 0o777 == 0o600


def test_what_was_written_is_there_when_the_store_is_opened_again(path: Path) -> None:
    with kinfolk.open(path) as service:
        identifier = service.create_account("Ada", "Example").id
    with kinfolk.open(path) as service:
        assert service.open_account(identifier).given_name == "Ada"


@pytest.mark.parametrize("kind", [str, os.fsencode, Path])
def test_a_path_is_a_str_bytes_or_path(path: Path, kind: type) -> None:
    with kinfolk.open(kind(path)):
        assert path.exists()


def test_service_open_and_kinfolk_open_are_one(path: Path) -> None:
    with kinfolk.Service.open(path, key=KEY) as service:
        service.create_container("com.example.notes")
    with kinfolk.open(path, key=KEY) as service:
        assert service.open_container("com.example.notes").name == "com.example.notes"


def test_without_create_there_must_be_a_store(path: Path) -> None:
    with pytest.raises(kinfolk.UnknownItem):
        kinfolk.open(path, create=False)
    assert not path.exists()
    kinfolk.open(path).close()
    kinfolk.open(path, create=False).close()


@pytest.mark.parametrize("amount", [0, 1, 64 << 20, 2**63 - 1])
def test_any_amount_of_memory_is_taken(path: Path, amount: int) -> None:
    for keywords in ({"page_cache": amount}, {"directory_filters": amount}):
        with kinfolk.open(path, **keywords) as service:
            service.create_account()


@pytest.mark.parametrize("name", ["page_cache", "directory_filters"])
def test_memory_is_a_number_of_bytes(path: Path, name: str) -> None:
    for wrong in (-1, 2**63):
        with pytest.raises(kinfolk.InvalidArgument):
            kinfolk.open(path, **{name: wrong})
    for kind in (True, 1.5, "2 MiB"):
        with pytest.raises(TypeError):
            kinfolk.open(path, **{name: kind})  # type: ignore[arg-type]
    assert not path.exists()


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_a_key_from_elsewhere_needs_no_key_file(path: Path, kind: type) -> None:
    kinfolk.open(path, key=kind(KEY)).close()
    assert not path.with_suffix(".key").exists()
    kinfolk.open(path, key=KEY).close()


def test_another_key_is_a_mismatch(path: Path) -> None:
    kinfolk.open(path, key=KEY).close()
    with pytest.raises(kinfolk.KeyMismatch):
        kinfolk.open(path, key=bytes(32))
    with pytest.raises(kinfolk.KeyMismatch):
        kinfolk.open(path)


def test_a_key_file_may_be_elsewhere(path: Path, tmp_path: Path) -> None:
    kinfolk.open(path, key_file=tmp_path / "elsewhere").close()
    assert (tmp_path / "elsewhere").exists()
    assert not path.with_suffix(".key").exists()


@pytest.mark.parametrize("length", [0, 1, 31, 33, 1000])
def test_a_key_has_32_bytes(path: Path, length: int) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.open(path, key=bytes(length))
    assert not path.exists()


def test_a_key_and_a_key_file_contradict_each_other(path: Path, tmp_path: Path) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.open(path, key=KEY, key_file=tmp_path / "key")


def test_another_file_is_no_store(path: Path) -> None:
    path.write_bytes(b"a letter to nobody\n" * 1000)
    with pytest.raises(kinfolk.StoreCorrupt):
        kinfolk.open(path, key=KEY)
    assert path.read_bytes().startswith(b"a letter")


def test_another_database_is_no_store(path: Path) -> None:
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE letters (text)")
    other.commit()
    other.close()
    with pytest.raises(kinfolk.StoreCorrupt):
        kinfolk.open(path, key=KEY)


def test_a_missing_folder_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(kinfolk.UnknownItem):
        kinfolk.open(tmp_path / "missing" / "kinfolk.db")


@pytest.mark.parametrize("wait", [-1.0, float("nan")])
def test_a_wait_is_no_less_than_nothing(path: Path, wait: float) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.open(path, wait=wait)


@pytest.mark.parametrize("wait", [0, 0.0, 1, 1e300, float("inf")])
def test_a_wait_may_be_nothing_or_for_ever(path: Path, wait: float) -> None:
    kinfolk.open(path, wait=wait).close()


def test_a_container_is_made_once(service: kinfolk.Service) -> None:
    service.create_container("com.example.notes")
    with pytest.raises(kinfolk.Conflict):
        service.create_container("com.example.notes")


@pytest.mark.parametrize("name", ["", "notes", "com..notes", "com.example.-x", "com.exämple.notes", "a." * 200 + "a"])
def test_a_container_has_a_name_in_reverse_dns(service: kinfolk.Service, name: str) -> None:
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
