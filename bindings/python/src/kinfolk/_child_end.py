"""Closes services at the end of a child process of multiprocessing.

A forked child ends by os._exit(). Neither Python's atexit functions run there nor those of the library, which return
the permits that a service has reserved and charge those that it has spent. So this module closes the services of such a
process.
"""

from __future__ import annotations

import os
import sys
import threading
import weakref

from ._handle import Handle, free_postponed

# The last finalizer of the process, so that the finalizers before it can still use their services.
_PRIORITY = -(2**31)

_lock = threading.Lock()
_services: weakref.WeakSet[Handle] = weakref.WeakSet()
_is_registered = False


def _after_fork_in_child() -> None:
    # A child must not close the parent's services, and the parent's finalizers do not run in it.
    global _lock, _services, _is_registered
    _lock, _services, _is_registered = threading.Lock(), weakref.WeakSet(), False


os.register_at_fork(after_in_child=_after_fork_in_child)


def close_at_end_of_child(service: Handle) -> None:
    """Closes the service when this process ends, if it is a child of multiprocessing. Other processes need no help."""
    global _is_registered
    # A child of multiprocessing has imported it already. Other processes do not pay for the import.
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
    # multiprocessing runs finalizers before it waits, by this same function, for threads that are not daemons. Those
    # threads may still be using a service, so wait for them here. The second wait then finds no threads.
    getattr(threading, "_shutdown", lambda: None)()
    with _lock:
        services = list(_services)
    for service in services:
        service.close()
    free_postponed()
