"""The mails that the service sends: its mail command appends them to a file."""

from __future__ import annotations

import base64
import pathlib
import re
import threading
import time

from processes import PATIENCE


class Mailbox:
    def __init__(self, path: pathlib.Path) -> None:
        self.command = f"/usr/bin/tee -a {path}"
        path.touch()
        self._file = path.open(encoding="utf-8")
        self._codes: dict[str, str] = {}
        self._lock = threading.Lock()
        self._rest = ""

    def code_for(self, address: str) -> str:
        """The code in the last mail to an address."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            with self._lock:
                self._read()
                if code := self._codes.pop(address, None):
                    return code
            time.sleep(0.002)
        raise SystemExit(f"No mail to {address} came.")

    def _read(self) -> None:
        """Reads the mails that are complete: the body is one text in base64."""
        self._rest += self._file.read()
        mails = re.split(r"^(?=To: )", self._rest, flags=re.MULTILINE)
        self._rest = ""
        for mail in mails:
            head, _, body = mail.partition("\n\n")
            try:
                text = base64.b64decode(body, validate=False).decode()
            except ValueError:
                text = ""
            code = re.search(r"^ {4}(\S+)$", text, re.MULTILINE)
            address = re.search(r"^To: <?([^>\s]+)>?$", head, re.MULTILINE)
            if code and address:
                self._codes[address[1]] = code[1]
            else:
                self._rest = mail
