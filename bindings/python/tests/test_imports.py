"""No module of the package imports itself through others, however hidden the import is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import kinfolk

PACKAGE = Path(kinfolk.__file__).parent


def imported(source: str, modules: set[str]) -> Iterator[str]:
    """The modules of the package that a module imports, also in functions and for type checkers only."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "").split(".")[0] == "kinfolk"):
            assert node.level in (0, 1), "the package has no packages inside"
            module = node.module or ""
            if not node.level:
                module = module.partition(".")[2]
            if module:
                yield module
            else:
                yield from (each.name if each.name in modules else "__init__" for each in node.names)
        elif isinstance(node, ast.Import):
            for each in node.names:
                package, _, module = each.name.partition(".")
                if package == "kinfolk":
                    yield module or "__init__"


def cycles(imports: dict[str, set[str]]) -> list[set[str]]:
    """The largest groups of modules in which each leads to each other."""

    def reached(start: str) -> set[str]:
        found: set[str] = set()
        left = [start]
        while left:
            for each in imports[left.pop()] - found:
                found.add(each)
                left.append(each)
        return found

    below = {module: reached(module) for module in imports}
    groups = {frozenset({module} | {each for each in below[module] if module in below[each]}) for module in imports}
    return [set(group) for group in groups if any(module in below[module] for module in group)]


def test_no_modules_import_each_other() -> None:
    sources = {file.stem: file.read_text(encoding="utf-8") for file in PACKAGE.glob("*.py")}
    imports = {module: set(imported(source, set(sources))) for module, source in sources.items()}
    assert len(imports["__init__"]) > 30
    assert "_declarations" in imports["_loader"]
    assert cycles(imports) == []


@pytest.mark.parametrize(
    "hidden",
    [
        "from . import _a",
        "from ._a import A",
        "import kinfolk._a",
        "from kinfolk._a import A",
        "from kinfolk import _a",
        "def f():\n    from . import _a as a",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from ._a import A",
        "try:\n    import json, kinfolk._a as a\nexcept ImportError:\n    pass",
    ],
)
def test_an_import_is_found_wherever_it_is(hidden: str) -> None:
    sources = {"_a": "from ._b import B", "_b": "from ._c import C", "_c": hidden, "_d": "from ._a import A"}
    imports = {module: set(imported(source, set(sources))) for module, source in sources.items()}
    assert cycles(imports) == [{"_a", "_b", "_c"}]


def test_names_of_the_package_come_from_its_init() -> None:
    assert set(imported("from . import Record, _a\nimport kinfolk\nfrom kinfolk import open", {"_a"})) == {
        "__init__",
        "_a",
    }
