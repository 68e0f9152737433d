"""lost_server: the PostgreSQL server of the store goes away while clients write, and comes back.

It is stopped, or killed with kill -9, or its connections are cut by a proxy, or they stay open and silent. Meanwhile requests fail with 503,
TRY_AGAIN_LATER and Retry-After, /readyz says no, and /healthz says yes. Afterwards everything works again in the same process: event streams
go on without a new connection, long polls too, and everything that was acknowledged is there.
"""

from __future__ import annotations

import concurrent.futures
import time

from proxy import Proxy
from scene import PATIENCE, Answer, Experiment, Lost, Scene, wait_until
from stores import Server
from streams import Poll, Stream
from writers import join, make_writers, total

from world import Person

FEW, FLOOD = 12, 40
WAYS = ("killed", "cut", "stopped", "silent")


def run(experiment: Experiment) -> None:
    engine, report = experiment.engine, experiment.report
    assert isinstance(engine, Server)
    proxy = Proxy(engine.port)
    try:
        scene = experiment.scene(store=engine.address("lost_server_postgresql", proxy.port))
        process = scene.pid
        writers = make_writers(scene, 2 if experiment.is_short else 6, str(experiment.dice.random()))
        writer = scene.sign_in("ada@example.com", keep=True)
        scene.subscribe(writer)
        others = [scene.sign_in("ada@example.com", keep=True) for _ in range(2)]
        listeners = [Stream(scene, others[0]), Poll(scene, others[1], "courier")]
        for listener in listeners:
            listener.start()
            report.expect(listener.is_ready.wait(60), "a listener does not start")
        for one in writers:
            one.stay = True
            one.start()
        for way in WAYS[:1] if experiment.is_short else WAYS * 2:
            refused, ready = lose(scene, engine, proxy, way, writer, count=FLOOD if way == "killed" and not experiment.is_short else FEW)
            report.expect(scene.pid == process and not scene.is_down, "kinfolkd has ended")
            goal = total(writers) + 5
            went_on = wait_until(lambda goal=goal: total(writers) >= goal)
            report.expect(went_on, f"{way}: writers do not go on")
            record = f"after-{way}-{time.monotonic_ns()}"
            created = scene.create(record, writer)
            report.expect(created.status == 200 and not created.code, f"{way}: a write fails afterwards: {created.body[:200]!r}")
            for listener in listeners:
                came = wait_until(lambda listener=listener, record=record: listener.has(record))
                report.expect(came, f"{way}: {type(listener).__name__} does not receive what happens afterwards")
            experiment.row(f"server {way}", f"{refused} refused, ready after {ready:.1f} s", f"lost, {way}")
        report.expect(listeners[0].connections == 1, f"the event stream was connected {listeners[0].connections} times")
        for one in [*writers, *listeners]:
            one.is_over.set()
        for listener in listeners:
            listener.stop()
        join(scene, writers)
        for one in writers:
            one.compare(downloads=2)
        scene.check_store()
        scene.stop_and_expect_0()
        refused = sum(one.refused for one in writers)
        experiment.row(f"{len(writers)} clients", f"{total(writers)} kept, {refused} refused")
    finally:
        experiment.end()
        proxy.end()


def lose(scene: Scene, engine: Server, proxy: Proxy, way: str, person: Person, *, count: int) -> tuple[int, float]:
    """Takes the server away and gives it back. Returns how many requests failed, and after how many seconds the service was ready."""
    report = scene.report
    {"killed": engine.kill, "cut": proxy.cut, "stopped": engine.stop, "silent": proxy.be_silent}[way]()
    try:
        refused = ask_in_vain(scene, way, person, count)
    finally:
        if way in ("killed", "stopped"):
            engine.start()
        else:
            proxy.mend()
    began = time.monotonic()
    report.expect(wait_until(lambda: is_ready(scene)), f"{way}: /readyz says no, although the server is back")
    return refused, time.monotonic() - began


def ask_in_vain(scene: Scene, way: str, person: Person, count: int) -> int:
    """Sends requests of several kinds at the same time. Returns how many were refused as documented."""
    report = scene.report
    kinds = [
        ("records/lookup", {"records": [{"recordName": "a"}]}),
        ("records/query", {"query": {"recordType": "Note"}}),
        ("users/current", {}),
        ("records/modify", {"operations": [{"operationType": "forceDelete", "record": {"recordName": "a"}}]}),
    ]
    refused = unanswered = 0
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        answers = [pool.submit(scene.call, *kinds[number % len(kinds)], person) for number in range(count)]
        report.expect(wait_until(lambda: not is_ready(scene)), f"{way}: /readyz says yes")
        alive = scene.get("/healthz")
        report.expect(alive.status == 200, f"{way}: /healthz is {alive.status}")
        for future in answers:
            try:
                check_refusal(scene, way, future.result())
                refused += 1
            except Lost:
                unanswered += 1
    # Calls of the library end within their wait, and they do not wait for each other.
    report.expect(not unanswered, f"{way}: {unanswered} of {count} requests are not answered within {PATIENCE:.0f} s")
    return refused


def is_ready(scene: Scene) -> bool:
    try:
        return scene.get("/readyz").status == 200
    except Lost:
        return False


def check_refusal(scene: Scene, way: str, answer: Answer) -> None:
    report = scene.report
    report.expect(answer.status == 503 and answer.code == "TRY_AGAIN_LATER", f"{way}: {answer.status} {answer.body[:200]!r}")
    report.expect(answer.headers.get("retry-after", "").isdigit(), f"{way}: 503 without Retry-After")
