"""Frames of HTTP/2 (RFC 9113), also those that no client sends."""

from __future__ import annotations

import contextlib
import pathlib
import socket
import ssl
import subprocess
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GOAWAY, WINDOW, CONTINUATION = range(10)
END_STREAM, END_HEADERS = 1, 4


def frame(kind: int, flags: int, stream: int, content: bytes = b"") -> bytes:
    return len(content).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + content


def text(data: bytes) -> bytes:
    """A text without Huffman coding (RFC 7541, section 5.2)."""
    if len(data) < 127:
        return bytes([len(data)]) + data
    rest, number = b"", len(data) - 127
    while number >= 128:
        rest += bytes([number % 128 | 128])
        number //= 128
    return b"\x7f" + rest + bytes([number]) + data


def block(fields: list[tuple[bytes, bytes]]) -> bytes:
    """Fields as literals that are not indexed."""
    return b"".join(b"\0" + text(name) + text(value) for name, value in fields)


def usual(path: str, method: str = "GET") -> list[tuple[bytes, bytes]]:
    return [(b":method", method.encode()), (b":scheme", b"https"), (b":path", path.encode()), (b":authority", b"localhost")]


def certificate(folder: pathlib.Path) -> tuple[str, str]:
    chain, key = str(folder / "chain.pem"), str(folder / "chain.key")
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
        "-subj",
        "/CN=localhost",
        "-addext",
        "subjectAltName=DNS:localhost",
        "-keyout",
        key,
        "-out",
        chain,
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    return chain, key


class Connection:
    """A connection with TLS that has begun to speak HTTP/2."""

    def __init__(self, port: int, timeout: float = 5) -> None:
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols(["h2"])
        self.socket = context.wrap_socket(socket.create_connection(("127.0.0.1", port), timeout), server_hostname="localhost")
        self.sent = 0
        self.send(PREFACE + frame(SETTINGS, 0, 0))

    def __enter__(self) -> Connection:  # noqa: PYI034 typing.Self is not in Python 3.9
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """False if the other side has closed."""
        try:
            self.socket.sendall(data)
        except (OSError, ssl.SSLError):
            return False
        return True

    def frames(self, seconds: float = 1.0, *, until_end_of: int = 0) -> list[tuple[int, int, int, bytes]]:
        """What comes within some time, or up to the end of a stream or of the connection."""
        found, data, end = [], b"", time.monotonic() + seconds
        with contextlib.suppress(OSError, ssl.SSLError):
            while time.monotonic() < end:
                self.socket.settimeout(max(0.01, end - time.monotonic()))
                piece = self.socket.recv(65_536)
                if not piece:
                    found.append((255, 0, 0, b""))
                    break
                data += piece
                while len(data) >= 9 and len(data) >= 9 + (size := int.from_bytes(data[:3], "big")):
                    each = (data[3], data[4], int.from_bytes(data[5:9], "big") & 0x7FFFFFFF, data[9 : 9 + size])
                    found.append(each)
                    data = data[9 + size :]
                    if each[0] == GOAWAY or (
                        until_end_of and each[2] == until_end_of and ((each[1] & END_STREAM and each[0] in (DATA, HEADERS)) or each[0] == RESET)
                    ):
                        return found
        return found


def status_of(frames: list[tuple[int, int, int, bytes]], stream: int) -> str:
    """What became of a stream: `200` and so on, `reset`, `goaway`, `closed` or `nothing`."""
    for kind, _, number, content in frames:
        if kind == HEADERS and number == stream:
            # Statuses of the static table, or a literal with three digits.
            known = {0x88: "200", 0x89: "204", 0x8A: "206", 0x8B: "304", 0x8C: "400", 0x8D: "404", 0x8E: "500"}
            if content[0] in known:
                return known[content[0]]
            digits = content[2:5] if content[1] == 3 else b""
            return digits.decode("latin-1") if digits.isdigit() else f"answer {content[:6].hex()}"
        if kind == RESET and number == stream:
            return "reset"
        if kind == GOAWAY:
            return "goaway"
        if kind == 255:
            return "closed"
    return "nothing"
