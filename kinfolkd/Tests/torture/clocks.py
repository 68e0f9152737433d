"""clocks: the date of the machine jumps while kinfolkd runs. Only the date: time that really passes moves no jump.

A jump back makes nothing valid longer, and a jump forward ends what has a date. In between, people sign in, write, and wait for notifications
as always. No jump gives anybody a further mail with a code, and a signature that was accepted once is never accepted again. When the date is
right again, everything that was valid still is.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
from typing import Any

import requests
from scene import Answer, Connection, Experiment, Lost, Scene, wait_until
from streams import Poll, Stream

from world import CONTAINER, Person

MINUTE, HOUR, DAY, YEAR = 60, 3600, 86_400, 31_557_600


def run(experiment: Experiment) -> None:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if not compiler or not shutil.which("openssl"):
        return experiment.left_out("needs cc and openssl")
    experiment.folder.mkdir(exist_ok=True)
    shim = experiment.folder / "clock_shim.so"
    source = pathlib.Path(__file__).with_name("clock_shim.c")
    command = [compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(shim), str(source)]
    subprocess.run(command, check=True, timeout=60)
    scene = experiment.scene()
    scene.stop_and_expect_0()
    clock = Clock(experiment.folder / "clock")
    scene.environment = {"LD_PRELOAD": str(shim), "TORTURE_CLOCK": str(clock.path)}
    scene.start()
    Clocks(experiment, scene, clock).run()
    return None


class Clock:
    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self.set(0)

    def set(self, seconds: int) -> None:
        """Moves the date of the service to this many seconds after the right one."""
        self.shift = seconds
        with self.path.open("r+b" if self.path.exists() else "w+b") as file:
            file.write(struct.pack("q", seconds))

    def text(self, more: int = 0) -> str:
        """The date as the service has it."""
        now = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=self.shift + more)
        return now.strftime("%Y-%m-%dT%H:%M:%SZ")


class Clocks:
    def __init__(self, experiment: Experiment, scene: Scene, clock: Clock) -> None:
        self.experiment = experiment
        self.report = experiment.report
        self.scene = scene
        self.clock = clock

    def run(self) -> None:
        self.date_is_moved()
        self.tokens()
        self.uploads()
        self.signatures()
        self.mails()
        self.notifications()
        self.scene.check_store()
        self.clock.set(0)
        self.scene.stop_and_expect_0()

    def date_is_moved(self) -> None:
        """Without this, nothing below would be tested."""
        self.clock.set(YEAR)
        saved = self.scene.must("records/modify", create("date"), self.scene.sign_in("date@example.com"))
        shown = saved["records"][0]["created"]["timestamp"] / 1000
        right = datetime.datetime.now(datetime.UTC).timestamp()
        if not self.report.expect(abs(shown - right - YEAR) < HOUR, "the date of the service does not follow the jump"):
            raise RuntimeError("the clock is not moved")
        self.clock.set(0)

    # ---- Tokens

    def status(self, person: Person) -> int:
        """Whether a person is signed in. Keeps the new token, if there is one."""
        answer = self.scene.call("users/current", {}, person, "public")
        if new := answer.headers.get("x-apple-cloudkit-web-auth-token"):
            person.items["ckWebAuthToken"] = new
        return answer.status

    def tokens(self) -> None:
        short, lasting = self.scene.sign_in("short@example.com"), self.scene.sign_in("lasting@example.com", keep=True)
        for shift, person, valid in (
            # A short sign-in ends after half an hour, a lasting one after two weeks.
            (20 * MINUTE, lasting, True),
            (0, lasting, True),
            (-2 * MINUTE, short, True),
            (0, short, True),
            (2 * DAY, lasting, True),
            (2 * DAY, short, False),
        ):
            self.clock.set(shift)
            status = self.status(person)
            wanted = 200 if valid else 421
            self.report.expect(status == wanted, f"at {shift:+} s a token is answered with {status}, and not {wanted}")
        # The lasting session was renewed in the future. It must not last longer by that.
        self.clock.set(0)
        self.report.expect(self.status(lasting) == 421, "a session of the future is valid")
        self.clock.set(2 * DAY)
        self.report.expect(self.status(lasting) == 200, "a session is not valid at the date when it was renewed")
        for shift in (-YEAR, 10 * YEAR, 0):
            self.clock.set(shift)
            person = self.scene.sign_in("again@example.com")
            self.report.expect(self.status(person) == 200, f"at {shift:+} s a new sign-in is not valid")
        self.clock.set(17 * DAY)
        self.report.expect(self.status(lasting) == 421, "a lasting sign-in outlives two weeks")
        self.clock.set(0)
        self.experiment.row("tokens", "end by the date, new ones are valid", "clock jumps")

    # ---- Uploads

    def uploads(self) -> None:
        person = self.scene.sign_in("files@example.com", keep=True)
        found = self.scene.must("assets/upload", {"tokens": [{"recordType": "Note", "fieldName": "photo"}]}, person)
        url = found["tokens"][0]["url"]
        path = url[url.index("/asset/") :]
        for shift, valid in ((0, True), (16 * MINUTE, False), (10 * MINUTE, True), (-10 * MINUTE, True), (0, True)):
            self.clock.set(shift)
            connection = Connection(self.scene.port)
            answer = connection.send("POST", path, b"photo")
            connection.close()
            self.report.expect((answer.status == 200) == valid, f"at {shift:+} s an upload is answered with {answer.status}")
            self.report.expect(answer.status in (200, 404), f"an upload after its end: {answer.status}")
        self.clock.set(0)
        self.experiment.row("upload URLs", "15 minutes by the date", "clock jumps")

    # ---- Signatures

    def signatures(self) -> None:
        key = self.scene.folder / "private.pem"
        public = self.scene.folder / "public.pem"
        curve = ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        subprocess.run(["openssl", "genpkey", *curve, "-out", key], check=True, capture_output=True, timeout=60)
        subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True, capture_output=True, timeout=60)
        key_id = self.scene.kinfolk("server-key", "add", CONTAINER, str(public)).strip()

        def signed(date: str) -> dict[str, str]:
            digest = base64.b64encode(hashlib.sha256(BODY).digest()).decode()
            message = f"{date}:{digest}:{PATH}".encode()
            made = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=message, capture_output=True, check=True, timeout=60)
            return {
                "X-Apple-CloudKit-Request-KeyID": key_id,
                "X-Apple-CloudKit-Request-ISO8601Date": date,
                "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(made.stdout).decode(),
            }

        def send(headers: dict[str, str]) -> Answer:
            connection = Connection(self.scene.port)
            try:
                return connection.send("POST", PATH, BODY, headers)
            finally:
                connection.close()

        def expect(headers: dict[str, str], wanted: int, what: str) -> None:
            answer = send(headers)
            self.report.expect(answer.status == wanted, f"{what}: {answer.status} {answer.body[:200]!r}")

        used = signed(self.clock.text())
        expect(used, 200, "a signature")
        expect(used, 401, "the same signature again")
        right = signed(self.clock.text())
        for shift in (30 * MINUTE, DAY, -HOUR, 0):
            self.clock.set(shift)
            expect(used, 401, f"a used signature at {shift:+} s")
            if shift:
                expect(right, 401, f"a signature whose date is {-shift:+} s away")
            # Each makes the service forget signatures that have expired by its date.
            expect(signed(self.clock.text()), 200, f"a signature of now, at {shift:+} s")
        expect(used, 401, "a used signature when the date is right again")
        # A signature that was made before the jumps, and never sent, may be refused: what expired by the wrong date is unknown.
        expect(signed(self.clock.text()), 200, "a new signature when the date is right again")
        # The service forgets a signature of the far future. Signatures of now may be refused until all from before have expired, and not
        # until the far future comes.
        self.clock.set(10 * YEAR)
        expect(signed(self.clock.text()), 200, "a signature of the far future")
        self.clock.set(10 * YEAR + HOUR)
        self.scene.stop_and_expect_0()
        self.scene.start()
        self.scene.sign_in("upkeep@example.com")
        self.clock.set(0)
        expect(used, 401, "a used signature after the far future")
        send(signed(self.clock.text()))
        self.clock.set(25 * MINUTE)
        expect(used, 401, "a used signature after the far future")
        expect(signed(self.clock.text()), 200, "a new signature 25 minutes after the date was set right")
        self.clock.set(0)
        self.experiment.row("signatures", "each accepted once", "clock jumps")

    # ---- Mails

    def mails(self) -> None:
        """An address gets five codes in a day, whatever the date is."""
        got = 0
        for shift in (0, 0, DAY, -DAY, 0, YEAR, -YEAR, 30 * DAY, 0):
            self.clock.set(shift)
            got += self.ask_for_code("many@example.com", f"marker{got}{shift}@example.com".replace("-", "m"))
        self.report.expect(0 < got <= 5, f"an address got {got} mails with codes")
        self.clock.set(0)
        self.experiment.row("9 codes asked for, 8 jumps", f"{got} mails", "clock jumps")

    def ask_for_code(self, address: str, marker: str) -> int:
        """Whether a mail came. Mails are sent in order, so that of another address shows that no mail is on its way."""
        for one in (address, marker):
            self.begin_sign_in(one)
        try:
            self.scene.code_for(marker)
        except Lost:
            self.report.broken("the mail for a new address did not come")
        found = 0
        for path in self.scene.mails.glob("*.mail"):
            if f"To: {address}".encode() in path.read_bytes():
                path.unlink()
                found += 1
        return found

    def begin_sign_in(self, address: str) -> None:
        asked = self.scene.call("users/current", {}, None, "public")
        url = asked.json["redirectURL"]
        browser = requests.Session()
        page = browser.get(url, timeout=60)
        self.scene.send_form(browser, url, page, step="address", email=address, keep="")
        browser.close()

    # ---- Notifications

    def notifications(self) -> None:
        people = [self.scene.sign_in("news@example.com", keep=True) for _ in range(3)]
        self.scene.subscribe(people[0])
        listeners = [Stream(self.scene, people[1]), Poll(self.scene, people[2], "courier")]
        for listener in listeners:
            listener.start()
            self.report.expect(listener.is_ready.wait(60), "a listener does not start")
        for number, shift in enumerate((0, HOUR, -2 * MINUTE, 3 * DAY, 0)):
            self.clock.set(shift)
            self.status(people[0])
            saved = self.scene.call("records/modify", create(f"news{number}"), people[0])
            if shift == 0 and number > 0 and saved.status == 421:
                # The session was renewed in the future, and is not valid before.
                people[0] = self.scene.sign_in("news@example.com", keep=True)
                saved = self.scene.call("records/modify", create(f"news{number}"), people[0])
            self.report.expect(saved.status == 200, f"at {shift:+} s: {saved.status} {saved.body[:200]!r}")
            for listener in listeners:
                came = wait_until(lambda listener=listener, number=number: listener.has(f"news{number}"))
                self.report.expect(came, f"at {shift:+} s {type(listener).__name__} is not told")
        for listener in listeners:
            listener.stop()
        self.experiment.row("notifications", "all came", "clock jumps")


BODY = json.dumps({"query": {"recordType": "Note"}}).encode()
PATH = f"/database/1/{CONTAINER}/production/public/records/query"


def create(name: str) -> dict[str, Any]:
    record = {"recordType": "Note", "recordName": name, "fields": {"title": {"value": name}}}
    return {"operations": [{"operationType": "create", "record": record}]}
