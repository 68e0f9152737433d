"""Settings of gunicorn, which reads this file from the folder where it is started."""

import errno
import os
import socket
import sys

_port = int(os.environ.get("PORT", "8000"))

wsgi_app = "notes:create_app()"
bind = f"127.0.0.1:{_port}"
workers = int(os.environ.get("WEB_CONCURRENCY", "4"))

# Do not load the application in the parent: each worker opens its own service, after the fork.
preload_app = False


def on_starting(server):
    """Fails at once, with advice, if another program uses the port."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", _port))
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        sys.exit(f"Port {_port} is in use: end the program that has it, or choose another: PORT={_port + 1} gunicorn")
