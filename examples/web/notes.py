"""A web service that offers discovery to its own users: Kinfolk in a Flask application.

host.py has the users and how they sign in. Everything about Kinfolk is in this file. README.md shows how to run it.
"""

from __future__ import annotations

import base64
import binascii
import math
import os
from typing import Any

import host
import kinfolk
from flask import Flask, abort, request
from kinfolk import Discoverability
from werkzeug.exceptions import HTTPException

CONTAINER = "com.example.notes"

# The consent texts, by version. The text is kept with each person's answer, so never change a text: add a new one with a
# new version.
CONSENTS = {"2026-01": "May people who have your e-mail address find you in Notes?"}
CURRENT_CONSENT = "2026-01"

CODE_MAIL = """Your code for Notes is {code}. It is valid for 10 minutes. If you did not ask for it, ignore this mail.
If you ask for another mail and none comes: enter the pass {reader_pass} as well."""
NOTICE_MAIL = """Somebody with another account in Notes reads the mails to {address}, and claims this address.
If that is not you, sign in and refuse by tomorrow. If it is, do nothing: the address moves to the other account."""
CODE_PAGE = """If this address can get a mail now, a code is on its way. If none comes, enter the pass of an earlier mail, or try
again tomorrow."""
CLAIM_PAGES = {
    kinfolk.ClaimState.AWAITING_NOTICE: "Another account has this address. Its owner has a day to refuse: come back then.",
    kinfolk.ClaimState.WAITING: "Another account has this address. Its owner has a day to refuse: come back then.",
    kinfolk.ClaimState.REFUSED: "Another account has this address, and its owner keeps it.",
    kinfolk.ClaimState.DISPUTED: "Another account has this address too. We decide, and write to you.",
    kinfolk.ClaimState.DISMISSED: "Another account has this address, and its owner keeps it.",
}
REFUSABLE = {kinfolk.ClaimState.AWAITING_NOTICE, kinfolk.ClaimState.WAITING, kinfolk.ClaimState.COMPLETABLE}

STATUS = {
    kinfolk.InvalidArgument: 400,
    kinfolk.NotAuthenticated: 403,
    kinfolk.PermissionFailure: 403,
    kinfolk.UnknownItem: 404,
    kinfolk.Conflict: 409,
    kinfolk.LimitExceeded: 413,
    kinfolk.RequestRateLimited: 429,
    kinfolk.ServiceUnavailable: 503,
}


