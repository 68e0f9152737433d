"""A server of an application, which signs its requests with a key of P-256."""

from __future__ import annotations

import base64
import datetime
import hashlib
import pathlib
import subprocess

PREFIX = "X-Apple-CloudKit-Request-"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Server:
    """The private key is in a folder of the test. `key_id` is set when the operator has added the public key."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self._private = folder / f"{name}.pem"
        self.public = folder / f"{name}.public.pem"
        self.key_id = ""
        for command in (
            ["openssl", "ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", str(self._private)],
            ["openssl", "ec", "-in", str(self._private), "-pubout", "-out", str(self.public)],
        ):
            subprocess.run(command, check=True, capture_output=True, timeout=60)

    def sign(self, message: bytes) -> bytes:
        command = ["openssl", "dgst", "-sha256", "-sign", str(self._private)]
        return subprocess.run(command, input=message, check=True, capture_output=True, timeout=60).stdout

    def headers(
        self,
        path: str,
        body: bytes,
        *,
        date: str | None = None,
        body_hash: str | None = None,
        signature: bytes | None = None,
    ) -> dict[str, str]:
        date = date or now()
        body_hash = base64.b64encode(hashlib.sha256(body).digest()).decode() if body_hash is None else body_hash
        signature = signature if signature is not None else self.sign(f"{date}:{body_hash}:{path}".encode())
        return {
            PREFIX + "KeyID": self.key_id,
            PREFIX + "ISO8601Date": date,
            PREFIX + "SignatureV1": base64.b64encode(signature).decode(),
        }


def now(offset: float = 0) -> str:
    moment = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=offset)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def numbers(signature: bytes) -> tuple[int, int]:
    """r and s of a signature in DER."""
    length = signature[3]
    return int.from_bytes(signature[4 : 4 + length], "big"), int.from_bytes(signature[6 + length :], "big")


def der(r: int, s: int, *, padding: int = 0) -> bytes:
    """A signature in DER. `padding` adds zeros before r, which DER forbids."""

    def integer(number: int, zeros: int = 0) -> bytes:
        data = number.to_bytes(max(1, (number.bit_length() + 8) // 8), "big")
        data = b"\0" * zeros + data
        return b"\x02" + bytes([len(data)]) + data

    content = integer(r, padding) + integer(s)
    return b"\x30" + bytes([len(content)]) + content
