"""What opens a store, and what is done before a store can be opened."""

from __future__ import annotations

from ctypes import byref, c_bool, pointer

from . import _arguments as arguments
from . import _declarations as c
from ._arguments import Bytes, Path
from ._child_end import close_at_end_of_child
from ._ffi import lib
from ._handle import Handle
from ._key_source import options_with_key
from ._progress import Progress, told
from ._service import Service


def open(
    path: Path,
    *,
    key: Bytes | None = None,
    key_file: Path | None = None,
    passphrase: str | Bytes | None = None,
    create: bool = True,
    wait: float = 30.0,
    page_cache: int = 2 << 20,
    directory_filters: int = 64 << 20,
    require_locked_memory: bool = False,
    read_only: bool = False,
) -> Service:
    """Opens the store in the file `path`. If the store does not exist, the call makes it, with a new key.

    `path` may also be the address of a PostgreSQL database, a str: "postgresql://user@host/database" (docs/scaling.md).
    A key file cannot be next to a server, so a key must be given.

    key         a service key of 32 bytes from elsewhere (a KMS, a keychain), instead of a key file
    key_file    the file with the key; by default it is next to the store: "kinfolk.db" has "kinfolk.key"
    passphrase  the text from which the key is derived, by Argon2id: about a second and 256 MiB
    create      False: raise UnknownFile if the store does not exist
    wait        seconds to wait for other writers before ServiceUnavailable; 0 for no wait
    page_cache  bytes of the store that each of its connections caches in memory; no effect on a store on a server
    directory_filters  most bytes for filters of directories, about 1.5 for each person who can be found; 0 for none
    require_locked_memory  True: raise ServiceUnavailable if the system does not lock a key in memory: an unlocked key
                could be swapped to a disk. The requirement then holds for the whole process
    read_only   True: change nothing, no byte of the store, its folder or its key. Calls that would write, and discovery
                by contacts and addresses, which spends permits, raise PermissionFailure. The store must exist. It may
                be on read-only media, and other processes may write it meanwhile

    A key file is made with mode 0600 and is refused if other users may read or write it. If the key file is lost, the
    store is lost. Files that belong neither to the process's user nor to root are refused, because an attacker may have
    planted them. Any number of processes and threads may use a store at the same time.

    KeyMismatch: the key is missing, malformed, readable by others, another user's, or another store's. StoreCorrupt:
    the file is not a Kinfolk store, or is an older state of the store than the one last used. InvalidArgument: the
    store was made by a newer Kinfolk; more than one of key, key file and passphrase is given, or none for a server; the
    passphrase is empty. PermissionFailure: the file system refuses, or the store is another user's. ServiceUnavailable:
    the store's server cannot be reached, refuses or has no such database, or libpq is missing.
    """
    options = options_with_key(key, key_file, passphrase)
    options.existing_only = not arguments.boolean(create, "create")
    options.wait = _wait(wait)
    options.page_cache = arguments.byte_count(page_cache, "page_cache") or -1
    options.directory_filters = arguments.byte_count(directory_filters, "directory_filters") or -1
    options.require_locked_memory = arguments.boolean(require_locked_memory, "require_locked_memory")
    options.read_only = arguments.boolean(read_only, "read_only")
    service = c.Service()
    lib.kinfolk_service_open(arguments.path(path, "path"), pointer(options), byref(service))
    handle = Handle(service, lib.kinfolk_service_free, "service", end=lib.kinfolk_service_close)
    close_at_end_of_child(handle)
    return Service(handle)


def accept_older(
    path: Path,
    *,
    key: Bytes | None = None,
    key_file: Path | None = None,
    passphrase: str | Bytes | None = None,
    wait: float = 30.0,
) -> bool:
    """Accepts an older state of a store as the current one, if the store was restored in another way than by restore().

    Kinfolk keeps a count of changes in the store, and a copy of it next to the key file, in a file ending in .counter.
    kinfolk.open() refuses a store with a lower count than the one next to the key (StoreCorrupt): an attacker may have
    put back an older file. This call gives the store a new count. It returns whether the store was older.

    Call it after each restore on a server, also if the key is not in a file: change tokens from before expire then
    (ChangeTokenExpired), because the lost state may have given the same numbers to other changes.

    The arguments and the exceptions are those of kinfolk.open() with create=False.
    """
    options = options_with_key(key, key_file, passphrase)
    options.wait = _wait(wait)
    was_older = c_bool()
    lib.kinfolk_store_accept_older(arguments.path(path, "path"), pointer(options), byref(was_older))
    return was_older.value


def restore(
    path: Path,
    backup: Path,
    *,
    key: Bytes | None = None,
    key_file: Path | None = None,
    passphrase: str | Bytes | None = None,
    replace_other: bool = False,
    wait: float = 5.0,
    progress: Progress | None = None,
) -> None:
    """Restores a backup to the file `path`.

    The call copies the backup, checks the copy as Service.check() does, and then replaces the store in one step, or
    makes it if the file is missing. It removes the old store's log, and accepts the state of the backup as the present
    one. The backup itself is not changed. If the call is interrupted, the file is the complete old store or the
    complete new one. Changes made after the backup are lost.

    backup         a file that Service.back_up() made, or a copy of a store that no process had open
    key, key_file, passphrase  as for kinfolk.open(): the key that the store had when the backup was made
    replace_other  True: also replace a file that is not the store of this backup
    wait           seconds to wait for other processes that have the store open
    progress       progress(done, total) is called on this thread: with bytes that are copied, then with rows that are
                   checked. An exception of it, or Ctrl-C, ends the call, and nothing was changed

    StoreCorrupt: the backup is damaged, or is not a store. ServiceUnavailable: the store or the backup is open.
    Conflict: `path` is another store or another file. KeyMismatch: the key is missing, or is not the key of the backup.
    UnknownFile: the backup does not exist, or the folder is missing. PermissionFailure: the file system refuses.
    InvalidArgument: the store is on a server.
    """
    options = options_with_key(key, key_file, passphrase)
    options.wait = _wait(wait)
    paths = arguments.path(path, "path"), arguments.path(backup, "backup")
    replaces = arguments.boolean(replace_other, "replace_other")
    with told(progress) as tell:
        lib.kinfolk_store_restore(*paths, pointer(options), replaces, tell, None)


def _wait(seconds: float) -> float:
    """A wait as C takes it: 0 stands for C's default, and a negative number for no wait."""
    duration = arguments.seconds(seconds, "wait")
    return duration if duration > 0 else -1.0
