"""What an operator lists, counts, imports and deletes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path

import pytest

import kinfolk
from kinfolk import Discoverability

Friend = Callable[..., "tuple[kinfolk.Account, kinfolk.Session]"]

NOBODY = "_0123456789abcdef0123456789abcdef"


def test_accounts_are_found_or_created(service: kinfolk.Service) -> None:
    account, is_new = service.find_or_create_account("Ada@Example.com", "Ada", "Lovelace")
    assert is_new
    assert account.emails == (kinfolk.Email("Ada@Example.com", True, True),)
    again, is_new = service.find_or_create_account("ada@example.com", "Somebody", "Else")
    assert not is_new
    assert again == account
    assert (again.given_name, again.family_name) == ("Ada", "Lovelace")
    with pytest.raises(kinfolk.InvalidArgument):
        service.find_or_create_account("no address")


def test_accounts_are_listed_page_by_page(service: kinfolk.Service) -> None:
    assert service.account_ids() == []
    made = sorted(service.create_account().id for _ in range(5))
    listed, last = [], None
    while page := service.account_ids(last, limit=2):
        listed += page
        last = page[-1]
    assert listed == made
    assert service.account_ids(limit=0) == []
    for wrong in ("", "x", made[0].upper() + "!"):
        with pytest.raises(kinfolk.InvalidArgument):
            service.account_ids(wrong)


def test_containers_are_created_once_and_listed(service: kinfolk.Service) -> None:
    assert service.container_names == ()
    notes, is_new = service.open_or_create_container("com.example.notes")
    assert is_new
    assert service.open_or_create_container("com.example.notes") == (notes, False)
    service.open_or_create_container("com.example.chess")
    assert service.container_names == ("com.example.chess", "com.example.notes")


def test_a_container_is_deleted(service: kinfolk.Service, notes: kinfolk.Container, friend: Friend) -> None:
    account, session = friend("ada")
    friend("ben")
    told: list[tuple[int, int]] = []
    deletion = service.delete_container("com.example.notes", lambda done, total: told.append((done, total)))
    assert deletion.people == 2
    assert told[-1] == (2, 2)
    assert session.account_status is kinfolk.AccountStatus.NO_ACCOUNT
    for use in (lambda: notes.permits, lambda: notes.open_session(account)):
        with pytest.raises(kinfolk.UnknownItem):
            use()
    with pytest.raises(kinfolk.UnknownItem):
        service.delete_container("com.example.notes")
    assert service.container_names == ()


def test_limits_are_read_as_they_were_set(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    assert notes.permits == kinfolk.PermitLimit(20_000, 10.0, 100)
    assert notes.private_work == kinfolk.PrivateWorkLimit(None, None)
    assert notes.field_limit == 50
    notes.set_permits(7, 0.5, 3)
    notes.set_private_work(1_000, None)
    notes.set_field_limit(0)
    assert notes.permits == kinfolk.PermitLimit(capacity=7, per_hour=0.5, unverified_capacity=3)
    assert notes.private_work == kinfolk.PrivateWorkLimit(1_000, None)
    assert notes.field_limit == 0


def test_the_permits_left_of_a_person_are_read(notes: kinfolk.Container, session: kinfolk.Session) -> None:
    notes.set_permits(7, 0)
    assert session.permits_left == 7
    session.discover(kinfolk.ContactBook(["a@example.com", "b@example.com"]))
    assert session.permits_left == 5
    with pytest.raises(kinfolk.NotAuthenticated):
        _ = notes.open_anonymous_session().permits_left


def test_blocks_of_the_operator_are_listed_in_pages(notes: kinfolk.Container, friend: Friend) -> None:
    (_, ada), (_, ben) = friend("ada"), friend("ben")
    one, other = ada.user_record_id, ben.user_record_id
    assert notes.blocks() == []
    notes.block(one, other)
    notes.block(one, NOBODY)
    pairs = notes.blocks()
    assert {frozenset(pair) for pair in pairs} == {frozenset((one, other)), frozenset((one, NOBODY))}
    assert notes.blocks(limit=1) == pairs[:1]
    assert notes.blocks(pairs[0]) == pairs[1:]


def test_a_container_has_statistics(notes: kinfolk.Container, friend: Friend, service: kinfolk.Service) -> None:
    (_, ada), (account, _) = friend("ada"), friend("ben")
    notes.open_session(service.create_account()).set_discoverability(Discoverability.DENIED, "May they?", "1")
    notes.open_session(service.create_account())
    account.suspend()
    ada.discover(kinfolk.ContactBook(["a@example.com", "b@example.com"]))
    ada.block(NOBODY)
    numbers = notes.statistics()
    assert (numbers.people, numbers.granted, numbers.denied, numbers.undetermined) == (4, 2, 1, 1)
    assert (numbers.discoverable, numbers.suspended) == (1, 1)
    assert numbers.people_who_asked == 1
    assert numbers.permits_spent >= 2
    assert (numbers.blocks_by_people, numbers.blocks_by_operator, numbers.account_lookups) == (1, 0, 0)
    now = datetime.now(timezone.utc)
    assert [each.discoveries for each in numbers.activity] == [1]
    assert numbers.activity[0].day <= now
    assert numbers.opted_in[-1].people == 2


PEOPLE = """given_name,family_name,email,consent
Ada,Example,ada@example.com,yes
Ben,Example,ben@example.com ::: ben@example.org,no
Cy,Example,no address,
Dee,Example,dee@example.com,
"""


def test_people_are_imported_and_reported(service: kinfolk.Service, notes: kinfolk.Container, tmp_path: Path) -> None:
    file, told = tmp_path / "people.csv", []
    file.write_text(PEOPLE)
    with pytest.raises(kinfolk.InvalidArgument):
        notes.import_people(file)
    report = notes.import_people(file, "May they find you?", "7", lambda done, total: told.append((done, total)))
    assert (report.rows, report.created, report.granted, report.denied, report.undetermined) == (4, 3, 1, 1, 1)
    assert report.skipped == 1
    assert [skip.line for skip in report.skips] == [4]
    assert report.skips[0].name.isalpha()
    assert "no address" not in repr(report)
    assert told[-1] == (4, 4)
    assert service.find_account("ben@example.org").given_name == "Ben"
    again = notes.import_people(file, "May they find you?", "7")
    assert (again.created, again.skips[0].name) == (0, "addressTaken")
    with pytest.raises(kinfolk.UnknownItem):
        notes.import_people(tmp_path / "none.csv")


def test_an_exception_of_progress_ends_an_import(
    service: kinfolk.Service, notes: kinfolk.Container, tmp_path: Path
) -> None:
    error = LookupError("no window")

    def progress(done: int, total: int) -> None:
        raise error

    (tmp_path / "people.csv").write_text(PEOPLE)
    with pytest.raises(LookupError) as raised:
        notes.import_people(tmp_path / "people.csv", "May they find you?", "7", progress)
    assert raised.value is error
    assert service.account_ids() == []


def test_an_exception_of_progress_ends_a_deletion_and_the_next_call_resumes_it(
    service: kinfolk.Service, notes: kinfolk.Container, tmp_path: Path
) -> None:
    error = LookupError("no window")

    def progress(done: int, total: int) -> None:
        raise error

    count = 1_001  # a transaction deletes 1,000 people
    (tmp_path / "people.csv").write_text("email\n" + "".join(f"p{number}@example.com\n" for number in range(count)))
    assert notes.import_people(tmp_path / "people.csv").created == count
    with pytest.raises(LookupError) as raised:
        service.delete_container("com.example.notes", progress)
    assert raised.value is error
    with pytest.raises(kinfolk.Conflict):  # it is still being deleted
        service.open_or_create_container("com.example.notes")
    assert service.delete_container("com.example.notes").people == 1


def test_a_session_exports_its_container(notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    session = notes.open_session(ada)
    session.set_discoverability(Discoverability.GRANTED, "Dürfen Freunde dich finden?", "7")
    exported = session.export()
    for held in (session.user_record_id, "Dürfen Freunde dich finden?", "Ada", "com.example.notes"):
        assert held in exported
    assert ada.id not in exported
    with pytest.raises(kinfolk.NotAuthenticated):
        notes.open_anonymous_session().export()
