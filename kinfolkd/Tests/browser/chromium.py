"""Chromium without a window, driven by the Chrome DevTools Protocol over a pipe.

The pipe (`--remote-debugging-pipe`) needs no other package: each message is a line of JSON that ends with a zero byte.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import fcntl
import json
import os
import pathlib
import selectors
import shutil
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable
from typing import Any

PATIENCE = 30.0
LOST = 3.0  # after which a question to a page is asked again
VIEW = (1000, 800)
PHONE = (360, 640)

FLAGS = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--disable-field-trial-config",
    "--disable-features=Translate,OptimizationHints,MediaRouter,SpareRendererForSitePerProcess",
    "--hide-scrollbars",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-proxy-server",
    "--password-store=basic",
    # Nothing but this machine can be reached.
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]

KEYS = {
    "Tab": ("Tab", "Tab", 9, ""),
    "Enter": ("Enter", "Enter", 13, "\r"),
    "Space": (" ", "Space", 32, " "),
    "Escape": ("Escape", "Escape", 27, ""),
}


class ProtocolError(Exception):
    """The browser refused a command."""


def find_chromium() -> str | None:
    """The path of Chromium, or of the program that CHROMIUM names; None if there is none."""
    names = [os.environ["CHROMIUM"]] if "CHROMIUM" in os.environ else ["chromium", "chromium-browser", "google-chrome"]
    return next((path for name in names if (path := shutil.which(name))), None)


def place(read: int, write: int) -> None:
    """Gives a new process the pipe where the browser expects it: it reads commands from descriptor 3 and writes to 4."""
    # Copies first, because either may be 3 or 4 itself.
    copies = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, 10) for descriptor in (read, write)]
    for descriptor, copy in zip((3, 4), copies):
        os.dup2(copy, descriptor)


class Chromium:
    """The browser, with a profile in a folder of its own."""

    def __init__(self, path: str, folder: pathlib.Path) -> None:
        read, self._output = os.pipe()
        self._input, write = os.pipe()
        # As root there is no sandbox; the browser only sees pages of the tests.
        flags = [*FLAGS, f"--user-data-dir={folder}"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.errors = folder / "errors.txt"
        with self.errors.open("wb") as errors:
            self._process = subprocess.Popen(
                [path, *flags],
                preexec_fn=lambda: place(read, write),
                pass_fds=[3, 4],
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
                start_new_session=True,
            )
        os.close(read)
        os.close(write)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._input, selectors.EVENT_READ)
        self._received = b""
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._ignored: set[int] = set()
        self._sessions: dict[str, Page] = {}
        self._contexts: dict[str, Context] = {}
        self.user_agent = self.call("Browser.getVersion")["userAgent"]
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=True, flatten=True)

    def close(self) -> None:
        """Ends the browser, with all its processes."""
        with contextlib.suppress(Exception):
            self.call("Browser.close")
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(PATIENCE)

    # ---- Messages

    def post(self, method: str, session: str | None = None, **parameters: Any) -> int:
        """Sends a command, and does not wait for its answer."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = memoryview(json.dumps(message).encode() + b"\0")
        while data:
            data = data[os.write(self._output, data) :]
        return self._number

    def call(self, method: str, session: str | None = None, *, seconds: float = PATIENCE, **parameters: Any) -> dict[str, Any]:
        """Sends a command, and returns the result."""
        number = self.post(method, session, **parameters)
        self.wait(lambda: number in self._answers, method, seconds)
        answer = self._answers.pop(number)
        if "error" in answer:
            raise ProtocolError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait(self, condition: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
        """Handles messages until a condition holds."""
        end = time.monotonic() + seconds
        while not (value := condition()):
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"not within {seconds:.0f} seconds: {what}")
            self.handle(min(left, 0.1))
        return value

    def handle(self, seconds: float) -> None:
        """Waits for messages for some time, and handles them."""
        if not self._selector.select(seconds):
            return
        data = os.read(self._input, 1 << 20)
        assert data, f"Chromium ended: {self.errors.read_text(errors='replace')}"
        *messages, self._received = (self._received + data).split(b"\0")
        for message in messages:
            self._handle(json.loads(message))

    def _handle(self, message: dict[str, Any]) -> None:
        if "id" in message:
            self._answers[message["id"]] = message
            return
        method, parameters = message["method"], message["params"]
        if method == "Target.attachedToTarget":
            self._attach(parameters)
        elif method == "Target.detachedFromTarget":
            if page := self._sessions.pop(parameters["sessionId"], None):
                page.is_closed = True
        elif page := self._sessions.get(message.get("sessionId", "")):
            page.note(method, parameters)

    def _attach(self, parameters: dict[str, Any]) -> None:
        session, target = parameters["sessionId"], parameters["targetInfo"]
        context = self._contexts.get(target.get("browserContextId", ""))
        if context and target["type"] == "page":
            page = Page(self, context, session, target["targetId"])
            self._sessions[session] = page
            context.pages.append(page)
            page.prepare()
        self.post("Runtime.runIfWaitingForDebugger", session)

    def context(self, **settings: Any) -> Context:
        """A new profile in memory, without cookies."""
        identifier = self.call("Target.createBrowserContext", disposeOnDetach=True)["browserContextId"]
        self._contexts[identifier] = Context(self, identifier, Settings(**settings))
        return self._contexts[identifier]

    def dispose(self, identifier: str) -> None:
        """Ends a context, with its pages."""
        self._contexts.pop(identifier, None)
        with contextlib.suppress(ProtocolError):
            self.call("Target.disposeBrowserContext", browserContextId=identifier)


