"""The person's half of private discovery."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_size_t, c_void_p

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes
from ._closable import Closable
from ._contact_book import ContactBook
from ._discovery import Discovery
from ._errors import InvalidArgument
from ._ffi import lib
from ._handle import Handle
from ._outputs import take_bytes
from ._private_epoch import PUBLIC_KEY_LENGTH


class PrivateClient(Closable):
    """The person's half of private discovery, which finds people without showing the server a contact.

    It needs no service. It says what to send, and takes what came back; how that travels is the program's part. The
    server's half is Session.answer(), for the session of this person.

        client = kinfolk.PrivateClient("com.example.notes", state=kept)
        client.set_contacts(book)
        while (request := client.next_request()) is not None:
            client.receive(send(request))
        kept = client.state
        for person in client.identities():
            print(person.user_record_id, person.contacts[0].label)

    container    the container's name
    public_keys  PrivateEpoch.public_key of the epochs that the program knows of, if it has them from elsewhere than
                 this server, from its own package say: then the server must prove that it used one of them. Without any
                 it is trusted to use the same key for everybody
    state        `state` after an earlier discovery of the same person in the same container. Without it the server is
                 asked about all contacts again, and could find out by comparing how many there are
    threads      on how many to compute; 0 for as many as there are cores

    InvalidArgument: this is not a container's name, or not a public key; the state is damaged, or of another container.
    LimitExceeded: more than 1,000 public keys.
    """

    __slots__ = ()

    def __init__(self, container: str, public_keys: Iterable[Bytes] = (), state: Bytes = b"", threads: int = 0) -> None:
        name, keys = arguments.text(container, "container"), _keys(public_keys)
        before, count = arguments.octets(state, "state"), arguments.thread_count(threads, "threads")
        client = c.PrivateClient()
        lib.kinfolk_private_client_new(
            name,
            keys or None,
            len(keys) // PUBLIC_KEY_LENGTH,
            before or None,
            len(before),
            count,
            byref(client),
        )
        super().__init__(Handle(client, lib.kinfolk_private_client_free, "private client"))

    def set_contacts(self, book: ContactBook) -> None:
        """Takes the contacts that count from now on, copied, and begins a discovery."""
        if not isinstance(book, ContactBook):
            raise arguments.wrong_type("book", "a kinfolk.ContactBook", book)
        with self._handle as client, book._handle as contacts:
            lib.kinfolk_private_client_set_contacts(client, contacts)

    def begin(self) -> None:
        """Begins another discovery with the same contacts: after a request that failed, or to see what has changed."""
        with self._handle as client:
            lib.kinfolk_private_client_begin(client)

    def set_maximum_prefix_bits(self, bits: int) -> None:
        """Sets how many bits of a contact's tag the client tells at most: 0 to 32, and 20 unless changed.

        Where the server's directory has more, it asks for larger buckets. So a server cannot ask for so many that they
        tell one contact from all others. What suits a directory of a million people is 15. It counts from the next
        discovery on.
        """
        number = arguments.integer(bits, "bits", 0, 32)
        with self._handle as client:
            lib.kinfolk_private_client_set_maximum_prefix_bits(client, number)

    def next_request(self) -> bytes | None:
        """What to send next; the same again until its answer came. None when all is known."""
        pointer, length = c_void_p(), c_size_t()
        with self._handle as client:
            lib.kinfolk_private_client_next_request(client, byref(pointer), byref(length))
        return take_bytes(pointer, length) or None

    def receive(self, answer: Bytes) -> None:
        """Takes the answer to the request. If it is refused, the request stands.

        InvalidArgument: it is malformed, or there is no request. Conflict: it is the answer to another request; or the
        server's key changed within an epoch. KeyMismatch: the server's key is none of `public_keys`, or it did not use
        it.
        """
        octets = arguments.octets(answer, "answer")
        with self._handle as client:
            lib.kinfolk_private_client_receive(client, octets, len(octets))

    def identities(self) -> Discovery:
        """The people in the contacts, by what has been received so far.

        Each once, in the order of the book, with all contacts that led to them. Their names are empty: they come by
        Session.discover_record_id(), which tells the server who they are, and may be put off or left out.
        """
        found = c.Identities()
        with self._handle as client:
            lib.kinfolk_private_client_identities(client, byref(found))
        return Discovery.adopt(found)

    @property
    def state(self) -> bytes:
        """What to keep for the next discovery: nothing is asked about known contacts then, and only changes are sent.

        It holds contact hashes in clear: keep it like the address book.
        """
        pointer, length = c_void_p(), c_size_t()
        with self._handle as client:
            lib.kinfolk_private_client_state(client, byref(pointer), byref(length))
        return take_bytes(pointer, length)


def _keys(values: Iterable[Bytes]) -> bytes:
    """Public keys, one after the other."""
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise arguments.wrong_type("public_keys", "a list of bytes", values)
    keys = [arguments.octets(each, "a public key") for each in values]
    if any(len(key) != PUBLIC_KEY_LENGTH for key in keys):
        raise InvalidArgument(f"a public key has {PUBLIC_KEY_LENGTH} bytes")
    return b"".join(keys)
