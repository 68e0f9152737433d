"""`docs/openapi.yaml`, and what it says about answers."""

from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass
from typing import Any

import jsonschema_rs
import yaml
from api_wire import Reply

PATH = pathlib.Path(__file__).parents[3] / "docs" / "openapi.yaml"
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")

# What every answer may have: HTTP's own headers, and those that the introduction of the description names.
COMMON_HEADERS = {
    "content-type", "content-length", "date", "connection", "transfer-encoding", "cache-control", "referrer-policy",
    "x-content-type-options", "vary", "access-control-allow-origin", "access-control-expose-headers",
}  # fmt: skip


@dataclass
class Operation:
    id: str
    path: str
    method: str
    raw: dict[str, Any]
    tags: list[str]

    @property
    def security(self) -> list[dict[str, Any]]:
        return self.raw.get("security", [])


class Description:
    def __init__(self) -> None:
        self.raw: dict[str, Any] = yaml.load(PATH.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        self.operations = [
            Operation(operation["operationId"], path, method.upper(), operation, operation["tags"])
            for path, item in self.raw["paths"].items()
            for method, operation in item.items()
            if method in METHODS
        ]
        self.validators: dict[str, Any] = {}

    def resolved(self, node: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in node:
            found: Any = self.raw
            for name in node["$ref"].removeprefix("#/").split("/"):
                found = found[name]
            node = found
        return node

    def validator(self, schema: dict[str, Any]) -> Any:
        key = json.dumps(schema, sort_keys=True)
        if key not in self.validators:
            whole = {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "allOf": [schema],
                "components": {"schemas": self.raw["components"]["schemas"]},
            }
            self.validators[key] = jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
        return self.validators[key]

    def request_schema(self, operation: Operation) -> dict[str, Any] | None:
        body = operation.raw.get("requestBody")
        if body is None:
            return None
        content = self.resolved(body)["content"]
        return content.get("application/json", {}).get("schema")

    def is_valid(self, operation: Operation, body: Any) -> bool:
        schema = self.request_schema(operation)
        return schema is None or self.validator(schema).is_valid(body)

    def responses(self, operation: Operation) -> dict[str, Any]:
        return operation.raw["responses"]

    def problems(self, operations: list[Operation], method: str, reply: Reply) -> list[str]:
        """What is not as the description says. With several operations, the status is that of any of them."""
        documented = [self.responses(operation)[str(reply.status)] for operation in operations if str(reply.status) in self.responses(operation)]
        if not documented:
            return [f"the status {reply.status} is not documented"]
        responses = [self.resolved(response) for response in documented]
        found = [self.response_problems(response, method, reply) for response in responses]
        return min(found, key=len)

    def missing_headers(self, operation: Operation, reply: Reply) -> list[str]:
        """What the introduction of the description says of all answers, except for what the service refuses before it knows the operation."""
        if operation.method == "OPTIONS" or "Health" in operation.tags or reply.status not in (200, 401, 403, 404, 405, 421):
            return []
        wanted = {"cache-control": "no-store", "referrer-policy": "no-referrer", "x-content-type-options": "nosniff"}
        if not operation.path.startswith(("/sign-in", "/account")):
            wanted["vary"] = "origin"
        return [f"the header {name} is not {value}" for name, value in wanted.items() if reply.header(name) != value]

    def response_problems(self, response: dict[str, Any], method: str, reply: Reply) -> list[str]:
        problems = []
        known = COMMON_HEADERS | {name.lower() for name in response.get("headers", {})}
        problems += [f"the header {name} is not documented" for name, _ in reply.headers if name not in known]
        for name, header in response.get("headers", {}).items():
            value = reply.header(name.lower())
            schema = self.resolved(header).get("schema", {})
            if value is None or (schema.get("type") == "string" and len(schema) == 1):
                continue
            typed: Any = int(value) if schema.get("type") == "integer" and value.isdigit() else value
            if not self.validator(schema).is_valid(typed):
                problems.append(f"the header {name} is not as documented: {value!r}")
        if method == "HEAD":
            return problems
        content = response.get("content")
        if content is None:
            return problems + (["there is a body, which is not documented"] if reply.body else [])
        if reply.media_type not in content:
            return [*problems, f"the content type {reply.media_type!r} is not documented"]
        schema = content[reply.media_type].get("schema", {})
        if reply.media_type == "application/json":
            try:
                value = strict_json(reply.body)
            except ValueError as error:
                return [*problems, f"the body is not JSON: {error}"]
        elif reply.media_type.startswith("text/") and not reply.is_open:
            try:
                value = reply.body.decode("utf-8")
            except UnicodeDecodeError:
                return [*problems, "the body is not UTF-8"]
        else:
            return problems
        error = next(self.validator(schema).iter_errors(value), None)
        if error is not None:
            place = "/".join(str(part) for part in error.instance_path)
            problems.append(f"the body is not as documented, at /{place}: {error.message[:300]}")
        return problems


def strict_json(body: bytes) -> Any:
    """JSON without what only Python reads, and without two members of one name."""

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise ValueError("two members have the same name")
        return found

    def refuse(text: str) -> Any:
        raise ValueError(f"{text} is not JSON")

    return json.loads(body.decode("utf-8"), object_pairs_hook=members, parse_constant=refuse)
