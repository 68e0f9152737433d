"""Paths that are not UTF-8: of stores, keys, copies and contacts."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

import kinfolk

LATIN = b"caf\xe9"


def names(folder: Path) -> set[bytes]:
    return set(os.listdir(os.fsencode(folder)))


@pytest.mark.files
@pytest.mark.parametrize(
    "kind", [bytes, os.fsdecode, lambda path: Path(os.fsdecode(path))], ids=["bytes", "str", "Path"]
)
def test_every_file_has_the_bytes_of_its_path(tmp_path: Path, kind: type) -> None:
    def path(suffix: bytes) -> str | bytes | Path:
        return kind(os.path.join(os.fsencode(tmp_path), LATIN + suffix))

    Path(os.fsdecode(path(b".txt"))).write_text("ada@example.com\n")
    with kinfolk.open(path(b".db"), key_file=path(b".key")) as service:
        service.create_account("Ada").add_email("ada@example.com", verified=True)
        assert kinfolk.ContactBook().add_file(path(b".txt")).added == 1
        service.back_up(path(b".backup"))
        service.copy(path(b".copy"))
        old = service.rotate_keys().old_key_file
        assert old is not None
        assert os.fsencode(old) == os.fsencode(path(b".key.1"))
    suffixes = [b".txt", b".db", b".key", b".key.1", b".key.counter", b".backup", b".copy"]
    assert names(tmp_path) == {LATIN + suffix for suffix in suffixes}
    for store, key in [(b".db", b".key"), (b".backup", b".key.1"), (b".copy", b".key.1")]:
        with kinfolk.open(path(store), key_file=path(key), create=False) as service:
            assert service.find_account("ada@example.com").given_name == "Ada"


@pytest.mark.files
def test_the_working_directory_may_have_a_name_that_is_not_utf_8(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = os.path.join(os.fsencode(tmp_path), LATIN)
    os.mkdir(folder)
    monkeypatch.chdir(os.fsdecode(folder))
    with kinfolk.open("kinfolk.db") as service:
        service.create_account("Ada")
    assert names(tmp_path) == {LATIN}
    assert {b"kinfolk.db", b"kinfolk.key"} <= set(os.listdir(folder))


@pytest.mark.files
def test_the_files_of_an_open_store_are_no_files_of_the_caller(tmp_path: Path) -> None:
    with kinfolk.open(tmp_path / "kinfolk.db") as service:
        notes = service.create_container("com.example.notes")
        notes.add_field("file", kinfolk.FieldType.ASSET, "Note")
        session = notes.open_session(service.create_account("Ada"))
        database = session.private_database
        record = kinfolk.Record("Note", "list", file=database.upload(b"other content"))
        database.save(record)
        asset = database.fetch("list")["file"]
        calls: list[Callable[[Path], object]] = [
            kinfolk.ContactBook.from_file,
            notes.import_people,
            database.upload,
            asset.save,
        ]
        for name in ["kinfolk.db", "kinfolk.db-wal", "kinfolk.db-shm", "kinfolk.key"]:
            for call in calls:
                with pytest.raises(kinfolk.InvalidArgument, match="open store"):
                    call(tmp_path / name)
        for name in ["kinfolk.db-journal", "kinfolk.key.new"]:
            with pytest.raises(kinfolk.Conflict):
                service.back_up(tmp_path / name)
        service.create_account("Grace")
