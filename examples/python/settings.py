"""Settings that two devices of one person share.

    python settings.py

The program makes its store, "settings.db", in the folder where it runs, and starts itself a second time as the other
device.
"""

from __future__ import annotations

import subprocess
import sys

import kinfolk


def open_settings(service: kinfolk.Service, device: str) -> kinfolk.KeyValueStore:
    """Each device has a name, and all devices use the same keys."""
    account, _ = service.find_or_create_account("ada@example.com", "Ada", "Example")
    notes = service.open_container("com.example.notes")
    return notes.open_session(account, device=device).key_value_store


def wait(settings: kinfolk.KeyValueStore, key: str) -> object:
    """Waits until another device has set a key."""
    with settings.watch() as changes:
        for change in changes:
            if key in change.keys:
                return settings[key]
    raise RuntimeError("the watch has ended")


def be_tablet() -> None:
    with kinfolk.open("settings.db") as service:
        settings = open_settings(service, "tablet")
        print(f"tablet sees: theme = {wait(settings, 'theme')}", flush=True)
        settings["size on tablet"] = 16
        settings["theme"] = "light"


def be_laptop() -> None:
    with kinfolk.open("settings.db") as service:
        service.create_container("com.example.notes")
        settings = open_settings(service, "laptop")
        tablet = subprocess.Popen([sys.executable, __file__, "tablet"])
        try:
            settings["size on laptop"] = 12  # a key of this device
            settings["theme"] = "dark"  # a key that both devices set
            print(f"laptop sees: theme = {wait(settings, 'theme')}", flush=True)
            if tablet.wait(timeout=60):
                raise RuntimeError("the other device has failed")
        finally:
            tablet.kill()
        for key, value in settings.items():
            print(f"{key} = {value}")


if __name__ == "__main__":
    be_tablet() if len(sys.argv) > 1 else be_laptop()
