"""An offline copy of a zone, in step with the store in both directions.

    python offline_zone.py

The program makes the store, "store.db", and the copy, "phone.db", in the folder where it runs, and stops if the
container exists already. The laptop works in the store itself, and the phone in the copy. In a clone, run `make stage`
first, and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import kinfolk
from kinfolk import Database, FieldType, Record


class OfflineZone:
    """A copy of a zone of notes in a SQLite file of the application. It can be read and edited without the store.

    synchronize() brings both sides into step. Nobody's text is lost:

    - If a note was edited on both sides, the store's text stays, and the local one becomes a new note.
    - If a note was edited on one side and deleted on the other, the edit wins.
    """

    def __init__(self, path: str, zone: str, db: Database) -> None:
        self._file = sqlite3.connect(path, isolation_level=None)
        self._zone = zone
        self._db = db
        # `tag` is the change tag of the state that the store sent last; null if the store never had the note. `pending`
        # is what the store must be told: "save" or "delete". `seen` says whether the note was sent since the last
        # start without a token.
        self._file.execute(
            "CREATE TABLE IF NOT EXISTS notes (name TEXT PRIMARY KEY, title TEXT, tag TEXT, pending TEXT, seen INTEGER)"
        )
        self._file.execute("CREATE TABLE IF NOT EXISTS position (token BLOB)")

    # ---- Local work

    def notes(self) -> dict[str, str]:
        """The titles of the notes, by their names."""
        return dict(self._file.execute("SELECT name, title FROM notes WHERE pending IS NOT 'delete'"))

    def set(self, name: str, title: str) -> None:
        self._file.execute(
            "INSERT INTO notes (name, title, pending) VALUES (?1, ?2, 'save') "
            "ON CONFLICT (name) DO UPDATE SET title = ?2, pending = 'save'",
            (name, title),
        )

    def delete(self, name: str) -> None:
        with self._transaction():
            self._file.execute("DELETE FROM notes WHERE name = ? AND tag IS NULL", (name,))
            self._file.execute("UPDATE notes SET pending = 'delete' WHERE name = ?", (name,))

    # ---- Synchronizing

    def synchronize(self) -> bool:
        """Takes the changes of the store, and sends the local ones, until no side has any.

        Returns False if the zone was deleted: then the copy is gone too.
        """
        try:
            self._pull()
            while self._push():
                self._pull()
            return True
        except kinfolk.ZoneNotFound:
            with self._transaction():
                self._file.execute("DELETE FROM notes")
                self._set_token(None)
            return False

    def _pull(self) -> None:
        """Takes the changes of the store, page by page.

        Each page is applied together with its token, so that a crash loses or repeats none.
        """
        more_coming = True
        while more_coming:
            try:
                page = self._db.zone_changes(self._zone, self._token())
            except kinfolk.ChangeTokenExpired:
                # Fetches everything again. What is not sent then is gone.
                with self._transaction():
                    self._file.execute("UPDATE notes SET seen = NULL")
                    self._set_token(None)
                continue
            with self._transaction():
                for note in page.records:
                    self._apply(note)
                for deleted in page.deleted:
                    self._apply_deletion(deleted.name)
                if not page.more_coming:
                    self._apply_unseen_deletions()
                self._set_token(page.token)
            more_coming = page.more_coming

    def _push(self) -> bool:
        """Sends local changes as a batch. Returns whether there were any.

        What the store refuses because the record changed there stays pending: the next _pull() brings the change, and
        resolves the conflict.
        """
        pending = self._file.execute(
            "SELECT name, title, tag, pending FROM notes WHERE pending IS NOT NULL LIMIT 400"
        ).fetchall()
        stored = self._db.fetch_many((name for name, *_ in pending), zone=self._zone)
        batch = self._db.batch()
        for name, title, tag, action in pending:
            if tag is None:
                batch.create(Record("Note", name, zone=self._zone, title=title))
            elif action == "delete":
                batch.delete(name, tag, zone=self._zone)
            elif name in stored and stored[name].change_tag == tag:  # otherwise somebody else changed it
                stored[name]["title"] = title
                batch.update(stored[name])
        if not batch:
            return bool(pending)
        results = batch.run()
        with self._transaction():
            for result in results:
                if result.error is None and result.record is not None:
                    self._note_saved(result.record)
                elif result.error is None:
                    self._apply_deletion(result.name)
                elif not isinstance(result.error, (kinfolk.ServerRecordChanged, kinfolk.UnknownItem)):
                    raise result.error
        return True

    # ---- Changes of the store

    def _apply(self, note: Record) -> None:
        name, tag, title = note.name, note.change_tag, note["title"]
        local = self._file.execute("SELECT title, tag, pending FROM notes WHERE name = ?", (name,)).fetchone()
        if local is not None and local[1] == tag:
            # A save of this copy comes back, or everything is fetched again.
            self._file.execute("UPDATE notes SET seen = 1 WHERE name = ?", (name,))
            return
        if local is not None and local[2] == "save" and local[0] != title:
            self.set(str(uuid.uuid4()), local[0])
        self._file.execute("INSERT OR REPLACE INTO notes VALUES (?, ?, ?, NULL, 1)", (name, title, tag))

    def _apply_deletion(self, name: str) -> None:
        """Applies that the store does not have a note any more. A pending save makes it again."""
        self._file.execute("DELETE FROM notes WHERE name = ? AND pending IS NOT 'save'", (name,))
        self._file.execute("UPDATE notes SET tag = NULL WHERE name = ?", (name,))

    def _apply_unseen_deletions(self) -> None:
        unseen = self._file.execute("SELECT name FROM notes WHERE tag IS NOT NULL AND seen IS NULL").fetchall()
        for (name,) in unseen:
            self._apply_deletion(name)

    def _note_saved(self, note: Record) -> None:
        """Notes that a save arrived. If the note was edited again meanwhile, it stays pending."""
        self._file.execute(
            "UPDATE notes SET tag = ?2, seen = 1, pending = nullif(pending, iif(title = ?3, 'save', '')) "
            "WHERE name = ?1",
            (note.name, note.change_tag, note["title"]),
        )

    # ---- The position

    def _token(self) -> bytes | None:
        """The change token, which says how far this copy has come; None at the beginning."""
        row = self._file.execute("SELECT token FROM position").fetchone()
        return None if row is None else row[0]

    def _set_token(self, token: bytes | None) -> None:
        self._file.execute("DELETE FROM position")
        if token is not None:
            self._file.execute("INSERT INTO position VALUES (?)", (token,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Makes all changes of the block, or none."""
        self._file.execute("BEGIN IMMEDIATE")
        with self._file:  # commits, or rolls back
            yield