def create_app() -> Flask:
    """Makes the application. Each worker process calls this after the fork: a service cannot be used across a fork."""
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = 4 << 20  # 20,000 contacts and their sync state are less than 2 MB
    service = kinfolk.open(os.environ.get("KINFOLK_STORE", "kinfolk.db"))
    notes, _ = service.open_or_create_container(CONTAINER)  # the first worker creates it

    def session() -> kinfolk.Session:
        return notes.open_session(host.account_of(host.signed_in(), service))

    @app.get("/consent")
    def consent() -> dict[str, Any]:
        """What to show to a person before they decide."""
        return {"consent_version": CURRENT_CONSENT, "consent_text": CONSENTS[CURRENT_CONSENT]}

    @app.get("/me")
    def me() -> dict[str, Any]:
        own = session()
        return {"user_record_id": own.user_record_id, "discoverability": own.discoverability.name.lower()}

    @app.put("/me/discoverability")
    def decide() -> dict[str, Any]:
        """The person's answer, and the version of the text that they were shown. That text is kept as the proof."""
        own = session()
        body = fields(discoverable=bool, consent_version=str)
        text = CONSENTS.get(body["consent_version"])
        if text is None:
            abort(409, "There is no such consent_version: show the text of GET /consent, and ask again.")
        decision = Discoverability.GRANTED if body["discoverable"] else Discoverability.DENIED
        own.set_discoverability(decision, text, body["consent_version"])
        return {"discoverability": own.discoverability.name.lower()}

    @app.post("/me/friends")
    def friends() -> dict[str, Any]:
        """Takes contact hashes, and returns the people found, each with the positions of the contacts that match.

        The client keeps the sync state and sends it with the next request: then asking again is free.
        """
        own = session()
        body = fields(contacts=list, sync_state=(str, ""))
        book = kinfolk.ContactBook()
        for contact in body["contacts"]:
            if not isinstance(contact, str):
                abort(400, "contacts holds contact hashes, 64 hexadecimal digits each.")
            book.add_hash(contact)
        found = own.discover(book, sync_state=decoded(body["sync_state"]))
        people = [
            {
                "user_record_id": person.user_record_id,
                "given_name": person.given_name,
                "family_name": person.family_name,
                "contacts": [contact.index for contact in person.contacts],
            }
            for person in found
        ]
        return {"friends": people, "sync_state": base64.b64encode(found.sync_state).decode()}

    @app.get("/me/blocks")
    def blocks() -> dict[str, Any]:
        return {"blocked": session().blocked_user_record_ids}

    @app.put("/me/blocks/<user_record_id>")
    def block(user_record_id: str) -> tuple[str, int]:
        session().block(user_record_id)
        return "", 204

    @app.delete("/me/blocks/<user_record_id>")
    def unblock(user_record_id: str) -> tuple[str, int]:
        session().unblock(user_record_id)
        return "", 204

    @app.get("/me/emails")
    def emails() -> dict[str, Any]:
        """The person's addresses, and those for which a claim can be refused. It does not say who made the claim."""
        account = host.account_of(host.signed_in(), service)
        claimed = [claim.address for claim in account.claims if claim.owner_id == account.id and claim.state in REFUSABLE]
        known = [{"address": email.address, "verified": email.is_verified} for email in account.emails]
        return {"emails": known, "claimed": claimed}

    @app.post("/me/emails/request")
    def request_code() -> dict[str, Any]:
        """Adds an address and mails a code to it. The answer is the same whether or not a mail was sent."""
        account = host.account_of(host.signed_in(), service)
        body = fields(email=str, reader_pass=(str, ""))
        account.add_email(body["email"])
        try:
            mailed = account.request_verification(body["email"], reader_pass=body["reader_pass"])
        except kinfolk.Conflict:
            abort(409, "You have this address already.")
        if mailed is not None:
            host.mail(mailed.recipient, CODE_MAIL.format(code=mailed.code, reader_pass=mailed.reader_pass))
        return {"text": CODE_PAGE}

    @app.post("/me/emails/verify")
    def verify() -> tuple[dict[str, Any], int]:
        """Takes the code from the mail. If the address is another account's, this opens a claim, which the owner may refuse."""
        account = host.account_of(host.signed_in(), service)
        body = fields(email=str, code=str)
        claim = account.verify_email(body["email"], body["code"])
        if claim is None:
            return {"verified": True, "text": "The address is yours."}, 200
        mail_notices()
        return {"verified": False, "text": CLAIM_PAGES[claim.state]}, 202

    @app.post("/me/emails/refuse/request")
    def request_refusal() -> dict[str, Any]:
        """Mails a code for refusing the claims on an address of the person."""
        account = host.account_of(host.signed_in(), service)
        body = fields(email=str, reader_pass=(str, ""))
        purpose = kinfolk.CodePurpose.REFUSE_CLAIM
        mailed = account.request_verification(body["email"], purpose, reader_pass=body["reader_pass"])
        if mailed is not None:
            host.mail(mailed.recipient, CODE_MAIL.format(code=mailed.code, reader_pass=mailed.reader_pass))
        return {"text": CODE_PAGE}

    @app.post("/me/emails/refuse")
    def refuse() -> tuple[str, int]:
        account = host.account_of(host.signed_in(), service)
        body = fields(email=str, code=str)
        account.refuse_claims(body["email"], body["code"])
        return "", 204

    def mail_notices() -> None:
        """Mails the notice of each claim that needs one. The wait of a claim begins when its notice is acknowledged."""
        last = None
        while page := service.claims(after=last, limit=100):
            for claim in page:
                if claim.state is kinfolk.ClaimState.AWAITING_NOTICE:
                    for recipient in claim.notice:
                        host.mail(recipient, NOTICE_MAIL.format(address=claim.address))
                    service.acknowledge_notice(claim.id)
            last = page[-1].id

    @app.get("/me/export")
    def export() -> tuple[str, int, dict[str, str]]:
        """Everything that this application holds about the person.

        Do not use Account.export() here: it has the account ID, and data of all other applications.
        """
        return session().export(), 200, {"Content-Type": "application/json"}

    @app.delete("/me")
    def erase() -> dict[str, Any]:
        """Erases the person from Kinfolk. You delete the person's rows in your own tables.

        What the person has spent of limits stays remembered with the address for a while: tell the person until when.
        """
        user = host.signed_in()
        erasure = host.account_of(user, service).erase()
        host.forget_account(user)
        return {
            "erased_addresses": erasure.email_count,
            "erased_records": erasure.record_count,
            "limits_remembered_until": erasure.remembered_until and erasure.remembered_until.isoformat(),
        }

    @app.errorhandler(kinfolk.KinfolkError)
    def refused(error: kinfolk.KinfolkError) -> tuple[dict[str, Any], int, dict[str, str]]:
        """A reason never holds an address, a name or a key: it may be shown and logged."""
        headers = {}
        if isinstance(error, kinfolk.RequestRateLimited):
            headers["Retry-After"] = str(math.ceil(error.retry_after))
        if isinstance(error, kinfolk.ServiceUnavailable):
            headers["Retry-After"] = "1"
        status = STATUS.get(type(error), 500)
        if status >= 500:
            app.logger.error("%s: %s", error.code.name, error.reason)
        return {"error": error.code.name.lower(), "reason": error.reason}, status, headers

    @app.errorhandler(HTTPException)
    def refused_by_http(error: HTTPException) -> tuple[dict[str, Any], int | None]:
        return {"error": error.name.lower().replace(" ", "_"), "reason": error.description}, error.code

    return app


def fields(**wanted: Any) -> dict[str, Any]:
    """The members of the JSON object that was sent, each of the given type. A pair gives the type and a default value."""
    body = request.get_json()
    found: dict[str, Any] = {}
    for name, kind in wanted.items():
        kind, value = kind if isinstance(kind, tuple) else (kind, None)
        found[name] = body.get(name, value) if isinstance(body, dict) else None
        if not isinstance(found[name], kind):
            abort(400, f"The body is a JSON object in which {name} is a {kind.__name__}.")
    return found


def decoded(sync_state: str) -> bytes:
    """The bytes of a sync state. A damaged one is ignored, as everywhere in Kinfolk."""
    try:
        return base64.b64decode(sync_state, validate=True)
    except binascii.Error:
        return b""
