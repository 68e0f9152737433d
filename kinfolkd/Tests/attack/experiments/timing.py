"""What the duration of answers tells. Long form only: a short one would prove nothing."""

from __future__ import annotations

import base64
import random
import secrets
import time
from collections.abc import Callable

from ..browser import Browser
from ..curve import area_under_curve, half_width
from ..finding import Finding, Length, require
from ..scene import Scene

NAME = "timing"
PROMISE = "time"

# By how much an area may differ from one half, as in the experiments of the library.
BOUND = 0.10
RUNS = 3


def run(scene: Scene, length: Length) -> list[Finding]:
    if length.is_short:
        return []
    return [*people(scene), pages(scene), after_pages(scene), codes(scene), *credentials(scene)]


def measured(kinds: dict[str, Callable[[], object]], each: int, seed: int, pause: float) -> dict[str, list[int]]:
    """The durations of calls in nanoseconds: of each kind as many, in an order that is made by chance.

    `pause` is the number of seconds between two calls.
    """
    generator = random.Random(seed)  # noqa: S311
    order = [name for name in kinds for _ in range(each)]
    generator.shuffle(order)
    times: dict[str, list[int]] = {name: [] for name in kinds}
    for name in order:
        start = time.perf_counter_ns()
        part = kinds[name]()
        # A call may say how long the part of it took that counts.
        times[name].append(part if isinstance(part, int) else time.perf_counter_ns() - start)
        if pause:
            time.sleep(pause)
    return times


