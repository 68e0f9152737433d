"""A person, as the operator sees them."""

from __future__ import annotations

from ctypes import byref, c_bool, c_void_p

from . import _arguments as arguments
from . import _declarations as c
from ._closable import Closable
from ._email import Email
from ._erasure import Erasure
from ._ffi import lib
from ._outputs import moment, take_text, text


class Account(Closable):
    """A person: name, e-mail addresses, status. Known to the operator, never to an application.

    Made by Service.create_account(), open_account() and find_account(). After erase() everything but `id` and close()
    is an UnknownItem.
    """

    __slots__ = ()

    @property
    def id(self) -> str:
        """32 hexadecimal digits: the operator's name for a person. Never give it to an application."""
        with self._handle as account:
            return text(lib.kinfolk_account_id(account))

    @property
    def given_name(self) -> str:
        """The given name as it is now; may be empty."""
        name = c_void_p()
        with self._handle as account:
            lib.kinfolk_account_get_name(account, byref(name), None)
        return take_text(name)

    @property
    def family_name(self) -> str:
        """The family name as it is now; may be empty."""
        name = c_void_p()
        with self._handle as account:
            lib.kinfolk_account_get_name(account, None, byref(name))
        return take_text(name)

    def set_name(self, given_name: str, family_name: str) -> None:
        """Changes the name, in all that others discover too. At most 1,024 bytes of UTF-8 each (LimitExceeded)."""
        names = arguments.text(given_name, "given_name"), arguments.text(family_name, "family_name")
        with self._handle as account:
            lib.kinfolk_account_set_name(account, *names)

    @property
    def emails(self) -> tuple[Email, ...]:
        """The addresses as they are now, in the order in which they were added."""
        emails = c.Emails()
        with self._handle as account:
            lib.kinfolk_account_emails(account, byref(emails))
        try:
            return tuple(
                Email(
                    text(lib.kinfolk_emails_address(emails, index)),
                    lib.kinfolk_emails_is_verified(emails, index),
                    lib.kinfolk_emails_is_discoverable(emails, index),
                )
                for index in range(lib.kinfolk_emails_count(emails))
            )
        finally:
            lib.kinfolk_emails_free(emails)

    def add_email(self, email: str, *, verified: bool = False) -> None:
        """Adds an address; at most 100 (LimitExceeded).

        With `verified` the host vouches that it is this person's: the address counts at once, and an account that had
        it loses it. Adding an address again keeps what is there, and marks it verified if `verified` is true.
        """
        encoded, vouched = arguments.text(email, "email"), arguments.boolean(verified, "verified")
        with self._handle as account:
            lib.kinfolk_account_add_email(account, encoded, vouched)

    def request_verification(self, email: str) -> str:
        """Issues a code of six digits for an address of the account. The host mails it.

        It is valid for 10 minutes and 5 tries, and takes the place of the one before. An address gets 5 codes in 24
        hours (RequestRateLimited). UnknownItem: the account does not have this address. Conflict: it is verified.
        """
        encoded, code = arguments.text(email, "email"), c_void_p()
        with self._handle as account:
            lib.kinfolk_account_request_verification(account, encoded, byref(code))
        return take_text(code)

    def verify_email(self, email: str, code: str) -> None:
        """Verifies an address with the code that was mailed to it. An account that had it loses it.

        UnknownItem: the account does not have this address, or no valid code was issued for it. PermissionFailure:
        this is not the code. LimitExceeded: the code was tried five times; issue another.
        """
        encoded = arguments.text(email, "email"), arguments.text(code, "code")
        with self._handle as account:
            lib.kinfolk_account_verify_email(account, *encoded)

    def set_email_discoverable(self, email: str, discoverable: bool) -> None:
        """Lets people find the account by this address, or not.

        Every address starts with True; it takes effect where the account has granted discoverability.
        """
        encoded, flag = arguments.text(email, "email"), arguments.boolean(discoverable, "discoverable")
        with self._handle as account:
            lib.kinfolk_account_set_email_discoverable(account, encoded, flag)

    def remove_email(self, email: str) -> None:
        """Removes an address. UnknownItem if the account does not have it."""
        encoded = arguments.text(email, "email")
        with self._handle as account:
            lib.kinfolk_account_remove_email(account, encoded)

    def suspend(self) -> None:
        """Suspends the account: its sessions become RESTRICTED, and no discovery finds it any more."""
        with self._handle as account:
            lib.kinfolk_account_suspend(account)

    def resume(self) -> None:
        """Ends the suspension. What the person had granted holds again."""
        with self._handle as account:
            lib.kinfolk_account_resume(account)

    @property
    def is_suspended(self) -> bool:
        """Whether the account is suspended now."""
        suspended = c_bool()
        with self._handle as account:
            lib.kinfolk_account_is_suspended(account, byref(suspended))
        return suspended.value

    def export(self) -> str:
        """Everything that is held about the account, as JSON."""
        json = c_void_p()
        with self._handle as account:
            lib.kinfolk_account_export(account, byref(json))
        return take_text(json)

    def erase(self) -> Erasure:
        """Erases the account and everything held about it, in one transaction, and says what was removed."""
        erasure = c.Erasure()
        with self._handle as account:
            lib.kinfolk_account_erase(account, byref(erasure))
        try:
            remembered = lib.kinfolk_erasure_remembered_email_count(erasure)
            until = lib.kinfolk_erasure_remembered_until(erasure)
            return Erasure(
                lib.kinfolk_erasure_email_count(erasure),
                lib.kinfolk_erasure_container_count(erasure),
                lib.kinfolk_erasure_record_count(erasure),
                lib.kinfolk_erasure_is_pending(erasure),
                remembered,
                moment(until) if remembered else None,
            )
        finally:
            lib.kinfolk_erasure_free(erasure)