@dataclasses.dataclass(frozen=True)
class Settings:
    """What a person has set in the browser."""

    language: str = "en"
    javascript: bool = True
    dark: bool = False
    size: tuple[int, int] = VIEW


class Context:
    """A person's browser: pages that share cookies. It records all that its pages send."""

    def __init__(self, chromium: Chromium, identifier: str, settings: Settings) -> None:
        self.chromium = chromium
        self.identifier = identifier
        self.settings = settings
        self.pages: list[Page] = []
        # The parameters of all events that show a request.
        self.requests: list[dict[str, Any]] = []

    def page(self, url: str | None = None) -> Page:
        """Opens a page."""
        target = self.chromium.call("Target.createTarget", url="about:blank", browserContextId=self.identifier)["targetId"]
        found = self.chromium.wait(lambda: next((page for page in self.pages if page.target == target), None), "a page")
        found.wait("true")  # a page that is told too early to go somewhere answers no question
        if url:
            found.go(url)
        return found

    def popup(self, opener: Page) -> Page:
        """The newest page that is not the opener."""
        return self.chromium.wait(lambda: next((page for page in reversed(self.pages) if page is not opener and not page.is_closed), None), "a popup")

    def close(self) -> None:
        """Closes all pages, and forgets the cookies."""
        self.chromium.dispose(self.identifier)


