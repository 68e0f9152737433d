"""full_disk: the disk of the store, or of its server, becomes full while kinfolkd writes.

Writes fail with a documented error, or succeed; reads are answered as before. With room again, writes succeed without a restart. Everything
that was acknowledged is there, and the integrity check passes.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

from scene import Experiment, Scene, wait_until
from stores import Files, Server
from writers import check_people, join, make_writers, total

SIZE = "24m"


def run(experiment: Experiment) -> None:
    engine = experiment.engine
    if not os.environ.get("TORTURE_NAMESPACE") and isinstance(engine, Files) and in_user_namespace(experiment):
        return None
    disk = engine.folder / "disk" if isinstance(engine, Server) else experiment.folder / "disk"
    if not os.environ.get("TORTURE_NAMESPACE") or not mount(disk, engine):
        return experiment.left_out("needs root, unshare and mount")
    try:
        torture(experiment, disk)
    finally:
        experiment.end()
        try:
            if isinstance(engine, Server):
                engine.query("DROP DATABASE IF EXISTS disk")
                engine.query("DROP TABLESPACE IF EXISTS small")
        finally:
            subprocess.run(["umount", "--lazy", disk], check=False, timeout=30)


def in_user_namespace(experiment: Experiment) -> bool:
    """Runs this in a namespace in which this user is root. False if the system does not allow that."""
    unshare = ["unshare", "--map-root-user", "--mount"]
    if not shutil.which("unshare") or subprocess.run([*unshare, "true"], capture_output=True, check=False).returncode:
        return False
    short = ["--short"] if experiment.is_short else []
    command = [*unshare, sys.executable, sys.argv[0], *short, "--store", "sqlite", "full_disk"]
    status = subprocess.run(command, env=os.environ | {"TORTURE_NAMESPACE": "1"}, check=False, timeout=600).returncode
    experiment.report.expect(status == 0, f"full_disk in a namespace of its own: status {status}")
    experiment.row("in a namespace of its own", f"status {status}")
    return True


def mount(disk: pathlib.Path, engine: object) -> bool:
    disk.mkdir()
    size = "64m" if isinstance(engine, Server) else SIZE
    command = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "tmpfs", str(disk)]
    return subprocess.run(command, capture_output=True, check=False, timeout=30).returncode == 0


def torture(experiment: Experiment, disk: pathlib.Path) -> None:
    engine, report = experiment.engine, experiment.report
    if isinstance(engine, Server):
        # Only the tables: a server whose log has no room ends.
        owner = (engine.folder / "data").stat()
        os.chown(disk, owner.st_uid, owner.st_gid)
        engine.query(f"CREATE TABLESPACE small LOCATION '{disk}'")
        engine.query("CREATE DATABASE disk TABLESPACE small")
        store = engine.address("full_disk_postgresql", database="disk")
    else:
        store = str(disk / "kinfolk.db")
    scene = experiment.scene(store=store)
    writers = make_writers(scene, 3, str(experiment.dice.random()))
    people = [("reader@example.com", scene.sign_in("reader@example.com", keep=True))]
    reader = people[0][1]
    if scene.create("before", reader).status != 200:
        report.broken("a record cannot be created before the disk is full")
    kept = refused = 0
    rounds = 1 if experiment.is_short else 5
    for turn in range(rounds):
        if turn > 0:
            writers = [writer.clone() for writer in writers]
        for writer in writers:
            writer.stay = True
            writer.start()
        wait_until(lambda writers=writers: total(writers) > 20)
        fill(disk / "filler")
        enough = 10 if experiment.is_short else 100
        if not wait_until(lambda writers=writers, enough=enough: sum(writer.refused for writer in writers) >= enough):
            report.broken("no write fails, although the disk is full")
        reads = check_reads(scene, reader)
        check_sign_in(scene)
        before = [writer.acknowledged for writer in writers]
        (disk / "filler").unlink()
        refused += sum(writer.refused for writer in writers)
        if not wait_until(
            lambda writers=writers, before=before: all(writer.acknowledged > count + 2 for writer, count in zip(writers, before, strict=True))
        ):
            report.broken("writes do not succeed after there was room again")
        for writer in writers:
            writer.is_over.set()
        join(scene, writers)
        kept += total(writers)
        for writer in writers:
            writer.compare(downloads=1)
    check_people(scene, people, again=1)
    scene.check_store()
    scene.stop_and_expect_0()
    experiment.row(f"{rounds} times, {reads} reads meanwhile", f"{refused} refused, {kept} kept")


def fill(path: pathlib.Path) -> None:
    """Takes all room of a disk."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        for size in (1 << 20, 4096, 1):
            with contextlib.suppress(OSError):
                for _ in range(100_000):
                    file.write(b"\0" * size)


def check_reads(scene: Scene, reader: object) -> int:
    """Reads while the disk is full."""
    tried = 0
    for _ in range(10):
        for operation, body in (
            ("records/lookup", {"records": [{"recordName": "before"}]}),
            ("records/query", {"query": {"recordType": "Note"}}),
            ("users/current", {}),
        ):
            answer = scene.call(operation, body, reader)  # type: ignore[arg-type]
            tried += 1
            scene.report.expect(answer.status == 200, f"{operation} on a full disk: {answer.status} {answer.body[:200]!r}")
            scene.report.expect(b"serverErrorCode" not in answer.body, f"{operation} on a full disk: {answer.body[:200]!r}")
    for path in ("/healthz", "/readyz"):
        scene.report.expect(scene.get(path).status == 200, f"{path} on a full disk")
    return tried


def check_sign_in(scene: Scene) -> None:
    """The pages of the sign-in show an error, and no fault of the service."""
    answer = scene.call("users/current", {}, None, "public")
    url = answer.json["redirectURL"]
    page = scene.get(url[url.index("/", len("http://")) :])
    scene.report.expect(page.status in (200, 503), f"the first page of the sign-in on a full disk: {page.status}")
