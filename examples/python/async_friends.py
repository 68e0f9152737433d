"""Finds friends in an asyncio program: kinfolk.aio has the classes of kinfolk, with coroutines as methods.

    python async_friends.py [kinfolk.db]

Without an argument it uses a temporary store. friends.py says how to run it.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile

import kinfolk.aio
from kinfolk import ContactBook, Discoverability

CONSENT = "May people who have your e-mail address find you here?"


async def main(path: str) -> None:
    """Signs two people in at the same time, and lets the first find the second."""
    async with await kinfolk.aio.open(path) as service:
        notes, _ = await service.open_or_create_container("com.example.notes")
        ada, grace = await asyncio.gather(
            sign_in(service, notes, "Ada", "ada@example.com"),
            sign_in(service, notes, "Grace", "grace@example.org"),
        )

        # The prompt takes up no thread while the person thinks.
        async def prompt(text: str) -> Discoverability:
            await asyncio.sleep(0.01)
            return Discoverability.GRANTED

        await grace.request_discoverability(CONSENT, "1", prompt)

        book = ContactBook([("Grace@Example.ORG", "Grace from chess"), "nobody@example.com"])
        for friend in await ada.discover(book):
            print(friend.user_record_id, friend.given_name, friend.contacts[0].label)


async def sign_in(
    service: kinfolk.aio.Service, notes: kinfolk.aio.Container, name: str, email: str
) -> kinfolk.aio.Session:
    """A session of the person with this address. This program vouches for the address."""
    account, _ = await service.find_or_create_account(email, name, "Example")
    return await notes.open_session(account)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else f"{folder}/kinfolk.db"))
