"""Records that people create, on disk when they are answered."""

from __future__ import annotations

import pocketbase
from library import Library
from load import Load, Request, connections_text, text
from rows import at_least, row_of_pairs
from served import Served, serving
from setting import RECORD_TYPE, Setting

# A person may make 500 requests at once, so the requests are those of many people.
PEOPLE = 64
BATCH = 200
BATCH_PEOPLE = 4
FIELDS = {
    "group": {"value": "group-new"},
    "team": {"value": "team-new"},
    "kind": {"value": "kind-new"},
    "order": {"value": 5},
    "lines": {"value": ["Buy flour and eggs. " * 11]},
}


def measure(setting: Setting) -> None:
    with serving(setting) as served, Library("save", setting) as library:
        people = served.sign_in_many([f"writer.{number}@example.com" for number in range(PEOPLE)])
        create = {"operationType": "create", "record": {"recordType": RECORD_TYPE, "fields": FIELDS}}
        single = load(served, people, [create], setting)
        for connections, factor in ((1, 2), (16, 2.5)):
            goal = factor * pocketbase.CREATE_DURABLE[connections]
            title = f"a record created, durable, {connections_text(connections)}"
            by_turns(title, single, library, connections, 1, goal, setting)
        batches = load(served, people[:BATCH_PEOPLE], [create] * BATCH, setting)
        by_turns(f"{BATCH} records created in one request, durable", batches, library, 1, BATCH, 2.5 * pocketbase.BATCH, setting)


def load(served: Served, people: list[str], operations: list[object], setting: Setting) -> Load:
    """One request of each person, in turn."""
    body = {"operations": operations}
    answer = served.post(served.target("records/modify", people[0]), body)
    if len(answer["records"]) != len(operations) or any("fields" not in record for record in answer["records"]):
        raise SystemExit(f"Records were not created: {answer['records'][0]}")
    requests = [Request("POST", served.target("records/modify", person), text(body)) for person in people]
    return Load(served.process, requests, setting.scratch, f"modify-{len(operations)}")


def by_turns(name: str, service: Load, library: Library, callers: int, batch: int, goal: float, setting: Setting) -> None:
    """The rate of the service, and as floor that of the library in another process, with as many callers."""
    values, floors = [], []
    for run in range(setting.runs + 1):
        value = service.rate(callers, setting.seconds)
        of_library = library.ask(callers, batch, setting.seconds)
        if run > 0:
            values.append(value)
            floors.append(of_library)
    row_of_pairs(f"{name}; floor: the library call", values, floors, "/s", at_least(goal))
