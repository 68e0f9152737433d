"""Tries to break each promise of the network service, over sockets. See `run`."""
