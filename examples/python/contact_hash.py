"""Makes the contact hash of a valid e-mail address without the library, for a client that has only Python.

    python contact_hash.py ada@example.com

docs/canonical-email.md has the rules, and says which addresses are refused.
"""

import hashlib
import re
import unicodedata


def nfkc(text):
    return unicodedata.normalize("NFKC", text)


def contact_hash(text):
    """The contact hash of a valid address. Of what the page refuses, only a missing part raises ValueError here."""
    local, _, domain = text.strip().strip("\ufeff").strip().replace("＠", "@").rpartition("@")
    if not local or not domain:
        raise ValueError("This is not an e-mail address.")
    # Full and half width, then case, then normalization.
    local = "".join(nfkc(each) if unicodedata.east_asian_width(each) in "FH" else each for each in local)
    local = unicodedata.normalize("NFC", local.lower())
    labels = []
    for label in re.split("[.。．｡]", domain):
        mapped = [
            each if each in "ßς\u200c\u200d" else nfkc(nfkc(each).casefold())
            for each in re.sub("[\xad\u200b\u2060\ufe00-\ufe0f\ufeff]", "", label.replace("ẞ", "ß"))
        ]
        label = unicodedata.normalize("NFC", "".join(mapped))
        labels.append(label if label.isascii() else "xn--" + label.encode("punycode").decode())
    return hashlib.sha256(f"{local}@{'.'.join(labels)}".encode()).digest()


if __name__ == "__main__":
    import sys

    print(contact_hash(sys.argv[1]).hex())
