"""Chooses the tests that are run with their stores on a PostgreSQL server, in addition to those on files.

Swift's tests show on both engines what the records, accounts, limits and searches do. Python passes the calls on, so
here it is enough to run:

- all tests of what depends on the engine also in this package: addresses and keys of stores, threads, forks,
  interruptions, closing, and what a process sees of the work of another one;
- of every other kind of call one test, which shows that its values cross the C interface;
- no test of what uses no store.
"""

from __future__ import annotations

from types import ModuleType

import pytest

ALL = "all"
NO_STORE: tuple[str, ...] = ()

# For each file: which of its tests.
CHOSEN: dict[str, str | tuple[str, ...]] = {
    "test_access": ("test_an_identity_leads_to_one_account",),
    "test_account": ("test_an_export_is_json_with_all_stored_data", "test_a_person_signs_in_by_a_code"),
    "test_account_changes": ALL,  # another process makes the changes
    "test_aio": ALL,  # threads that wait for the server
    "test_arguments": NO_STORE,  # they are refused before a store is asked
    "test_assets": ("test_a_file_is_read_as_it_was_written", "test_assets_are_awaited"),
    "test_batch": ("test_an_atomic_batch_changes_nothing_if_one_item_fails", "test_batches_are_awaited"),
    "test_canonical_email": NO_STORE,
    "test_closing": ALL,  # sessions of the server end
    "test_contact_book": NO_STORE,
    "test_database": (
        "test_several_records_are_fetched_by_name",
        "test_nothing_crosses_between_environments",
        "test_erasure_can_keep_public_records_without_their_creator",
    ),
    "test_declarations": NO_STORE,
    "test_discovery": ("test_friends_are_found_in_the_order_of_the_book_each_once",),
    "test_docstrings": NO_STORE,  # other tests make the same calls
    "test_documentation": NO_STORE,
    "test_documents": (
        "test_a_conflict_is_resolved",
        "test_a_search_finds_what_satisfies_all_conditions",
        "test_a_function_is_called_for_changes",
        "test_documents_are_awaited",
    ),
    "test_equality": ("test_containers_of_two_stores_with_one_path_are_not_equal",),
    "test_errors": ("test_a_store_held_by_another_writer_is_unavailable", "test_no_reason_repeats_an_address"),
    "test_example": ALL,  # a whole program
    "test_field_values": NO_STORE,  # the store has sealed bytes, whatever the type
    "test_fork": ALL,  # connections do not survive a fork
    "test_generate_aio": NO_STORE,
    "test_generate_declarations": NO_STORE,
    "test_handle": NO_STORE,  # it counts objects
    "test_imports": NO_STORE,
    "test_interruption": ALL,  # signals while a call waits for the server
    "test_key_value_store": (  # commits of another service wake it
        "test_a_full_store_keeps_old_values_and_says_which_keys_it_refused",
        "test_a_device_reports_the_changes_of_others_once",
        "test_a_function_is_called_for_changes",
        "test_changes_are_awaited",
    ),
    "test_keys": ALL,  # no key file is beside a store on a server
    "test_lists": ("test_a_container_has_statistics", "test_people_are_imported_and_reported"),
    "test_loading": NO_STORE,
    "test_memory": ("test_memory_does_not_grow[emails]",),  # 25,000 answers of the server
    "test_notifications": (  # commits of another service wake it
        "test_a_notification_tells_of_the_record",
        "test_a_refused_notification_comes_again",
        "test_notifications_are_awaited",
    ),
    "test_operator": ("test_the_log_is_read_in_pages_and_forgets_erased_accounts",),
    "test_paths": NO_STORE,
    "test_private_discovery": ("test_private_discovery_finds_the_same_people_as_hashes",),
    "test_queries": ("test_predicates_take_values_of_all_types", "test_queries_are_awaited"),
    "test_quotas": ("test_a_full_database_takes_more_after_a_deletion", "test_an_archive_has_the_files_of_all_assets"),
    "test_record": ("test_a_stale_save_raises_with_the_stores_record",),
    "test_reference": ("test_a_parent_is_saved_changed_and_removed",),
    "test_roles": ("test_a_role_begins_and_ends_with_the_next_call",),
    "test_schema": ("test_schemas_are_awaited",),
    "test_service": ALL,  # addresses in the place of paths
    "test_session": ("test_a_decision_is_stored",),
    "test_zones": ("test_another_device_follows_a_zone_through_pages", "test_zones_and_changes_are_awaited"),
}


def is_chosen(item: pytest.Item, module: ModuleType) -> bool:
    chosen = CHOSEN[module.__name__.rpartition(".")[2]]
    return chosen == ALL or item.name in chosen or getattr(item, "originalname", None) in chosen


def check(module: ModuleType) -> None:
    """Fails if a file of tests was forgotten here, or a test was renamed."""
    name = module.__name__.rpartition(".")[2]
    if name not in CHOSEN:
        raise pytest.UsageError(f"{name}: say in on_server.py which of its tests are run on a server")
    missing = [test for test in CHOSEN[name] if CHOSEN[name] != ALL and not hasattr(module, test.partition("[")[0])]
    if missing:
        raise pytest.UsageError(f"{name} has no {missing[0]}, which on_server.py names")
