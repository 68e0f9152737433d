"""An identity by which a person signs in."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import moment, text


@documented
class LinkedIdentity(NamedTuple):
    """An identity at an OpenID Connect provider, or one that a trusted proxy vouches for.

    issuer    The provider's issuer identifier, or a name for the proxy.
    subject   The provider's identifier of the person.
    added_at  When it was added, in UTC.
    """

    issuer: str
    subject: str
    added_at: datetime

    def __repr__(self) -> str:
        # Without the identity: what is printed ends up in logs.
        return "<kinfolk.LinkedIdentity>"


def take_linked_identities(identities: Any) -> tuple[LinkedIdentity, ...]:
    """Copies and frees a kinfolk_linked_identities."""
    try:
        return tuple(
            LinkedIdentity(
                text(lib.kinfolk_linked_identities_issuer(identities, index)),
                text(lib.kinfolk_linked_identities_subject(identities, index)),
                moment(lib.kinfolk_linked_identities_added_at(identities, index)),
            )
            for index in range(lib.kinfolk_linked_identities_count(identities))
        )
    finally:
        lib.kinfolk_linked_identities_free(identities)
