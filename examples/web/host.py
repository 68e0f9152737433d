"""A STAND-IN for what your program already has: its users, and how they sign in. Replace this file.

Here the header X-Demo-User says which user sent a request. Anybody can send that header, so it is used only
with DEMO_SIGN_IN=1.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import kinfolk
from flask import abort, request

DATABASE = os.environ.get("HOST_DATABASE", "host.db")


class User(NamedTuple):
    """A user of your program. Kinfolk trusts you that the address is theirs, so give only verified addresses."""

    name: str
    given_name: str
    family_name: str
    email: str


USERS = {
    "ada": User("ada", "Ada", "Example", "ada@example.com"),
    "grace": User("grace", "Grace", "Sample", "grace@example.org"),
    "alan": User("alan", "Alan", "Model", "alan@example.com"),
}


def signed_in() -> User:
    """The user who sent this request. Your version checks a session cookie or a token."""
    if os.environ.get("DEMO_SIGN_IN") != "1":
        abort(503, "Sign-in is a stand-in here: put your own into host.py, or try it out with DEMO_SIGN_IN=1.")
    user = USERS.get(request.headers.get("X-Demo-User", ""))
    if user is None:
        abort(401, f"Nobody is signed in: send X-Demo-User with one of {', '.join(USERS)}.")
    return user


def account_of(user: User, service: kinfolk.Service) -> kinfolk.Account:
    """The user's account, created on the first request. Store its ID in your table of users."""
    with _database() as db:
        known = _known_account(db, user, service)
        if known is not None:
            return known
        db.execute("BEGIN IMMEDIATE")  # if two workers get here at once, only one creates the account
        known = _known_account(db, user, service)
        if known is None:
            known = service.create_account(user.given_name, user.family_name)
            known.add_email(user.email, verified=True)
            db.execute("INSERT OR REPLACE INTO users VALUES (?, ?)", (user.name, known.id))
        db.execute("COMMIT")
        return known


def mail(recipient: str, text: str) -> None:
    """Sends a mail. Your version uses your mail server; this one adds a line to a file that only the tests read."""
    with open(os.environ.get("HOST_OUTBOX", "outbox.txt"), "a", encoding="utf-8") as outbox:
        outbox.write(json.dumps({"to": recipient, "text": text}) + "\n")


def forget_account(user: User) -> None:
    """Deletes the stored account ID, after the account was erased."""
    with _database() as db:
        db.execute("DELETE FROM users WHERE name = ?", (user.name,))


def _known_account(db: sqlite3.Connection, user: User, service: kinfolk.Service) -> kinfolk.Account | None:
    row = db.execute("SELECT kinfolk_account_id FROM users WHERE name = ?", (user.name,)).fetchone()
    try:
        return service.open_account(row[0]) if row else None
    except kinfolk.UnknownItem:  # erased, but a process ended before it called forget_account()
        return None


@contextmanager
def _database() -> Iterator[sqlite3.Connection]:
    db = sqlite3.connect(DATABASE, timeout=30, isolation_level=None)
    try:
        db.execute("CREATE TABLE IF NOT EXISTS users (name TEXT PRIMARY KEY, kinfolk_account_id TEXT NOT NULL)")
        yield db
    finally:
        db.close()
