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
from site_pages import Site
from world import CONTAINER, World


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
def site(
    kinfolk: str, kinfolkd: str, application: Application, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    folder: pathlib.Path = tmp_path_factory.mktemp("site")
    world = World(folder, kinfolk, kinfolkd)
    urls = ["--return-url", application.origin + "/done", "--return-url", application.origin + "/friends.html"]
    world.api_token = world.make_token("Notes", "--allow-discovery", "--origin", application.origin, *urls)
    world.serve("--log-level", "debug")
    application.pages["/settings.js"] = "\n".join(
        f"export const {name} = {json.dumps(value)};"
        for name, value in {
            "service": world.base,
            "container": CONTAINER,
            "environment": "production",
            "apiToken": world.api_token,
        }.items()
    )
    yield Site(world, application)
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
