"""Measures packages that people would use instead of Kinfolk, on the same input, in the same process.

usage: peers.py KINFOLK FOLDER

KINFOLK is the command line tool, FOLDER an empty folder for the stores. Reports packages that are missing, and skips them.
Each pair is measured in turn; the figures are medians.
"""

import base64
import ctypes
import hashlib
import os
import statistics
import subprocess
import sys
import time
from types import SimpleNamespace

import kinfolk

CONTAINER = "com.example.bench"
CONTACTS = 1_000
PRESENT = 50


def person(number):
    return f"person.{number}@example.com"


def contacts(count):
    """1,000 addresses, of which 50 are among `count` people."""
    step = CONTACTS // PRESENT
    return [
        person(line // step * (count // PRESENT)) if line % step == 0 else f"nobody.{line}@example.org"
        for line in range(CONTACTS)
    ]


def in_turn(peer, ours, runs):
    """The medians of two pieces of work, in seconds. The first run of each is not counted."""
    times = [[], []]
    for run in range(runs + 1):
        for work, results in zip((peer, ours), times):
            if work is None:
                continue
            start = time.perf_counter()
            work()
            if run > 0:
                results.append(time.perf_counter() - start)
    return [statistics.median(results) if results else None for results in times]


def expect(found):
    if found != PRESENT:
        sys.exit(f"{found} people were found, and not {PRESENT}.")


def digits(seconds):
    if seconds is None:
        return "-"
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def report(work, peer, ours):
    factor = f"{peer / ours:,.3g}" if ours else ""
    print(f"{work:<46}{digits(peer):>10}{digits(ours):>10}{factor:>10}", flush=True)


def matcher(tool, folder, count):
    """Kinfolk's search in a directory of `count` people: from text to names, with a valid sync state."""
    _, session = people(tool, folder, count)
    text = "\n".join(contacts(count))

    def discover(sync_state):
        book = kinfolk.ContactBook()
        book.add_text(text)
        return session.discover(book, sync_state=sync_state)

    state = discover(b"").sync_state
    return lambda: expect(len(discover(state)))


def private_matcher(tool, folder, count):
    """Kinfolk's private discovery in a directory of `count` people, both halves on one thread, without a state."""
    container, session = people(tool, folder, count)
    lib = ctypes.CDLL(os.environ["KINFOLK_LIBRARY"])
    lib.kinfolk_identities_count.restype = ctypes.c_size_t
    text = "\n".join(contacts(count))

    def call(function, *arguments):
        if function(*arguments) != 0:
            raise OSError(f"{function.__name__} failed")

    with container._handle as handle:
        call(lib.kinfolk_container_set_directory_modes, handle, 3, None, None)

    def discover():
        book = kinfolk.ContactBook()
        book.add_text(text)
        found = ctypes.c_void_p()
        with session._handle as handle, book._handle as hashes:
            nothing = None, ctypes.c_size_t(0)
            call(lib.kinfolk_discover_contacts_privately, handle, hashes, *nothing, 1, ctypes.byref(found))
        expect(lib.kinfolk_identities_count(found))
        lib.kinfolk_identities_free(found)

    return discover


def people(tool, folder, count):
    """A container of `count` people who agreed to be found, and the session of another person."""
    store = os.path.join(folder, f"people-{count}.db")
    file_of_people = os.path.join(folder, f"people-{count}.csv")
    with open(file_of_people, "w", encoding="utf-8") as file:
        file.write("given_name,family_name,email,consent\n")
        file.writelines(f"Given{i},Family{i},{person(i)},yes\n" for i in range(count))
    environment = dict(os.environ, KINFOLK_STORE=store)

    def run(*arguments):
        subprocess.run([tool, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)

    run("init")
    run("container", "create", CONTAINER)
    run("account", "import", file_of_people, "--container", CONTAINER, "--consent-text", "?", "--consent-version", "1")
    service = kinfolk.open(store)
    container = service.open_container(CONTAINER)
    return container, container.open_session(service.create_account())


def sydent(tool, folder):
    """Its lookup as shipped: the client's hashes, and the query that its /lookup runs."""
    from sydent.db.sqlitedb import SqliteDatabase
    from sydent.db.threepid_associations import GlobalAssociationStore

    def hashed(address):
        digest = hashlib.sha256(f"{address} email pepper".encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()

    for count in (10_000, 100_000):
        path = os.path.join(folder, f"sydent-{count}.db")
        config = SimpleNamespace(database=SimpleNamespace(database_path=path))
        server = SimpleNamespace(config=config)
        server.db = SqliteDatabase(server).db
        server.db.executemany(
            "INSERT INTO global_threepid_associations (medium, address, mxid, ts, notBefore, notAfter, originServer,"
            " originId, sgAssoc, lookup_hash) VALUES ('email', ?, ?, 1, 1, 4000000000000, 'example.com', ?, '{}', ?)",
            ((person(i), f"@person{i}:example.com", i, hashed(person(i))) for i in range(count)),
        )
        server.db.commit()
        associations = GlobalAssociationStore(server)
        book = contacts(count)

        def look_up():
            expect(len(associations.retrieveMxidsForHashes([hashed(address) for address in book])))

        report(f"Sydent: 1,000 contacts, {count:,} people", *in_turn(look_up, matcher(tool, folder, count), 7))


def openmined_psi(tool, folder):
    """Private set intersection, which hides the contacts from the server, compared with Kinfolk's private discovery."""
    import private_set_intersection.python as psi

    count = 10_000
    server = psi.server.CreateWithNewKey(True)
    setup = server.CreateSetupMessage(1e-9, CONTACTS, [person(i) for i in range(count)], psi.DataStructure.GCS)
    client = psi.client.CreateWithNewKey(True)
    book = contacts(count)

    def intersect():
        response = server.ProcessRequest(client.CreateRequest(book))
        expect(len(client.GetIntersection(setup, response)))

    folder = os.path.join(folder, "psi")
    os.mkdir(folder)
    ours = private_matcher(tool, folder, count)
    report(f"OpenMined PSI: 1,000 contacts, {count:,} people", *in_turn(intersect, ours, 3))


def pyoprf(tool, folder):
    """An oblivious pseudorandom function, for each contact."""
    import pyoprf as oprf

    key = oprf.keygen()
    book = [address.encode() for address in contacts(10_000)]

    def evaluate():
        for address in book:
            blind, blinded = oprf.blind(address)
            oprf.unblind_finalize(blind, oprf.evaluate(key, blinded), address)

    report("pyoprf: 1,000 contacts blinded and evaluated", *in_turn(evaluate, None, 3))


def vobject(tool, folder):
    """A vCard file with photos, of which the addresses are read."""
    import vobject as vcard

    path = os.path.join(folder, "contacts.vcf")
    photo = (" " + "QUJDREVGR0hJ" * 6 + "\r\n") * 5
    with open(path, "w", encoding="utf-8", newline="") as file:
        for i in range(10_000):
            file.write(
                f"BEGIN:VCARD\r\nVERSION:3.0\r\nN:Person;Number {i};;;\r\nFN:Number {i} Person\r\n"
                f"PHOTO;ENCODING=b;TYPE=JPEG:QUJD\r\n{photo}EMAIL;TYPE=INTERNET:Person.{i}@Example.com\r\n"
                "NOTE:A note that says nothing much about a person who does not exist.\r\nEND:VCARD\r\n"
            )

    def read():
        with open(path, encoding="utf-8", newline="") as file:
            addresses = [card.email.value.lower() for card in vcard.readComponents(file)]
        hashes = [hashlib.sha256(address.encode()).digest() for address in addresses]
        if len(hashes) != 10_000:
            sys.exit("Cards were lost.")

    report("vobject: vCard file of 10,000 cards", *in_turn(read, lambda: kinfolk.ContactBook.from_file(path), 3))


def email_validator(tool, folder):
    """One address, checked and converted to its canonical form."""
    from email_validator import validate_email

    for name, address in (("ASCII", "Ada.Lovelace+notes@Example.COM"), ("IDN domain", "ada@bücher.example.com")):

        def validate():
            for _ in range(1_000):
                validate_email(address, check_deliverability=False)

        def canonicalise():
            for _ in range(1_000):
                kinfolk.canonical_email(address)

        report(f"email-validator: 1,000 addresses, {name}", *in_turn(validate, canonicalise, 7))


def main():
    tool, folder = sys.argv[1:]
    print(f"{'':<46}{'peer':>10}{'Kinfolk':>10}{'times':>10}")
    for measure in (sydent, openmined_psi, pyoprf, vobject, email_validator):
        try:
            measure(tool, folder)
        except (ImportError, ValueError, OSError) as error:
            print(f"{measure.__name__}: not measured: {error}", flush=True)


main()
