"""References to other records, and parents."""

from __future__ import annotations

from typing import Any

import pytest

import kinfolk
from kinfolk import FieldType, Record, Reference, ReferenceAction

SOMEBODY = "_" + "0123456789abcdef" * 2


def test_a_reference_names_a_record_or_a_user_record() -> None:
    note = Record("Note", "shopping")
    reference = Reference(note, ReferenceAction.DELETE_SELF)
    assert (reference.name, reference.zone, reference.action) == (
        "shopping",
        "_defaultZone",
        ReferenceAction.DELETE_SELF,
    )
    assert reference.user_record_id is None
    assert Reference(SOMEBODY).user_record_id == SOMEBODY
    assert reference == Reference("shopping", ReferenceAction.DELETE_SELF)
    assert len({reference, Reference("shopping", ReferenceAction.DELETE_SELF), Reference("shopping")}) == 2
    assert reference != "shopping"
    assert "shopping" not in repr(reference)


@pytest.mark.parametrize("arguments", [(1,), (None,), ("a", 1), ("a", "none")])
def test_wrong_types_are_a_type_error(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError):
        Reference(*arguments)
    with pytest.raises(TypeError):
        Reference(Record("Note"), zone="_defaultZone")


@pytest.mark.parametrize("action", ReferenceAction)
def test_actions_are_kept_in_a_record(action: ReferenceAction) -> None:
    record = Record("Item", list=Reference("shopping", action), lists=[Reference("a", action), Reference(SOMEBODY)])
    assert record["list"] == Reference("shopping", action)
    assert record["lists"] == (Reference("a", action), Reference(SOMEBODY))
    assert record.field_type("lists") is FieldType.REFERENCE_LIST


def test_a_parent_is_saved_changed_and_removed(session: kinfolk.Session) -> None:
    db = session.public_database
    shopping = Record("List", "shopping")
    item = Record("Item", "milk")
    assert item.parent is None
    item.parent = shopping
    assert item.parent == Reference("shopping")
    db.save(item)
    fetched = db.fetch("milk")
    assert fetched.parent == Reference("shopping")
    fetched.parent = "another"
    db.save(fetched)
    assert db.fetch("milk").parent == Reference("another")
    fetched.parent = Reference("third")
    assert fetched.parent == Reference("third")
    fetched.parent = None
    db.save(fetched)
    assert db.fetch("milk").parent is None


def test_a_parent_that_fits_no_record_is_refused(session: kinfolk.Session) -> None:
    item = Record("Item", "milk")
    for parent in ("", "_x", SOMEBODY, "x" * 256, Reference("shopping", ReferenceAction.VALIDATE)):
        with pytest.raises(kinfolk.InvalidArgument):
            item.parent = parent
    with pytest.raises(TypeError):
        item.parent = 1  # type: ignore[assignment]
    assert item.parent is None
    own = session.fetch_record()
    own.parent = item
    session.save_record(own)
    assert session.fetch_record().parent == Reference("milk")


def test_records_are_deleted_with_their_target(session: kinfolk.Session) -> None:
    db = session.public_database
    shopping = Record("List", "shopping")
    milk = Record("Item", "milk", list=Reference(shopping, ReferenceAction.DELETE_SELF))
    milk.parent = shopping
    with pytest.raises(kinfolk.ReferenceViolation):
        db.save(milk)
    with db.batch(atomic=True) as batch:
        batch.create(milk)
        batch.create(shopping)
    assert db.back_references(shopping) == [
        kinfolk.BackReference("milk", "Item", kinfolk.BackReferenceKind.PARENT),
        kinfolk.BackReference("milk", "Item", kinfolk.BackReferenceKind.DELETE_SELF),
    ]
    assert db.back_references("milk") == []
    with pytest.raises(kinfolk.UnknownItem):
        db.back_references("nothing")
    note = Record("Note", "note", items=[Reference(milk, ReferenceAction.VALIDATE)])
    db.save(note)
    with pytest.raises(kinfolk.ReferenceViolation):
        db.delete(shopping)
    with db.batch() as batch:
        batch.delete(shopping)
        batch.delete(note)
    names = [deleted.name for deleted in batch.deleted]
    assert names == ["shopping", "milk", "note"]
    db.save(Record("List", "shopping"))
    assert db.delete("shopping") == (kinfolk.DeletedRecord("shopping", "_defaultZone", "List"),)


def test_more_back_references_than_a_page_are_listed(session: kinfolk.Session) -> None:
    db = session.public_database
    shopping = Record("List", "shopping")
    db.save(shopping)
    for start in (0, 400):
        with db.batch() as batch:
            for number in range(start, start + 400):
                item = Record("Item", f"item{number}")
                item.parent = shopping
                batch.create(item)
    assert len({reference.name for reference in db.back_references(shopping)}) == 800
