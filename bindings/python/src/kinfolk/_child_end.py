"""The end of a child process of multiprocessing.

A forked one ends by os._exit(): neither Python's atexit functions run there nor those of the library, which return the
permits that a service took ahead and charge what was spent of them. So the services of such a process are closed here.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref

from ._handle import Handle, free_postponed

# The last finalizer of the process, so that others may still use their services.
_PRIORITY = -(2**31)

_lock = threading.Lock()
_services: weakref.WeakSet[Handle] = weakref.WeakSet()
_is_registered = False


def _after_fork_in_child() -> None:
    # The parent's services are not the child's to close, and its finalizers do not run here.
    global _lock, _services, _is_registered
    _lock, _services, _is_registered = threading.Lock(), weakref.WeakSet(), False


os.register_at_fork(after_in_child=_after_fork_in_child)


def close_at_end_of_child(service: Handle) -> None:
    """Has the service closed at the end of this process, if it is a child of multiprocessing. Others need no help."""
    global _is_registered
    # A child of multiprocessing has imported it, and nobody else pays for the import.
    process = sys.modules.get("multiprocessing.process")
    if process is None or process.parent_process() is None:
        return
    from multiprocessing.util import Finalize

    with _lock:
        _services.add(service)
        if not _is_registered:
            Finalize(None, _end, exitpriority=_PRIORITY)
            _is_registered = True


def _end() -> None:
    # multiprocessing runs finalizers before it waits for the threads that are no daemons, by this very function, and
    # they may be in the middle of something. When it waits again, there are none left.
    getattr(threading, "_shutdown", lambda: None)()
    with _lock:
        services = list(_services)
    for service in services:
        service.close()
    free_postponed()
