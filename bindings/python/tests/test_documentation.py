"""What help() says of the named tuples that calls return."""

from __future__ import annotations

import pydoc
from typing import Any

import pytest

import kinfolk

TUPLES = [kind for kind in vars(kinfolk).values() if isinstance(kind, type) and hasattr(kind, "_fields")]


@pytest.mark.parametrize("kind", TUPLES)
def test_each_field_is_documented(kind: Any) -> None:
    for field in kind._fields:
        documentation = getattr(kind, field).__doc__
        assert documentation.endswith("."), field
        assert not documentation.startswith("Alias"), field
    assert "Alias for field number" not in pydoc.render_doc(kind)


def test_documentation_of_a_field_may_have_several_lines() -> None:
    documentation: Any = kinfolk.Erasure.is_pending
    assert documentation.__doc__.startswith("Whether the store may still hold")
    assert documentation.__doc__.endswith("when the store is closed.")
