"""No part of a request becomes a header, or a line, of an answer."""

from __future__ import annotations

from ..finding import Finding, Length, Tally
from ..scene import ORIGIN, Scene
from ..wire import exchange

NAME = "injection"
PROMISE = "headers"

EVIL = "X-Evil: 1"


def run(scene: Scene, length: Length) -> list[Finding]:
    tally = Tally()
    link = scene.link()
    page = link[link.index("/sign-in/") :]
    token = scene.token
    for break_ in ("%0d%0a", "%0a", "%0d", "%E5%98%8A%E5%98%8D", "%c4%8d%c4%8a", "\\r\\n", "%250d%250a", "%u000d%u000a", "%00%0d%0a"):
        piece = f"x{break_}{EVIL.replace(' ', '%20')}{break_}{break_}<b>"
        for target in (
            f"/{piece}",
            f"/account?lang={piece}",
            f"{page}?state={piece}",
            f"{page}?redirect_uri={piece}",
            f"{page}?code_challenge={piece}",
            f"{page}{piece}",
            f"/asset/1/{piece}",
            f"/courier/1/{piece}",
            f"/courier/1/x?acknowledged={piece}",
            f"{scene.path('zones/list')}?ckAPIToken={piece}",
            f"{scene.path('users/current')}?ckAPIToken={token}&ckWebAuthToken={piece}",
            f"{scene.path(piece)}?ckAPIToken={token}",
            f"{scene.path('zones/list', container=piece)}?ckAPIToken={token}",
            f"/healthz?{piece}",
        ):
            answer = exchange(scene.port, f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode(), timeout=5)
            look(tally, answer, target[:60])
    for name in (
        "Origin",
        "Cookie",
        "Accept-Language",
        "X-Apple-CloudKit-API-Token",
        "X-Apple-CloudKit-Web-Auth-Token",
        "Last-Event-ID",
        "Host",
        "Referer",
        "X-Request-ID",
    ):
        for value in (
            f"{ORIGIN}\rX-Evil: 1",
            f"{ORIGIN}\n{EVIL}",
            f"{ORIGIN}\r\n {EVIL}",
            f"{ORIGIN}\x0b{EVIL}",
            f"{ORIGIN}\x85{EVIL}",
            f"{ORIGIN}\0{EVIL}",
            f"{ORIGIN}%0d%0a{EVIL}",
        ):
            data = f"GET {scene.path('zones/list')}?ckAPIToken={token} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{name}: {value}\r\n\r\n"
            look(tally, exchange(scene.port, data.encode("latin-1"), timeout=5), name)
    return [tally.finding("line breaks in paths, queries and headers, {} requests", "no header of them")]


def look(tally: Tally, answer: bytes, what: str) -> None:
    """Headers, not bodies: a body may repeat what was sent, escaped."""
    head, _, rest = answer.partition(b"\r\n\r\n")
    tally.check(b"x-evil" not in head.lower() and not rest.startswith(b"<b>") and head.startswith(b"HTTP/1.1 "), f"{what}: {head[:60]!r}")
    tally.check(not any(byte < 32 and byte not in (9, 10, 13) for byte in head), f"{what}: a control character")
