"""A chat of two processes: friends find each other in their contact books, and are notified of messages.

    python chat.py

The program makes its store, "chat.db", in the folder where it runs, and stops if the container exists already. In a
clone, run `make stage` first, and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import islice

import kinfolk
from kinfolk import ContactBook, Discoverability, Record, Reference, Subscription

CONTAINER = "com.example.chat"
CONSENT = "May people who have your e-mail address find you here?"
ADDRESSES = {"Ada": "ada@example.com", "Grace": "grace@example.org"}
LINES = {
    "Ada": ["Tea at four?", "Five is fine."],
    "Grace": ["I teach until five.", "See you then!"],
}

# Everybody can read the public database: these are messages on a notice board, not secrets.
MESSAGE_TYPE = """\
DEFINE SCHEMA
RECORD TYPE Message (
    recipient STRING QUERYABLE,
    text      STRING
);
"""

# ---- 1. Once: people join, and may be found


def sign_in(service: kinfolk.Service, name: str) -> kinfolk.Session:
    """Signs a person in on their laptop. This program vouches for the address."""
    account, _ = service.find_or_create_account(ADDRESSES[name], name, "Example")
    return service.open_container(CONTAINER).open_session(account, device="laptop")


def join(service: kinfolk.Service) -> None:
    service.create_container(CONTAINER).apply_schema(MESSAGE_TYPE)
    for name in ADDRESSES:
        sign_in(service, name).set_discoverability(Discoverability.GRANTED, CONSENT, "1")


# ---- 2. Once for each friend: find them, and subscribe to their messages


def find(session: kinfolk.Session, friend: str) -> str:
    """The user record ID of a friend, by the contact book of the session's person."""
    (found,) = session.discover(ContactBook([(ADDRESSES[friend], friend)]))
    return found.user_record_id


def subscribe(session: kinfolk.Session, friend: str) -> None:
    """The service says who created a record, so nobody can write in the name of somebody else."""
    inbox = Subscription.query(
        "Message",
        "recipient = %@ AND createdBy = %@",
        session.user_record_id,
        Reference(find(session, friend)),
        on="created",
        keys=["text"],
        id=f"messages of {friend}",
    )
    session.public_database.save_subscription(inbox)


# ---- 3. In a process of each person: send, and show what comes


def talk(name: str, friend: str, begins: bool) -> None:
    with kinfolk.open("chat.db") as service:
        session = sign_in(service, name)
        to = find(session, friend)

        def say(text: str) -> None:
            session.public_database.save(Record("Message", recipient=to, text=text))

        lines = iter(LINES[name])
        if begins:
            say(next(lines))
        for note in islice(session.watch(), len(LINES[friend])):
            print(f"{name} reads: {note.fields['text']}", flush=True)
            for line in islice(lines, 1):
                say(line)
            session.acknowledge(note)


def main() -> None:
    with kinfolk.open("chat.db") as service:
        join(service)
        for name, friend in ("Ada", "Grace"), ("Grace", "Ada"):
            subscribe(sign_in(service, name), friend)
    people = [subprocess.Popen([sys.executable, __file__, name]) for name in ADDRESSES]
    try:
        failed = any(person.wait(timeout=60) for person in people)
    finally:
        # If one of them failed, the other one waits for a message that never comes.
        for person in people:
            person.kill()
    sys.exit(failed)


if __name__ == "__main__":
    if len(sys.argv) == 1:
        main()
    else:
        me = sys.argv[1]
        talk(me, "Grace" if me == "Ada" else "Ada", begins=me == "Ada")
