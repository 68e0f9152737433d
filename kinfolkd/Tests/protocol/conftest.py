"""The container of the manual's examples in a service, and people who use it. Shared by the tests of the manual."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Callable, Iterator

import cloudkit_manual as manual
import pytest
from small_client import CloudKit, SignedCloudKit

from world import CONTAINER, World


class ManualWorld(World):
    """A served store with the containers of the manual. People sign in to their development environment."""

    container, environment = manual.CONTAINER, manual.ENVIRONMENT

    def __init__(self, folder: pathlib.Path, kinfolk: str, kinfolkd: str) -> None:
        super().__init__(folder, kinfolk, kinfolkd)
        self.api_tokens: dict[str, str] = {}
        for container in (manual.CONTAINER, manual.GALLERY):
            self.kinfolk("container", "create", container)
            options = ["--allow-discovery", "--return-url", manual.CALLBACK, "--environment", manual.ENVIRONMENT]
            self.api_tokens[container] = self.kinfolk("token", "create", container, "manual", *options).strip()
        self.people = 0
        self.serve()

    def url(self, operation: str, database: str = "public", environment: str = "") -> str:
        return f"{self.base}/database/1/{self.container}/{environment or self.environment}/{database}/{operation}"

    def application(self, container: str = manual.CONTAINER) -> CloudKit:
        """A client with an API token alone."""
        return CloudKit(self.base, container, manual.ENVIRONMENT, self.api_tokens[container])

    def user(self, address: str = "", given: str = "", family: str = "", container: str = manual.CONTAINER) -> CloudKit:
        """A client of a person who signs in now; a new person if there is no address."""
        return self.signed_in(self.application(container), address, given, family)

    def production_user(self) -> CloudKit:
        """A new person in the container of the other tests, in production."""
        return self.signed_in(CloudKit(self.base, CONTAINER, "production", self.api_token))

    def application_without_discovery(self, name: str = "no discovery") -> CloudKit:
        options = ["--return-url", manual.CALLBACK, "--environment", manual.ENVIRONMENT]
        token = self.kinfolk("token", "create", manual.CONTAINER, name, *options).strip()
        return CloudKit(self.base, manual.CONTAINER, manual.ENVIRONMENT, token)

    def signed_in(self, client: CloudKit, address: str = "", given: str = "", family: str = "") -> CloudKit:
        self.people += 1
        self.container, self.environment = client.container, client.environment
        person = self.sign_in(address or f"person{self.people}@example.com", given, family, api_token=client.api_token)
        self.container, self.environment = manual.CONTAINER, manual.ENVIRONMENT
        client.web_auth_token = person.items["ckWebAuthToken"]
        return client

    def server_key(self, name: str) -> pathlib.Path:
        """A private key, made as the manual says, with its public key next to it."""
        key = self.folder / f"{name}.pem"
        for command in (
            ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(key)],
            ["openssl", "ec", "-in", str(key), "-pubout", "-out", str(key.with_suffix(".public"))],
        ):
            subprocess.run(command, check=True, capture_output=True, timeout=60)
        return key

    def server(self, name: str) -> SignedCloudKit:
        """A client with a server-to-server key."""
        key = self.server_key(name)
        options = ["--name", name, "--environment", manual.ENVIRONMENT]
        key_id = self.kinfolk("server-key", "add", manual.CONTAINER, str(key.with_suffix(".public")), *options).strip()
        return SignedCloudKit(self.base, manual.CONTAINER, manual.ENVIRONMENT, key_id, key)


@pytest.fixture(scope="session")
def manual_world(kinfolk: str, kinfolkd: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManualWorld]:
    world = ManualWorld(tmp_path_factory.mktemp("manual"), kinfolk, kinfolkd)
    yield world
    world.end()


@pytest.fixture(scope="session")
def application(manual_world: ManualWorld) -> CloudKit:
    """The application of the manual, without a user."""
    return manual_world.application()


@pytest.fixture(scope="session")
def mei(manual_world: ManualWorld) -> CloudKit:
    """A user whom others can find."""
    return findable(manual_world.user("mei.chen@example.com", "Mei", "Chen"))


@pytest.fixture(scope="session")
def gkumar(manual_world: ManualWorld) -> CloudKit:
    """Another one."""
    return findable(manual_world.user("gkumar@example.com", "Gita", "Kumar"))


@pytest.fixture(scope="session")
def server(manual_world: ManualWorld) -> SignedCloudKit:
    return manual_world.server("eckey")


@pytest.fixture
def new_user(manual_world: ManualWorld) -> Callable[..., CloudKit]:
    """Signs a person in whom no other test knows."""
    return manual_world.user


@pytest.fixture
def user(manual_world: ManualWorld) -> CloudKit:
    """A new person."""
    return manual_world.user()


def findable(client: CloudKit) -> CloudKit:
    """Lets others find a person. The manual has no request for it: iCloud asks."""
    body = {"discoverability": "GRANTED", "wording": {"text": "May people who have your e-mail address find you?", "version": "1"}}
    url = client.url("discoverability").replace("/database/", "/kinfolk/")
    client.answer(client.session.post(url, json=body, timeout=60))
    return client
