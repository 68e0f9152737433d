"""The data of one application."""

from __future__ import annotations

from ctypes import byref, c_double, c_uint32, c_uint64, c_void_p
from typing import TYPE_CHECKING, Any

from . import _arguments as arguments
from . import _declarations as c
from ._account import Account
from ._api_token import APIToken, take_tokens
from ._arguments import Bytes, Path
from ._closable import Closable
from ._directory_modes import DirectoryModes
from ._environment import Environment
from ._ffi import lib
from ._field_indexes import FieldIndexes
from ._field_type import FieldType
from ._handle import Handle
from ._index_build import IndexBuild, take_builds
from ._limits import PermitLimit, PrivateWorkLimit
from ._operator_block import OperatorBlock, take_blocks
from ._outputs import take_text, take_texts, text
from ._people_import import PeopleImport, take_people_import
from ._private_epoch import PrivateEpoch, take_epochs
from ._progress import Progress, told
from ._quota import Quota
from ._schema_change import SchemaChange, take_changes
from ._server_key import ServerKey, take_keys
from ._session import Session
from ._statistics import Statistics, take_statistics
from ._storage_use import limit_of, number_of

if TYPE_CHECKING:
    from collections.abc import Iterable


class Container(Closable):
    """The data of one application, in one environment. Nothing links one container to another.

    Made by Service.create_container(), open_container() and open_or_create_container(). Once the container is deleted,
    everything except `name`, `environment` and close() raises UnknownItem.

    Two containers are equal, and have the same hash, if they have the same name and environment and were opened through
    the same Service object, also when closed.
    """

    __slots__ = ("_identity",)

    def __init__(self, handle: Handle) -> None:
        super().__init__(handle)
        self._identity = (handle.service, self.name, self.environment)

    @classmethod
    def adopt(cls, pointer: Any, service: Handle) -> Container:
        """Takes over a kinfolk_container."""
        return cls(Handle(pointer, lib.kinfolk_container_free, "container", service))

    def __eq__(self, other: object) -> bool:
        return self._identity == other._identity if isinstance(other, Container) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def name(self) -> str:
        """The name in reverse DNS, "com.example.notes"."""
        with self._handle as container:
            return text(lib.kinfolk_container_name(container))

    @property
    def environment(self) -> Environment:
        """The environment that was opened: PRODUCTION or DEVELOPMENT."""
        with self._handle as container:
            return Environment(lib.kinfolk_container_environment(container))

    def open_session(self, account: Account, *, device: str | None = None) -> Session:
        """Signs an account in. Its first session here makes its user record ID and its two user records.

        `device` is a name that the application chooses for the person's device, for example a random one that it keeps:
        1 to 255 bytes. Notifications wait for the device while no session of it is open. All sessions with the name, in
        all processes, are one device. Without a name, a session is a device of its own as soon as it asks for
        notifications or saves a subscription.

        NotAuthenticated: the account was erased, or it is suspended and has never used this container, or not on this
        device. InvalidArgument: account and container belong to different services, or the name is malformed.
        LimitExceeded: the person has 2,000 devices, with sessions that have no name.
        """
        if not isinstance(account, Account):
            raise arguments.wrong_type("account", "a kinfolk.Account", account)
        name = arguments.optional_text(device, "device")
        session = c.Session()
        with self._handle as container, account._handle as person:
            if name is None:
                lib.kinfolk_session_open(container, person, byref(session))
            else:
                lib.kinfolk_session_open_on_device(container, person, name, byref(session))
        return Session.adopt(session, self._handle.service)

    def open_anonymous_session(self) -> Session:
        """Opens a session without an account. It may read the public database, and nothing else."""
        session = c.Session()
        with self._handle as container:
            lib.kinfolk_session_open_anonymous(container, byref(session))
        return Session.adopt(session, self._handle.service)

    def set_permits(self, capacity: int, per_hour: float, unverified_capacity: int = 100) -> None:
        """Changes the rate limit of discovery.

        Each person holds at most `capacity` permits (20,000 unless changed; 1 to 4,294,967,295) and gains `per_hour` an
        hour (10 unless changed; not negative). A person without a verified e-mail address holds at most
        `unverified_capacity`, and never more than `capacity`. The store keeps how many permits each person has spent,
        so a new limit gives no spent permit back.
        """
        most, gain = arguments.integer(capacity, "capacity", 1, 2**32 - 1), arguments.number(per_hour, "per_hour")
        unverified = arguments.integer(unverified_capacity, "unverified_capacity", 0, 2**32 - 1)
        with self._handle as container:
            lib.kinfolk_container_set_permits(container, most, gain, unverified)

    @property
    def permits(self) -> PermitLimit:
        """The present rate limit of discovery."""
        capacity, per_hour, unverified = c_uint32(), c_double(), c_uint32()
        with self._handle as container:
            lib.kinfolk_container_permits(container, byref(capacity), byref(per_hour), byref(unverified))
        return PermitLimit(capacity.value, per_hour.value, unverified.value)

    def permits_left(self, user_record_id: str) -> int:
        """How many permits a person has left, rounded down.

        Permits that other processes have reserved for the person count as spent: each process reserves at most 64, for
        at most two minutes. UnknownItem: nobody has this ID in this container.
        """
        encoded = arguments.text(user_record_id, "user_record_id")
        permits = c_uint32()
        with self._handle as container:
            lib.kinfolk_container_permits_left(container, encoded, byref(permits))
        return permits.value

    def set_permits_left(self, user_record_id: str, permits: int) -> None:
        """Sets how many permits a person has left: for example more after a bad import has spent them, or none.

        It also replaces what the store remembers of spent permits for the person's addresses. Permits that other
        processes spent in the last minutes, and have not written to the store yet, are still subtracted afterwards.
        LimitExceeded: the person cannot hold so many; raise the limit first. UnknownItem: nobody has this ID in this
        container.
        """
        encoded = arguments.text(user_record_id, "user_record_id")
        left = arguments.integer(permits, "permits", 0, 2**32 - 1)
        with self._handle as container:
            lib.kinfolk_container_set_permits_left(container, encoded, left)

    def top_up_permits(self, user_record_id: str) -> None:
        """Gives a person as many permits as the person can hold. Otherwise it works as set_permits_left()."""
        encoded = arguments.text(user_record_id, "user_record_id")
        with self._handle as container:
            lib.kinfolk_container_top_up_permits(container, encoded)

    def set_private_work(self, multiplications_per_day: int | None = None, rows_per_day: int | None = None) -> None:
        """Changes how much work each person may cause in a day by private discovery.

        There are two limits: the multiplications of points, and the rows of the directory that are read, plus one for
        each bucket asked for. Rows count whether or not they are sent. None derives a limit from the permits, as in a
        new container: 8 multiplications and 400 rows for each permit that a person may hold, but at least 8,000,000
        rows. For a person without a verified address, the multiplications are reduced in the same ratio as the permits,
        and the rows to a quarter.
        """
        numbers = [
            0 if number is None else arguments.integer(number, name, 1, 2**64 - 1)
            for number, name in (
                (multiplications_per_day, "multiplications_per_day"),
                (rows_per_day, "rows_per_day"),
            )
        ]
        with self._handle as container:
            lib.kinfolk_container_set_private_work(container, *numbers)

    @property
    def private_work(self) -> PrivateWorkLimit:
        """The limits of work by private discovery, as they were set."""
        multiplications, rows = c_uint64(), c_uint64()
        with self._handle as container:
            lib.kinfolk_container_private_work(container, byref(multiplications), byref(rows))
        return PrivateWorkLimit(multiplications.value or None, rows.value or None)

    def set_field_limit(self, fields: int) -> None:
        """Changes how many new record types and fields each person may add to the schema by saving records.

        50 unless changed; a new type counts as one. With 0 only the operator adds them.
        """
        most = arguments.integer(fields, "fields", 0, 2**32 - 1)
        with self._handle as container:
            lib.kinfolk_container_set_field_limit(container, most)

    @property
    def field_limit(self) -> int:
        """How many new record types and fields each person may add at present."""
        fields = c_uint32()
        with self._handle as container:
            lib.kinfolk_container_field_limit(container, byref(fields))
        return fields.value

    def quota(self, quota: Quota) -> int | None:
        """How many bytes a quota of this environment allows; None if there is no limit.

            print(notes.quota(kinfolk.Quota.ASSET))

        An asset may have 250,000,000 bytes unless this is changed; the other quotas have no limit.
        """
        number, limit = arguments.member(quota, "quota", Quota), c_uint64()
        with self._handle as container:
            lib.kinfolk_container_quota(container, number, byref(limit))
        return limit_of(limit.value)

    def set_quota(self, quota: Quota, limit: int | None) -> None:
        """Changes how many bytes a quota allows; None removes the limit.

            notes.set_quota(kinfolk.Quota.USER, 1_000_000_000)

        Data that exceeds a new limit stays. Calls that add bytes then raise QuotaExceeded until enough is deleted, and
        an asset that is too large raises LimitExceeded.
        """
        number = arguments.member(quota, "quota", Quota)
        most = number_of(None if limit is None else arguments.byte_count(limit, "limit"))
        with self._handle as container:
            lib.kinfolk_container_set_quota(container, number, most)

    def find_account(self, user_record_id: str, *, reason: str) -> Account:
        """Opens the account of a user record ID: for the operator, for example after a report of abuse.

        Each call adds an entry to Service.audit_log(). The entry is on disk before the call returns, also if nobody has
        the ID. `reason` says why in 1 to 1,024 bytes of UTF-8, for example with the number of a ticket. No session can
        get from an ID to an account.

        UnknownItem: nobody has this ID in this container. InvalidArgument: the reason is empty. LimitExceeded: it is
        too long.
        """
        encoded = arguments.text(user_record_id, "user_record_id"), arguments.text(reason, "reason")
        account = c.Account()
        with self._handle as container:
            lib.kinfolk_container_find_account(container, *encoded, byref(account))
        return Account.adopt(account, self._handle.service)

    def block(self, user_record_id: str, other_user_record_id: str) -> None:
        """The operator's block: from now on neither of the two people finds the other.

        They cannot see the block and cannot end it. Blocking twice changes nothing. InvalidArgument: both IDs are the
        same.
        """
        ids = _two_ids(user_record_id, other_user_record_id)
        with self._handle as container:
            lib.kinfolk_container_block(container, *ids)

    def unblock(self, user_record_id: str, other_user_record_id: str) -> None:
        """Ends the operator's block between two people, if there is one. Blocks that the two people made stay."""
        ids = _two_ids(user_record_id, other_user_record_id)
        with self._handle as container:
            lib.kinfolk_container_unblock(container, *ids)

    def blocks(self, after: OperatorBlock | None = None, limit: int = 1_000) -> list[OperatorBlock]:
        """The operator's blocks (not those of people), each pair once: at most `limit`, after the pair `after`."""
        if after is not None and not isinstance(after, tuple):
            raise arguments.wrong_type("after", "a kinfolk.OperatorBlock or None", after)
        if after is not None and len(after) != 2:
            raise TypeError("after is a pair of user record IDs")
        first, second = (None, None) if after is None else _two_ids(*after)
        most = arguments.integer(limit, "limit", 0, 2**63 - 1)
        blocks = c.OperatorBlocks()
        with self._handle as container:
            lib.kinfolk_container_operator_blocks(container, first, second, most, byref(blocks))
        return take_blocks(blocks)

    def statistics(self) -> Statistics:
        """Statistics of the container. The call reads the whole container, which takes seconds for a million people."""
        statistics = c.Statistics()
        with self._handle as container:
            lib.kinfolk_container_statistics(container, byref(statistics))
        return take_statistics(statistics)

    def import_people(
        self,
        path: Path,
        consent_text: str | None = None,
        consent_version: str | None = None,
        progress: Progress | None = None,
    ) -> PeopleImport:
        """Makes an account for each person in a CSV file, signs it in here, and stores the person's decision.

        The first row names the columns given_name, family_name, email and consent; only email is required. Several
        addresses in a cell are separated by " ::: ". The host vouches for the addresses. A consent is yes, no or empty.
        The wording is what the people were shown, as in Session.set_discoverability(): a file with a consent column
        needs both parts.

        A person with an address that an account has already is skipped and reported. So run the same import again after
        an interruption: the accounts that it has made stay.

        `progress(done, total)` is called on this thread, with rows, at least every half second while there is something
        to read; `total` is an estimate until the end, and 0 if the size of the file is not known. It may use the
        service, but not fork. An exception of it, or Ctrl-C, ends the work and is raised by this call.

        UnknownFile: the file does not exist. PermissionFailure: the process may not read it. InvalidArgument: it is not
        a file of people, or has consents and no wording is given. LimitExceeded: the wording is too long.
        """
        encoded = arguments.path(path, "path")
        wording = (
            arguments.optional_text(consent_text, "consent_text"),
            arguments.optional_text(consent_version, "consent_version"),
        )
        report = c.PeopleImport()
        with told(progress) as tell, self._handle as container:
            lib.kinfolk_container_import_people(container, encoded, *wording, tell, None, byref(report))
            return take_people_import(report)

    # Schema

    def export_schema(self) -> str:
        """The schema of this environment as a text in Apple's schema language, with types and fields in order of name.

            DEFINE SCHEMA

                RECORD TYPE Note (
                    isDone  INT64 /* kinfolk: boolean */,
                    tags    LIST<STRING>,
                    title   STRING QUERYABLE
                );

        A schema that was exported from CloudKit's console can be applied here. CloudKit has no booleans, so a comment
        marks them, which CloudKit ignores.
        """
        schema = c_void_p()
        with self._handle as container:
            lib.kinfolk_schema_export(container, byref(schema))
        return take_text(schema)

    def schema_difference(self, schema: str, *, remove_missing: bool = False) -> list[SchemaChange]:
        """What apply_schema() would change, in the order in which it would. This call changes nothing.

            for change in notes.schema_difference(schema):
                print(change)

        It fails as apply_schema() does.
        """
        given = arguments.text(schema, "schema"), arguments.boolean(remove_missing, "remove_missing")
        changes = c.SchemaChanges()
        with self._handle as container:
            lib.kinfolk_schema_difference(container, *given, byref(changes))
        return take_changes(changes)

    def apply_schema(self, schema: str, *, remove_missing: bool = False) -> list[SchemaChange]:
        """Changes the schema of this environment to what a text says, and returns what was changed.

        All changes are made in one transaction. A new index of existing records is built afterwards, in the background:
        see build_indexes(). What the text does not name stays as it is. With `remove_missing` it is removed: record
        types with their records, and fields with their values, but never the type "Users".

        InvalidArgument: the text is not a schema (the message says in which line and column), or a field would get
        another type. LimitExceeded: the text is larger than 8 MB; or the schema would have more than 1,000 record
        types, 1,000 fields in one type, 10,000 fields in all, 100 roles or 10,000 grants.
        """
        given = arguments.text(schema, "schema"), arguments.boolean(remove_missing, "remove_missing")
        changes = c.SchemaChanges()
        with self._handle as container:
            lib.kinfolk_schema_apply(container, *given, byref(changes))
        return take_changes(changes)

    def deployment_difference(self) -> list[SchemaChange]:
        """What deploy_schema() would change, in the order in which it would. This call changes nothing."""
        changes = c.SchemaChanges()
        with self._handle as container:
            lib.kinfolk_schema_deployment_difference(container, byref(changes))
        return take_changes(changes)

    def deploy_schema(self) -> list[SchemaChange]:
        """Adds the schema of the development environment to that of production, and returns what was changed.

        From then on, saves add nothing to the schema of production: a save with an unknown type or field raises
        InvalidArgument. A deployment removes nothing. The container may be that of either environment.

        InvalidArgument: a field has another type in production. UnknownItem: the development environment was never
        opened. LimitExceeded: as for apply_schema().
        """
        changes = c.SchemaChanges()
        with self._handle as container:
            lib.kinfolk_schema_deploy(container, byref(changes))
        return take_changes(changes)

    def build_indexes(self, progress: Progress | None = None) -> None:
        """Builds the indexes of existing records, until all indexes of this environment are complete.

            notes.apply_schema(schema)
            notes.build_indexes()

        An index that is added to a field is built after the schema has changed, 200 records at a time, while other work
        continues. The entries of a removed index are deleted in the same way. Each open service does it in the
        background, and continues what an earlier one left. Queries use an index once it is complete. A program that
        ends soon after a change of the schema should call this method.

        `progress(done, total)` is called on this thread, with records of one record type after the other; it may use
        the service, but not fork. An exception of it, or Ctrl-C, ends this call and is raised by it; the work continues
        later, in the background.
        """
        with told(progress) as tell, self._handle as container:
            lib.kinfolk_schema_build_indexes(container, tell, None)

    def index_builds(self) -> list[IndexBuild]:
        """The record types whose indexes are not complete, in the order of their names. Empty if all are."""
        builds = c.IndexBuilds()
        with self._handle as container:
            lib.kinfolk_schema_index_builds(container, byref(builds))
        return take_builds(builds)

    def grant_role(self, role: str, account: Account) -> None:
        """Gives a role of the schema to an account, in this environment.

            notes.grant_role("Moderator", account)

        The grants of the record types say what a role may do in the public database. The role counts from the next call
        of each session of the account, in all processes. An account that never used the container gets its user record
        ID. To give a role again changes nothing.

        InvalidArgument: the name is not valid, or the account belongs to another service. UnknownItem: the schema has
        no such role, or the account was erased. NotAuthenticated: the account is suspended, and never used the
        container.
        """
        if not isinstance(account, Account):
            raise arguments.wrong_type("account", "a kinfolk.Account", account)
        name = arguments.text(role, "role")
        with self._handle as container, account._handle as given:
            lib.kinfolk_role_grant(container, name, given)

    def revoke_role(self, role: str, account: Account) -> None:
        """Takes a role from an account, from the next call of each of its sessions on, in all processes.

        InvalidArgument: the name is not valid, or the account belongs to another service. UnknownItem: the account does
        not have the role, or was erased.
        """
        if not isinstance(account, Account):
            raise arguments.wrong_type("account", "a kinfolk.Account", account)
        name = arguments.text(role, "role")
        with self._handle as container, account._handle as given:
            lib.kinfolk_role_revoke(container, name, given)

    def roles(self, account: Account) -> tuple[str, ...]:
        """The roles of an account in this environment, sorted.

        InvalidArgument: the account belongs to another service. UnknownItem: it was erased.
        """
        if not isinstance(account, Account):
            raise arguments.wrong_type("account", "a kinfolk.Account", account)
        roles = c.Roles()
        with self._handle as container, account._handle as given:
            lib.kinfolk_container_roles(container, given, byref(roles))
        return take_texts(roles, "roles", "name")

    def create_api_token(
        self,
        name: str,
        *,
        origins: Iterable[str] = (),
        return_urls: Iterable[str] = (),
        allows_discovery: bool = False,
    ) -> str:
        """Makes a token by which an application calls a network service, in this environment. For the operator.

            token = notes.create_api_token("web", origins=["https://app.example.com"])

        Returns 64 hexadecimal digits, which nothing shows again. `name` is for the operator: 1 to 255 bytes, and no
        other token of the container has it. `origins` are the origins of the pages that may use the token in a browser,
        exactly as browsers send them. `return_urls` are the URLs to which a sign-in may return, compared exactly.
        `allows_discovery` says whether its users may look for other users.

        InvalidArgument: a name, an origin or a URL is malformed. Conflict: the container has a token with this name.
        LimitExceeded: more than 20 origins or URLs, or the container has 100 tokens.
        """
        encoded = arguments.text(name, "name")
        lists = _lines(origins, "origins"), _lines(return_urls, "return_urls")
        may_discover = arguments.boolean(allows_discovery, "allows_discovery")
        token = c_void_p()
        with self._handle as container:
            lib.kinfolk_api_token_create(container, encoded, *lists, may_discover, byref(token))
        return take_text(token)

    @property
    def api_tokens(self) -> tuple[APIToken, ...]:
        """The API tokens, in the order of their names, without their secret texts."""
        tokens = c.ApiTokens()
        with self._handle as container:
            lib.kinfolk_container_api_tokens(container, byref(tokens))
        return take_tokens(tokens)

    def delete_api_token(self, name: str) -> None:
        """Deletes an API token, and ends all web sessions that were begun with it.

        UnknownItem: the container has no token with this name.
        """
        encoded = arguments.text(name, "name")
        with self._handle as container:
            lib.kinfolk_api_token_delete(container, encoded)

    def add_server_key(self, name: str, key: str | Bytes) -> str:
        """Adds the public key of a server, makes an account for it, and returns the ID of the key. For the operator.

            notes.add_server_key("backend", open("public.pem").read())

        `key` is PEM text ("BEGIN PUBLIC KEY") of a key for P-256, or the 65 bytes of an uncompressed point. `name` is
        for the operator: 1 to 255 bytes, and no other key of the container has it.

        InvalidArgument: this is not a public key for P-256, or the name is malformed. Conflict: the container has this
        key, or a key with this name. LimitExceeded: the container has 100 keys.
        """
        encoded = arguments.text(name, "name")
        octets = arguments.octets_or_utf8(key, "key")
        key_id = c_void_p()
        with self._handle as container:
            lib.kinfolk_server_key_add(container, encoded, octets, len(octets), byref(key_id))
        return take_text(key_id)

    @property
    def server_keys(self) -> tuple[ServerKey, ...]:
        """The keys of servers, in the order of their names."""
        keys = c.ServerKeys()
        with self._handle as container:
            lib.kinfolk_container_server_keys(container, byref(keys))
        return take_keys(keys)

    def remove_server_key(self, key_id: str) -> None:
        """Removes the key of a server, which can then make no more requests. Its account remains, with its records.

        InvalidArgument: the ID is not 64 lower-case hexadecimal digits. UnknownItem: the container has no such key.
        """
        encoded = arguments.text(key_id, "key_id")
        with self._handle as container:
            lib.kinfolk_server_key_remove(container, encoded)

    def add_field(
        self,
        field: str,
        field_type: FieldType,
        record_type: str = "Users",
        indexes: FieldIndexes = FieldIndexes.STANDARD,
    ) -> None:
        """Adds a field to a record type, and the record type if it does not exist: for the operator.

            notes.add_field("motto", FieldType.STRING)  # of user records
            notes.add_field("title", FieldType.STRING, "Note", FieldIndexes.QUERYABLE | FieldIndexes.SORTABLE)

        If the operator does not add it, the first user who saves the field adds it, where the schema grows with use.
        STANDARD stands for the indexes of a field that a save adds: QUERYABLE, but none for a boolean, a location, a
        list, or a field of user records. FieldIndexes(0) is no index.

        Conflict: the record type has a field with this name already. InvalidArgument: a name is malformed, or a field
        of this type cannot have one of the indexes. LimitExceeded: the record type has 1,000 fields, or the container
        10,000.
        """
        encoded = arguments.text(record_type, "record_type"), arguments.text(field, "field")
        kind = arguments.member(field_type, "field_type", FieldType)
        flags = arguments.member(indexes, "indexes", FieldIndexes)
        with self._handle as container:
            lib.kinfolk_schema_add_field(container, *encoded, kind, flags)

    def remove_field(self, field: str, record_type: str = "Users") -> None:
        """Removes a field from a record type, and its values from every record.

        The name may then be used with another type. UnknownItem if the record type has no such field.
        """
        encoded = arguments.text(record_type, "record_type"), arguments.text(field, "field")
        with self._handle as container:
            lib.kinfolk_schema_remove_field(container, *encoded)

    # Directories

    @property
    def directory_modes(self) -> DirectoryModes:
        """How people can be found. A mode is not included while its directory is still being built."""
        modes = c_uint32()
        with self._handle as container:
            lib.kinfolk_container_directory_modes(container, byref(modes))
        return DirectoryModes(modes.value)

    def set_directory_modes(self, modes: DirectoryModes, progress: Progress | None = None) -> None:
        """Changes how people can be found: HASHED, which a new container has, PRIVATE or HASHED | PRIVATE.

        The call builds the new directories, while the container is in use, in batches and on all cores. Then it empties
        the directories that `modes` does not name. Call it again with the same modes to resume an interrupted change.

        `progress(done, total)` is called on this thread, with people; it may use the service, but not fork. An
        exception of it, or Ctrl-C, ends the work and is raised by this call; call again to resume.

        InvalidArgument: `modes` is none of these. Conflict: another call ended a directory that this call was building.
        """
        number = arguments.member(modes, "modes", DirectoryModes)
        with told(progress) as tell, self._handle as container:
            lib.kinfolk_container_set_directory_modes(container, number, tell, None)

    def announce_next_private_key(self) -> int:
        """Makes the next key of the private directory, and publishes its public key before the key is in use.

        So clients that accept only published keys can have the key first: it is in `private_epochs`. The next
        renew_private_key() or Service.rotate_keys() uses it. Returns the number of its epoch; until the key is used,
        further calls return the same number.

        UnknownItem: the container has no private directory.
        """
        epoch = c_uint32()
        with self._handle as container:
            lib.kinfolk_container_announce_next_private_key(container, byref(epoch))
        return epoch.value

    def renew_private_key(self, progress: Progress | None = None) -> int:
        """Starts a new key of the private directory and indexes all people under it, while the old epoch still answers.

        Each client moves to the new epoch at its next discovery. Contacts that it has paid for stay free under the new
        key; all others cost permits. When all clients have moved, end the old epoch with end_private_epochs(). Returns
        the number of the new epoch. Call it again to resume an interrupted renewal. `progress` works as in
        set_directory_modes().

        UnknownItem: the container has no private directory. LimitExceeded: it has 100 epochs.
        """
        epoch = c_uint32()
        with told(progress) as tell, self._handle as container:
            lib.kinfolk_container_renew_private_key(container, tell, None, byref(epoch))
        return epoch.value

    def end_private_epochs(self, before: int) -> None:
        """Ends the epochs before this one: they no longer answer.

        Their keys are kept only to prove which contacts were paid for in them, until the service key is rotated because
        of a leak.

        UnknownItem: the private directory has no complete epoch with this number.
        """
        number = arguments.integer(before, "before", 0, 2**32 - 1)
        with self._handle as container:
            lib.kinfolk_container_end_private_epochs(container, number)

    def set_prefix_bits(self, bits: int | None) -> None:
        """Sets how many bits of each contact's bucket position a client sends: 0 to 32.

        None, the default, chooses by the number of rows: 0 bits (a client gets the whole directory) while the directory
        fits in 1 MiB, and above that as many bits as give buckets of 16 to 32 rows. With fewer bits the server learns
        less, and sends more.
        """
        number = -1 if bits is None else arguments.integer(bits, "bits", 0, 32)
        with self._handle as container:
            lib.kinfolk_container_set_prefix_bits(container, number)

    @property
    def private_epochs(self) -> tuple[PrivateEpoch, ...]:
        """The epochs of the private directory, newest first; empty if the container has no private directory."""
        epochs = c.PrivateEpochs()
        with self._handle as container:
            lib.kinfolk_container_private_epochs(container, byref(epochs))
        return take_epochs(epochs)

    def __repr__(self) -> str:
        if self.closed:
            return super().__repr__()
        where = "" if self.environment is Environment.PRODUCTION else f" {self.environment.name.lower()}"
        return f"<kinfolk.Container {self.name!r}{where}>"


def _two_ids(first: str, second: str) -> tuple[bytes, bytes]:
    return arguments.text(first, "user_record_id"), arguments.text(second, "other_user_record_id")


def _lines(values: Iterable[str], what: str) -> bytes:
    """A list of texts, one a line, as C takes them."""
    if isinstance(values, (str, bytes)):
        raise arguments.wrong_type(what, "a list of str", values)
    lines = [arguments.text(each, f"an element of {what}") for each in values]
    # A line end in a text would make two of it; no origin and no URL has an empty line.
    return b"".join(line.replace(b"\n", b"\r") + b"\n" for line in lines)
