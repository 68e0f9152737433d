"""Measures one part of the network service. kinfolk-bench makes the store and runs this.

usage: python3 Benchmarks/Python/service PART OPTION…
"""

from __future__ import annotations

import contacts
import events
import polls
import reads
import uploads
import writes
from setting import Setting

PARTS = {
    "reads": reads.measure,
    "writes": writes.measure,
    "upload": uploads.measure,
    "events": events.measure,
    "people": contacts.measure,
    "polls": polls.measure,
}

part, setting = Setting.read()
PARTS[part](setting)
