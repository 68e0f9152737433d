"""Starts the programs under test.

KINFOLKD is the path of the release binary of kinfolkd, KINFOLKD_PROBE that of kinfolkd-probe, and KINFOLK that of the command which
makes stores. By default they are next to each other, in the folder of a release build.
"""

from __future__ import annotations

import pathlib
import shutil
import subprocess
from collections.abc import Callable, Iterator

import pytest

from certificates import make_certificate
from programs import Probe, Service, binary
from world import World


@pytest.fixture(scope="session")
def new_store(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("store")
    subprocess.run(
        [binary("KINFOLK", "kinfolk-cli"), "init", "--store", folder / "kinfolk.db"],
        check=True,
        capture_output=True,
        timeout=60,
    )
    return folder


@pytest.fixture
def store(new_store: pathlib.Path, tmp_path: pathlib.Path) -> pathlib.Path:
    """A new store, with its key next to it."""
    folder = tmp_path / "store"
    shutil.copytree(new_store, folder)
    return folder / "kinfolk.db"


@pytest.fixture(scope="session")
def kinfolkd() -> str:
    return binary("KINFOLKD", "kinfolkd")


@pytest.fixture(scope="session")
def kinfolk() -> str:
    """The command which makes stores."""
    return binary("KINFOLK", "kinfolk-cli")


@pytest.fixture
def serve(kinfolkd: str, store: pathlib.Path) -> Iterator[Callable[..., Service]]:
    """Starts services; the test ends them, or the end of the test does."""
    services: list[Service] = []

    def start(*options: str, **more: object) -> Service:
        services.append(Service(kinfolkd, ["serve", "--store", str(store), *options], **more))
        return services[-1]

    yield start
    for service in services:
        service.kill()


@pytest.fixture
def probe() -> Iterator[Callable[..., Probe]]:
    """Starts transports with answers of every kind."""
    path = binary("KINFOLKD_PROBE", "kinfolkd-probe")
    probes: list[Probe] = []

    def start(**values: object) -> Probe:
        probes.append(Probe(path, values))
        return probes[-1]

    yield start
    for one in probes:
        one.kill()


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    return make_certificate(tmp_path_factory.mktemp("tls"), "localhost")


@pytest.fixture
def world(kinfolkd: str, tmp_path: pathlib.Path) -> Iterator[World]:
    """A container in a new store. The test starts its services."""
    folder = tmp_path / "world"
    folder.mkdir()
    world = World(folder, binary("KINFOLK", "kinfolk-cli"), kinfolkd)
    yield world
    world.end()