class Page:
    """A tab or a popup."""

    def __init__(self, chromium: Chromium, context: Context, session: str, target: str) -> None:
        self.chromium = chromium
        self.context = context
        self.session = session
        self.target = target
        self.is_closed = False
        self.messages: deque[str] = deque(maxlen=200)
        self.statuses: dict[str, int] = {}
        self.headers: dict[str, dict[str, str]] = {}
        self.failures: list[dict[str, Any]] = []

    def prepare(self) -> None:
        """Applies the settings before the page loads anything."""
        settings = self.context.settings
        width, height = settings.size
        self.post("Page.enable")
        self.post("Network.enable", maxPostDataSize=10_000_000)
        self.post("Runtime.enable")
        self.post("Log.enable")
        self.post("Emulation.setFocusEmulationEnabled", enabled=True)
        self.post("Emulation.setUserAgentOverride", userAgent=self.chromium.user_agent, acceptLanguage=settings.language)
        self.post("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=settings.size == PHONE)
        scheme = "dark" if settings.dark else "light"
        self.post("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        if not settings.javascript:
            self.post("Emulation.setScriptExecutionDisabled", value=True)

    def note(self, method: str, parameters: dict[str, Any]) -> None:
        """Records an event of the page."""
        if method in ("Network.requestWillBeSent", "Network.requestWillBeSentExtraInfo", "Network.webSocketFrameSent"):
            self.context.requests.append(parameters)
        elif method == "Network.responseReceived":
            response = parameters["response"]
            self.statuses[response["url"]] = response["status"]
            self.headers[response["url"]] = {name.lower(): value for name, value in response["headers"].items()}
        elif method == "Network.loadingFailed":
            self.failures.append(parameters)
        elif method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.messages.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.messages.append(parameters["entry"]["text"])

    def post(self, method: str, **parameters: Any) -> None:
        """Sends a command, and does not wait for its answer."""
        self.chromium.post(method, self.session, **parameters)

    def call(self, method: str, *, seconds: float = PATIENCE, **parameters: Any) -> dict[str, Any]:
        """Sends a command to the page."""
        return self.chromium.call(method, self.session, seconds=seconds, **parameters)

    # ---- Reading

    def evaluate(self, expression: str, seconds: float = PATIENCE) -> Any:
        """The value of an expression of JavaScript, also if JavaScript is off for the page."""
        parameters = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        result = self.call("Runtime.evaluate", seconds=seconds, **parameters)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise ProtocolError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, expression: str) -> None:
        """Waits until an expression is true on a page that is loaded."""
        end = time.monotonic() + PATIENCE
        while True:
            # Between two pages a question fails, or is lost.
            with contextlib.suppress(ProtocolError, TimeoutError):
                if self.evaluate(f"document.readyState == 'complete' && !!({expression})", LOST):
                    return
            assert time.monotonic() < end, f"never true: {expression}\n{self.describe()}"
            self.chromium.handle(0.05)

    def describe(self) -> str:
        """The page in words, for the message of a failed test."""
        with contextlib.suppress(Exception):
            return f"{self.url}\n{self.text}\n{list(self.messages)}"
        return "the page is gone"

    @property
    def url(self) -> str:
        return self.evaluate("location.href")

    @property
    def text(self) -> str:
        return self.evaluate("document.body.innerText")

    def wait_for(self, selector: str) -> None:
        """Waits until a page has an element."""
        self.wait(f"document.querySelector({json.dumps(selector)})")

    def exists(self, selector: str) -> bool:
        return self.evaluate(f"!!document.querySelector({json.dumps(selector)})")

    # ---- Acting, as a person does: by mouse and keyboard

    def go(self, url: str) -> None:
        """Loads a page, and waits until it is there."""
        frame = self.call("Page.navigate", url=url)
        assert "errorText" not in frame or frame["errorText"] == "net::ERR_ABORTED", frame
        self.wait("location.href != 'about:blank'")

    def click(self, selector: str) -> None:
        """Clicks into the middle of an element."""
        place = self.evaluate(
            f"""(() => {{
                const element = document.querySelector({json.dumps(selector)});
                element.scrollIntoView({{block: "center", behavior: "instant"}});
                const box = element.getClientRects()[0]; // a link can have several lines
                return {{x: box.x + box.width / 2, y: box.y + box.height / 2}};
            }})()"""
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=place["x"], y=place["y"], button="left", clickCount=1)

    def type(self, text: str) -> None:
        """Types into the element with the focus."""
        self.call("Input.insertText", text=text)

    def fill(self, selector: str, text: str) -> None:
        """Replaces what a field holds."""
        self.click(selector)
        self.evaluate(f"document.querySelector({json.dumps(selector)}).select()")
        self.type(text)

    def press(self, name: str, *, shift: bool = False) -> None:
        """Presses a key."""
        key, code, number, text = KEYS[name]
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def choose_file(self, selector: str, path: pathlib.Path) -> None:
        """Chooses a file in a file field."""
        found = self.call("Runtime.evaluate", expression=f"document.querySelector({json.dumps(selector)})")
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=found["result"]["objectId"])

    def screenshot(self, path: pathlib.Path) -> None:
        """Writes the whole page as PNG."""
        shot = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))
