"""An e-mail address: of an account, canonical, hashed."""

from __future__ import annotations

from ctypes import byref, c_void_p, create_string_buffer
from typing import NamedTuple

from . import _arguments as arguments
from . import _declarations as c
from ._documented import documented
from ._ffi import lib
from ._outputs import take_text


@documented
class Email(NamedTuple):
    """An e-mail address of an account, as the operator sees it.

    address          The address as it was spelled when it was added.
    is_verified      Only a verified address counts.
    is_discoverable  Whether people can find the account by it, in containers where the account has granted
                     discoverability.
    """

    address: str
    is_verified: bool
    is_discoverable: bool

    def __repr__(self) -> str:
        # Without the address: what is printed ends up in logs.
        return f"<kinfolk.Email verified={self.is_verified} discoverable={self.is_discoverable}>"


def canonical_email(email: str) -> str:
    """The canonical form of an e-mail address. Two spellings with one canonical form are one address.

    White space around the address is removed. The local part is prepared by PRECIS UsernameCaseMapped (RFC 8265); the
    domain by IDNA2008 and UTS #46, non-transitional, as A-labels. At most 254 bytes. InvalidArgument if it is not an
    address that Kinfolk takes.
    """
    canonical = c_void_p()
    lib.kinfolk_email_canonicalize(arguments.text(email, "email"), byref(canonical))
    return take_text(canonical)


def contact_hash(email: str) -> bytes:
    """The contact hash of an address, 32 bytes: SHA-256 of its canonical form.

    A client may send the hash in place of the address. InvalidArgument if it is not an address that Kinfolk takes.
    """
    octets = create_string_buffer(c.CONTACT_HASH_LENGTH)
    lib.kinfolk_email_hash(arguments.text(email, "email"), octets)
    return octets.raw