def verdict(what: str, kinds: dict[str, Callable[[], object]], each: int, control: str = "", pause: float = 0) -> Finding:
    """The best pair of kinds, in the median of several runs. `control` may differ, and shows that a difference is found."""
    runs = []
    for seed in range(RUNS):
        times = measured(kinds, each, seed, pause)
        names = [name for name in kinds if name != control]
        best = max(
            (abs(area_under_curve(times[first], times[second]) - 0.5), f"{first}, {second}")
            for index, first in enumerate(names)
            for second in names[index + 1 :]
        )
        shown = abs(area_under_curve(times[names[0]], times[control]) - 0.5) if control else 0.0
        runs.append((*best, shown))
    runs.sort()
    distance, pair, shown = runs[len(runs) // 2]
    area = 0.5 + distance
    width = half_width(area, each, each)
    found = f"AUC of the best pair {area:.3f} ± {width:.3f} ({pair})" + (f"; of {control} {0.5 + shown:.3f}" if control else "")
    return Finding(f"{what}: {each:,} of each of {len(kinds)} kinds, shuffled, {RUNS} runs", found, distance <= BOUND)


def people(scene: Scene) -> list[Finding]:
    """People who cannot be found, by their addresses and by their IDs."""
    hidden = scene.hidden_people(8)
    generator = random.Random(1)  # noqa: S311
    findings = []
    for what, member, names in (
        ("users/discover by e-mail", "emailAddress", lambda kind: kind.addresses),
        ("users/discover by ID", "userRecordName", lambda kind: kind.ids),
    ):

        def ask(options: list[str], member: str = member) -> Callable[[], object]:
            def call() -> None:
                body = {"lookupInfos": [{member: generator.choice(options)}]}
                reply = scene.ask("users/discover", body, hidden.seeker)
                require(reply.status == 200, f"{reply}")

            return call

        kinds = {kind.name: ask(names(kind)) for kind in hidden.kinds} | {"found": ask(names(hidden.found))}
        # 50 requests a second are taken from a person.
        findings.append(verdict(what, kinds, 200, "found", pause=0.019))
    return findings


def pages(scene: Scene) -> Finding:
    """The page after an address: of an account, of none, and of one that is suspended."""
    link = scene.link()
    known = [scene.sign_in().address for _ in range(20)]
    suspended = [scene.sign_in().address for _ in range(20)]
    for address in suspended:
        scene.kinfolk("account", "suspend", address)
    generator = random.Random(2)  # noqa: S311
    browser = Browser(scene.wire)
    browser.open(link)
    flow = browser.flow

    def ask(address: Callable[[], str]) -> Callable[[], object]:
        def call() -> None:
            browser.flow = flow
            browser.send(step="address", email=address())

        return call

    number = iter(range(10**6))
    kinds = {
        "known": ask(lambda: generator.choice(known)),
        "unknown": ask(lambda: f"stranger.{next(number):06d}@example.com"),
        "suspended": ask(lambda: generator.choice(suspended)),
    }
    finding = verdict("the page after an address", kinds, 400)
    for path in scene.world.mails.glob("*.mail"):
        path.unlink()
    return finding


def after_pages(scene: Scene) -> Finding:
    """The next request after an address was entered, while the service makes the mail: another way to see what it does."""
    link = scene.link()
    known = [scene.sign_in().address for _ in range(20)]
    generator = random.Random(3)  # noqa: S311
    browser = Browser(scene.wire)
    browser.open(link)
    flow = browser.flow

    def ask(address: Callable[[], str]) -> Callable[[], object]:
        def call() -> int:
            browser.flow = flow
            browser.send(step="address", email=address())
            start = time.perf_counter_ns()
            scene.ask("records/query", {"query": {"recordType": "Note"}, "resultsLimit": 1})
            return time.perf_counter_ns() - start

        return call

    number = iter(range(10**6))
    kinds = {"known": ask(lambda: generator.choice(known)), "unknown": ask(lambda: f"stranger.{next(number):06d}@example.net")}
    finding = verdict("the next request after an address", kinds, 400, pause=0.03)
    for path in scene.world.mails.glob("*.mail"):
        path.unlink()
    return finding


def codes(scene: Scene) -> Finding:
    """A wrong code for an address that has an account, and for one that has none. Each code has five tries."""
    link, each = scene.link(), 100

    def prepared(address: str) -> Browser:
        browser = Browser(scene.wire)
        browser.open(link)
        browser.send(step="address", email=address)
        scene.mail_to(address)
        return browser

    browsers = {
        "known": [prepared(scene.sign_in().address) for _ in range(each * RUNS // 4)],
        "unknown": [prepared(scene.new_address()) for _ in range(each * RUNS // 4)],
    }

    def ask(name: str) -> Callable[[], object]:
        turn = iter(browsers[name] * 4)

        def call() -> None:
            browser = next(turn)
            flow = browser.flow
            browser.send(step="code", code="AAAA-AAAA")
            browser.flow = flow

        return call

    return verdict("a wrong code", {name: ask(name) for name in browsers}, each)


def credentials(scene: Scene) -> list[Finding]:
    """Tokens, keys and codes that are wrong in different ways."""
    body = {"query": {"recordType": "Note"}}

    def query(token: Callable[[], str], container: str) -> Callable[[], object]:
        return lambda: scene.ask("records/query", body, {"ckAPIToken": token()}, container=container)

    chat = scene.chat_token()
    close = scene.token[:-1] + ("0" if scene.token[-1] != "0" else "1")
    tokens = {
        "an unknown token": query(lambda: secrets.token_hex(32), "com.example.notes"),
        "all but the last digit": query(lambda: close, "com.example.notes"),
        "of another container": query(lambda: chat, "com.example.notes"),
        "an unknown container": query(lambda: chat, "com.example.nowhere"),
    }
    member = scene.sign_in()

    def person(web: Callable[[], str]) -> Callable[[], object]:
        return lambda: scene.ask("users/current", None, {"ckAPIToken": scene.token, "ckWebAuthToken": web()})

    right = bytearray(base64.b64decode(member.web))
    right[-1] ^= 1
    almost = base64.b64encode(right).decode()
    ended = scene.sign_in()
    scene.ask("sign-out", {}, ended, "kinfolk")
    webs = {
        "by chance": person(lambda: base64.b64encode(secrets.token_bytes(len(right))).decode()),
        "all but the last bit": person(lambda: almost),
        "signed out": person(lambda: ended.web),
    }
    return [verdict("an API token that is wrong", tokens, 2_000), verdict("a web auth token that is wrong", webs, 2_000)]
