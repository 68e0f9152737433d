"""An OpenID Connect provider on this machine, which says about everybody what the test wants."""

from __future__ import annotations

import base64
import http.server
import json
import pathlib
import threading
import time
from typing import Any


class Provider:
    def __init__(self) -> None:
        self.nonce = ""
        self.subject = ""
        provider = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(provider.metadata())

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.answer({"access_token": "x", "token_type": "Bearer", "id_token": provider.id_token()})

            def answer(self, value: dict[str, Any]) -> None:
                data = json.dumps(value).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *values: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self.server.server_port}"
        self.callback = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def metadata(self) -> dict[str, Any]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
        }

    def id_token(self) -> str:
        claims = {"iss": self.issuer, "aud": "kinfolk", "sub": self.subject, "nonce": self.nonce, "exp": int(time.time()) + 600}
        parts = [json.dumps({"alg": "none"}), json.dumps({**claims, "given_name": "Ada", "family_name": "Example"}), ""]
        return ".".join(base64.urlsafe_b64encode(part.encode()).decode().rstrip("=") for part in parts)

    def configuration(self, folder: pathlib.Path) -> pathlib.Path:
        """A file for --openid-provider."""
        path = folder / "provider.conf"
        path.write_text(f"name = Example\nissuer = {self.issuer}\nclient-id = kinfolk\n")
        return path

    def end(self) -> None:
        self.server.shutdown()
        self.server.server_close()
