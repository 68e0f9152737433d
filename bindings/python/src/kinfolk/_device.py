"""A device of a user."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import optional_text


@documented
class Device(NamedTuple):
    """A device of a session's user, which receives notifications.

    name        The name that the application chose; None for a session without a name, which is a device of its own.
    is_current  Whether it is the device of the session that asked.
    """

    name: str | None
    is_current: bool

    def __repr__(self) -> str:
        # Without the name: what is printed ends up in logs.
        return f"<kinfolk.Device{' (current)' if self.is_current else ''}>"


def take_devices(devices: Any) -> tuple[Device, ...]:
    """Copies and frees a kinfolk_devices."""
    try:
        return tuple(
            Device(
                optional_text(lib.kinfolk_devices_name(devices, index)), lib.kinfolk_devices_is_current(devices, index)
            )
            for index in range(lib.kinfolk_devices_count(devices))
        )
    finally:
        lib.kinfolk_devices_free(devices)
