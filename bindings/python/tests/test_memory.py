"""What C hands out is given back."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kinfolk

PAGE = os.sysconf("SC_PAGE_SIZE")
LIMIT = 6_000_000


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE


class World:
    """A store with a person whose export is large."""

    def __init__(self, service: kinfolk.Service, account: kinfolk.Account, session: kinfolk.Session) -> None:
        self.service, self.account, self.session = service, account, session
        session.set_discoverability(kinfolk.Discoverability.GRANTED, "May friends find you?", "1")
        record = session.fetch_record()
        record["large"] = "x" * 900_000
        record["file"] = session.public_database.upload(b"x" * 900_000)
        session.save_record(record)
        self.record = record
        session.documents.create("a", b"x" * 900_000)
        self.lines = "ada@example.com\n" + "not an address\n" * 1000
        self.container = service.open_container("com.example.notes")
        self.container.set_directory_modes(kinfolk.DirectoryModes.HASHED | kinfolk.DirectoryModes.PRIVATE)
        book = kinfolk.ContactBook()
        for number in range(1000):
            book.add_email(f"{number}@example.com")
        self.client = kinfolk.PrivateClient("com.example.notes", sync_state=session.discover_privately(book).sync_state)

    def run_batch(self) -> None:
        """A batch in which one large record is saved and another is not."""
        batch = self.session.public_database.batch()
        batch.update(self.session.fetch_record())
        batch.update(kinfolk.Record("Note", None, large="x" * 900_000))
        saved, failed = batch.run()
        assert saved.error is None
        assert failed.error is not None

    def drop_upload(self) -> None:
        """An upload that is not finished."""
        self.session.private_database.begin_upload().write(b"x" * 900_000)

    def set_and_get(self) -> None:
        """A value of the key-value store with many values inside."""
        self.session.key_value_store["key"] = {"list": [{"number": number} for number in range(1000)]}
        assert len(self.session.key_value_store["key"]["list"]) == 1000

    def refuse(self) -> None:
        """Values that are refused when some of their elements were made already."""
        for wrong in (["x" * 900_000, set()], {"a": "x" * 900_000, "b": {1: 2}}, ["x" * 900_000] * 2):
            with pytest.raises((TypeError, kinfolk.LimitExceeded)):
                self.session.key_value_store["key"] = wrong

    def drop_document_upload(self) -> None:
        """An upload that no document takes."""
        self.session.documents.upload().write(b"x" * 900_000)

    def change_document(self) -> None:
        """A new version of a document, and all that is known of it."""
        document = self.session.documents.open("a")
        document.save(b"x" * 100_000)
        assert len(document.versions) > 1
        assert len(document.read()) == 100_000

    def ask(self) -> bytes:
        """An answer to a request that is new each time."""
        request = kinfolk.PrivateClient("com.example.notes").next_request()
        assert request is not None
        return self.session.answer(request)


# Each would take several times the limit if what it gets were kept.
CASES: dict[str, tuple[int, Callable[[World], Any]]] = {
    "texts": (16, lambda w: w.account.export()),
    "records": (30, lambda w: w.session.fetch_record()["large"]),
    "databases": (20_000, lambda w: w.session.private_database),
    "fetched records": (30, lambda w: w.session.public_database.fetch_many([w.session.user_record_id])),
    "failures of fetches": (100, lambda w: w.session.public_database.fetch_many(map(str, range(400)))),
    "batches": (30, lambda w: w.run_batch()),
    "assets": (20_000, lambda w: w.record["file"]),
    "streams": (30, lambda w: w.record["file"].open().read()),
    "uploads": (30, lambda w: w.drop_upload()),
    "archives": (30, lambda w: w.account.export_archive(io.BytesIO())),
    "settings": (100, lambda w: w.set_and_get()),
    "refused settings": (20, lambda w: w.refuse()),
    "watches": (5_000, lambda w: w.session.key_value_store.watch()),
    "documents": (5_000, lambda w: w.session.documents.open("a").versions),
    "searches": (2_000, lambda w: w.session.documents.search(name="*")),
    "contents": (30, lambda w: w.session.documents.open("a").read()),
    "versions": (100, lambda w: w.change_document()),
    "uploads of documents": (30, lambda w: w.drop_document_upload()),
    "changes of documents": (2_000, lambda w: w.session.documents.changes()),
    "reports": (200, lambda w: kinfolk.ContactBook().add_text(w.lines)),
    "identities": (20_000, lambda w: w.session.discover_record_id(w.session.user_record_id)),
    "accounts": (20_000, lambda w: w.service.open_account(w.account.id)),
    "emails": (20_000, lambda w: w.account.emails),
    "states": (200, lambda w: w.client.sync_state),
    "answers": (20_000, lambda w: w.ask()),
    "epochs": (20_000, lambda w: w.container.private_epochs),
}


@pytest.mark.parametrize("case", CASES)
def test_memory_does_not_grow(
    case: str, service: kinfolk.Service, ada: kinfolk.Account, session: kinfolk.Session
) -> None:
    world = World(service, ada, session)
    times, use = CASES[case]
    for _ in range(times // 4):
        use(world)
    before = resident()
    for _ in range(times):
        use(world)
    assert resident() - before < LIMIT
