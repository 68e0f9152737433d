"""One Chromium, one service and one application for all tests of this folder. Each test has its own people and its own profile."""

from __future__ import annotations

import itertools
import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from application import Application
from chromium import Chromium, Context, find_chromium
from site_pages import ASKING, Site

from world import CONTAINER, World

WORDINGS = f"""
container = {ASKING}
version = 2026-01
text = May people who have your address find you in Notes?
text = You can change your answer later.
text-fr = Les personnes qui ont votre adresse peuvent-elles vous trouver dans Notes ?
text-ja = あなたのアドレスを知っている人が、Notesであなたを見つけてもよいですか。
"""


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chromium]:
    path = find_chromium()
    if not path:
        pytest.exit("There is no Chromium. CHROMIUM can name it.", 2)
    chromium = Chromium(path, tmp_path_factory.mktemp("chromium"))
    yield chromium
    chromium.close()


@pytest.fixture(scope="session")
def application() -> Iterator[Application]:
    application = Application()
    yield application
    application.close()


@pytest.fixture(scope="session")
def site(kinfolk: str, kinfolkd: str, application: Application, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: pathlib.Path = tmp_path_factory.mktemp("site")
    world = World(folder, kinfolk, kinfolkd)
    urls = [item for path in ("/done", "/other", "/friends.html") for item in ("--return-url", application.origin + path)]
    world.api_token = world.make_token("Notes", "--allow-discovery", "--origin", application.origin, *urls)
    world.kinfolk("container", "create", ASKING)
    asking = ["--origin", application.origin, "--return-url", application.origin + "/done"]
    asking_token = world.kinfolk("token", "create", ASKING, "Notes", "--allow-discovery", *asking).strip()
    consent = folder / "consent"
    consent.write_text(WORDINGS)
    world.serve("--log-level", "debug", "--consent", str(consent))
    application.pages["/settings.js"] = "\n".join(
        f"export const {name} = {json.dumps(value)};"
        for name, value in {
            "service": world.base,
            "container": CONTAINER,
            "environment": "production",
            "apiToken": world.api_token,
        }.items()
    )
    yield Site(world, application, asking_token)
    world.end()


_numbers = itertools.count(1)


@pytest.fixture
def address() -> str:
    """An address that no other test uses."""
    return f"person{next(_numbers)}@example.com"


@pytest.fixture
def browser(chromium: Chromium) -> Iterator[Callable[..., Context]]:
    """Opens profiles with their settings."""
    contexts: list[Context] = []

    def open_context(**settings: Any) -> Context:
        contexts.append(chromium.context(**settings))
        return contexts[-1]

    yield open_context
    for context in contexts:
        context.close()
