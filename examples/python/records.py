"""Databases of records, step by step.

    python records.py

The program makes its store, "records.db", in the folder where it runs, and stops if the container exists already. In a
clone, run `make stage` first, and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import kinfolk
from kinfolk import Environment, Location, Record, Reference, SavePolicy

# ---- 1. A record with fields of every type


def note_with_all_types(author: str) -> Record:
    due = datetime(2026, 1, 1, tzinfo=timezone.utc)
    return Record(
        "Note",
        "everything",
        title="Groceries",
        count=2,
        total=4.7,
        isDone=False,
        icon=b"\x89PNG",
        due=due,
        shop=Location(51.5, -0.12),
        author=Reference(author),  # a user record of this container
        tags=["home", "weekly"],
        prices=[320, 150],
        weights=[0.5, 1.25],
        bought=[True, False],
        icons=[b"\x89PNG", b"\x89PNG"],
        days=[due, due + timedelta(days=1)],
        shops=[Location(51.5, -0.12), Location(48.86, 2.35)],
        readers=[Reference(author), Reference(author)],
    )


PAGE_TYPE = """\
DEFINE SCHEMA
RECORD TYPE Page (
    text    STRING QUERYABLE,
    heading STRING QUERYABLE
);
"""


def deploy_schema(development: kinfolk.Container) -> None:
    """Shows the schema of development, adds a record type to it, and deploys it to production."""
    print(development.export_schema(), end="")
    print("To be applied:")
    for change in development.schema_difference(PAGE_TYPE):
        print(f"    {change}")
    development.apply_schema(PAGE_TYPE)
    print("Deployed:", len(development.deploy_schema()), "changes")


def save_unknown_field(db: kinfolk.Database, environment: str) -> None:
    """Saves a note with a field that the schema does not have."""
    try:
        db.save(Record("Note", "unknown field", color="yellow"))
        print(f"{environment}: saved")
    except kinfolk.InvalidArgument as refused:
        print(f"{environment}: {refused}")


# ---- 2. Single records


def print_note(note: Record) -> None:
    changed = "never" if note.modified_at == note.created_at else "since"
    print(f"{note.name}: {note['title']}, created by {note.created_by}, modified {changed}")


def rename_note(db: kinfolk.Database, note: Record, title: str) -> Record:
    """Saves a change of a note. If somebody else was faster, makes the change in the record of the store."""
    while True:
        note["title"] = title
        try:
            db.save(note)
            return note
        except kinfolk.ServerRecordChanged as changed:
            if changed.server_record is None:  # never for a record that the session may read
                raise
            note = changed.server_record
            print(f"{note.name} was changed meanwhile: trying again")


def save_single_records(db: kinfolk.Database) -> None:
    note = Record("Note", "shopping", title="Groceries")  # a name of our own
    db.save(note)
    print_note(note)
    unnamed = Record("Note", title="Untitled")  # a random name
    db.save(unnamed)

    same = db.fetch("shopping")  # on another device, perhaps
    same = rename_note(db, same, "Groceries for Sunday")
    note = rename_note(db, note, "Groceries for Monday")
    print_note(note)
    # These two policies save without regard to the change tag.
    same["title"] = "For Tuesday"
    db.save(same, SavePolicy.CHANGED_KEYS)
    same["title"] = "For Wednesday"
    db.save(same, SavePolicy.ALL_KEYS)
    try:
        db.delete(note)
    except kinfolk.ServerRecordChanged as changed:
        print("shopping is not deleted:", changed)
    db.delete("shopping")  # whatever its tag is
    db.delete(unnamed)


def try_operations(db: kinfolk.Database) -> None:
    """Tries the seven operations on a record that was changed since it was fetched, each as a batch of one."""
    db.save(Record("Note", "contested", title="First"))
    print("Seven operations on a changed record:")
    for operation in kinfolk.Operation:
        stale = db.fetch("contested")
        rename_note(db, db.fetch("contested"), f"Before {operation.name}")
        stale["title"] = "Stale"
        batch = db.batch()
        getattr(batch, operation.name.lower())(stale)
        (result,) = batch.run()
        print(f"    {operation.name.lower():<14} {'ok' if result.error is None else type(result.error).__name__}")


# ---- 3. Batches


def four_hundred_notes(db: kinfolk.Database, *, atomic: bool) -> None:
    try:
        with db.batch(atomic=atomic) as batch:
            for number in range(400):
                batch.create(Record("Note", f"note {number}", count=number))
    except kinfolk.BatchError as failed:
        print(f"    {len(failed.results) - len(failed.failures)} of {len(failed.results)} done")
        for result in failed.failures:
            if not isinstance(result.error, kinfolk.BatchRequestFailed):  # not a victim of another item
                print(f"    {result.name}: {result.error}")


def save_many_records(db: kinfolk.Database) -> None:
    db.save(Record("Note", "note 7"))
    print("Atomic:")
    four_hundred_notes(db, atomic=True)  # everything or nothing
    print("Each for itself:")
    four_hundred_notes(db, atomic=False)
    found = db.fetch_many(f"note {number}" for number in range(400))
    print("Fetched:", len(found))
    with db.batch(atomic=True) as batch:
        for note in found.values():
            batch.delete(note)
    print("Deleted:", len(batch.results))


# ---- 4. Export and erasure


def erase(account: kinfolk.Account, *, keep_public_records: bool) -> None:
    print("Exported:", "everything, as JSON" if account.export().startswith("{") else "nothing")  # for the person
    print("Erased records:", account.erase(keep_public_records=keep_public_records).record_count)


def main() -> None:
    with kinfolk.open("records.db") as service:
        production = service.create_container("com.example.notes")
        development = service.open_container("com.example.notes", Environment.DEVELOPMENT)
        ada, grace = service.create_account("Ada", "Example"), service.create_account("Grace", "Sample")
        ada_here, grace_here = production.open_session(ada), production.open_session(grace)

        # 1. A record of a new type, in development. The schema grows.
        ada_in_development = development.open_session(ada)
        note = note_with_all_types(ada_in_development.user_record_id)
        ada_in_development.public_database.save(note)
        print(note.name, "has", len(note), "fields")
        deploy_schema(development)
        save_unknown_field(ada_here.public_database, "In production")
        save_unknown_field(ada_in_development.public_database, "In development")

        # 2. and 3. Single records, and 400 at once, in production.
        save_single_records(ada_here.public_database)
        try_operations(ada_here.public_database)
        save_many_records(ada_here.public_database)

        # 4. Two people leave. Of Grace, the operator keeps what she published.
        ada_here.public_database.save(Record("Note", "ada's", title="From Ada"))
        ada_here.private_database.save(Record("Note", "diary", title="Nobody else reads this"))
        grace_here.public_database.save(Record("Note", "grace's", title="From Grace"))
        erase(ada, keep_public_records=False)
        erase(grace, keep_public_records=True)
        shared = production.open_anonymous_session().public_database
        try:
            shared.fetch("ada's")
        except kinfolk.UnknownItem as unknown:
            print("ada's:", unknown)
        print("grace's: created by", "nobody" if shared.fetch("grace's").created_by is None else "somebody")


if __name__ == "__main__":
    main()
