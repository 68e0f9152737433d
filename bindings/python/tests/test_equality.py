"""Which accounts and containers are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def test_services_of_one_store_agree_and_of_two_stores_do_not(
    store: Store, service: kinfolk.Service, ada: kinfolk.Account, notes: kinfolk.Container
) -> None:
    with store.open() as second:
        assert second.open_account(ada.id) == ada
        assert second.open_container(notes.name) == notes
        assert hash(second.open_container(notes.name)) == hash(notes)
    with store.other("another").open() as other:
        assert other.create_container(notes.name) != notes
    service.copy(store.other("copy").path)
    with kinfolk.open(store.other("copy").path, key_file=store.key_file) as copy:
        assert copy.open_account(ada.id) != ada  # a copy is another store
