"""Prints the processor time of a contact book in seconds: read from a text and searched, with a valid sync state.

usage: time_contacts.py STORE CONTAINER ACCOUNT BOOK
"""

import statistics
import sys
import time

import kinfolk

store, container, account, path = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    text = file.read()


def discover(session, sync_state):
    book = kinfolk.ContactBook()
    book.add_text(text)
    return session.discover(book, sync_state=sync_state)


# Without filters, like the Swift call that it is compared with, because making a filter takes processor time too.
with kinfolk.open(store, directory_filters=0) as service:
    session = service.open_container(container).open_session(service.open_account(account))
    state = discover(session, b"").sync_state
    times = []
    for _ in range(31):
        start = time.process_time()
        found = discover(session, state)
        times.append(time.process_time() - start)
        if len(found) != 50:
            sys.exit("The wrong people were found.")
    print(statistics.median(times))
