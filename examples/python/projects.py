"""References, grants and roles, step by step.

    python projects.py

The program makes its store, "projects.db", in the folder where it runs, and stops if the container exists already. In a
clone, run `make stage` first, and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

import kinfolk
from kinfolk import Environment, Record, Reference, ReferenceAction, SavePolicy

# ---- 1. A tree


def save_tree(mine: kinfolk.Database) -> None:
    """Saves records that each refer to the one above them, and are deleted with it."""
    house = Record("Project", "house")
    roof = Record("Task", "roof", partOf=Reference(house, ReferenceAction.DELETE_SELF))
    paint = Record("Task", "paint", partOf=Reference(house, ReferenceAction.DELETE_SELF))
    roof.parent = paint.parent = house.name
    brushes = Record("Task", "brushes", partOf=Reference(paint, ReferenceAction.DELETE_SELF))
    invoice = Record("Invoice", "invoice", task=Reference(roof, ReferenceAction.VALIDATE))  # needs its task
    reminder = Record("Reminder", "reminder", about=Reference(paint))  # may outlive it
    for record in [house, roof, paint, brushes, invoice, reminder]:
        mine.save(record)


def print_back_references(db: kinfolk.Database, target: str) -> None:
    kinds = {0: "parent", 1: "deleteSelf", 2: "validate"}
    for reference in db.back_references(target):
        print(f"{reference.name} refers to {target}: {kinds[reference.kind]}")


# ---- 2. Deletions


def delete(db: kinfolk.Database, name: str) -> None:
    """Deletes a record, and prints everything that was deleted with it."""
    try:
        print("Deleted:", ", ".join(deleted.name for deleted in db.delete(name)))
    except kinfolk.ReferenceViolation as refused:
        print(f"{name} stays: {refused}")


def follow_reminder(mine: kinfolk.Database) -> None:
    """The reminder still names the record, which is gone."""
    about = mine.fetch("reminder")["about"]
    try:
        mine.fetch(about.name)
    except kinfolk.UnknownItem as gone:
        print(f"{about.name}: {gone}")


# ---- 3. Grants and roles

NEWS_TYPE = """\
DEFINE SCHEMA
CREATE ROLE Editor;
RECORD TYPE News (
    title STRING,
    GRANT READ TO "_world",
    GRANT READ, CREATE, WRITE TO Editor
);
"""


def publish(db: kinfolk.Database, title: str) -> None:
    try:
        db.save(Record("News", "today", title=title), policy=SavePolicy.ALL_KEYS)
        print(f"Grace saved: {title}")
    except kinfolk.PermissionFailure as refused:
        print(f"Grace did not save: {refused}")


def main() -> None:
    with kinfolk.open("projects.db") as service:
        service.create_container("com.example.projects")
        projects = service.open_container("com.example.projects", Environment.DEVELOPMENT)
        ada, grace = service.create_account("Ada", "Example"), service.create_account("Grace", "Sample")
        mine = projects.open_session(ada).private_database

        # 1. A tree, and what refers to its records.
        save_tree(mine)
        print_back_references(mine, "house")
        print_back_references(mine, "roof")

        # 2. The house cannot be deleted while the invoice needs the roof.
        delete(mine, "house")
        delete(mine, "invoice")
        delete(mine, "house")
        follow_reminder(mine)
        try:
            mine.save(Record("Task", "garden", partOf=Reference("house", ReferenceAction.DELETE_SELF)))
        except kinfolk.ReferenceViolation as refused:
            print(f"garden: {refused}")

        # 3. Everybody reads news, editors write it.
        projects.apply_schema(NEWS_TYPE)
        graces = projects.open_session(grace).public_database
        publish(graces, "Not yet")
        projects.grant_role("Editor", grace)
        print("Grace's roles:", ", ".join(projects.roles(grace)))
        publish(graces, "The roof is done")
        projects.revoke_role("Editor", grace)
        publish(graces, "Too late")
        anybodys = projects.open_anonymous_session().public_database
        print("Everybody reads:", anybodys.fetch("today")["title"])


if __name__ == "__main__":
    main()
