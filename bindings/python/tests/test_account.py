"""What an operator does with an account."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable

import pytest

import kinfolk

Person = Callable[..., kinfolk.Account]


def test_names_round_trip(service: kinfolk.Service) -> None:
    account = service.create_account("Zoë", "李")
    assert (account.given_name, account.family_name) == ("Zoë", "李")
    account.set_name("", "🌱")
    assert (account.given_name, account.family_name) == ("", "🌱")
    with pytest.raises(kinfolk.LimitExceeded):
        account.set_name("é" * 512 + "e", "")


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


def test_an_address_is_verified_by_its_code(service: kinfolk.Service) -> None:
    account = service.create_account("Ada")
    account.add_email("ada@example.com")
    with pytest.raises(kinfolk.UnknownItem):
        service.find_account("ada@example.com")
    mail = account.request_verification("Ada@example.com")
    assert mail is not None
    assert mail.recipient == "ada@example.com"
    assert re.fullmatch(r"[0-9A-Z]{4}-[0-9A-Z]{4}", mail.code)
    assert re.fullmatch(r"([0-9A-Z]{4}-){3}[0-9A-Z]{4}", mail.reader_pass)
    assert repr(mail) == "<kinfolk.VerificationMail>"
    with pytest.raises(kinfolk.PermissionFailure):
        account.verify_email("ada@example.com", "0000-0000")
    assert account.verify_email("ada@example.com", mail.code.lower()) is None
    assert service.find_account("ADA@example.com").id == account.id
    with pytest.raises(kinfolk.Conflict):
        account.request_verification("ada@example.com")


def test_a_pass_allows_a_mail_above_the_limit_of_the_address(service: kinfolk.Service) -> None:
    passes = []
    for _ in range(5):
        stranger = service.create_account()
        stranger.add_email("ada@example.com")
        mail = stranger.request_verification("ada@example.com")
        assert mail is not None
        passes.append(mail.reader_pass)
        stranger.erase()
    account = service.create_account("Ada")
    account.add_email("ada@example.com")
    assert account.request_verification("ada@example.com") is None
    with pytest.raises(kinfolk.PermissionFailure):
        account.verify_email("ada@example.com", "0000-0000")
    mail = account.request_verification("ada@example.com", reader_pass=passes[0])
    assert mail is not None
    assert account.verify_email("ada@example.com", mail.code) is None
    erasure = account.erase()
    assert erasure.mails_count_until is not None


def test_a_person_signs_in_by_a_code(ada: kinfolk.Account) -> None:
    mail = ada.request_verification("ada@example.com", kinfolk.CodePurpose.SIGN_IN)
    assert mail is not None
    with pytest.raises(kinfolk.UnknownItem):
        ada.verify_email("ada@example.com", mail.code)
    ada.confirm_sign_in("ada@example.com", mail.code)
    with pytest.raises(kinfolk.UnknownItem):
        ada.confirm_sign_in("ada@example.com", mail.code)


def test_an_address_of_another_account_is_claimed_and_moves_after_notice_and_wait(
    service: kinfolk.Service, person: Person
) -> None:
    old, new = person("ada", "Shared@example.com", "ada@example.com"), service.create_account("Ben")
    service.set_claim_wait(0)
    assert service.claim_wait == 0
    new.add_email("shared@example.com")
    mail = new.request_verification("shared@example.com")
    assert mail is not None
    claim = new.verify_email("shared@example.com", mail.code)
    assert claim is not None
    assert claim.state is kinfolk.ClaimState.AWAITING_NOTICE
    assert (claim.owner_id, claim.claimant_id) == (old.id, new.id)
    assert claim.notice == ("shared@example.com", "ada@example.com")
    assert claim.noticed_at is None
    assert "example.com" not in repr(claim)
    assert service.claims() == new.claims == old.claims == [claim]
    assert service.claims(after=claim.id) == service.claims(limit=0) == []

    service.acknowledge_notice(claim.id)
    (noticed,) = service.claims()
    assert noticed.state is kinfolk.ClaimState.COMPLETABLE
    assert noticed.noticed_at is not None
    assert new.add_email("shared@example.com", verified=True) is None
    assert service.find_account("shared@example.com").id == new.id
    service.transfer_email("shared@example.com", old)
    assert service.find_account("shared@example.com").id == old.id


def test_an_owner_refuses_and_the_operator_decides(service: kinfolk.Service, person: Person) -> None:
    old, new = person("ada", "shared@example.com"), service.create_account("Ben")
    claim = new.add_email("shared@example.com", verified=True)
    assert claim is not None
    with pytest.raises(kinfolk.Conflict):
        new.request_verification("shared@example.com", kinfolk.CodePurpose.REFUSE_CLAIM)
    mail = old.request_verification("shared@example.com", kinfolk.CodePurpose.REFUSE_CLAIM)
    assert mail is not None
    refused = old.refuse_claims("shared@example.com", mail.code)
    assert [each.state for each in refused] == [kinfolk.ClaimState.REFUSED]
    service.dismiss_claim(claim.id)
    assert [each.state for each in new.claims] == [kinfolk.ClaimState.DISMISSED]
    for wrong in (-1, 31 * 86_400.0, float("nan")):
        with pytest.raises(kinfolk.InvalidArgument):
            service.set_claim_wait(wrong)
    for call in (service.acknowledge_notice, service.dismiss_claim):
        with pytest.raises(kinfolk.UnknownItem):
            call("0" * 32)
        with pytest.raises(kinfolk.InvalidArgument):
            call("nonsense")


def test_resuming_ends_a_suspension(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    assert ada.is_suspended is False
    ada.suspend()
    assert ada.is_suspended is True
    assert session.account_status is kinfolk.AccountStatus.RESTRICTED
    ada.resume()
    assert session.account_status is kinfolk.AccountStatus.AVAILABLE


def test_an_export_is_json_with_all_stored_data(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    record = session.fetch_record()
    record["motto"] = "plant trees"
    session.save_record(record)
    export = ada.export()
    assert isinstance(json.loads(export), dict)
    for held in ("ada@example.com", "Ada", session.user_record_id, "com.example.notes", "plant trees"):
        assert held in export


def test_erasing_reports_what_was_deleted_and_leaves_nothing(
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


def test_two_spellings_have_one_canonical_form_and_hash() -> None:
    canonical = "ada@xn--bcher-kva.example"
    assert kinfolk.canonical_email(" ＡDA@Bücher.example\n") == canonical
    assert kinfolk.contact_hash(" ＡDA@Bücher.example\n") == hashlib.sha256(canonical.encode()).digest()


def test_an_invalid_address_has_no_canonical_form() -> None:
    for text in ("", "ada@", "a\0@example.com"):
        for call in (kinfolk.canonical_email, kinfolk.contact_hash):
            with pytest.raises(kinfolk.InvalidArgument):
                call(text)
