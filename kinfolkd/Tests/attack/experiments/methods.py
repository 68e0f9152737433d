"""A method does what it says, and unknown ones do nothing."""

from __future__ import annotations

import json
from urllib.parse import urlencode

from ..finding import Finding, Length, Tally, require
from ..scene import Scene
from ..wire import exchange, statuses

NAME = "methods"
PROMISE = "methods"


def run(scene: Scene, length: Length) -> list[Finding]:
    tally = Tally()
    member = scene.sign_in()
    query = "?" + urlencode(member.items)
    record = {"recordType": "Note", "recordName": "by-method", "fields": {}}
    body = json.dumps({"operations": [{"operationType": "forceUpdate", "record": record}], "userRecordName": member.id})
    link = scene.link()
    targets = {
        scene.path("records/modify", "private") + query: ("POST",),
        scene.path("account/erase", "kinfolk") + query: ("POST",),
        scene.path("sign-out", "kinfolk") + query: ("POST",),
        scene.path("blocks/modify", "kinfolk") + query: ("POST",),
        scene.path("zones/list", "private") + query: ("GET", "POST"),
        "/account": ("GET", "POST"),
        link[link.index("/sign-in/") :]: ("GET", "POST"),
        "/healthz": ("GET",),
        "/asset/1/AAAA": ("GET", "POST", "PUT"),
        "/courier/1/AAAA": ("GET", "POST"),
    }
    for target, right in targets.items():
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "TRACK", "PROPFIND", "MKCOL", "get", "Post", "XPOST", "SEARCH", "BREW"):
            if method in right or (method == "HEAD" and "GET" in right):
                continue
            data = f"{method} {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Secret: needle\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            answer = exchange(scene.port, data.encode(), timeout=5)
            found = statuses(answer)
            tally.check(found and found[0] in (400, 404, 405, 501) and b"needle" not in answer, f"{method} {target.partition('?')[0]}: {found}")
        for name in ("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"):
            if "POST" in right and "GET" not in right:
                reply = scene.wire.ask("GET", target, None, {name: "POST"})
                tally.check(reply.status == 405, f"{name} {target.partition('?')[0]}: {reply}")
                reply = scene.wire.ask("GET", f"{target}&_method=POST")
                tally.check(reply.status == 405, f"_method {target.partition('?')[0]}: {reply}")
    found = scene.ask("records/lookup", {"records": ["by-method"]}, member, "private")
    tally.check(found.json["records"][0].get("serverErrorCode") == "NOT_FOUND", "a record was made")
    require(scene.ask("users/current", None, member).status == 200, "the person is gone")
    return [tally.finding("other methods for {} targets and tricks", "refused, and nothing has changed")]
