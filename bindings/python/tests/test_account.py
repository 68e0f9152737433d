"""What an operator does with an account."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import kinfolk

Person = Callable[..., kinfolk.Account]


def test_names_are_read_as_they_were_written(service: kinfolk.Service) -> None:
    account = service.create_account("Zoë", "李")
    assert (account.given_name, account.family_name) == ("Zoë", "李")
    account.set_name("", "🌱")
    assert (account.given_name, account.family_name) == ("", "🌱")


def test_a_name_has_1024_bytes_at_most(service: kinfolk.Service) -> None:
    service.create_account("é" * 512)
    with pytest.raises(kinfolk.LimitExceeded):
        service.create_account("é" * 512 + "e")


def test_addresses_are_listed_as_they_were_spelled(service: kinfolk.Service) -> None:
    account = service.create_account()
    account.add_email("Ada@Example.com")
    account.add_email("ada@example.org", verified=True)
    account.set_email_discoverable("ada@example.org", False)
    assert account.emails == (
        kinfolk.Email("Ada@Example.com", is_verified=False, is_discoverable=True),
        kinfolk.Email("ada@example.org", is_verified=True, is_discoverable=False),
    )
    account.remove_email("ada@EXAMPLE.com")
    assert [email.address for email in account.emails] == ["ada@example.org"]


def test_an_address_counts_once_its_code_came_back(service: kinfolk.Service) -> None:
    account = service.create_account("Ada")
    account.add_email("ada@example.com")
    with pytest.raises(kinfolk.UnknownItem):
        service.find_account("ada@example.com")
    code = account.request_verification("ada@example.com")
    assert len(code) >= 6
    assert code.isdigit()
    with pytest.raises(kinfolk.PermissionFailure):
        account.verify_email("ada@example.com", "000000" if code != "000000" else "111111")
    account.verify_email("ada@example.com", code)
    assert service.find_account("ADA@example.com").id == account.id
    with pytest.raises(kinfolk.Conflict):
        account.request_verification("ada@example.com")


def test_after_five_tries_a_code_is_spent(service: kinfolk.Service) -> None:
    account = service.create_account("Ada")
    account.add_email("ada@example.com")
    code = account.request_verification("ada@example.com")
    for _ in range(5):
        with pytest.raises(kinfolk.PermissionFailure):
            account.verify_email("ada@example.com", "x")
    with pytest.raises(kinfolk.LimitExceeded):
        account.verify_email("ada@example.com", code)


def test_after_five_codes_the_wait_is_told_in_seconds(service: kinfolk.Service) -> None:
    account = service.create_account("Ada")
    account.add_email("ada@example.com")
    for _ in range(5):
        account.request_verification("ada@example.com")
    with pytest.raises(kinfolk.RequestRateLimited) as raised:
        account.request_verification("ada@example.com")
    assert 23 * 3600 < raised.value.retry_after <= 24 * 3600


def test_who_proves_an_address_anew_takes_it(service: kinfolk.Service, person: Person) -> None:
    old = person("ada", "shared@example.com")
    new = person("ben", "shared@example.com")
    assert service.find_account("shared@example.com").id == new.id
    assert old.emails == ()


def test_suspending_ends_with_resuming(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    assert ada.is_suspended is False
    ada.suspend()
    assert ada.is_suspended is True
    assert session.account_status is kinfolk.AccountStatus.RESTRICTED
    ada.resume()
    assert session.account_status is kinfolk.AccountStatus.AVAILABLE


def test_an_export_is_json_with_all_that_is_held(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    record = session.fetch_record()
    record["motto"] = "plant trees"
    session.save_record(record)
    export = ada.export()
    assert isinstance(json.loads(export), dict)
    for held in ("ada@example.com", "Ada", session.user_record_id, "com.example.notes", "plant trees"):
        assert held in export


def test_erasing_says_what_was_removed_and_leaves_nothing(
    service: kinfolk.Service, ada: kinfolk.Account, session: kinfolk.Session
) -> None:
    identifier, record = session.user_record_id, session.fetch_record()
    record["motto"] = "plant trees"
    session.save_record(record)
    erasure = ada.erase()
    assert (erasure.email_count, erasure.container_count) == (1, 1)
    assert erasure.record_count >= 1
    assert isinstance(erasure.is_pending, bool)
    assert session.account_status is kinfolk.AccountStatus.NO_ACCOUNT
    for call in (lambda: ada.given_name, ada.export, ada.erase, lambda: service.open_account(ada.id)):
        with pytest.raises(kinfolk.UnknownItem):
            call()
    with pytest.raises(kinfolk.UnknownItem):
        session.fetch_record(identifier)
    with pytest.raises(kinfolk.NotAuthenticated):
        session.fetch_record()


@pytest.mark.parametrize(
    ("spelling", "canonical"),
    [
        (" Ada@Example.COM\n", "ada@example.com"),
        ("ＡＤＡ@example.com", "ada@example.com"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"),
        ("a.d.a+x@example.com", "a.d.a+x@example.com"),
    ],
)
def test_two_spellings_have_one_canonical_form_and_hash(spelling: str, canonical: str) -> None:
    import hashlib

    assert kinfolk.canonical_email(spelling) == canonical
    assert kinfolk.contact_hash(spelling) == hashlib.sha256(canonical.encode()).digest()


@pytest.mark.parametrize("text", ["", "ada", "@example.com", "ada@", "a" * 250 + "@example.com", "a b@example.com"])
def test_what_is_no_address_has_no_canonical_form(text: str) -> None:
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.canonical_email(text)
    with pytest.raises(kinfolk.InvalidArgument):
        kinfolk.contact_hash(text)
