"""A browser in which a person is signed in."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ._documented import documented
from ._environment import Environment
from ._ffi import lib
from ._outputs import moment, text


@documented
class WebSession(NamedTuple):
    """A browser, or another client of a network service, in which a person is signed in to a container.

    id              32 hexadecimal digits. It is no secret.
    container       The name of the container.
    environment     The environment of the container.
    api_token_name  The name of the API token through which the person signed in.
    created_at      When it began, in UTC.
    signed_in_at    When the person last proved who they are.
    expires_at      When it ends unless it is used before.
    is_lasting      Whether it ends after two weeks without use, and not after half an hour.
    """

    id: str
    container: str
    environment: Environment
    api_token_name: str
    created_at: datetime
    signed_in_at: datetime
    expires_at: datetime
    is_lasting: bool


def take_sessions(sessions: Any) -> tuple[WebSession, ...]:
    """Copies and frees a kinfolk_web_sessions."""
    try:
        return tuple(
            WebSession(
                text(lib.kinfolk_web_sessions_id(sessions, index)),
                text(lib.kinfolk_web_sessions_container(sessions, index)),
                Environment(lib.kinfolk_web_sessions_environment(sessions, index)),
                text(lib.kinfolk_web_sessions_api_token_name(sessions, index)),
                moment(lib.kinfolk_web_sessions_created_at(sessions, index)),
                moment(lib.kinfolk_web_sessions_signed_in_at(sessions, index)),
                moment(lib.kinfolk_web_sessions_expires_at(sessions, index)),
                lib.kinfolk_web_sessions_is_lasting(sessions, index),
            )
            for index in range(lib.kinfolk_web_sessions_count(sessions))
        )
    finally:
        lib.kinfolk_web_sessions_free(sessions)
