"""The contact hash of an ASCII e-mail address, without the library: what a client that has only Python sends.

    python contact_hash.py ada@example.com
"""

import hashlib, re

def contact_hash(text):
    address = text.strip().lower()
    if not re.fullmatch(r"(?=.{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                        r"@(?!.*@)((?!-)(?!xn--)[a-z0-9-]{1,63}(?<!-)\.)+(?!\d+$)(?!-)(?!xn--)[a-z0-9-]{1,63}(?<!-)", address):
        raise ValueError("not an ASCII e-mail address")
    if len(address) > 254:
        raise ValueError("too long")
    return hashlib.sha256(address.encode("ascii")).digest()


if __name__ == "__main__":
    import sys

    print(contact_hash(sys.argv[1]).hex())