# ---- The story


def save(laptop: Database, **titles: str) -> None:
    with laptop.batch(atomic=True) as batch:
        for name, title in titles.items():
            batch.force_update(Record("Note", name, zone="Notes", title=title))


def stored(laptop: Database) -> dict[str, str]:
    """The notes of the store, from its changes."""
    return {note.name: note["title"] for page in laptop.all_zone_changes("Notes") for note in page.records}


def synchronize(phone: OfflineZone, laptop: Database, event: str) -> None:
    exists = phone.synchronize()
    titles = sorted(phone.notes().values())
    print(f"{event}:", f"{len(titles)} notes" if len(titles) > 5 else ", ".join(titles))
    if not exists or phone.notes() != stored(laptop):
        raise SystemExit("The two sides differ.")


def main() -> None:
    with kinfolk.open("store.db") as service:
        container = service.create_container("com.example.notes")
        ada = service.create_account("Ada", "Example")
        laptop = container.open_session(ada).private_database
        container.add_field("title", FieldType.STRING, "Note")

        # 1. The first synchronization copies the zone.
        laptop.save_zone("Notes")
        save(laptop, list="Bread", trip="Oslo", old="Taxes", idea="Kites")
        phone = OfflineZone("phone.db", "Notes", laptop)
        synchronize(phone, laptop, "Copied")

        # 2. Both sides change something while the phone is offline.
        phone.set("list", "Bread and milk")
        phone.set("gift", "A book")
        phone.delete("old")
        phone.delete("trip")
        save(laptop, list="Bread and eggs", trip="Bergen")
        laptop.delete("idea", zone="Notes")
        synchronize(phone, laptop, "In step")

        # 3. A thousand notes come in pages. The phone deletes them in batches.
        for start in range(0, 1_000, 250):
            save(laptop, **{f"note {number}": f"Page {number}" for number in range(start, start + 250)})
        synchronize(phone, laptop, "In pages")
        for number in range(1_000):
            phone.delete(f"note {number}")
        synchronize(phone, laptop, "In batches")

        # 4. The token of the copy is of no use any more, as after a year offline: everything is fetched again, and what
        # is gone is dropped.
        with sqlite3.connect("phone.db") as file:
            file.execute("UPDATE position SET token = x'00'")
        laptop.delete("trip", zone="Notes")
        phone.set("gift", "Two books")
        synchronize(phone, laptop, "Fetched again")

        # 5. The zone is deleted, and the copy with it.
        laptop.delete_zone("Notes")
        exists = phone.synchronize()
        print("Zone deleted:", "still there" if exists else f"the copy has {len(phone.notes())} notes")


if __name__ == "__main__":
    main()
