"""Requests that schemathesis makes from the description."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any

import hypothesis
import schemathesis
from api_description import METHODS, Description
from schemathesis import GenerationMode
from schemathesis.core import NotSet


@dataclass
class Case:
    """What a request of an operation holds, without its path and its credentials."""

    body: Any
    """A JSON value, bytes, the fields of a form, or None for no body."""
    query: list[tuple[str, str]]
    headers: list[tuple[str, str]]
    database: str


# Given by the caller, and not worth the time of generating them.
GIVEN = ("container", "environment", "ticket", "origin", "cookie", "requestMethod", "requestHeaders")

# Set for each request by the caller.
OWN = {
    "ckapitoken", "ckwebauthtoken", "origin", "cookie", "x-apple-cloudkit-api-token", "x-apple-cloudkit-web-auth-token",
    "x-apple-cloudkit-request-keyid", "x-apple-cloudkit-request-iso8601date", "x-apple-cloudkit-request-signaturev1",
}  # fmt: skip


class Generator:
    def __init__(self, description: Description) -> None:
        schema = schemathesis.openapi.from_dict(Generator.reduced(description.raw))
        self.operations = {result.ok().definition.raw["operationId"]: result.ok() for result in schema.get_all_operations()}
        self.strategies: dict[tuple[str, bool], Any] = {}

    @staticmethod
    def reduced(raw: dict[str, Any]) -> dict[str, Any]:
        """The description without what requests have in common."""
        left_out = [f"#/components/parameters/{name}" for name in GIVEN]

        def without(node: dict[str, Any]) -> dict[str, Any]:
            parameters = [one for one in node.get("parameters", []) if one.get("$ref") not in left_out]
            return {name: value for name, value in node.items() if name != "security"} | {"parameters": parameters}

        paths = {}
        for path, item in raw["paths"].items():
            for name in ("container", "environment", "ticket"):
                path = path.replace("{" + name + "}", name)
            paths[path] = {method: without(value) if method in METHODS else value for method, value in without(item).items()}
        return {**raw, "paths": paths}

    def cases(self, operation: str, is_valid: bool, number: int, seed: int) -> list[Case]:
        """As many cases as there are, at most `number`. The same seed gives the same ones."""
        key = (operation, is_valid)
        if key not in self.strategies:
            mode = GenerationMode.POSITIVE if is_valid else GenerationMode.NEGATIVE
            self.strategies[key] = self.operations[operation].as_strategy(generation_mode=mode)
        found: list[Case] = []

        @hypothesis.seed(seed)
        @hypothesis.settings(
            max_examples=number,
            database=None,
            deadline=None,
            phases=[hypothesis.Phase.generate],
            suppress_health_check=list(hypothesis.HealthCheck),
        )
        @hypothesis.given(case=self.strategies[key])
        def collect(case: Any) -> None:
            found.append(Generator.case(case))

        # Nothing can be wrong with a request that has nothing.
        with contextlib.suppress(hypothesis.errors.Unsatisfiable):
            collect()
        return found

    @staticmethod
    def case(case: Any) -> Case:
        def items(values: Any) -> list[tuple[str, str]]:
            return [(str(name), str(value)) for name, value in (values or {}).items() if str(name).lower() not in OWN]

        body = None if isinstance(case.body, NotSet) else case.body
        return Case(body, items(case.query), items(case.headers), str((case.path_parameters or {}).get("database", "public")))
