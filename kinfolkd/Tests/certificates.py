"""Certificates for the tests of TLS."""

from __future__ import annotations

import pathlib
import subprocess


def make_certificate(folder: pathlib.Path, name: str) -> tuple[str, str]:
    chain, key = folder / "chain.pem", folder / "key.pem"
    command = [
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    command += [
        "-subj",
        f"/CN={name}",
        "-addext",
        "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout",
        key,
        "-out",
        chain,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return str(chain), str(key)
