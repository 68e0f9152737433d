"""`docs/openapi.yaml` is valid, and describes the operations that the code has."""

from __future__ import annotations

import pathlib
import re
from typing import Any

import openapi_spec_validator
import pytest
from api_description import Description

SOURCES = pathlib.Path(__file__).parents[3] / "Sources" / "KinfolkWebServices"
BASE = "/{container}/{environment}"
# Paths that are no operations of the protocol: the file that reads them, and what it compares them with.
PAGES = "SignIn/SignInRequest.swift"
IDENTITIES = "SignIn/Identities/IdentityRequest.swift"
HEALTH = "../../kinfolkd/Sources/kinfolkd/Health/"
OTHERS = {
    "/asset/1/{ticket}": ("Assets/AssetRequest.swift", "/asset/1/"),
    "/courier/1/{ticket}": ("Notifications/CourierRequest.swift", "/courier/1/"),
    "/sign-in/{ticket}": (PAGES, "/sign-in/"),
    "/sign-in/with/{provider}": (IDENTITIES, "with/"),
    "/sign-in/callback/{issuer}": (IDENTITIES, "callback/"),
    "/account": (PAGES, "/account"),
    "/healthz": (HEALTH + "HealthResponder.swift", "/healthz"),
    "/readyz": (HEALTH + "HealthResponder.swift", "/readyz"),
    "/metrics": (HEALTH + "MetricsResponder.swift", "/metrics"),
}


@pytest.fixture(scope="module")
def description() -> Description:
    return Description()


class Operation:
    """An operation as the table in the code has it."""

    def __init__(self, name: str, text: str, is_ours: bool) -> None:
        self.name = name
        of_person = "ofPerson(" in text
        databases = re.search(r"databases: (?:Operation\.)?(\w+|\[[^]]*\])", text)
        named = databases[1] if databases else '["public", "private"]'
        self.has_path_without_database = named in ("anywhere", "withoutDatabase") or of_person
        if of_person or named == "withoutDatabase":
            self.databases = []
        else:
            self.databases = ["public", "private"] if named == "anywhere" else re.findall(r'"(\w+)"', named)
        self.allows_get = "allowsGET: true" in text
        self.allows_servers = "allowsServers: false" not in text and not of_person
        self.needs_user = "needsUser: true" in text or of_person
        root = "/kinfolk/1" if is_ours else "/database/1"
        self.paths = [f"{root}{BASE}/{name}"] if self.has_path_without_database else []
        if self.databases:
            self.paths.append(f"{root}{BASE}/{{database}}/{name}")
        if name.startswith("tokens/"):
            self.paths.append(f"/device/1{BASE}/{name}")


def operations() -> list[Operation]:
    found = []
    for file, table in (("Operation.swift", "ofProtocol"), ("Operation+Kinfolk.swift", "ofKinfolk")):
        text = (SOURCES / "Operations" / file).read_text().split(f"static let {table}: [String: Operation] = [")[1].split("\n    ]\n")[0]
        parts = re.split(r'\n        "([a-z/-]+)": ', text)[1:]
        found += [Operation(name, value, table == "ofKinfolk") for name, value in zip(parts[::2], parts[1::2], strict=True)]
    assert len(found) > 35
    return found


def test_the_description_is_valid_openapi(description: Description) -> None:
    assert description.raw["openapi"].startswith("3.1.")
    openapi_spec_validator.validate(description.raw)


def test_each_operation_of_the_code_is_described_and_the_other_way_round(description: Description) -> None:
    in_code = {path for operation in operations() for path in operation.paths} | set(OTHERS)
    assert in_code == set(description.raw["paths"])
    for file, text in OTHERS.values():
        assert f'"{text}"' in (SOURCES / file).read_text()


@pytest.mark.parametrize("operation", operations(), ids=lambda operation: operation.name)
def test_the_description_says_how_an_operation_can_be_asked_for(description: Description, operation: Operation) -> None:
    for path in operation.paths:
        item = description.raw["paths"][path]
        assert ("get" in item) == operation.allows_get
        assert "post" in item
        assert "options" in item
        for method in ("get", "post"):
            schemes = [set(one) for one in item.get(method, {}).get("security", [])]
            assert ({"serverKeyID", "serverDate", "serverSignature"} in schemes) == operation.allows_servers or not schemes
            assert ({"apiToken"} in schemes) == (not operation.needs_user) or not schemes
        if "{database}" in path:
            parameters = [description.resolved(parameter) for parameter in item["parameters"]]
            databases = next(parameter["schema"]["enum"] for parameter in parameters if parameter["name"] == "database")
            assert databases == operation.databases


def test_all_steps_of_the_pages_are_described(description: Description) -> None:
    text = (SOURCES / "Pages" / "Layout" / "PageStep.swift").read_text()
    steps = {name: value or name for name, value in re.findall(r'^    case (\w+)(?: = "([a-z-]+)")?$', text, re.MULTILINE)}
    forms = {
        operation.id: operation.raw["requestBody"]["content"] for operation in description.operations if operation.id in ("signInStep", "accountStep")
    }
    described = {id: content["application/x-www-form-urlencoded"]["schema"]["properties"]["step"]["enum"] for id, content in forms.items()}
    assert set(described["accountStep"]) == set(steps.values())
    assert set(described["signInStep"]) == {"address", "code", "another-code", "link-identity", "names", "consent"}


def test_all_codes_of_errors_are_described(description: Description) -> None:
    text = (SOURCES / "Errors" / "ServerErrorCode.swift").read_text()
    codes = re.findall(r'case (\w+) = "(\w+)"', text)
    assert sorted(code for _, code in codes) == sorted(description.raw["components"]["schemas"]["ServerErrorCode"]["enum"])


def test_examples_are_as_the_schemas_say(description: Description) -> None:
    count = 0
    for operation in description.operations:
        holders = [operation.raw.get("requestBody"), *operation.raw["responses"].values()]
        for holder in [description.resolved(one) for one in holders if one]:
            for media, content in holder.get("content", {}).items():
                examples: list[Any] = [one["value"] for one in content.get("examples", {}).values()]
                examples += [content["example"]] if "example" in content else []
                for example in examples:
                    error = next(description.validator(content["schema"]).iter_errors(example), None)
                    assert error is None, (operation.id, media, str(error))
                    count += 1
    assert count > 500
