"""Codes that are mailed to an address."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from ._documented import documented


class CodePurpose(IntEnum):
    """What a code is for. It works for this purpose only."""

    ADD_EMAIL = 1
    """To prove an address that the account does not have verified: Account.verify_email()."""
    SIGN_IN = 2
    """To sign in by an address that the account has verified: Account.confirm_sign_in()."""
    REFUSE_CLAIM = 3
    """To refuse the claims on an address that the account has verified: Account.refuse_claims()."""


@documented
class VerificationMail(NamedTuple):
    """What the host mails, and where to.

    recipient    Where the mail goes: the canonical form of the address, with its domain in A-labels. Do not mail to the
                 text that a person typed: mail systems may deliver another spelling of the address to another domain.
    code         The code that the person enters, "ABCD-EFGH": valid for 10 minutes and 5 tries.
    reader_pass  With it the person gets one more mail to this address within 24 hours, also if the mails of the address
                 are used up.
    """

    recipient: str
    code: str
    reader_pass: str

    def __repr__(self) -> str:
        # Without the secrets: what is printed ends up in logs.
        return "<kinfolk.VerificationMail>"
