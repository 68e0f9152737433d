"""Assets: files of records."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import shutil
import signal
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Database, FieldType, Record

if TYPE_CHECKING:
    from conftest import Store

LARGE = os.urandom(3_000_000)


@pytest.fixture
def notes(notes: kinfolk.Container) -> kinfolk.Container:
    for name, kind in (("file", FieldType.ASSET), ("files", FieldType.ASSET_LIST), ("title", FieldType.STRING)):
        notes.add_field(name, kind, "Note")
    return notes


@pytest.fixture
def db(session: kinfolk.Session) -> Database:
    return session.private_database


def saved(db: Database, asset: kinfolk.Asset, name: str = "note") -> Record:
    note = Record("Note", name, file=asset)
    db.save(note)
    return note


# Content


@pytest.mark.parametrize("size", [0, 3_000_000])
def test_a_file_is_read_as_it_was_written(db: Database, size: int) -> None:
    content = LARGE[:size]
    asset = db.upload(content)
    assert (asset.size, asset.sha256) == (size, hashlib.sha256(content).digest())
    saved(db, asset)
    copy = db.fetch("note")["file"]
    assert isinstance(copy, kinfolk.Asset)
    assert copy == asset
    assert hash(copy) == hash(asset)
    assert copy.read() == content
    assert copy.read(size // 2) == content[size // 2 :]
    assert copy.read(size // 2, 10) == content[size // 2 : size // 2 + 10]
    assert copy.read(size) == copy.read(size + 1, 5) == copy.read(2**62) == b""
    assert copy.read(0, 0) == b""


def test_a_stream_reads_from_any_position(db: Database) -> None:
    asset = db.upload(LARGE)
    with asset.open() as stream:
        assert isinstance(stream, io.BufferedReader)
        assert stream.readable()
        assert stream.seekable()
        assert not stream.writable()
        assert stream.read(10) == LARGE[:10]
        assert stream.tell() == 10
        assert stream.seek(-5, io.SEEK_END) == len(LARGE) - 5
        assert stream.read() == LARGE[-5:]
        assert stream.read() == b""
        assert stream.seek(1_000_000) == 1_000_000
        assert stream.seek(7, io.SEEK_CUR) == 1_000_007
        assert stream.read(100) == LARGE[1_000_007:1_000_107]
        assert stream.seek(2**40) == 2**40
        assert stream.read(1) == b""
        with pytest.raises(ValueError, match="negative"):
            stream.seek(-1)
        stream.seek(0)
        copy = io.BytesIO()
        shutil.copyfileobj(stream, copy)
        assert copy.getvalue() == LARGE
        buffer = bytearray(11)
        stream.seek(5)
        assert stream.readinto(buffer) == 11
        assert buffer == LARGE[5:16]
        raw = stream.raw
        with pytest.raises(ValueError, match="whence"):
            raw.seek(0, 9)
    with pytest.raises(ValueError, match="closed"):
        stream.read()
    for call in (lambda: raw.seek(0), raw.tell, lambda: raw.readinto(buffer)):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_lines_are_read_from_a_stream(db: Database) -> None:
    with io.TextIOWrapper(db.upload("eins\nzwei\nfünf\n".encode()).open(), "utf-8") as lines:
        assert list(lines) == ["eins\n", "zwei\n", "fünf\n"]


def test_lists_keep_their_order(db: Database) -> None:
    assets = [db.upload(text) for text in (b"one", b"twelve", b"")]
    note = Record("Note", "note", files=[*assets, assets[0]])
    assert note.field_type("files") is FieldType.ASSET_LIST
    db.save(note)
    copy = db.fetch("note")
    assert [each.read() for each in copy["files"]] == [b"one", b"twelve", b"", b"one"]
    assert copy == note
    note["files"] = []
    assert note["files"] == ()
    note.set("more", [], FieldType.ASSET_LIST)
    assert note.field_type("more") is FieldType.ASSET_LIST


def test_a_new_record_reads_its_asset(db: Database) -> None:
    note = Record("Note", "note")
    note["file"] = db.upload(b"text")
    assert note["file"].read() == b"text"
    note.set("other", db.upload(b"text"), FieldType.ASSET)
    assert note["other"] == note["file"]
    with pytest.raises(TypeError, match=r"kinfolk\.Asset"):
        note.set("file", b"text", FieldType.ASSET)
    with pytest.raises(TypeError, match=r"an element of files must be a kinfolk\.Asset"):
        note.set("files", [db.upload(b"text"), b"text"], FieldType.ASSET_LIST)
    with pytest.raises(TypeError, match="mix types"):
        note["files"] = [db.upload(b"text"), b"text"]


def records_of(db: Database, session: kinfolk.Session) -> dict[str, Record]:
    """The same record, from all calls that return records."""
    note = db.fetch("note")
    with db.batch() as batch:
        batch.update(note)
    stale = db.fetch("note")
    stale["title"] = "stale"
    db.save(db.fetch("note"))
    with pytest.raises(kinfolk.ServerRecordChanged) as changed:
        db.save(stale)
    with pytest.raises(kinfolk.ServerRecordChanged) as not_deleted:
        db.delete("note", stale.change_tag)
    batch = db.batch()
    batch.update(stale)
    (failed,) = batch.run()
    assert isinstance(failed.error, kinfolk.ServerRecordChanged)
    found = {
        "batch": note,
        "fetch": db.fetch("note"),
        "fetch_many": db.fetch_many(["note"])["note"],
        "query": next(iter(db.query("Note"))),
        "changed": changed.value.server_record,
        "not_deleted": not_deleted.value.server_record,
        "failed": failed.error.server_record,
    }
    return {name: record for name, record in found.items() if record is not None}


def test_each_call_returns_records_with_readable_assets(db: Database, session: kinfolk.Session) -> None:
    saved(db, db.upload(b"text"))
    found = records_of(db, session)
    assert len(found) == 7
    for name, record in found.items():
        assert record["file"].read() == b"text", name


def test_user_records_and_changes_have_readable_assets(
    db: Database, session: kinfolk.Session, notes: kinfolk.Container
) -> None:
    public = session.public_database
    mine = session.fetch_record()
    mine["photo"] = public.upload(b"me")
    session.save_record(mine)
    assert session.fetch_record()["photo"].read() == b"me"
    stale = session.fetch_record()
    session.save_record(mine, kinfolk.SavePolicy.ALL_KEYS)
    stale["photo"] = public.upload(b"other")
    with pytest.raises(kinfolk.ServerRecordChanged) as changed:
        session.save_record(stale)
    assert changed.value.server_record is not None
    assert changed.value.server_record["photo"].read() == b"me"
    db.save_zone("Notes")
    db.save(Record("Note", "note", zone="Notes", file=db.upload(b"text", zone="Notes")))
    (page,) = db.all_zone_changes("Notes")
    assert page.records[0]["file"].read() == b"text"


def test_a_record_outlives_its_database(store: Store) -> None:
    with store.open() as service:
        notes = service.create_container("com.example.notes")
        notes.add_field("file", FieldType.ASSET, "Note")
        session = notes.open_session(service.create_account())
        with session.private_database as db:
            note, asset = saved(db, db.upload(b"text")), db.fetch("note")["file"]
        with pytest.raises(kinfolk.InvalidArgument):
            note["file"].read()
        assert asset.read() == b"text"
        assert note["file"] == asset
    assert (note["file"].size, asset.size) == (4, 4)
    assert asset.sha256 == hashlib.sha256(b"text").digest()
    with pytest.raises(ValueError, match="the asset is closed"):
        asset.read()
    with pytest.raises(ValueError, match="the asset is closed"):
        asset.open()
    assert store.is_closed()


def test_nothing_printed_tells_the_content(db: Database) -> None:
    asset = db.upload(b"secret")
    assert repr(asset) == "<kinfolk.Asset 6 bytes>"
    asset.close()
    assert repr(asset) == "<kinfolk.Asset (closed)>"
    with pytest.raises(TypeError, match="help"):
        kinfolk.Asset(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="help"):
        kinfolk.Upload(None)  # type: ignore[arg-type]


# Sources


class Pieces(io.RawIOBase):
    """A source that cannot seek, and returns a few bytes at a time."""

    def __init__(self, content: bytes, piece: int) -> None:
        self._rest, self._piece = content, piece

    def read(self, count: int = -1) -> bytes:
        piece, self._rest = self._rest[: self._piece], self._rest[self._piece :]
        return piece


def test_paths_bytes_and_file_objects_are_uploaded(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "source"
    path.write_bytes(LARGE)
    with path.open("rb") as file, path.open("rb") as after:
        after.seek(10)
        sources: list[tuple[Any, bytes]] = [
            (path, LARGE),
            (str(path), LARGE),
            (LARGE, LARGE),
            (bytearray(LARGE), LARGE),
            (memoryview(LARGE)[5:], LARGE[5:]),
            (memoryview(LARGE).cast("I"), LARGE),
            (file, LARGE),
            (after, LARGE[10:]),
            (io.BytesIO(LARGE), LARGE),
            (Pieces(LARGE[:5000], 7), LARGE[:5000]),
            (b"", b""),
            (io.BytesIO(), b""),
        ]
        for source, content in sources:
            asset = db.upload(source)
            assert (asset.size, asset.sha256) == (len(content), hashlib.sha256(content).digest()), source


def test_other_sources_are_refused(db: Database, tmp_path: Path) -> None:
    class Waiting:
        def read(self, count: int) -> None:
            return None

    for source in (5, None, ["a"], object()):
        with pytest.raises(TypeError, match="source must be a path, bytes or a binary file object"):
            db.upload(source)  # type: ignore[arg-type]
    for text in (io.StringIO("text"), io.StringIO()):
        with pytest.raises(TypeError, match="for reading bytes"):
            db.upload(text)  # type: ignore[arg-type]
    with pytest.raises(BlockingIOError):
        db.upload(Waiting())  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress"):
        db.upload(b"text", progress=5)  # type: ignore[arg-type]
    with pytest.raises(kinfolk.InvalidArgument):
        db.upload(str(tmp_path / "a\0b"))


def test_a_missing_file_is_a_file_that_is_not_found(db: Database, tmp_path: Path) -> None:
    asset = db.upload(b"text")
    for call in (db.upload, asset.save):
        with pytest.raises(kinfolk.InvalidArgument):
            call(tmp_path)
        with pytest.raises(kinfolk.AssetFileNotFound) as raised:
            call(tmp_path / "none" / "file")
        assert isinstance(raised.value, FileNotFoundError)
        assert raised.value.errno == 2


def test_an_asset_is_saved_to_a_file(db: Database, tmp_path: Path) -> None:
    asset, told = db.upload(LARGE), []
    path = tmp_path / "copy"
    path.write_bytes(b"old")
    asset.save(path, progress=lambda done, total: told.append((done, total)))
    assert path.read_bytes() == LARGE
    assert told[-1] == (len(LARGE), len(LARGE))
    assert told == sorted(told)
    name = os.fsencode(tmp_path) + b"/\xff"
    asset.save(name)
    assert db.upload(Path(os.fsdecode(name))) == asset


@pytest.mark.parametrize("kind", ["path", "bytes", "file", "stream"])
def test_progress_is_told_and_may_end_the_work(
    db: Database, session: kinfolk.Session, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "source"
    path.write_bytes(LARGE)

    def source() -> Any:
        return {
            "path": lambda: path,
            "bytes": lambda: LARGE,
            "file": lambda: io.BytesIO(LARGE),
            "stream": lambda: Pieces(LARGE, 1_000_000),
        }[kind]()

    told: list[tuple[int, int]] = []
    db.upload(source(), progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (len(LARGE), 0 if kind == "stream" else len(LARGE))
    assert told == sorted(told)
    assert len(told) > 1
    error = LookupError("no window")

    def end(done: int, total: int) -> None:
        raise error

    before = session.storage_use()
    with pytest.raises(LookupError) as raised:
        db.upload(source(), progress=end)
    assert raised.value is error
    assert session.storage_use() == before


def test_a_file_that_changes_is_refused(db: Database, tmp_path: Path) -> None:
    path = tmp_path / "source"
    path.write_bytes(LARGE)

    def change(done: int, total: int) -> None:
        with path.open("ab") as file:
            file.write(b"more")

    with pytest.raises(kinfolk.AssetFileModified) as raised:
        db.upload(path, progress=change)
    assert isinstance(raised.value, OSError)


def test_ctrl_c_ends_an_upload_and_a_saving(db: Database, session: kinfolk.Session, tmp_path: Path) -> None:
    path, copy = tmp_path / "source", tmp_path / "copy"
    path.write_bytes(LARGE)
    asset = db.upload(path)
    before = session.storage_use()

    def interrupt(done: int, total: int) -> None:
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        db.upload(path, progress=interrupt)
    with pytest.raises(KeyboardInterrupt):
        asset.save(copy, progress=interrupt)
    assert session.storage_use() == before
    assert [each.name for each in tmp_path.iterdir() if "copy" in each.name or "part" in each.name] == []


# Uploads


def test_an_upload_is_written_in_pieces(db: Database) -> None:
    with db.begin_upload() as upload:
        for start in range(0, len(LARGE), 777_777):
            upload.write(LARGE[start : start + 777_777])
        assert upload.size == len(LARGE)
        asset = upload.finish()
        assert upload.finish() == asset
        upload.cancel()
    assert upload.closed
    assert asset.read() == LARGE
    with pytest.raises(ValueError, match="the upload is closed"):
        upload.write(b"more")
    with db.begin_upload() as other:
        with pytest.raises(TypeError, match="bytes"):
            other.write("text")  # type: ignore[arg-type]
        other.write(memoryview(LARGE).cast("I"))
        assert other.finish() == asset


def test_a_block_that_does_not_finish_cancels(db: Database, session: kinfolk.Session) -> None:
    before = session.storage_use()

    def fail() -> None:
        with db.begin_upload() as upload:
            upload.write(LARGE)
            assert session.storage_use().private_bytes > before.private_bytes
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert session.storage_use() == before
    dropped = db.begin_upload()
    dropped.write(LARGE)
    del dropped
    assert session.storage_use() == before
    cancelled = db.begin_upload()
    cancelled.write(LARGE)
    cancelled.cancel()
    assert session.storage_use() == before
    with pytest.raises(kinfolk.AssetNotAvailable):
        cancelled.finish()


def test_a_file_is_added_to_an_upload(db: Database, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(LARGE)
    with db.begin_upload() as upload:
        upload.write(b"head")
        upload.add_file(tmp_path / "source")
        assert upload.finish().read() == b"head" + LARGE


def test_an_asset_belongs_to_a_zone(db: Database) -> None:
    db.save_zone("Notes")
    with db.begin_upload(zone="Notes") as upload:
        upload.write(b"text")
        asset = upload.finish()
    with pytest.raises(kinfolk.InvalidArgument):
        saved(db, asset)
    db.save(Record("Note", "note", zone="Notes", file=asset))
    with pytest.raises(kinfolk.ZoneNotFound):
        db.upload(b"text", zone="None")


# Life


def test_a_deleted_asset_is_not_available(db: Database, session: kinfolk.Session) -> None:
    before = session.storage_use()
    asset = db.upload(LARGE)
    note = saved(db, asset)
    stream = asset.open()
    assert stream.read(3) == LARGE[:3]
    db.delete(note)
    stream.seek(2_000_000)
    for use in (stream.read, asset.read, lambda: saved(db, asset)):
        with pytest.raises(kinfolk.AssetNotAvailable):
            use()
    assert session.storage_use() == before


def test_threads_read_one_asset_at_the_same_time(db: Database) -> None:
    asset, wrong = db.upload(LARGE), []

    def read(start: int) -> None:
        for offset in range(start, len(LARGE), 300_000):
            if asset.read(offset, 1000) != LARGE[offset : offset + 1000]:
                wrong.append(offset)

    threads = [threading.Thread(target=read, args=(number * 1000,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# Asyncio


def test_assets_are_awaited(store: Store, tmp_path: Path) -> None:
    async def main() -> None:
        given = {"key_file": store.key_file} if isinstance(store.path, str) else {}
        async with await kinfolk.aio.open(store.path, **given) as service:  # type: ignore[arg-type]
            notes = await service.create_container("com.example.notes")
            await notes.add_field("file", FieldType.ASSET, "Note")
            account = await service.create_account()
            session = await notes.open_session(account)
            db, told = session.private_database, []
            asset = await db.upload(LARGE, progress=lambda done, total: told.append((done, total)))
            assert told[-1] == (len(LARGE), len(LARGE))
            await db.save(Record("Note", "note", file=asset))
            found = (await db.fetch("note"))["file"]
            assert await db.read_asset(found) == LARGE
            assert await db.read_asset(found, 5, 3) == LARGE[5:8]
            told.clear()
            await db.save_asset(found, tmp_path / "copy", progress=lambda done, total: told.append((done, total)))
            assert (tmp_path / "copy").read_bytes() == LARGE
            assert told[-1] == (len(LARGE), len(LARGE))
            async with db.begin_upload() as upload:
                await upload.write(b"head")
                await upload.add_file(tmp_path / "copy")
                assert await upload.size() == len(LARGE) + 4
                whole = await upload.finish()
            assert await db.read_asset(whole, 0, 10) == b"head" + LARGE[:6]
            async with db.begin_upload() as upload:
                await upload.write(LARGE)
                await upload.cancel()
                with pytest.raises(kinfolk.AssetNotAvailable):
                    await upload.finish()
            with pytest.raises(TypeError, match=r"kinfolk\.Asset"):
                await db.read_asset(b"text")  # type: ignore[arg-type]
            file = io.BytesIO()
            await session.export_archive(file)
            assert LARGE in file.getvalue()
            await account.export_archive(file)
            assert (await session.storage_use()).private_bytes > len(LARGE)
            await notes.set_quota(kinfolk.Quota.ASSET, 10)
            assert await notes.quota(kinfolk.Quota.ASSET) == 10
            with pytest.raises(kinfolk.LimitExceeded):
                await db.upload(LARGE)
            await service.recount_bytes()

    asyncio.run(asyncio.wait_for(main(), 120))


def test_an_awaited_upload_is_cancelled(store: Store) -> None:
    async def main() -> None:
        given = {"key_file": store.key_file} if isinstance(store.path, str) else {}
        async with await kinfolk.aio.open(store.path, **given) as service:  # type: ignore[arg-type]
            notes = await service.create_container("com.example.notes")
            session = await notes.open_session(await service.create_account())
            reached = asyncio.Event()
            task = asyncio.ensure_future(
                session.private_database.upload(Endless(), progress=lambda done, total: reached.set())
            )
            await reached.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await service._calls.finish()
            assert (await session.storage_use()).private_bytes == 0

    class Endless:
        def read(self, count: int) -> bytes:
            return b"x" * 1000

    asyncio.run(asyncio.wait_for(main(), 120))
