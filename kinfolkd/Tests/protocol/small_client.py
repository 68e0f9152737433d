"""A small client of CloudKit Web Services, written from Apple's archived manual alone: "Composing Web Service Requests".

It knows nothing of Kinfolk. The tests give it another address in the place of https://api.apple-cloudkit.com.
"""

from __future__ import annotations

import base64
import datetime
import hashlib
import json
import pathlib
import subprocess
from collections.abc import Iterator
from typing import Any

import requests

TIMEOUT = 60.0
NEW_TOKEN = "X-Apple-CloudKit-Web-Auth-Token"


class ServiceError(Exception):
    """A request that failed as a whole."""

    def __init__(self, status: int, answer: dict[str, Any]) -> None:
        super().__init__(status, answer)
        self.status, self.answer = status, answer
        self.code: str = answer["serverErrorCode"]


class CloudKit:
    """One container and environment, for an application or for a signed-in user of it."""

    def __init__(self, path: str, container: str, environment: str, api_token: str, web_auth_token: str = "") -> None:
        self.path, self.container, self.environment = path, container, environment
        self.api_token, self.web_auth_token = api_token, web_auth_token
        self.session = requests.Session()
        self.last: requests.Response

    def url(self, subpath: str) -> str:
        """The URL of an operation: [path]/database/[version]/[container]/[environment]/[operation-specific subpath], and the tokens."""
        url = f"{self.path}/database/1/{self.container}/{self.environment}/{subpath}?ckAPIToken={self.api_token}"
        if self.web_auth_token:
            # "replace '+' with '%2B', '/' with '%2F', and '=' with '%3D'."
            encoded = self.web_auth_token.replace("+", "%2B").replace("/", "%2F").replace("=", "%3D")
            url += f"&ckWebAuthToken={encoded}"
        return url

    def get(self, subpath: str) -> dict[str, Any]:
        return self.answer(self.session.get(self.url(subpath), timeout=TIMEOUT))

    def post(self, subpath: str, body: dict[str, Any]) -> dict[str, Any]:
        return self.answer(self.session.post(self.url(subpath), data=json.dumps(body), timeout=TIMEOUT))

    def answer(self, response: requests.Response) -> dict[str, Any]:
        self.last = response
        # "a new token is provided in the response from the server": errors have it too.
        self.web_auth_token = response.headers.get(NEW_TOKEN, self.web_auth_token)
        answer: dict[str, Any] = response.json()
        if response.status_code != 200:
            raise ServiceError(response.status_code, answer)
        return answer

    # ---- Operations

    def modify(self, database: str, *operations: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = self.post(f"{database}/records/modify", {"operations": list(operations), **more})["records"]
        return records

    def lookup(self, database: str, *names: str, **more: Any) -> list[dict[str, Any]]:
        wanted = [{"recordName": name} for name in names]
        records: list[dict[str, Any]] = self.post(f"{database}/records/lookup", {"records": wanted, **more})["records"]
        return records

    def query(self, database: str, query: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
        """All records that satisfy a query, from as many pages as there are."""
        return [record for page in self.pages(database, query, **more) for record in page]

    def pages(self, database: str, query: dict[str, Any], **more: Any) -> Iterator[list[dict[str, Any]]]:
        body = {"query": query, **more}
        for _ in range(1_000):
            answer = self.post(f"{database}/records/query", body)
            yield answer["records"]
            if "continuationMarker" not in answer:
                return
            body["continuationMarker"] = answer["continuationMarker"]
        raise AssertionError("the pages do not end")

    def changes(self, database: str, zone: str, token: str | None = None, **more: Any) -> tuple[list[dict[str, Any]], str]:
        """The records of a zone that changed since a token, and the next token."""
        records: list[dict[str, Any]] = []
        for _ in range(1_000):
            wanted: dict[str, Any] = {"zoneID": {"zoneName": zone}}
            if token is not None:
                wanted["syncToken"] = token
            (answer,) = self.post(f"{database}/changes/zone", {"zones": [wanted], **more})["zones"]
            records += answer["records"]
            token = answer["syncToken"]
            if not answer["moreComing"]:
                return records, token
        raise AssertionError("the changes do not end")

    def upload(self, database: str, record_type: str, field: str, data: bytes) -> dict[str, Any]:
        """Uploads a file. Returns the asset dictionary for the field."""
        tokens = [{"recordType": record_type, "fieldName": field}]
        (token,) = self.post(f"{database}/assets/upload", {"tokens": tokens})["tokens"]
        response = requests.post(token["url"], data=data, timeout=TIMEOUT)
        assert response.status_code == 200, response.text
        asset: dict[str, Any] = response.json()["singleFile"]
        return asset


class SignedCloudKit(CloudKit):
    """The same for a server with a server-to-server key. The signature comes from the command openssl."""

    def __init__(self, path: str, container: str, environment: str, key_id: str, key: pathlib.Path) -> None:
        super().__init__(path, container, environment, "")
        self.key_id, self.key = key_id, key

    def subpath(self, operation: str) -> str:
        return f"/database/1/{self.container}/{self.environment}/{operation}"

    def headers(self, subpath: str, body: str, date: str | None = None) -> dict[str, str]:
        """The three headers. The message is [Current date]:[Request body]:[Web service URL subpath]."""
        date = date or datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        hashed = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
        return self.signed(date, f"{date}:{hashed}:{subpath}")

    def signed(self, date: str, message: str) -> dict[str, str]:
        command = ["openssl", "dgst", "-sha256", "-sign", str(self.key)]
        made = subprocess.run(command, input=message.encode(), capture_output=True, check=True, timeout=TIMEOUT)
        return {
            "content-type": "text/plain",
            "X-Apple-CloudKit-Request-KeyID": self.key_id,
            "X-Apple-CloudKit-Request-ISO8601Date": date,
            "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(made.stdout).decode(),
        }

    def get(self, subpath: str) -> dict[str, Any]:
        path = self.subpath(subpath)
        return self.answer(self.session.get(self.path + path, headers=self.headers(path, ""), timeout=TIMEOUT))

    def post(self, subpath: str, body: dict[str, Any]) -> dict[str, Any]:
        path, text = self.subpath(subpath), json.dumps(body)
        return self.answer(self.session.post(self.path + path, data=text, headers=self.headers(path, text), timeout=TIMEOUT))
