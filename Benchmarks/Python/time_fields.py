"""Prints how much processor time it takes to set and to get one field of a record, in microseconds, for each type.

usage: time_fields.py

To compare two versions, run it with the library and the package of each (KINFOLK_LIBRARY, PYTHONPATH), several times in turn.
"""

import statistics
import tempfile
import time
from datetime import datetime, timezone
from pathlib import Path

import kinfolk

NOON = datetime(2024, 2, 29, 12, tzinfo=timezone.utc)
PLACE = kinfolk.Location(51.5, -0.1)
FRIEND = kinfolk.Reference("_0123456789abcdef0123456789abcdef")
VALUES = {
    "text": "Countess of Lovelace",
    "int": 36,
    "float": 0.5,
    "bool": True,
    "bytes": bytes(range(64)),
    "date": NOON,
    "location": PLACE,
    "reference": FRIEND,
    "2 texts": ["chess", "mathematics"],
    "1,000 ints": list(range(1_000)),
    "1,000 floats": [number / 7 for number in range(1_000)],
    "1,000 bools": [number % 3 == 0 for number in range(1_000)],
    "1,000 texts": [f"text number {number}" for number in range(1_000)],
    "1,000 bytes": [bytes(16)] * 1_000,
    "1,000 dates": [NOON] * 1_000,
    "1,000 locations": [PLACE] * 1_000,
    "1,000 references": [FRIEND] * 1_000,
}
ROUNDS = 21


def microseconds(work, repeats):
    times = []
    for _ in range(ROUNDS):
        start = time.process_time_ns()
        for _ in range(repeats):
            work()
        times.append((time.process_time_ns() - start) / repeats / 1_000)
    return statistics.median(times)


with tempfile.TemporaryDirectory() as folder, kinfolk.open(Path(folder) / "kinfolk.db") as service:
    container = service.create_container("com.example.bench")
    record = container.open_session(service.create_account("Ada", "Lovelace")).fetch_record()
    print(f"{'':<18}{'set':>10}{'get':>10}")
    for name, value in VALUES.items():
        record["field"] = value
        read = record["field"]
        if read != (tuple(value) if isinstance(value, list) else value):
            raise SystemExit(f"Another value was read: {name}.")
        repeats = 5 if isinstance(value, list) and len(value) > 10 else 500
        setting = microseconds(lambda value=value: record.__setitem__("field", value), repeats)
        getting = microseconds(lambda: record["field"], repeats)
        print(f"{name:<18}{setting:>10.2f}{getting:>10.2f}", flush=True)
        del record["field"]
