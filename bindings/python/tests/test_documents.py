"""The documents of a user: their versions, conflicts, uploads and changes."""

from __future__ import annotations

import asyncio
import functools
import gc
import hashlib
import io
import math
import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

import kinfolk
import kinfolk.aio
from kinfolk import Document, DocumentChange, DocumentChangeKind, Documents, DocumentUpload

CHANGED, DELETED = DocumentChangeKind.CHANGED, DocumentChangeKind.DELETED


@pytest.fixture
def documents(notes: kinfolk.Container, ada: kinfolk.Account) -> Documents:
    return notes.open_session(ada, device="phone").documents


@pytest.fixture
def elsewhere(notes: kinfolk.Container, ada: kinfolk.Account) -> Documents:
    """Ada's documents on another device."""
    return notes.open_session(ada, device="laptop").documents


@pytest.fixture
def letter(documents: Documents) -> Document:
    return documents.create("letters/test.txt", b"Hello")


@pytest.fixture
def conflicting(documents: Documents, elsewhere: Documents, letter: Document) -> Document:
    """The letter as the phone sees it: the laptop's version is current, and the phone's is a conflict."""
    other = elsewhere.open(letter.path)
    other.save(b"from the laptop")
    letter.save(b"from the phone")
    return letter


def contents(document: Document, *versions: Any) -> list[bytes]:
    return [document.read(version) for version in versions]


def wait_for(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < ends
        time.sleep(0.01)


# Creating and finding


def test_a_document_says_what_it_is(documents: Documents, letter: Document, session: kinfolk.Session) -> None:
    assert (letter.path, letter.name, letter.folder) == ("letters/test.txt", "test.txt", "letters")
    assert len(letter.id) > 30
    assert abs(datetime.now(timezone.utc) - letter.created_at) < timedelta(minutes=10)
    assert letter.modified_at == letter.created_at
    assert letter.is_excluded_from_backup is False
    assert (letter.conflicts, letter.older_versions, letter.versions) == ((), (), (letter.current,))
    version = letter.current
    assert (len(version.id), version.size, version.device) == (32, 5, "phone")
    assert version.sha256 == hashlib.sha256(b"Hello").digest()
    assert abs(version.saved_at - letter.created_at) < timedelta(minutes=10)
    for found in (documents.open("letters/test.txt"), documents.fetch(letter.id), *documents.search()):
        assert (found.id, found.path, found.versions) == (letter.id, letter.path, letter.versions)
        assert found.read() == b"Hello"
    other = session.documents.create("Größe")
    assert (other.folder, other.current.device) == (None, None)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"contents": bytearray(b"\0text\xff")},
        {"contents": memoryview(b"text")},
        {"file": io.BytesIO(b"before it, text")},
    ],
)
def test_contents_are_read_as_they_were_written(documents: Documents, given: dict[str, Any]) -> None:
    wanted = bytes(given.get("contents", b""))
    if "file" in given:
        given["file"].seek(11)
        wanted = b"text"
    document = documents.create("a", **given)
    assert document.read() == wanted
    assert document.current.size == len(wanted)


