"""Claims on addresses that another account has verified."""

from __future__ import annotations

from datetime import datetime
from enum import IntEnum
from typing import Any, NamedTuple

from ._documented import documented
from ._ffi import lib
from ._outputs import moment, text


class ClaimState(IntEnum):
    """The state of a claim."""

    AWAITING_NOTICE = 1
    """Nothing moves before the notice is acknowledged. The claim lapses after 30 days."""
    WAITING = 2
    """The owner may refuse."""
    COMPLETABLE = 3
    """The claimant may prove the address again, for 7 days. Until the claimant does, the owner may still refuse."""
    REFUSED = 4
    """The owner refused. For 30 days the claimant cannot claim the address again."""
    DISPUTED = 5
    """Both accounts proved that they read the mails of the address: the operator decides."""
    DISMISSED = 6
    """The operator decided for the owner. For 30 days the claimant cannot claim the address again."""


@documented
class Claim(NamedTuple):
    """An account's claim on an address that another account has verified. Do not tell one person who the other is.

    id              32 hexadecimal digits that identify the claim to the operator.
    address         The disputed address, as its owner spelled it.
    owner_id        The account that has the address.
    claimant_id     The account that claims it.
    state           The state of the claim.
    opened_at       When the claimant first proved the address, in UTC.
    noticed_at      When the host reported that the notice was mailed.
    completable_at  The time from which the claimant may prove the address again.
    notice          All verified addresses of the owner: where the host mails the notice.
    """

    id: str
    address: str
    owner_id: str
    claimant_id: str
    state: ClaimState
    opened_at: datetime
    noticed_at: datetime | None
    completable_at: datetime | None
    notice: tuple[str, ...]

    def __repr__(self) -> str:
        # Without addresses: what is printed ends up in logs.
        return f"<kinfolk.Claim {self.id} {self.state.name}>"


def take_claims(claims: Any) -> list[Claim]:
    """The claims of a kinfolk_claims, which may be NULL; frees it."""
    try:
        return [_claim(claims, index) for index in range(lib.kinfolk_claims_count(claims))]
    finally:
        lib.kinfolk_claims_free(claims)


def take_claim(claims: Any) -> Claim | None:
    """The only claim of a kinfolk_claims, which may be NULL; frees it."""
    return next(iter(take_claims(claims)), None)


def _claim(claims: Any, index: int) -> Claim:
    return Claim(
        id=text(lib.kinfolk_claims_id(claims, index)),
        address=text(lib.kinfolk_claims_address(claims, index)),
        owner_id=text(lib.kinfolk_claims_owner_id(claims, index)),
        claimant_id=text(lib.kinfolk_claims_claimant_id(claims, index)),
        state=ClaimState(lib.kinfolk_claims_state(claims, index)),
        opened_at=moment(lib.kinfolk_claims_opened_at(claims, index)),
        noticed_at=_optional(lib.kinfolk_claims_noticed_at(claims, index)),
        completable_at=_optional(lib.kinfolk_claims_completable_at(claims, index)),
        notice=tuple(
            text(lib.kinfolk_claims_notice(claims, index, recipient))
            for recipient in range(lib.kinfolk_claims_notice_count(claims, index))
        ),
    )


def _optional(microseconds: int) -> datetime | None:
    return moment(microseconds) if microseconds else None
