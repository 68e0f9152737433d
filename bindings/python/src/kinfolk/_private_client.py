"""The client's half of private discovery."""

from __future__ import annotations

from collections.abc import Iterable
from ctypes import byref, c_size_t, c_void_p, create_string_buffer

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


class PrivateClient(Closable):
    """The client's half of private discovery, which finds people without showing a contact to the server.

    It needs no service. It makes requests and takes answers; the program transports them. The server's half is
    Session.answer(), for the session of this person.

        client = kinfolk.PrivateClient("com.example.notes", sync_state=kept)
        client.set_contacts(book)
        while (request := client.next_request()) is not None:
            client.receive(send(request))
        kept = client.sync_state
        for person in client.identities():
            print(person.user_record_id, person.contacts[0].label)

    container    the container's name
    public_keys  PrivateEpoch.public_key of the epochs that the program knows, if it got them from another source than
                 this server, for example its own package. Then the server must prove that it used one of them. Without
                 keys, the client trusts the server to use the same key for everybody
    bucket_key   Service.bucket_public_key, if the program got it from another source. Without it the client keeps the
                 first bucket key that the server names in its state, and refuses any other from then on
    filler_secret  32 random bytes that a person's applications share, if they can. With the same secret all of them
                 fill up requests with the same hashes, and ask for the same buckets
    sync_state   `sync_state` after an earlier discovery of the same person in the same container. Without it the client
                 asks the server about all contacts again. By comparing both discoveries the server could then find out
                 how many contacts there are, unless the filler secret is the same
    threads      the number of threads that compute; 0 for one for each core

    InvalidArgument: this is not a container's name, or not a public key; the state is damaged, of an older version, of
    another container or of another filler secret. KeyMismatch: the state is of another bucket key. LimitExceeded: more
    than 1,000 public keys.
    """

    __slots__ = ()

    def __init__(
        self,
        container: str,
        public_keys: Iterable[Bytes] = (),
        sync_state: Bytes = b"",
        threads: int = 0,
        *,
        bucket_key: Bytes | None = None,
        filler_secret: Bytes | None = None,
    ) -> None:
        name, keys = arguments.text(container, "container"), _keys(public_keys)
        bucket = None if bucket_key is None else _keys([bucket_key])
        secret = None if filler_secret is None else arguments.octets(filler_secret, "filler_secret")
        if secret is not None and len(secret) != c.FILLER_SECRET_LENGTH:
            raise InvalidArgument(f"a filler secret has {c.FILLER_SECRET_LENGTH} bytes")
        before, count = arguments.octets(sync_state, "sync_state"), arguments.thread_count(threads, "threads")
        client = c.PrivateClient()
        lib.kinfolk_private_client_new(
            name,
            keys or None,
            len(keys) // c.PUBLIC_KEY_LENGTH,
            bucket,
            secret,
            before or None,
            len(before),
            count,
            byref(client),
        )
        super().__init__(Handle(client, lib.kinfolk_private_client_free, "private client"))

    def set_contacts(self, book: ContactBook) -> None:
        """Sets the contacts (copied) for this and later discoveries, and begins a discovery."""
        if not isinstance(book, ContactBook):
            raise arguments.wrong_type("book", "a kinfolk.ContactBook", book)
        with self._handle as client, book._handle as contacts:
            lib.kinfolk_private_client_set_contacts(client, contacts)

    def begin(self) -> None:
        """Begins another discovery with the same contacts: after a request that failed, or to see what has changed."""
        with self._handle as client:
            lib.kinfolk_private_client_begin(client)

    def set_maximum_prefix_bits(self, bits: int) -> None:
        """Sets the most bits of a contact's bucket position that the client sends: 0 to 32, and 20 unless changed.

        If the server's directory has more, the client asks for larger buckets. So a server cannot demand so many bits
        that they distinguish one contact from all others. 15 suits a directory of a million people. The setting takes
        effect with the next discovery.
        """
        number = arguments.integer(bits, "bits", 0, 32)
        with self._handle as client:
            lib.kinfolk_private_client_set_maximum_prefix_bits(client, number)

    def next_request(self) -> bytes | None:
        """The next request to send; the same one until its answer is received. None when the discovery is complete."""
        pointer, length = c_void_p(), c_size_t()
        with self._handle as client:
            lib.kinfolk_private_client_next_request(client, byref(pointer), byref(length))
        return take_bytes(pointer, length) or None

    def receive(self, answer: Bytes) -> None:
        """Takes the answer to the request. If the client refuses the answer, the request stays pending.

        InvalidArgument: the answer is malformed, or no request is pending. Conflict: it is the answer to another
        request; or the bucket key, or the key of an epoch, differs from what it was before. KeyMismatch: the server's
        key is not among the published ones, or the server did not use it.
        """
        octets = arguments.octets(answer, "answer")
        with self._handle as client:
            lib.kinfolk_private_client_receive(client, octets, len(octets))

    def identities(self) -> Discovery:
        """The people in the contacts, as far as the client has received answers.

        Each once, in the order of the book, with all contacts that led to them. Their names are empty.
        Session.discover_record_id() gets a name, but it tells the server who the person is; the program may do that
        later or not at all.
        """
        found = c.Identities()
        with self._handle as client:
            lib.kinfolk_private_client_identities(client, byref(found))
        return Discovery.adopt(found)

    @property
    def sync_state(self) -> bytes:
        """The state to keep for the next discovery, which then asks nothing about known contacts and gets only changes.

        It holds contact hashes in clear: protect it like the address book.
        """
        pointer, length = c_void_p(), c_size_t()
        with self._handle as client:
            lib.kinfolk_private_client_state(client, byref(pointer), byref(length))
        return take_bytes(pointer, length)

    @property
    def filler_secret(self) -> bytes:
        """The secret from which the client derives the hashes that fill up requests: 32 bytes.

        Give it to the person's other applications, and to a client that begins without a state. Protect it like the
        address book.
        """
        secret = create_string_buffer(c.FILLER_SECRET_LENGTH)
        with self._handle as client:
            lib.kinfolk_private_client_filler_secret(client, secret)
        return secret.raw


def _keys(values: Iterable[Bytes]) -> bytes:
    """Public keys, one after the other."""
    if isinstance(values, (str, bytes, bytearray, memoryview)):
        raise arguments.wrong_type("public_keys", "a list of bytes", values)
    keys = [arguments.octets(each, "a public key") for each in values]
    if any(len(key) != c.PUBLIC_KEY_LENGTH for key in keys):
        raise InvalidArgument(f"a public key has {c.PUBLIC_KEY_LENGTH} bytes")
    return b"".join(keys)
