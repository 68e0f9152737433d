"""A token by which an application calls a network service."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import moment, text


@documented
class APIToken(NamedTuple):
    """An API token of a container, without its secret text.

    name              The name that the operator gave it.
    origins           The origins of the pages that may use it in a browser.
    return_urls       The URLs to which a sign-in may return.
    allows_discovery  Whether its users may look for other users.
    created_at        When it was created, in UTC.
    """

    name: str
    origins: tuple[str, ...]
    return_urls: tuple[str, ...]
    allows_discovery: bool
    created_at: datetime


def take_tokens(tokens: Any) -> tuple[APIToken, ...]:
    """Copies and frees a kinfolk_api_tokens."""
    try:
        return tuple(
            APIToken(
                text(lib.kinfolk_api_tokens_name(tokens, index)),
                tuple(text(lib.kinfolk_api_tokens_origins(tokens, index)).split()),
                tuple(text(lib.kinfolk_api_tokens_return_urls(tokens, index)).split()),
                lib.kinfolk_api_tokens_allows_discovery(tokens, index),
                moment(lib.kinfolk_api_tokens_created_at(tokens, index)),
            )
            for index in range(lib.kinfolk_api_tokens_count(tokens))
        )
    finally:
        lib.kinfolk_api_tokens_free(tokens)
