"""API tokens, keys of servers, web sessions and identities, as the operator sees them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk
import kinfolk.aio

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Store

ISSUER = "https://id.example.com"
# RFC 6979, appendix A.2.5, as OpenSSL writes it.
PEM = """-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYP7UuiVanTHJYet0xjVtaMBJuJI7
Yfps5mliLmDyn7Z5A/4QCLi8maQa6elWKLxk8vGyDC1+n1F3o8KU1EYimQ==
-----END PUBLIC KEY-----
"""


def test_a_token_is_made_listed_and_deleted(notes: kinfolk.Container) -> None:
    origins = ["https://app.example.com", "http://localhost:8000"]
    token = notes.create_api_token("web", origins=origins, return_urls=["app:/signed-in"], allows_discovery=True)
    assert len(token) == 64
    assert len(bytes.fromhex(token)) == 32
    notes.create_api_token("another")
    another, web = notes.api_tokens
    assert (another.name, another.origins, another.return_urls, another.allows_discovery) == ("another", (), (), False)
    assert (web.name, web.origins, web.return_urls) == ("web", tuple(origins), ("app:/signed-in",))
    assert web.allows_discovery
    assert web.created_at.tzinfo is not None
    assert token not in repr(web)
    notes.delete_api_token("web")
    assert [token.name for token in notes.api_tokens] == ["another"]
    with pytest.raises(kinfolk.UnknownItem):
        notes.delete_api_token("web")


def test_a_malformed_or_second_token_is_refused(notes: kinfolk.Container) -> None:
    notes.create_api_token("web")
    with pytest.raises(kinfolk.Conflict):
        notes.create_api_token("web")
    for origin in ["https://app.example.com/", "", "https://a.example\nhttps://b.example", "https://a.example\n"]:
        with pytest.raises(kinfolk.InvalidArgument):
            notes.create_api_token("other", origins=[origin])
    with pytest.raises(kinfolk.LimitExceeded):
        notes.create_api_token("other", return_urls=["app:/"] * 21)
    wrong: Any = "https://app.example.com"
    with pytest.raises(TypeError):
        notes.create_api_token("other", origins=wrong)
    assert len(notes.api_tokens) == 1


def test_a_servers_key_is_added_listed_and_removed(service: kinfolk.Service, notes: kinfolk.Container) -> None:
    key_id = notes.add_server_key("backend", PEM)
    (key,) = notes.server_keys
    assert (key.id, key.name, len(key.public_key)) == (key_id, "backend", 65)
    assert service.open_account(key.account_id).given_name == "backend"
    with pytest.raises(kinfolk.Conflict):
        notes.add_server_key("other", key.public_key)
    with pytest.raises(kinfolk.InvalidArgument):
        notes.add_server_key("other", b"no key")
    notes.remove_server_key(key_id)
    assert notes.server_keys == ()
    with pytest.raises(kinfolk.UnknownItem):
        notes.remove_server_key(key_id)


def test_an_account_without_web_sessions_has_none(person: Callable[..., kinfolk.Account]) -> None:
    ada = person("ada")
    assert ada.web_sessions == ()
    ada.end_web_session("0" * 32)
    ada.end_web_sessions()
    with pytest.raises(kinfolk.InvalidArgument):
        ada.end_web_session("x")


def test_an_identity_leads_to_one_account(service: kinfolk.Service, person: Callable[..., kinfolk.Account]) -> None:
    ada, grace = person("ada"), person("grace")
    ada.add_identity(ISSUER, "1815")
    assert service.find_account_by_identity(ISSUER, "1815") == ada
    (identity,) = ada.identities
    assert (identity.issuer, identity.subject) == (ISSUER, "1815")
    assert "1815" not in repr(identity)
    with pytest.raises(kinfolk.Conflict):
        grace.add_identity(ISSUER, "1815")
    ada.remove_identity(ISSUER, "1815")
    assert ada.identities == ()
    with pytest.raises(kinfolk.UnknownItem):
        service.find_account_by_identity(ISSUER, "1815")


def test_the_coroutines_do_the_same(store: Store) -> None:
    async def run() -> None:
        async with await kinfolk.aio.open(store.path, key_file=store.key_file) as service:
            notes = await service.create_container("com.example.access")
            await notes.create_api_token("web", origins=["https://app.example.com"])
            assert [token.name for token in await notes.api_tokens()] == ["web"]
            account = await service.create_account("Ada")
            await account.add_identity(ISSUER, "1815")
            assert (await service.find_account_by_identity(ISSUER, "1815")).id == account.id
            assert await account.web_sessions() == ()

    asyncio.run(run())
