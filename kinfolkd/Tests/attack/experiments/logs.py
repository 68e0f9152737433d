"""No name, address, token, code, path or content of any experiment is in a log or a metric."""

from __future__ import annotations

import base64
import json
import re
import urllib.parse

from programs import free_port

from ..finding import Finding, Length, Tally, require
from ..scene import Scene
from ..wire import Wire

NAME = "logs"
PROMISE = "logs"


def spellings(secret: str) -> set[str]:
    """As it could stand in a log."""
    found = {secret, urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret), secret.lower(), json.dumps(secret)[1:-1]}
    found |= {base64.b64encode(secret.encode()).decode().rstrip("="), secret.encode().hex(), secret.replace("/", "\\/")}
    return {text for text in found if len(text) >= 6}


def run(scene: Scene, length: Length) -> list[Finding]:
    place = free_port()
    service = scene.world.serve("--log-level", "debug", "--log-format", "json", "--metrics-listen", f"127.0.0.1:{place}")
    member = scene.sign_in(None, "Nadezhda", "Needlewoman")
    scene.noted("Nadezhda", "a name")
    scene.noted("Needlewoman", "a name")
    scene.noted("needle-of-a-log", "the content of a record")
    scene.save(member, "needle-of-a-log", title="needle-of-a-log")
    scene.ask("records/lookup", '{"records": ["needle-of-a-log"', member, "private")
    scene.ask("users/discover", {"lookupInfos": [{"emailAddress": member.address}]}, member)
    scene.wire.ask("GET", f"/{member.address}?{member.web}", None, {"X-Name": member.address})
    browser, _ = scene.account_page(member.address)
    scene.noted(browser.flow, "a flow")
    scene.noted(browser.cookie.partition("=")[2], "a cookie")
    scene.noted(member.id, "an ID of a user")
    other = Wire(service.port)
    other.ask("GET", f"/{member.address}?{member.web}")
    scene.ask("users/current", None, member, wire=other)
    other.close()
    metrics = Wire(place)
    page = metrics.ask("GET", "/metrics")
    metrics.close()
    require(page.status == 200, "there are no metrics")
    service.stop()
    log = scene.log() + "\n" + "\n".join(json.dumps({"metric": line}) for line in page.text.splitlines())
    require('"level":"debug"' in log and log.count("\n") > 20, "there is no log of requests")
    tally = leaks(log, scene.secrets)
    kinds = sorted(set(scene.secrets.values()))
    return [
        tally.finding(
            f"search {log.count(chr(10)):,} lines of the log, of all levels, and of the metrics, for {{}} secrets: {', '.join(kinds)}",
            "none in any spelling",
        )
    ]


def leaks(log: str, secrets: dict[str, str]) -> Tally:
    """Each secret that a log holds, in any spelling; paths; and lines that are not JSON."""
    tally = Tally()
    lines = different(log)
    text = "\n".join(lines)
    for secret, kind in secrets.items():
        found = next((spelling for spelling in spellings(secret) if spelling in text), None)
        line = next((line for line in lines if found and found in line), "")
        tally.check(not found, f"{kind}: {line[:120]}")
    paths = [line for line in lines if "/database/" in line or "com.example" in line or "ckAPIToken" in line or "127.0.0.9" in line]
    tally.check(not paths, f"a path or an address of a client: {paths[:1]}")
    malformed = 0
    for line in log.splitlines():
        try:
            json.loads(line)
        except ValueError:
            malformed += 1
    tally.check(not malformed, f"{malformed} lines are not JSON")
    return tally


def different(log: str) -> list[str]:
    """The lines that are not the same but for dates, numbers and the numbers of requests: those can hold no secret."""
    plain = re.compile(r'"\d{4}-\d\d-\d\dT[\d:.]+Z"|"[0-9a-z]{1,12}-\d{1,9}"|(?<=:)\d{1,15}(?=[,}])')
    return sorted({plain.sub("#", line) for line in log.splitlines()})
