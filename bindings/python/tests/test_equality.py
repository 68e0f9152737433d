"""Which accounts and containers are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import kinfolk

if TYPE_CHECKING:
    from conftest import Store


def test_two_objects_of_one_account_are_equal(service: kinfolk.Service, ada: kinfolk.Account) -> None:
    found = service.find_account("ada@example.com")
    assert found == ada
    assert hash(found) == hash(ada)
    assert {ada: 1}[found] == 1
    assert ada != service.create_account("Ada", "Example")
    assert ada != ada.id
    found.close()
    ada.erase()
    assert found == ada


def test_two_objects_of_one_container_are_equal(service: kinfolk.Service, notes: kinfolk.Container) -> None:
    again = service.open_container("com.example.notes")
    assert again == notes
    assert len({again, notes, service.create_container("com.example.chess")}) == 2


def test_an_account_is_equal_in_all_services_and_in_copies(
    store: Store, service: kinfolk.Service, ada: kinfolk.Account
) -> None:
    with store.open() as second:
        assert second.open_account(ada.id) == ada
        assert hash(second.open_account(ada.id)) == hash(ada)
    with store.other("another").open() as other:
        assert other.create_account("Ada", "Example") != ada
    service.copy(store.other("copy").path)
    with kinfolk.open(store.other("copy").path, key_file=store.key_file) as copy:
        assert copy.open_account(ada.id) == ada


def test_containers_of_two_services_are_not_equal(store: Store, notes: kinfolk.Container) -> None:
    with store.open() as second:
        assert second.open_container(notes.name) != notes


@pytest.mark.files
def test_containers_of_two_stores_with_one_path_are_not_equal(store: Store) -> None:
    with store.open() as service:
        first = service.create_container("com.example.notes")
    for each in store.folder.iterdir():
        each.unlink()
    with store.open() as service:
        assert service.create_container("com.example.notes") != first


@pytest.mark.files
def test_an_account_is_equal_after_its_store_was_restored(store: Store) -> None:
    with store.open() as service:
        ada = service.create_account("Ada")
        number = ada.id
        service.back_up(store.folder / "backup.db")
    kinfolk.restore(store.path, store.folder / "backup.db")
    with store.open() as service:
        assert service.open_account(number) == ada