def test_files_of_the_disk_are_read_and_written(documents: Documents, tmp_path: Path) -> None:
    file, copy = tmp_path / "file", tmp_path / "copy"
    file.write_bytes(b"text" * 1_000_000)
    steps: list[tuple[int, int]] = []
    document = documents.create("a", file=file, progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (4_000_000, 4_000_000)
    document.save(b"new")
    document.write_to(copy)
    assert copy.read_bytes() == b"new"
    document.write_to(os.fsencode(copy), document.older_versions[0])
    assert copy.read_bytes() == file.read_bytes()
    document.save(file=str(file))
    assert document.current.size == 4_000_000
    with pytest.raises(kinfolk.AssetFileNotFound):
        document.save(file=tmp_path / "missing")
    with pytest.raises(kinfolk.AssetFileNotFound):
        document.write_to(tmp_path / "missing" / "copy")
    with pytest.raises(kinfolk.InvalidArgument):
        document.write_to(tmp_path)

    def stop(done: int, total: int) -> None:
        raise LookupError("stop")

    for call in (
        lambda: documents.create("b", file=file, progress=stop),
        lambda: document.save(file=file, progress=stop),
        lambda: document.write_to(tmp_path / "b", progress=stop),
    ):
        with pytest.raises(LookupError, match="stop"):
            call()
    assert len(document.versions) == 3
    assert [each.path for each in documents.search()] == ["a"]
    assert not (tmp_path / "b").exists()


def test_parts_are_read(letter: Document) -> None:
    letter.save(b"x" * 100_000 + b"end")
    assert letter.read(offset=99_999, count=2) == b"xe"
    assert letter.read(offset=200_000) == b""
    assert letter.read(letter.older_versions[0], count=2) == b"He"
    with letter.open() as stream:
        assert stream.seek(-3, io.SEEK_END) == 100_000
        assert stream.read() == b"end"
    with letter.open(letter.older_versions[0].id) as stream:
        assert stream.read() == b"Hello"
    letter.close()
    with pytest.raises(ValueError, match="closed"):
        letter.read()


def test_only_one_source_of_contents_is_taken(documents: Documents, letter: Document) -> None:
    sources: dict[str, Any] = {"contents": b"a", "file": io.BytesIO(b"b"), "upload": documents.upload()}
    for given in (["contents", "file"], ["contents", "upload"], ["file", "upload"]):
        arguments = {each: sources[each] for each in given}
        for call in (functools.partial(documents.create, "a"), letter.save, letter.resolve):
            with pytest.raises(TypeError, match="only one of them"):
                call(**arguments)
    for call in (letter.save, letter.resolve, lambda: letter.resolve(letter.current, contents=b"a")):
        with pytest.raises(TypeError, match="only one of them"):
            call()
    assert letter.versions == documents.open(letter.path).versions
    assert len(letter.versions) == 1


def test_a_path_crosses_as_it_is_and_a_malformed_one_is_refused(documents: Documents, letter: Document) -> None:
    for path in ("a b\\c:*?", "e\u0301", "\u00e9"):
        assert documents.create(path, path.encode()).path == path
        assert documents.open(path).read() == path.encode()
    for path in ("", "../a", "a\0b", "\ud800"):
        for use in (documents.create, documents.open, letter.move, documents.search):
            with pytest.raises(kinfolk.InvalidArgument) as raised:
                use(path)
            assert path == "" or path not in str(raised.value)


def test_a_taken_path_is_a_conflict_and_a_missing_one_a_key_error(documents: Documents, letter: Document) -> None:
    with pytest.raises(kinfolk.Conflict):
        documents.create("letters")
    with pytest.raises(KeyError) as raised:
        documents.open("letters")
    assert isinstance(raised.value, kinfolk.UnknownItem)
    for identifier in (letter.id + "0", "", "../a"):
        with pytest.raises((kinfolk.UnknownItem, kinfolk.InvalidArgument)):
            documents.fetch(identifier)


def test_a_search_finds_what_satisfies_all_conditions(documents: Documents, elsewhere: Documents) -> None:
    for path in ("b.txt", "a/b.txt", "a/d/Bc.txt", "ä.txt"):
        documents.create(path)

    def found(*folder: str, **conditions: Any) -> list[str]:
        return [each.path for each in documents.search(*folder, **conditions)]

    assert found() == ["a/b.txt", "a/d/Bc.txt", "b.txt", "ä.txt"]
    assert found("a", shallow=True) == ["a/b.txt"]
    assert found(shallow=True, name="?.txt") == ["b.txt", "ä.txt"]
    assert found(prefix="B") == ["a/d/Bc.txt"]
    assert found(name="") == []
    other = elsewhere.open("a/b.txt")
    documents.open("a/b.txt").save(b"1")
    other.save(b"2")
    assert found(conflicts=True) == ["a/b.txt"]
    modified = other.modified_at
    second = timedelta(microseconds=1)
    assert found(modified_since=modified) == ["a/b.txt"]
    assert found(modified_since=modified + second) == []
    assert "a/b.txt" not in found(modified_before=modified)
    assert "a/b.txt" in found(modified_before=modified + second)
    with pytest.raises(kinfolk.InvalidArgument):
        found(name="n" * 1025)
    with pytest.raises(kinfolk.InvalidArgument):
        found(modified_since=datetime(2026, 1, 1))
    for wrong in ({"name": 3}, {"shallow": 1}, {"conflicts": None}, {"modified_since": 3}, {"prefix": b"a"}):
        with pytest.raises(TypeError):
            found(**wrong)  # type: ignore[arg-type]


# Versions


def test_an_older_version_is_restored(documents: Documents, letter: Document) -> None:
    for number in range(2):
        letter.save(str(number).encode())
    assert contents(letter, None, *letter.older_versions) == [b"1", b"0", b"Hello"]
    oldest = letter.older_versions[-1]
    letter.restore(oldest)
    assert letter.read() == b"Hello"
    assert letter.current.sha256 == oldest.sha256
    letter.restore(letter.older_versions[-1].id)
    assert documents.open(letter.path).versions == letter.versions
    with pytest.raises(kinfolk.UnknownItem):
        letter.restore("0" * 32)
    for wrong in (None, 3, b"0" * 32):
        with pytest.raises(TypeError, match="version must be"):
            letter.restore(wrong)  # type: ignore[arg-type]


def test_nothing_is_overwritten(documents: Documents, conflicting: Document) -> None:
    assert conflicting.read() == b"from the laptop"
    assert contents(conflicting, *conflicting.conflicts) == [b"from the phone"]
    assert contents(conflicting, *conflicting.older_versions) == [b"Hello"]
    assert [each.device for each in conflicting.versions] == ["laptop", "phone", "phone"]
    assert conflicting.versions == (conflicting.current, *conflicting.conflicts, *conflicting.older_versions)
    assert documents.open(conflicting.path).versions == conflicting.versions


@pytest.mark.parametrize("how", ["version", "ID", "contents", "file", "upload"])
def test_a_conflict_is_resolved(documents: Documents, conflicting: Document, how: str) -> None:
    wanted = b"from both"
    if how in ("version", "ID"):
        version = conflicting.conflicts[0]
        wanted = conflicting.read(version)
        conflicting.resolve(version.id if how == "ID" else version)
    elif how == "contents":
        conflicting.resolve(contents=wanted)
    elif how == "file":
        conflicting.resolve(file=io.BytesIO(wanted))
    else:
        with documents.upload() as upload:
            upload.write(b"from ")
            upload.write(b"both")
            conflicting.resolve(upload=upload)
    assert conflicting.read() == wanted
    assert conflicting.conflicts == ()
    assert documents.open(conflicting.path).versions == conflicting.versions


def test_a_refused_change_leaves_the_object_as_it_was(elsewhere: Documents, letter: Document) -> None:
    elsewhere.open(letter.path).save(b"from the laptop")
    for change in (lambda: letter.resolve(letter.current), letter.delete, lambda: letter.restore(letter.current)):
        with pytest.raises(kinfolk.ServerRecordChanged) as raised:
            change()
        assert raised.value.server_record is None
    assert letter.read() == b"Hello"
    letter.move("moved")
    assert letter.read() == b"from the laptop"


def test_saves_of_several_threads_with_one_object_make_no_conflict(documents: Documents, letter: Document) -> None:
    threads = [threading.Thread(target=letter.save, args=(str(number).encode(),)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(letter.versions) == 6
    assert documents.open(letter.path).conflicts == ()


def test_a_document_is_moved(documents: Documents, letter: Document) -> None:
    before = letter.versions
    letter.move("archive/2026/test.txt")
    assert (letter.path, letter.folder, letter.versions) == ("archive/2026/test.txt", "archive/2026", before)
    assert letter.modified_at > letter.created_at
    assert documents.fetch(letter.id).path == "archive/2026/test.txt"
    for wrong in (None, b"a", Path("a")):
        with pytest.raises(TypeError, match="path must be str"):
            letter.move(wrong)  # type: ignore[arg-type]


def test_a_document_is_deleted(documents: Documents, letter: Document) -> None:
    letter.delete()
    assert letter.path == "letters/test.txt"
    assert documents.search() == []
    with pytest.raises(kinfolk.UnknownItem):
        letter.save(b"a")
    with pytest.raises(kinfolk.AssetNotAvailable):
        letter.read()


def test_a_document_is_excluded_from_backups(documents: Documents, letter: Document) -> None:
    letter.exclude_from_backup()
    assert letter.is_excluded_from_backup is True
    assert documents.open(letter.path).is_excluded_from_backup is True
    letter.exclude_from_backup(False)
    assert letter.is_excluded_from_backup is False
    with pytest.raises(TypeError):
        letter.exclude_from_backup("no")  # type: ignore[arg-type]


# Uploads


def test_an_upload_ends_with_the_call_that_takes_it(documents: Documents, letter: Document, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"file")
    with documents.upload() as upload:
        assert isinstance(upload, DocumentUpload)
        upload.write(b"a" * 2_000_000)
        upload.write(memoryview(b"b"))
        upload.add_file(tmp_path / "file")
        assert upload.size == 2_000_005
        document = documents.create("large", upload=upload)
        for again in (lambda: letter.save(upload=upload), lambda: upload.write(b"more")):
            with pytest.raises(kinfolk.AssetNotAvailable):
                again()
    assert document.read() == b"a" * 2_000_000 + b"bfile"
    with pytest.raises(ValueError, match="the upload is closed"):
        upload.write(b"more")
    with documents.upload() as upload:
        letter.save(upload=upload)
    assert letter.read() == b""
    with documents.upload() as upload:
        upload.cancel()
        with pytest.raises(kinfolk.AssetNotAvailable):
            documents.create("a", upload=upload)


def test_other_uploads_are_refused(session: kinfolk.Session, documents: Documents) -> None:
    other: Any = session.private_database.begin_upload()
    with pytest.raises(TypeError, match=r"upload must be a kinfolk\.DocumentUpload, not Upload"):
        documents.create("a", upload=other)
    for wrong in ({"contents": "text"}, {"contents": 3}, {"file": b"text"}, {"file": 3}, {"file": io.StringIO("a")}):
        with pytest.raises(TypeError):
            documents.create("a", **wrong)  # type: ignore[arg-type]
    assert documents.search() == []


def test_uploads_that_are_dropped_take_no_room(session: kinfolk.Session) -> None:
    session.documents.create("a")
    before = session.storage_use().private_bytes
    with session.documents.upload() as upload:
        upload.write(bytes(3_000_000))
        assert session.storage_use().private_bytes > before
    assert session.storage_use().private_bytes == before


# Changes


def test_changes_are_followed_with_a_token(documents: Documents, elsewhere: Documents, letter: Document) -> None:
    page = documents.changes()
    assert ([each.id for each in page.documents], page.deleted, page.more_coming) == ([letter.id], (), False)
    assert 0 < len(page.token) <= 256
    assert documents.changes(page.token).documents == ()
    other = elsewhere.create("other")
    letter.delete()
    page = documents.changes(bytearray(page.token))
    assert [each.path for each in page.documents] == ["other"]
    assert page.deleted == (letter.id,)
    (document,) = page.documents
    document.save(b"text")
    assert elsewhere.open(other.path).read() == b"text"
    for number in range(450):
        documents.create(f"many/{number}")
    pages = list(documents.all_changes(page.token))
    assert len(pages) > 1
    assert sum(len(each.documents) for each in pages) == 451
    assert pages[-1].more_coming is False
    with pytest.raises(kinfolk.ChangeTokenExpired):
        documents.changes(b"token")
    with pytest.raises(kinfolk.InvalidArgument):
        documents.changes(bytes(257))
    with pytest.raises(TypeError):
        documents.changes("token")  # type: ignore[arg-type]


def test_a_function_is_called_for_changes(documents: Documents, elsewhere: Documents, letter: Document) -> None:
    seen: list[DocumentChange] = []
    token = documents.changes().token
    other = elsewhere.create("other", b"text")
    documents.on_change(seen.append)
    documents.create("own")
    elsewhere.open(letter.path).save(b"from the laptop")
    wait_for(lambda: seen)
    (change,) = seen
    assert (change.kind, change.id) == (CHANGED, letter.id)
    assert change.document is not None
    assert change.document.read() == b"from the laptop"
    other.delete()
    wait_for(lambda: len(seen) == 2)
    assert (seen[1].kind, seen[1].id, seen[1].document) == (DELETED, other.id, None)
    documents.on_change(seen.append, token)
    wait_for(lambda: DELETED in [each.kind for each in seen[2:]])
    documents.on_change(None)
    count = len(seen)
    with documents.watch() as watch:
        elsewhere.create("unseen")
        next(watch)
    assert len(seen) == count
    with pytest.raises(kinfolk.ChangeTokenExpired):
        documents.on_change(seen.append, b"token")
    with pytest.raises(TypeError):
        documents.on_change(3)  # type: ignore[arg-type]


def test_an_exception_of_the_function_is_reported(
    documents: Documents, elsewhere: Documents, monkeypatch: pytest.MonkeyPatch
) -> None:
    caught: list[BaseException | None] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda hook: caught.append(hook.exc_value))

    def fail(_: DocumentChange) -> None:
        raise LookupError("a fault of the callback")

    documents.on_change(fail)
    elsewhere.create("a")
    wait_for(lambda: caught)
    documents.on_change(None)
    assert [type(each) for each in caught] == [LookupError]


@pytest.mark.parametrize("how", ["close", "drop"])
def test_a_function_can_end_its_session(
    notes: kinfolk.Container, ada: kinfolk.Account, elsewhere: Documents, how: str
) -> None:
    sessions = [notes.open_session(ada)]
    seen: list[DocumentChange] = []

    def once(change: DocumentChange) -> None:
        seen.append(change)
        if how == "close":
            sessions[0].close()
        else:
            sessions.clear()
            gc.collect()

    sessions[0].documents.on_change(once)
    elsewhere.create("a")
    wait_for(lambda: seen)
    elsewhere.create("b")
    time.sleep(1)
    assert len(seen) == 1


def test_a_watch_gets_changes_as_they_come(documents: Documents, elsewhere: Documents, letter: Document) -> None:
    token = documents.changes().token
    elsewhere.create("first")
    with documents.watch(token) as watch:
        change = next(watch)
        assert change.document is not None
        assert change.document.path == "first"
        thread = threading.Timer(0.5, lambda: elsewhere.create("second"))
        thread.start()
        change = next(watch)
        assert change.document is not None
        assert change.document.path == "second"
        thread.join()
    assert list(watch) == []
    assert list(documents.watch(timeout=0)) == []
    with pytest.raises(kinfolk.InvalidArgument):
        documents.watch(timeout=math.nan)
    with pytest.raises(kinfolk.ChangeTokenExpired):
        documents.watch(b"token")


def test_closing_the_session_ends_a_watch_that_waits(session: kinfolk.Session) -> None:
    watch = session.documents.watch()
    thread = threading.Thread(target=list, args=(watch,))
    thread.start()
    time.sleep(0.3)
    session.close()
    thread.join(60)
    assert not thread.is_alive()
    assert watch.closed


# Use after the end


def test_closed_objects_say_so(session: kinfolk.Session) -> None:
    documents = session.documents
    assert session.documents is documents
    document, upload = documents.create("a", b"text"), documents.upload()
    document.close()
    document.close()
    for use in (
        lambda: document.id,
        lambda: document.path,
        lambda: document.name,
        lambda: document.current,
        lambda: document.versions,
        lambda: document.conflicts,
        document.read,
        document.open,
        lambda: document.write_to("copy"),
        lambda: document.save(b""),
        lambda: document.resolve(contents=b""),
        lambda: document.restore("0" * 32),
        lambda: document.move("b"),
        document.exclude_from_backup,
        document.delete,
        document.__enter__,
    ):
        with pytest.raises(ValueError, match="the document is closed"):
            use()
    assert "closed" in repr(document)
    left = documents.open("a")
    session.close()
    for use in (
        lambda: documents.create("b"),
        lambda: documents.open("a"),
        lambda: documents.fetch("a"),
        documents.search,
        documents.changes,
        documents.watch,
        lambda: documents.on_change(print),
        lambda: session.documents,
    ):
        with pytest.raises(ValueError, match="the session is closed"):
            use()
    assert "closed" in repr(documents)
    assert left.read() == b"text"
    left.save(b"again")
    upload.close()


def test_closing_the_service_closes_documents(service: kinfolk.Service, letter: Document, store: Any) -> None:
    stream = letter.open()
    service.close()
    with pytest.raises(ValueError, match="the document is closed"):
        letter.read()
    with pytest.raises(ValueError, match="closed"):
        stream.read()
    assert store.is_closed()


def test_nothing_printed_shows_a_path_or_a_device(documents: Documents, letter: Document) -> None:
    printed = repr([documents, letter, letter.versions, documents.changes(), documents.upload(), documents.watch()])
    for secret in ("letters", "test.txt", "phone", "Hello", letter.id):
        assert secret not in printed


def test_objects_are_not_made_or_copied_by_callers(documents: Documents, letter: Document) -> None:
    for make in (
        lambda: Documents("a"),  # type: ignore[arg-type]
        lambda: Document("a"),  # type: ignore[arg-type]
        lambda: DocumentUpload("a"),  # type: ignore[arg-type]
        lambda: pickle.dumps(documents),
        lambda: pickle.dumps(letter),
        lambda: pickle.dumps(documents.upload()),
    ):
        with pytest.raises(TypeError):
            make()


# Asyncio


def test_documents_are_exported_and_imported(documents: Documents, elsewhere: Documents, tmp_path: Path) -> None:
    letter = documents.create("letters/test.txt", b"Hello")
    documents.create("hidden", b"secret").exclude_from_backup()
    elsewhere.open("letters/test.txt").save(b"theirs")
    letter.save(b"ours")
    steps: list[tuple[int, int]] = []
    done = documents.export(tmp_path / "copies", progress=lambda done, total: steps.append((done, total)))
    assert done == kinfolk.DocumentExport(1, 1, 10, 1, 0, ())
    assert steps[-1] == (10, 10)
    assert (tmp_path / "copies" / "letters" / "test.txt").read_bytes() == b"theirs"
    assert {each.name for each in (tmp_path / "copies" / "letters").iterdir()} == {
        "test.txt",
        "test (conflict 1 of phone).txt",
    }
    assert not (tmp_path / "copies" / "hidden").exists()
    assert documents.export(tmp_path / "copies", excluded=True).documents == 2
    (tmp_path / "copies" / "link").symlink_to(tmp_path)
    (tmp_path / "copies" / "letters" / "test.txt").write_bytes(b"edited")
    found = documents.import_files(tmp_path / "copies")
    assert found == kinfolk.DocumentImport(1, 1, 1, 0, 10, 1, (kinfolk.DocumentSkip("link", "link"),))
    assert documents.open("letters/test.txt").read() == b"edited"
    again = documents.import_files(str(tmp_path / "copies"), "old")
    assert (again.created, again.saved) == (3, 0)
    assert [each.path for each in documents.search("old", shallow=True)] == ["old/hidden"]
    assert "link.txt" not in repr(kinfolk.DocumentSkip("link.txt", "link"))


def test_an_export_or_import_fails(documents: Documents, tmp_path: Path) -> None:
    documents.create("first", b"text")
    (tmp_path / "file").write_bytes(b"")

    def stop(done: int, total: int) -> None:
        raise LookupError

    for call in (documents.export, documents.import_files):
        with pytest.raises(kinfolk.UnknownItem):
            call(tmp_path / "missing" / "copies")
        with pytest.raises(kinfolk.InvalidArgument):
            call(tmp_path / "file")
        with pytest.raises(TypeError):
            call(tmp_path, progress=1)  # type: ignore[arg-type]
        with pytest.raises(LookupError):
            call(tmp_path, progress=stop)
    with pytest.raises(kinfolk.InvalidArgument):
        documents.import_files(tmp_path, "a//b")
    with pytest.raises(TypeError):
        documents.export(tmp_path, excluded=1)  # type: ignore[arg-type]


async def opened(store: Any) -> tuple[kinfolk.aio.Service, kinfolk.aio.Documents, kinfolk.aio.Documents]:
    service = await kinfolk.aio.open(store.path, key_file=store.key_file)
    container = await service.open_container("com.example.notes")
    account = await service.find_account("ada@example.com")
    one, two = await container.open_session(account, device="one"), await container.open_session(account)
    return service, one.documents, two.documents


def test_documents_are_awaited(store: Any, notes: kinfolk.Container, ada: kinfolk.Account, tmp_path: Path) -> None:
    async def run() -> None:
        service, documents, other = await opened(store)
        async with service:
            letter = await documents.create("letters/test.txt", b"Hello")
            assert isinstance(letter, kinfolk.aio.Document)
            theirs = await other.open("letters/test.txt")
            assert (await other.fetch(letter.id)).path == "letters/test.txt"
            assert [each.name for each in await other.search("letters", name="*.txt")] == ["test.txt"]
            await theirs.save(b"theirs")
            await letter.save(file=io.BytesIO(b"ours"))
            assert await letter.read(letter.conflicts[0], count=2) == b"ou"
            await letter.resolve(letter.conflicts[0])
            assert await letter.read() == b"ours"
            await letter.restore(letter.older_versions[-1])
            await letter.move("moved")
            await letter.exclude_from_backup()
            assert (letter.path, letter.folder, letter.is_excluded_from_backup) == ("moved", None, True)
            async with await documents.upload() as upload:
                await upload.write(b"text")
                await upload.add_file(__file__)
                assert await upload.size() > 4
                await letter.save(upload=upload)
            assert (await letter.read()).startswith(b"text")
            steps: list[tuple[int, int]] = []
            await letter.write_to(tmp_path / "copy", progress=lambda done, total: steps.append((done, total)))
            assert (tmp_path / "copy").read_bytes().startswith(b"text")
            assert steps
            assert (await documents.export(tmp_path / "copies", excluded=True)).documents == 1
            assert (await documents.import_files(tmp_path / "copies", progress=lambda *_: None)).unchanged == 1
            page = await documents.changes()
            assert [each.path for each in page.documents] == ["moved"]
            assert await page.documents[0].read() == await letter.read()
            await letter.delete()
            assert [each.deleted async for each in documents.all_changes(page.token)] == [(letter.id,)]
            assert documents == documents
            assert "<kinfolk.aio.Documents>" in repr([documents, letter, page])
            assert "moved" not in repr([documents, letter, page])
            await letter.close()
            with pytest.raises(ValueError, match="the document is closed"):
                await letter.read()

    asyncio.run(run())


def test_changes_of_documents_are_awaited(store: Any, notes: kinfolk.Container, ada: kinfolk.Account) -> None:
    async def run() -> None:
        service, documents, other = await opened(store)
        async with service:
            token = (await documents.changes()).token
            await other.create("first", b"text")
            watch = documents.watch(token)
            change = await watch.__anext__()
            assert isinstance(change, kinfolk.aio.DocumentChange)
            assert change.document is not None
            assert await change.document.read() == b"text"
            await watch.aclose()
            called: asyncio.Future[kinfolk.aio.DocumentChange] = asyncio.get_running_loop().create_future()
            await documents.on_change(called.set_result)
            await (await other.open("first")).delete()
            change = await asyncio.wait_for(called, 60)
            assert (change.kind, change.document) == (DELETED, None)
            await documents.on_change(None)

    asyncio.run(run())
