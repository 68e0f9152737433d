"""Says of a wheel with the library in it which platform it is for: any Python 3 there, since ctypes binds to none."""

from __future__ import annotations

import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class LibraryHook(BuildHookInterface):
    """Runs before each wheel."""

    PLUGIN_NAME = "library"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Without a library beside the modules the wheel is for any platform, and uses the library of the system."""
        if (Path(self.root) / "src" / "kinfolk" / "libkinfolk.so.0").exists():
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
