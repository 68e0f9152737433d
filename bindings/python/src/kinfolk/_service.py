"""One open store."""

from __future__ import annotations

from ctypes import byref, pointer

from . import _arguments as arguments
from . import _declarations as c
from ._account import Account
from ._arguments import Bytes, Path
from ._closable import Closable
from ._container import Container
from ._errors import InvalidArgument
from ._ffi import OpenOptions, lib
from ._handle import Handle

KEY_LENGTH = 32


class Service(Closable):
    """One open store with its key: the operator's handle. Made by kinfolk.open().

    A store takes any number of processes and threads at once. Closing a service closes the accounts, containers and
    sessions that were opened through it; what they handed out (records, discoveries) stays.
    """

    __slots__ = ()

    @classmethod
    def open(
        cls,
        path: Path,
        *,
        key: Bytes | None = None,
        key_file: Path | None = None,
        create: bool = True,
        wait: float = 30.0,
    ) -> Service:
        """Opens the store in the file `path`: see kinfolk.open()."""
        seconds = arguments.seconds(wait, "wait")
        options = OpenOptions(
            version=1,
            existing_only=not arguments.boolean(create, "create"),
            # C takes 0 for its default, and a negative number for not at all.
            wait=seconds if seconds > 0 else -1.0,
        )
        if key is not None:
            options.key = octets = arguments.octets(key, "key")
            options.key_length = len(octets)
            if len(octets) != KEY_LENGTH:
                raise InvalidArgument(f"key must have {KEY_LENGTH} bytes")
        if key_file is not None:
            options.key_file = arguments.path(key_file, "key_file")
        service = c.Service()
        lib.kinfolk_service_open(arguments.path(path, "path"), pointer(options), byref(service))
        return cls(Handle(service, lib.kinfolk_service_free, "service"))

    def create_account(self, given_name: str = "", family_name: str = "") -> Account:
        """Makes an account. Names are at most 1,024 bytes of UTF-8 each (LimitExceeded) and may be empty."""
        names = arguments.text(given_name, "given_name"), arguments.text(family_name, "family_name")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_create(service, *names, byref(account))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle))

    def open_account(self, account_id: str) -> Account:
        """Opens the account with this ID, 32 lower-case hexadecimal digits. UnknownItem if there is none."""
        encoded = arguments.text(account_id, "account_id")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_open(service, encoded, byref(account))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle))

    def find_account(self, email: str) -> Account:
        """Opens the account that has this address, verified.

        UnknownItem if there is none: an address that is not verified belongs to nobody.
        """
        encoded = arguments.text(email, "email")
        account = c.Account()
        with self._handle as service:
            lib.kinfolk_account_find_by_email(service, encoded, byref(account))
        return Account(Handle(account, lib.kinfolk_account_free, "account", self._handle))

    def create_container(self, name: str) -> Container:
        """Makes a container: one application's silo. Conflict if there is one with this name.

        The name is in reverse DNS, "com.example.notes": two or more labels of ASCII letters, digits and inner hyphens,
        255 bytes at most. Letter case matters.
        """
        encoded = arguments.text(name, "name")
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_create(service, encoded, byref(container))
        return Container(Handle(container, lib.kinfolk_container_free, "container", self._handle))

    def open_container(self, name: str) -> Container:
        """Opens the container with this name. UnknownItem if there is none."""
        encoded = arguments.text(name, "name")
        container = c.Container()
        with self._handle as service:
            lib.kinfolk_container_open(service, encoded, byref(container))
        return Container(Handle(container, lib.kinfolk_container_free, "container", self._handle))
