"""What is refused before it reaches C, and what never shows in a printed form."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest

import kinfolk

if TYPE_CHECKING:
    from conftest import Store


class World:
    """One of everything."""

    def __init__(self, store: Store) -> None:
        self.path = store.path
        self.service = store.open()
        self.account = self.service.create_account("Ada", "Example")
        self.account.add_email("ada@example.com", verified=True)
        self.container = self.service.create_container("com.example.notes")
        self.session = self.container.open_session(self.account)
        self.record = self.session.fetch_record()
        self.book = kinfolk.ContactBook()
        self.client = kinfolk.PrivateClient("com.example.notes")


@pytest.fixture
def world(store: Store) -> Any:
    world = World(store)
    yield world
    world.service.close()


granted = kinfolk.Discoverability.GRANTED

# Every place that takes a text.
TEXTS: dict[str, Callable[[Any, Any], object]] = {
    "open": lambda w, text: kinfolk.open(text),
    "key_file": lambda w, text: kinfolk.open(w.path, key_file=text),
    "new_key_file": lambda w, text: w.service.rotate_keys(new_key_file=text),
    "back_up": lambda w, text: w.service.back_up(text),
    "copy": lambda w, text: w.service.copy(text),
    "find_account by ID": lambda w, text: w.container.find_account(text, reason="Ticket 12"),
    "find_account reason": lambda w, text: w.container.find_account(w.session.user_record_id, reason=text),
    "container block": lambda w, text: w.container.block(text, w.session.user_record_id),
    "container block other": lambda w, text: w.container.block(w.session.user_record_id, text),
    "container unblock": lambda w, text: w.container.unblock(w.session.user_record_id, text),
    "session block": lambda w, text: w.session.block(text),
    "session unblock": lambda w, text: w.session.unblock(text),
    "canonical_email": lambda w, text: kinfolk.canonical_email(text),
    "contact_hash": lambda w, text: kinfolk.contact_hash(text),
    "create_account given": lambda w, text: w.service.create_account(text),
    "create_account family": lambda w, text: w.service.create_account("", text),
    "open_account": lambda w, text: w.service.open_account(text),
    "find_account": lambda w, text: w.service.find_account(text),
    "create_container": lambda w, text: w.service.create_container(text),
    "open_container": lambda w, text: w.service.open_container(text),
    "find_or_create_account": lambda w, text: w.service.find_or_create_account(text),
    "find_or_create_account given": lambda w, text: w.service.find_or_create_account("ada@example.com", text),
    "find_or_create_account family": lambda w, text: w.service.find_or_create_account("ada@example.com", "", text),
    "account_ids": lambda w, text: w.service.account_ids(text),
    "open_or_create_container": lambda w, text: w.service.open_or_create_container(text),
    "delete_container": lambda w, text: w.service.delete_container(text),
    "blocks": lambda w, text: w.container.blocks((text, "_" + "0" * 32)),
    "import_people": lambda w, text: w.container.import_people(text),
    "import_people text": lambda w, text: w.container.import_people("people.csv", text, "1"),
    "import_people version": lambda w, text: w.container.import_people("people.csv", "?", text),
    "set_name given": lambda w, text: w.account.set_name(text, ""),
    "set_name family": lambda w, text: w.account.set_name("", text),
    "add_email": lambda w, text: w.account.add_email(text),
    "request_verification": lambda w, text: w.account.request_verification(text),
    "request_verification pass": lambda w, text: w.account.request_verification("ada@example.com", reader_pass=text),
    "confirm_sign_in": lambda w, text: w.account.confirm_sign_in(text, "123456"),
    "confirm_sign_in code": lambda w, text: w.account.confirm_sign_in("ada@example.com", text),
    "refuse_claims": lambda w, text: w.account.refuse_claims(text, "123456"),
    "refuse_claims code": lambda w, text: w.account.refuse_claims("ada@example.com", text),
    "claims": lambda w, text: w.service.claims(text),
    "acknowledge_notice": lambda w, text: w.service.acknowledge_notice(text),
    "dismiss_claim": lambda w, text: w.service.dismiss_claim(text),
    "transfer_email": lambda w, text: w.service.transfer_email(text, w.account),
    "verify_email": lambda w, text: w.account.verify_email(text, "123456"),
    "verify_email code": lambda w, text: w.account.verify_email("ada@example.com", text),
    "set_email_discoverable": lambda w, text: w.account.set_email_discoverable(text, True),
    "remove_email": lambda w, text: w.account.remove_email(text),
    "remove_field": lambda w, text: w.container.remove_field(text),
    "set_discoverability text": lambda w, text: w.session.set_discoverability(granted, text, "1"),
    "set_discoverability version": lambda w, text: w.session.set_discoverability(granted, "?", text),
    "request_discoverability text": lambda w, text: w.session.request_discoverability(text, "1", lambda _: granted),
    "request_discoverability version": lambda w, text: w.session.request_discoverability("?", text, lambda _: granted),
    "fetch_record": lambda w, text: w.session.fetch_record(text),
    "discover_email": lambda w, text: w.session.discover_email(text),
    "discover_record_id": lambda w, text: w.session.discover_record_id(text),
    "record get": lambda w, text: w.record[text],
    "record set": lambda w, text: w.record.__setitem__(text, 1),
    "record typed set": lambda w, text: w.record.set(text, 1, kinfolk.FieldType.INT64),
    "record delete": lambda w, text: w.record.__delitem__(text),
    "record field_type": lambda w, text: w.record.field_type(text),
    "contact add_email": lambda w, text: w.book.add_email(text),
    "contact label": lambda w, text: w.book.add_email("a@example.com", text),
    "contact hash label": lambda w, text: w.book.add_hash(bytes(32), text),
    "contact add_file": lambda w, text: w.book.add_file(text),
    "private client": lambda w, text: kinfolk.PrivateClient(text),
    "device": lambda w, text: w.container.open_session(w.account, device=text),
    "remove_device": lambda w, text: w.session.remove_device(text),
    "query subscription type": lambda w, text: kinfolk.Subscription.query(text, on="created"),
    "query subscription predicate": lambda w, text: kinfolk.Subscription.query("Note", text, on="created"),
    "query subscription zone": lambda w, text: kinfolk.Subscription.query("Note", on="created", zone=text),
    "query subscription ID": lambda w, text: kinfolk.Subscription.query("Note", on="created", id=text),
    "zone subscription": lambda w, text: kinfolk.Subscription.zone(text),
    "database subscription": lambda w, text: kinfolk.Subscription.database(id=text),
    "info text": lambda w, text: kinfolk.Subscription.database(info=kinfolk.NotificationInfo(title=text)),
    "subscription": lambda w, text: w.session.public_database.subscription(text),
    "delete_subscription": lambda w, text: w.session.public_database.delete_subscription(text),
}
OPTIONAL = {
    "device",
    "query subscription predicate",
    "query subscription zone",
    "query subscription ID",
    "database subscription",
    "request_verification pass",
    "claims",
    "account_ids",
    "import_people text",
    "import_people version",
    "fetch_record",
    "contact label",
    "contact hash label",
    "key_file",
    "new_key_file",
}
PATHS = {"import_people", "open", "key_file", "new_key_file", "back_up", "copy", "contact add_file"}


@pytest.mark.parametrize("place", TEXTS)
@pytest.mark.parametrize("text", ["zoe@example.com\0", "\0", "zoe\ud800@example.com", "\udfff"], ids=ascii)
def test_a_nul_or_a_surrogate_is_a_value_error_without_the_text(world: Any, place: str, text: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        TEXTS[place](world, text)
    said: BaseException | None = raised.value
    while said is not None:
        assert "zoe" not in repr(said)
        assert not isinstance(said, UnicodeError)
        said = said.__context__


@pytest.mark.parametrize("place", TEXTS)
def test_an_argument_that_is_no_text_is_a_type_error(world: Any, place: str) -> None:
    for value in (None, 5, 1.5, b"bytes", ["a"], object(), True):
        if (value is None and place in OPTIONAL) or (isinstance(value, bytes) and place in PATHS):
            continue  # taken here
        with pytest.raises(TypeError):
            TEXTS[place](world, value)


@pytest.mark.parametrize(
    "call",
    [
        lambda w: kinfolk.open(w.path, key="0" * 32),
        lambda w: kinfolk.open(w.path, passphrase=5),
        lambda w: w.service.rotate_keys(new_key="0" * 32),
        lambda w: w.service.rotate_keys(progress=5),
        lambda w: w.service.back_up(w.path, 5),
        lambda w: w.service.copy(w.path, 5),
        lambda w: w.service.account_ids(None, 1.0),
        lambda w: w.service.delete_container("com.example.none", 5),
        lambda w: w.container.blocks("_"),
        lambda w: w.container.blocks(("_",)),
        lambda w: w.container.blocks(None, "1"),
        lambda w: w.container.import_people("people.csv", None, None, 5),
        lambda w: w.service.audit_log("0"),
        lambda w: w.service.audit_log(0, 1.0),
        lambda w: kinfolk.open(w.path, create=1),
        lambda w: kinfolk.open(w.path, wait="30"),
        lambda w: kinfolk.open(w.path, wait=True),
        lambda w: w.account.add_email("a@example.com", verified="no"),
        lambda w: w.account.request_verification("ada@example.com", 1),
        lambda w: w.service.transfer_email("ada@example.com", None),
        lambda w: w.service.set_claim_wait("1"),
        lambda w: w.service.claims(None, 1.0),
        lambda w: w.account.set_email_discoverable("ada@example.com", "no"),
        lambda w: w.container.open_session(None),
        lambda w: w.container.open_session(w.service),
        lambda w: w.container.set_permits(1.0, 1.0),
        lambda w: w.container.set_permits(1, "1"),
        lambda w: w.session.set_discoverability(1, "?", "1"),
        lambda w: w.session.set_discoverability(kinfolk.AccountStatus.AVAILABLE, "?", "1"),
        lambda w: w.session.request_discoverability("?", "1", None),
        lambda w: w.session.on_account_changed(5),
        lambda w: w.session.fetch_record(database=1),
        lambda w: w.session.fetch_record(None, kinfolk.SavePolicy.ALL_KEYS),
        lambda w: w.session.save_record({"a": 1}),
        lambda w: w.session.save_record(w.record, 1),
        lambda w: w.session.discover(["ada@example.com"]),
        lambda w: w.session.discover(w.book, sync_state="state"),
        lambda w: w.session.discover(w.book, sync_state=["state"]),
        lambda w: w.session.discover(w.book, sync_state=None),
        lambda w: w.session.answer("request"),
        lambda w: w.session.answer(None),
        lambda w: w.session.answer(b"", 1.0),
        lambda w: w.session.answer(b"", True),
        lambda w: w.session.discover_privately(["ada@example.com"]),
        lambda w: w.session.discover_privately(w.book, "state"),
        lambda w: w.session.discover_privately(w.book, None),
        lambda w: w.session.discover_privately(w.book, threads="1"),
        lambda w: w.container.set_directory_modes(3),
        lambda w: w.container.set_directory_modes(kinfolk.Discoverability.GRANTED),
        lambda w: w.container.set_directory_modes(kinfolk.DirectoryModes.HASHED, 5),
        lambda w: w.container.renew_private_key(5),
        lambda w: w.container.end_private_epochs("1"),
        lambda w: w.container.end_private_epochs(None),
        lambda w: w.container.set_prefix_bits("1"),
        lambda w: w.container.set_prefix_bits(1.0),
        lambda w: kinfolk.PrivateClient("com.example.notes", bytes(32)),
        lambda w: kinfolk.PrivateClient("com.example.notes", "0" * 32),
        lambda w: kinfolk.PrivateClient("com.example.notes", ["0" * 32]),
        lambda w: kinfolk.PrivateClient("com.example.notes", None),
        lambda w: kinfolk.PrivateClient("com.example.notes", sync_state="state"),
        lambda w: kinfolk.PrivateClient("com.example.notes", sync_state=None),
        lambda w: kinfolk.PrivateClient("com.example.notes", threads=None),
        lambda w: w.client.set_contacts(["ada@example.com"]),
        lambda w: w.client.set_maximum_prefix_bits(1.0),
        lambda w: w.client.set_maximum_prefix_bits(None),
        lambda w: w.client.receive("answer"),
        lambda w: w.client.receive(None),
        lambda w: w.record.set("a", 1, 2),
        lambda w: w.book.add_hash(5),
        lambda w: w.book.add_text(None),
        lambda w: w.book.add_vcard(5),
        lambda w: w.book.add_csv(["a"]),
        lambda w: w.book.add_ldif(5),
        lambda w: w.book.add_jcard(["vcard"]),
        lambda w: w.book.label("0"),
        lambda w: w.book.hash(0.0),
    ],
)
def test_an_argument_of_the_wrong_type_is_a_type_error(world: Any, call: Callable[[Any], object]) -> None:
    with pytest.raises(TypeError):
        call(world)


@pytest.mark.parametrize("add", ["add_text", "add_vcard", "add_csv", "add_ldif", "add_jcard"])
def test_a_surrogate_among_many_contacts_is_a_value_error(world: Any, add: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        getattr(world.book, add)("zoe@example.com\n\ud800")


@pytest.mark.parametrize("add", ["add_text", "add_vcard", "add_csv", "add_ldif", "add_jcard"])
@pytest.mark.parametrize("text", ["", b"", b"\xff\xfe", b"\xff" * 100, b"\0" * 100], ids=repr)
def test_random_bytes_are_refused_or_skipped(world: Any, add: str, text: str | bytes) -> None:
    with suppress(kinfolk.InvalidArgument):
        getattr(world.book, add)(text)
    assert len(world.book) == 0


def test_no_printed_form_contains_a_name_an_address_or_a_key(world: Any) -> None:
    world.session.set_discoverability(granted, "May friends find you?", "1")
    world.book.add_email("ada@example.com", "Ada")
    world.record["name"] = "Ada"
    other = world.container.open_session(world.service.create_account("Ben"))
    found = other.discover(world.book)
    world.container.find_account(world.session.user_record_id, reason="Ada's ticket")
    printed = [
        repr(each) + str(each)
        for each in (
            *(world.service, world.account, world.container, world.session, world.record, world.book, found),
            world.client,
            *(found[0], found[0].contacts, world.account.emails, world.account.emails[0]),
            *world.service.audit_log(),
        )
    ]
    for each in printed:
        assert each.startswith(("<kinfolk.", "(<kinfolk."))
        for secret in ("Ada", "ada", "Example", "ada@example.com", world.account.id):
            assert secret not in each.replace("com.example.notes", "")


def test_the_manual_names_everything_and_nothing_internal() -> None:
    import pydoc

    manual = pydoc.plain(pydoc.render_doc(kinfolk))
    for name in kinfolk.__all__:
        assert name in manual
    for name in kinfolk.__all__:
        thing = getattr(kinfolk, name)
        if isinstance(thing, type) or callable(thing):
            assert thing.__doc__, name
            assert thing.__module__ == "kinfolk"
        if isinstance(thing, type):
            for word, attribute in vars(thing).items():
                if not word.startswith("_") and (callable(attribute) or isinstance(attribute, property)):
                    assert attribute.__doc__, f"{name}.{word}"
