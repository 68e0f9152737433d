"""People of every kind whom a seeker may not find, and some whom the seeker may find."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from world import CONTAINER

from .scene import OTHER_CONTAINER, Member, Scene


@dataclasses.dataclass
class Kind:
    """People who are hidden for the same reason."""

    name: str
    addresses: list[str]
    ids: list[str]


class HiddenPeople:
    """`each` people of each kind. All addresses have the same length, and so have all IDs."""

    def __init__(self, scene: Scene, each: int) -> None:
        self.scene = scene
        self._each = each
        self._number = 1_000
        self.seeker = scene.sign_in(self._address())
        chat_token = scene.chat_token()
        self.kinds = [
            self._unknown(),
            self._never_here(),
            self._kind("not opted in", grants=False),
            self._kind("denied", grants=False, after=lambda member: scene.let_find(member, "DENIED")),
            self._kind("suspended", after=lambda member: scene.kinfolk("account", "suspend", member.address)),
            self._kind("erased", after=self._erase),
            self._kind("other container", token=chat_token, container=OTHER_CONTAINER),
            self._kind("blocked", after=lambda member: self._block(self.seeker, member)),
            self._kind("blocks", after=lambda member: self._block(member, self.seeker)),
            self._kind("operator's block", after=self._operator_block),
        ]
        self.found = self._kind("found")

    def _address(self) -> str:
        self._number += 1
        return self.scene.noted(f"hidden.{self._number}.secret@example.com", "an address")

    def _id(self) -> str:
        self._number += 1
        return f"_{self._number:032x}"

    def _unknown(self) -> Kind:
        numbers = range(self._each)
        return Kind("unknown", [self._address() for _ in numbers], [self._id() for _ in numbers])

    def _never_here(self) -> Kind:
        """They have an account, and never used the container."""
        addresses = [self._address() for _ in range(self._each)]
        for address in addresses:
            self.scene.kinfolk("account", "create", "--email", address, "--verified")
        return Kind("never here", addresses, [self._id() for _ in addresses])

    def _kind(
        self,
        name: str,
        *,
        grants: bool = True,
        token: str | None = None,
        container: str = CONTAINER,
        after: Callable[[Member], object] | None = None,
    ) -> Kind:
        kind = Kind(name, [], [])
        for _ in range(self._each):
            member = self.scene.sign_in(self._address(), "Ann", "Lee", token=token, container=container)
            if grants:
                body = {"discoverability": "GRANTED", "wording": {"text": "May others find you?", "version": "1"}}
                self.scene.ask("discoverability", body, member, "kinfolk", container=container)
            if after:
                after(member)
            kind.addresses.append(member.address)
            kind.ids.append(member.id)
        return kind

    def _erase(self, member: Member) -> None:
        self.scene.ask("account/erase", {"userRecordName": member.id}, member, "kinfolk")

    def _block(self, member: Member, other: Member) -> None:
        body = {"operations": [{"operationType": "block", "userRecordName": other.id}]}
        self.scene.ask("blocks/modify", body, member, "kinfolk")

    def _operator_block(self, member: Member) -> None:
        self.scene.kinfolk("container", "block", CONTAINER, member.id, self.seeker.id)
