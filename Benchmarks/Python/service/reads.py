"""Records that anybody may read, among many: looked up, and found by queries. The API token alone reads them."""

from __future__ import annotations

import random
from typing import Any

import pocketbase
from load import Load, Request, compare, connections_text, text
from processes import Process
from rows import at_least, ratio_at_least, row
from served import Served, floor, serving
from setting import RECORD_TYPE, Setting

# Different requests that are sent in turn.
REQUESTS = 2_000
SORTED = 50
GROUP = 20


def measure(setting: Setting) -> None:
    numbers = random.Random(42)
    chosen = [numbers.randrange(setting.size) for _ in range(REQUESTS)]
    with serving(setting) as served, floor(setting) as empty:
        lookups = [{"records": [{"recordName": f"record-{number:08}"}]} for number in chosen]
        compare_with_empty(served, empty, lookups, setting)
        groups = [{"query": query_of_group(number // GROUP)} for number in chosen]
        rates("20 of {size} found, {connections}", served, groups, GROUP, pocketbase.QUERY_OF_20, setting)
        ordered = [{"query": {"recordType": RECORD_TYPE, "sortBy": [{"fieldName": "order"}]}, "resultsLimit": SORTED}]
        rates("first 50 of {size} in an order, {connections}", served, ordered, SORTED, pocketbase.QUERY_SORTED, setting)
        row("resident memory afterwards, the most", served.process.peak, "MB", "<=100")


def query_of_group(group: int) -> dict[str, Any]:
    value = {"value": f"group-{group:08}"}
    return {"recordType": RECORD_TYPE, "filterBy": [{"fieldName": "group", "comparator": "EQUALS", "fieldValue": value}]}


def compare_with_empty(served: Served, empty: Process, bodies: list[dict[str, Any]], setting: Setting) -> None:
    """Lookups, and an empty answer to the same requests. Both have the same line and the same body."""
    target = served.target("records/lookup")
    expect(served, target, bodies, 1)
    load = Load(served.process, [Request("POST", target, text(body)) for body in bodies], setting.scratch, "lookup")
    nothing = Load(empty, [Request("GET", "/empty")], setting.scratch, "empty")
    for connections in (1, 16):
        name = f"one record looked up, {connections_text(connections)}"
        compare(name, load, nothing, connections, ratio_at_least(0.6), setting)


def rates(
    name: str,
    served: Served,
    bodies: list[dict[str, Any]],
    count: int,
    peer: dict[int, int],
    setting: Setting,
) -> None:
    """Queries. The goal is three times the rate of PocketBase."""
    target = served.target("records/query")
    expect(served, target, bodies, count)
    load = Load(served.process, [Request("POST", target, text(body)) for body in bodies], setting.scratch, "query")
    for connections in (1, 16):
        load.rate(connections, 1)
        rate = load.rate(connections, setting.seconds * 2)
        title = name.format(size=f"{setting.size:,}", connections=connections_text(connections))
        row(title, rate, "/s", at_least(3 * peer[connections]))


def expect(served: Served, target: str, bodies: list[dict[str, Any]], count: int) -> None:
    """Ends the run unless answers have as many records as they should."""
    for body in bodies[:20]:
        records = served.post(target, body)["records"]
        if len(records) != count or any("fields" not in record for record in records):
            raise SystemExit(f"{body} is answered with {len(records)} records.")
