"""Queries, step by step.

    python queries.py

The program makes its store, "queries.db", in the folder where it runs, and stops if the container exists already. In a
clone, run `make stage` first, and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import kinfolk
from kinfolk import Environment, Location, Record

NOW = datetime.now(timezone.utc)
HERE = Location(47.37, 8.54)

# ---- 1. Records, and the indexes that their queries need

EVENT_TYPE = """\
DEFINE SCHEMA
RECORD TYPE Event (
    name  STRING QUERYABLE,
    start TIMESTAMP SORTABLE,
    place LOCATION QUERYABLE,
    tags  LIST<STRING> QUERYABLE,
    notes STRING SEARCHABLE,
    seats INT64
);
"""


def event(record: str, name: str, days: int, latitude: float, tags: list[str], notes: str, seats: int) -> Record:
    place = Location(latitude, 8.54)
    start = NOW + timedelta(days=days)
    return Record("Event", record, name=name, start=start, place=place, tags=tags, notes=notes, seats=seats)


def save_events(db: kinfolk.Database) -> None:
    with db.batch() as batch:
        batch.create(event("standup", "Meeting", 1, 47.37, ["work"], "Bring the plan", 8))
        batch.create(event("review", "Review", 2, 47.38, ["work"], "Drinks after the session", 20))
        batch.create(event("party", "Garden party", 3, 48.86, ["home", "friends"], "Bring a salad", 30))
        batch.create(event("concert", "Concert", 5, 46.95, ["friends"], "Doors open at seven", 400))
        batch.create(event("retro", "Meeting", 8, 47.37, ["work"], "What to change", 8))


# ---- 2. Predicates


def show(label: str, query: kinfolk.Query) -> None:
    print(f"{label}: {', '.join(record.name for record in query)}")


def find_events(db: kinfolk.Database) -> None:
    week = NOW + timedelta(days=7)
    for record in db.query("Event", "start > %@ AND name = %@", NOW, "Meeting", sort="start"):
        print(record.name)
    show("This week", db.query("Event", "start > %@ AND start < %@", NOW, week, sort="start"))
    show("By a key", db.query("Event", "%K = %@", "name", "Concert"))
    show("Near", db.query("Event", "distanceToLocation:fromLocation:(place, %@) < 2000", HERE, sort="start"))
    show("With friends", db.query("Event", "tags CONTAINS %@", "friends", sort="start"))
    show("With these words", db.query("Event", "ALL tokenize(%@, 'Cdl') IN allTokens", "after session"))
    show("Large", db.query("Event", "seats >= 20 AND NOT name IN {'Concert', 'Review'}"))


# ---- 3. Orders, pages, counts


def show_pages(db: kinfolk.Database) -> None:
    show("Nearest first", db.query("Event", sort=[("place", HERE), "-start"]))
    query = db.query("Event", sort="-start", keys=["name"], limit=2)
    for page in query.pages():
        print("A page:", ", ".join(record["name"] for record in page.records))
    print("Counted:", query.count())


# ---- 4. How a query is answered


def explain(db: kinfolk.Database) -> None:
    explanation = db.query("Event", "start > %@ AND seats >= 20", NOW, sort="start").explain()
    print("Uses:", ", ".join(explanation.indexes))
    print("Lacks:", ", ".join(explanation.missing_indexes))
    print("Opened and discarded:", explanation.records_discarded)
    try:
        db.query("Event", "seats >= 20 AND").count()
    except kinfolk.InvalidArgument as refused:
        print("Refused:", refused)


def main() -> None:
    with kinfolk.open("queries.db") as service:
        service.create_container("com.example.calendar")
        calendar = service.open_container("com.example.calendar", Environment.DEVELOPMENT)
        db = calendar.open_session(service.create_account("Ada", "Example")).private_database
        calendar.apply_schema(EVENT_TYPE)
        save_events(db)
        find_events(db)
        show_pages(db)
        explain(db)


if __name__ == "__main__":
    main()
