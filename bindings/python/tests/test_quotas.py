"""Quotas, the bytes that a person has stored, and archives with all of them."""

from __future__ import annotations

import io
import json
import os
import signal
import tarfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
from kinfolk import Database, FieldType, Quota, Record

if TYPE_CHECKING:
    from conftest import Store


@pytest.fixture
def notes(notes: kinfolk.Container) -> kinfolk.Container:
    notes.add_field("file", FieldType.ASSET, "Note")
    return notes


@pytest.fixture
def db(session: kinfolk.Session) -> Database:
    return session.private_database


def save(db: Database, content: bytes, name: str) -> None:
    db.save(Record("Note", name, file=db.upload(content)))


# Quotas


def test_quotas_are_set_and_removed(notes: kinfolk.Container) -> None:
    assert [notes.quota(each) for each in Quota] == [None, None, None, 250_000_000, None]
    for number, each in enumerate(Quota):
        notes.set_quota(each, 1000 + number)
    assert [notes.quota(each) for each in Quota] == [1000, 1001, 1002, 1003, 1004]
    for each in Quota:
        notes.set_quota(each, 0)
        assert notes.quota(each) == 0
        notes.set_quota(each, None)
        assert notes.quota(each) is None
    for wrong in (-1, 2**63):
        with pytest.raises(kinfolk.InvalidArgument):
            notes.set_quota(Quota.USER, wrong)
    with pytest.raises(TypeError, match=r"kinfolk\.Quota"):
        notes.quota(0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="int"):
        notes.set_quota(Quota.USER, "1 GB")  # type: ignore[arg-type]


def test_a_full_database_takes_more_after_a_deletion(notes: kinfolk.Container, db: Database) -> None:
    notes.set_quota(Quota.USER, 2_000_000)
    save(db, bytes(1_200_000), "first")
    with pytest.raises(kinfolk.QuotaExceeded) as raised:
        db.upload(bytes(1_200_000))
    assert raised.value.code is kinfolk.ErrorCode.QUOTA_EXCEEDED
    db.delete("first")
    save(db, bytes(1_200_000), "second")


def test_the_bytes_of_both_databases_are_read(notes: kinfolk.Container, session: kinfolk.Session, db: Database) -> None:
    assert session.storage_use() == (0, None, 0, None)
    notes.set_quota(Quota.USER, 3_000_000)
    notes.set_quota(Quota.CREATOR, 500_000)
    save(session.public_database, bytes(400_000), "public")
    save(db, bytes(1_200_000), "private")
    use = session.storage_use()
    assert 1_200_000 < use.private_bytes < 1_300_000
    assert 400_000 < use.public_bytes < 500_000
    assert (use.private_quota, use.public_quota) == (3_000_000, 500_000)
    with pytest.raises(kinfolk.NotAuthenticated):
        notes.open_anonymous_session().storage_use()


def test_statistics_have_the_bytes_and_the_assets(
    notes: kinfolk.Container, session: kinfolk.Session, db: Database
) -> None:
    save(db, bytes(300_000), "one")
    save(session.public_database, bytes(10), "two")
    statistics = notes.statistics()
    assert statistics.assets == 2
    assert statistics.private_bytes == session.storage_use().private_bytes
    assert statistics.public_bytes > 10
    assert 300_010 < statistics.asset_bytes < statistics.private_bytes + statistics.public_bytes


def test_wrong_counts_are_corrected(
    service: kinfolk.Service, session: kinfolk.Session, db: Database, store: Store
) -> None:
    save(db, bytes(300_000), "note")
    before = session.storage_use()
    store.run("UPDATE record_bytes SET bytes = bytes + 1000")
    assert session.storage_use().private_bytes == before.private_bytes + 1000
    assert [each.kind for each in service.check().findings] == [kinfolk.FindingKind.MISCOUNTED]
    service.recount_bytes()
    assert session.storage_use() == before
    assert service.check().is_sound


# Archives


def check_archive(archive: bytes, files: list[bytes]) -> dict[str, Any]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        members = {each.name: tar.extractfile(each) for each in tar}
        contents = {name: file.read() for name, file in members.items() if file is not None}
    export: dict[str, Any] = json.loads(contents.pop("export.json"))
    assert sorted(contents.values()) == sorted(files)
    assert all(name.startswith("assets/") and name in json.dumps(export) for name in contents)
    return export


class Slow(io.RawIOBase):
    """A file that writes a part at a time."""

    def __init__(self) -> None:
        self.content = b""

    def write(self, data: Any) -> int:
        part = bytes(data)[:100_000]
        self.content += part
        return len(part)


class Silent:
    """A file object whose write() returns nothing."""

    def __init__(self) -> None:
        self.content = b""

    def write(self, data: bytes) -> None:
        self.content += data


def test_an_archive_has_the_files_of_all_assets(
    ada: kinfolk.Account, session: kinfolk.Session, db: Database, tmp_path: Path
) -> None:
    large = os.urandom(2_500_000)
    save(db, large, "one")
    save(session.public_database, b"text", "two")
    for exporter in (ada, session):
        with (tmp_path / "archive.tar").open("wb") as file:
            exporter.export_archive(file)
        archive = (tmp_path / "archive.tar").read_bytes()
        exported = check_archive(archive, [large, b"text"])
        assert exported.keys() == json.loads(exporter.export()).keys()
        for other in (Slow(), Silent()):
            exporter.export_archive(other)
            assert other.content == archive
        with pytest.raises(TypeError, match="binary file object"):
            exporter.export_archive(5)  # type: ignore[arg-type]


def test_a_file_that_fails_ends_an_archive(ada: kinfolk.Account, session: kinfolk.Session) -> None:
    class Full:
        pieces = 0

        def write(self, data: bytes) -> int:
            self.pieces += 1
            raise OSError("no space")

    for exporter in (ada, session):
        file = Full()
        with pytest.raises(OSError, match="no space"):
            exporter.export_archive(file)
        assert file.pieces == 1
        with pytest.raises(TypeError):
            exporter.export_archive(io.StringIO())  # type: ignore[arg-type]


def test_ctrl_c_ends_an_archive(ada: kinfolk.Account) -> None:
    class Interrupting:
        def write(self, data: bytes) -> int:
            os.kill(os.getpid(), signal.SIGINT)
            return len(data)

    with pytest.raises(KeyboardInterrupt):
        ada.export_archive(Interrupting())
