"""The exceptions: their built-in bases, what they carry, what they say."""

from __future__ import annotations

import contextlib
import copy
import errno
import pickle
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

import kinfolk

if TYPE_CHECKING:
    from conftest import Store

ERRORS = [
    *(kinfolk._failures.BY_CODE[code] for code in kinfolk.ErrorCode),  # type: ignore[attr-defined]
    kinfolk.UnknownFile,
]


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (kinfolk.InvalidArgument, ValueError),
        (kinfolk.UnknownItem, KeyError),
        (kinfolk.UnknownFile, KeyError),
        (kinfolk.UnknownFile, FileNotFoundError),
        (kinfolk.NotAuthenticated, PermissionError),
        (kinfolk.PermissionFailure, PermissionError),
        (kinfolk.ServiceUnavailable, OSError),
        (kinfolk.InternalError, RuntimeError),
    ],
)
def test_an_exception_inherits_the_matching_builtin(error: type[Exception], builtin: type[Exception]) -> None:
    assert issubclass(error, builtin)


@pytest.mark.parametrize("error", ERRORS)
def test_an_exception_prints_its_reason_as_it_is(error: type[kinfolk.KinfolkError]) -> None:
    # KeyError would put it in quotes, and OSError look for a number.
    assert issubclass(error, kinfolk.KinfolkError)
    assert str(error("there is none")) == "there is none"
    assert error("there is none").reason == "there is none"


@pytest.mark.parametrize("error", ERRORS)
def test_an_exception_can_be_pickled(error: type[kinfolk.KinfolkError]) -> None:
    original = error("a reason")
    copied = pickle.loads(pickle.dumps(original))  # noqa: S301
    assert type(copied) is error
    assert copied.reason == "a reason"
    assert copied.code is error.code


def test_a_pickled_rate_limit_keeps_its_seconds() -> None:
    original = kinfolk.RequestRateLimited("too often", 12.5)
    assert pickle.loads(pickle.dumps(original)).retry_after == 12.5  # noqa: S301


def test_a_pickled_exception_keeps_its_unknown_outcome() -> None:
    original = kinfolk.ServiceUnavailable("a reason", in_doubt=True)
    assert pickle.loads(pickle.dumps(original)).in_doubt  # noqa: S301
    assert not pickle.loads(pickle.dumps(kinfolk.ServiceUnavailable("a reason"))).in_doubt  # noqa: S301


@pytest.mark.parametrize("in_doubt", [False, True])
def test_an_unknown_outcome_is_in_the_exception(monkeypatch: pytest.MonkeyPatch, in_doubt: bool) -> None:
    monkeypatch.setattr(kinfolk._ffi.lib, "kinfolk_error_in_doubt", lambda: in_doubt)  # type: ignore[attr-defined]
    with pytest.raises(kinfolk.ServiceUnavailable) as raised:
        kinfolk._failures.check_error(kinfolk.ErrorCode.SERVICE_UNAVAILABLE, None, ())  # type: ignore[attr-defined]
    assert raised.value.in_doubt is in_doubt


@pytest.mark.files
@pytest.mark.parametrize(
    "call",
    [
        lambda w: kinfolk.open(w.missing, create=False),
        lambda w: kinfolk.open(w.missing / "kinfolk.db"),
        lambda w: kinfolk.accept_older(w.missing),
        lambda w: kinfolk.restore(w.missing.with_name("new.db"), w.missing),
        lambda w: kinfolk.ContactBook.from_file(w.missing),
        lambda w: kinfolk.ContactBook().add_file(w.missing),
        lambda w: w.service.back_up(w.missing / "copy.db"),
        lambda w: w.service.copy(w.missing / "copy.db"),
        lambda w: w.service.rotate_keys(new_key_file=w.missing / "kinfolk.key"),
        lambda w: w.notes.import_people(w.missing),
    ],
)
def test_a_missing_file_is_a_file_that_is_not_found(
    call: Callable[[SimpleNamespace], object], service: kinfolk.Service, notes: kinfolk.Container, tmp_path: Path
) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        call(SimpleNamespace(service=service, notes=notes, missing=tmp_path / "missing"))
    assert type(raised.value) is kinfolk.UnknownFile
    assert raised.value.errno == errno.ENOENT
    assert raised.value.code is kinfolk.ErrorCode.UNKNOWN_ITEM


def test_an_unknown_item_of_the_store_is_no_file(
    service: kinfolk.Service, notes: kinfolk.Container, tmp_path: Path
) -> None:
    people = tmp_path / "people.csv"
    people.write_text("email\nada@example.com\n")
    service.delete_container(notes.name)
    for call in (lambda: service.find_account("nobody@example.com"), lambda: notes.import_people(people)):
        with pytest.raises(kinfolk.UnknownItem) as raised:
            call()
        assert not isinstance(raised.value, OSError)


def test_the_class_is_named_after_the_package() -> None:
    assert repr(kinfolk.UnknownItem) == "<class 'kinfolk.UnknownItem'>"
    assert repr(kinfolk.Session) == "<class 'kinfolk.Session'>"


def test_the_message_of_a_failure_is_a_sentence(service: kinfolk.Service) -> None:
    with pytest.raises(kinfolk.UnknownItem) as raised:
        service.open_container("com.example.nowhere")
    assert raised.value.code is kinfolk.ErrorCode.UNKNOWN_ITEM
    assert " " in raised.value.reason


def test_no_reason_repeats_an_address(service: kinfolk.Service) -> None:
    with pytest.raises(kinfolk.UnknownItem) as unknown:
        service.find_account("zoe@example.com")
    with pytest.raises(kinfolk.InvalidArgument) as malformed:
        service.find_account("zoe@@example")
    assert "zoe" not in str(unknown.value) + str(malformed.value)


def test_an_object_with_a_handle_cannot_be_copied_or_pickled(service: kinfolk.Service) -> None:
    with pytest.raises(TypeError):
        copy.copy(service)
    with pytest.raises(TypeError):
        pickle.dumps(service)


def test_a_store_held_by_another_writer_is_unavailable(
    store: Store, held: Callable[[], AbstractContextManager[None]]
) -> None:
    store.open().close()
    with store.open(wait=0) as impatient:
        with held(), pytest.raises(kinfolk.ServiceUnavailable) as raised:
            impatient.create_account("Ada", "Example")
        # A server may take a moment to see that the other writer has gone.
        while True:
            with contextlib.suppress(kinfolk.ServiceUnavailable):
                impatient.create_account("Ada", "Example")
                break
            time.sleep(0.01)
    assert isinstance(raised.value, OSError)
