"""A person, as the operator sees them."""

from __future__ import annotations

from ctypes import byref, c_bool, c_void_p
from typing import Any

from . import _arguments as arguments
from . import _declarations as c
from ._archive import written_to
from ._arguments import Writable
from ._claim import Claim, take_claim, take_claims
from ._closable import Closable
from ._email import Email
from ._erasure import Erasure
from ._ffi import lib
from ._handle import Handle
from ._linked_identity import LinkedIdentity, take_linked_identities
from ._outputs import moment, take_text, text
from ._verification import CodePurpose, VerificationMail
from ._web_session import WebSession, take_sessions


class Account(Closable):
    """A person: a name, e-mail addresses, a status. The operator knows it; an application never does.

    Made by Service.create_account(), open_account() and find_account(). After erase(), everything except `id` and
    close() raises UnknownItem.

    Two accounts are equal, and have the same hash, if they have the same `id`, also when closed. IDs are random: only
    a copy or a backup of a store has accounts that are equal to those of the store.
    """

    __slots__ = ("_id",)

    def __init__(self, handle: Handle) -> None:
        super().__init__(handle)
        self._id = self.id  # also for __eq__() after close()

    @classmethod
    def adopt(cls, pointer: Any, service: Handle) -> Account:
        """Takes over a kinfolk_account."""
        return cls(Handle(pointer, lib.kinfolk_account_free, "account", service))

    def __eq__(self, other: object) -> bool:
        return self._id == other._id if isinstance(other, Account) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._id)

    @property
    def id(self) -> str:
        """32 hexadecimal digits that identify a person to the operator. Never give them to an application."""
        with self._handle as account:
            return text(lib.kinfolk_account_id(account))

    @property
    def given_name(self) -> str:
        """The present given name; may be empty."""
        name = c_void_p()
        with self._handle as account:
            lib.kinfolk_account_get_name(account, byref(name), None)
        return take_text(name)

    @property
    def family_name(self) -> str:
        """The present family name; may be empty."""
        name = c_void_p()
        with self._handle as account:
            lib.kinfolk_account_get_name(account, None, byref(name))
        return take_text(name)

    def set_name(self, given_name: str, family_name: str) -> None:
        """Changes the name, also in what others discover. At most 1,024 bytes of UTF-8 each (LimitExceeded)."""
        names = arguments.text(given_name, "given_name"), arguments.text(family_name, "family_name")
        with self._handle as account:
            lib.kinfolk_account_set_name(account, *names)

    @property
    def emails(self) -> tuple[Email, ...]:
        """The present addresses, in the order in which they were added."""
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

    @property
    def web_sessions(self) -> tuple[WebSession, ...]:
        """The browsers in which the person is signed in, in all containers, the oldest first."""
        sessions = c.WebSessions()
        with self._handle as account:
            lib.kinfolk_account_web_sessions(account, byref(sessions))
        return take_sessions(sessions)

    def end_web_session(self, session_id: str) -> None:
        """Signs the person out in one browser, at once. A web session that has ended stays ended.

        InvalidArgument: the ID is not 32 lower-case hexadecimal digits.
        """
        encoded = arguments.text(session_id, "session_id")
        with self._handle as account:
            lib.kinfolk_account_end_web_session(account, encoded)

    def end_web_sessions(self) -> None:
        """Signs the person out everywhere, at once and in all processes."""
        with self._handle as account:
            lib.kinfolk_account_end_web_sessions(account)

    @property
    def identities(self) -> tuple[LinkedIdentity, ...]:
        """The identities by which the person signs in, in the order in which they were added."""
        identities = c.LinkedIdentities()
        with self._handle as account:
            lib.kinfolk_account_linked_identities(account, byref(identities))
        return take_linked_identities(identities)

    def add_identity(self, issuer: str, subject: str) -> None:
        """Lets the person sign in by an identity at an OpenID Connect provider, or by one that a proxy vouches for.

        `issuer` is the provider's issuer identifier, 1 to 2,048 bytes, or a name for the proxy. `subject` is the
        provider's identifier of the person, 1 to 255 bytes. To add an identity again changes nothing.

        Conflict: another account has it. LimitExceeded: the account has 20. InvalidArgument: a text is empty or too
        long.
        """
        encoded = arguments.text(issuer, "issuer"), arguments.text(subject, "subject")
        with self._handle as account:
            lib.kinfolk_account_add_identity(account, *encoded)

    def remove_identity(self, issuer: str, subject: str) -> None:
        """Ends signing in by an identity. UnknownItem: the account does not have it."""
        encoded = arguments.text(issuer, "issuer"), arguments.text(subject, "subject")
        with self._handle as account:
            lib.kinfolk_account_remove_identity(account, *encoded)

    def add_email(self, email: str, *, verified: bool = False) -> Claim | None:
        """Adds an address; at most 100 (LimitExceeded, also for a claim too many: see verify_email()).

        With `verified` the host vouches that the address is this person's: the address counts at once, unless another
        account has it verified. In that case the call returns a claim, as verify_email() does. Adding an address a
        second time changes nothing, except that it is proved if `verified` is true.
        """
        encoded, vouched = arguments.text(email, "email"), arguments.boolean(verified, "verified")
        claim = c.Claims()
        with self._handle as account:
            lib.kinfolk_account_add_email(account, encoded, vouched, byref(claim))
        return take_claim(claim)

    def request_verification(
        self,
        email: str,
        purpose: CodePurpose = CodePurpose.ADD_EMAIL,
        *,
        reader_pass: str | None = None,
    ) -> VerificationMail | None:
        """Requests a code for an address of the account. The host mails it, with the pass, to the recipient.

        The code works for this account, address and purpose, is valid for 10 minutes and 5 tries, and replaces the code
        before it. An address gets 5 mails in 24 hours, over all accounts that request them. When they are used up, the
        call returns None: show the same page as if a mail had been sent. Every code that is entered then counts as a
        wrong one, so a person cannot learn what other accounts requested. `reader_pass` is the pass of an earlier mail
        to the address: with it the call returns a mail that does not count against the 5.

        UnknownItem: the account does not have this address; to refuse, no claim on it can be refused. Conflict: to add,
        it is verified already; otherwise, it is not. RequestRateLimited: this account made 5 requests for the address
        in 24 hours, or 20 for all its addresses.
        """
        encoded, number = arguments.text(email, "email"), arguments.member(purpose, "purpose", CodePurpose)
        presented = arguments.optional_text(reader_pass, "reader_pass")
        texts = [c_void_p(), c_void_p(), c_void_p()]
        with self._handle as account:
            lib.kinfolk_account_request_verification(account, encoded, number, presented, *map(byref, texts))
        return VerificationMail(*map(take_text, texts)) if texts[0].value else None

    def verify_email(self, email: str, code: str) -> Claim | None:
        """Proves an address with the code that was mailed to it. The address then counts, and the call returns None.

        If another account has it verified, that account keeps it, and the call returns a claim. Mail a notice to all of
        `claim.notice`, and report that with Service.acknowledge_notice(): the owner then has 24 hours to refuse. If the
        owner does not refuse, the claimant proves the address again within 7 days after that, with a new code, and the
        address moves.

        UnknownItem: the account does not have this address, or no valid code was requested. PermissionFailure: this is
        not the code. LimitExceeded: the code was tried five times; request another. Or there are 20 claims on the
        address, or 100 of the account, and this would be another one.
        """
        encoded = arguments.text(email, "email"), arguments.text(code, "code")
        claim = c.Claims()
        with self._handle as account:
            lib.kinfolk_account_verify_email(account, *encoded, byref(claim))
        return take_claim(claim)

    def confirm_sign_in(self, email: str, code: str) -> None:
        """Checks the code that was mailed for CodePurpose.SIGN_IN. It raises as verify_email() does."""
        encoded = arguments.text(email, "email"), arguments.text(code, "code")
        with self._handle as account:
            lib.kinfolk_account_confirm_sign_in(account, *encoded)

    def refuse_claims(self, email: str, code: str) -> list[Claim]:
        """Refuses all claims on an address, with a code that was mailed to it for CodePurpose.REFUSE_CLAIM.

        For 30 days a refused claimant cannot claim the address again, and a claim of any account on it needs the
        operator to move it. It raises as verify_email() does; UnknownItem also if there is no claim left to refuse.
        """
        encoded = arguments.text(email, "email"), arguments.text(code, "code")
        claims = c.Claims()
        with self._handle as account:
            lib.kinfolk_account_refuse_claims(account, *encoded, byref(claims))
        return take_claims(claims)

    @property
    def claims(self) -> list[Claim]:
        """The claims that the account made, then the claims of others on its addresses."""
        claims = c.Claims()
        with self._handle as account:
            lib.kinfolk_account_claims(account, byref(claims))
        return take_claims(claims)

    def set_email_discoverable(self, email: str, discoverable: bool) -> None:
        """Sets whether people can find the account by this address.

        Every address starts with True. The setting takes effect in the containers where the account has granted
        discoverability.
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
        """Suspends the account: its sessions become RESTRICTED, and discoveries no longer find it."""
        with self._handle as account:
            lib.kinfolk_account_suspend(account)

    def resume(self) -> None:
        """Ends the suspension. The decisions that the person had made hold again."""
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
        """Everything that the store holds about the account, as JSON."""
        json = c_void_p()
        with self._handle as account:
            lib.kinfolk_account_export(account, byref(json))
        return take_text(json)

    def export_archive(self, file: Writable) -> None:
        """Writes everything that the store holds about the account to a binary file object, as a tar archive.

            with open("ada.tar", "wb") as file:
                account.export_archive(file)

        The archive (POSIX.1-2001, pax) has the text of export() as "export.json", and the files of all assets in the
        folder "assets". It is written a piece at a time, and is as the store was at one moment.

        `file.write` is called on this thread. An exception of it, or Ctrl-C, ends the work and is raised by this call:
        then the archive is not complete.
        """
        with written_to(file) as write, self._handle as account:
            lib.kinfolk_account_export_archive(account, write, None)

    def erase(self, *, keep_public_records: bool = False) -> Erasure:
        """Erases the account and everything that the store holds about it, in one transaction.

        With `keep_public_records`, the records that the person created in public databases stay, without a creator and
        a modifier. User records are always erased. Returns what was removed.
        """
        keeps = arguments.boolean(keep_public_records, "keep_public_records")
        erase = lib.kinfolk_account_erase_keeping_public_records if keeps else lib.kinfolk_account_erase
        erasure = c.Erasure()
        with self._handle as account:
            erase(account, byref(erasure))
        try:
            remembered = lib.kinfolk_erasure_remembered_email_count(erasure)
            until = lib.kinfolk_erasure_remembered_until(erasure)
            mails_until = lib.kinfolk_erasure_mails_count_until(erasure)
            return Erasure(
                lib.kinfolk_erasure_email_count(erasure),
                lib.kinfolk_erasure_container_count(erasure),
                lib.kinfolk_erasure_record_count(erasure),
                lib.kinfolk_erasure_is_pending(erasure),
                remembered,
                moment(until) if remembered else None,
                moment(mails_until) if mails_until else None,
            )
        finally:
            lib.kinfolk_erasure_free(erasure)
