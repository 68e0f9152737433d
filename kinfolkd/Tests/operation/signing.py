"""Server-to-server keys of tests."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import time
import urllib.parse

from world import CONTAINER, World


class ServerKey:
    """A key pair, whose public key the operator has added."""

    def __init__(self, world: World, name: str) -> None:
        self._private, public = str(world.folder / f"{name}.pem"), str(world.folder / f"{name}.public.pem")
        openssl("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-out", self._private)
        openssl("pkey", "-in", self._private, "-pubout", "-out", public)
        self.id = world.kinfolk("server-key", "add", CONTAINER, public, "--name", name).split()[0]

    def headers(self, url: str, body: bytes) -> dict[str, str]:
        """The headers of a request that was signed now."""
        date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        message = f"{date}:{base64.b64encode(hashlib.sha256(body).digest()).decode()}:{urllib.parse.urlparse(url).path}"
        signature = openssl("dgst", "-sha256", "-sign", self._private, given=message.encode())
        return {
            "X-Apple-CloudKit-Request-KeyID": self.id,
            "X-Apple-CloudKit-Request-ISO8601Date": date,
            "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(signature).decode(),
        }


def openssl(*arguments: str, given: bytes | None = None) -> bytes:
    return subprocess.run(["openssl", *arguments], input=given, check=True, capture_output=True, timeout=60).stdout
