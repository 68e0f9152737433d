"""Sends a request that is signed with a server-to-server key.

    python signed_request.py private.pem KEY_ID http://127.0.0.1:8080 /database/1/com.example.notes/production/public/records/query \
        '{"query": {"recordType": "Note"}}'

The signature is made by the command openssl. docs/web-services.md has the rules.
"""

import base64
import hashlib
import subprocess
import sys
import urllib.request
from datetime import datetime, timezone


def signed_headers(path, body, key_id, key_file):
    """The headers of a request with this path and body."""
    date = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    body_hash = base64.b64encode(hashlib.sha256(body).digest()).decode()
    signing = ["openssl", "dgst", "-sha256", "-sign", key_file]
    signature = subprocess.run(signing, input=f"{date}:{body_hash}:{path}".encode(), capture_output=True, check=True)
    return {
        "X-Apple-CloudKit-Request-KeyID": key_id,
        "X-Apple-CloudKit-Request-ISO8601Date": date,
        "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(signature.stdout).decode(),
    }


if __name__ == "__main__":
    key_file, key_id, origin, path, body = sys.argv[1:]
    headers = signed_headers(path, body.encode(), key_id, key_file)
    with urllib.request.urlopen(urllib.request.Request(origin + path, body.encode(), headers)) as answer:
        print(answer.read().decode())
