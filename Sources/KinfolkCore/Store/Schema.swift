package import KinfolkStorage

/// The tables of a store.
///
/// Each primary key begins with the value by which a distributed database would shard: the container for what a session searches,
/// the address's tag for what keeps an address unique, the account for the rest.
package enum Schema {
    package static let migrations = migrations()

    /// - Parameter sql: Statements to run after the tables are created, in the same transaction.
    package static func migrations(followedBy sql: String = "") -> Migrations {
        Migrations(
            application: 0x4b4e_464b,  // "KNFK"
            steps: [Migrations.Step("tables", tables), Migrations.Step("records", records + "\n" + sql)]
        )
    }

    private static let tables = """
        CREATE TABLE service (
            name TEXT PRIMARY KEY,
            value BLOB NOT NULL
        ) WITHOUT ROWID;

        -- The root key of each epoch, sealed under the service key; while keys are rotated there are two, each sealed under the
        -- other too.
        CREATE TABLE root_keys (
            epoch INTEGER NOT NULL,
            sealed_under BLOB NOT NULL,
            sealed_key BLOB NOT NULL,
            PRIMARY KEY (epoch, sealed_under)
        );
        -- What outlives an epoch: the keys of sync states and of verification codes.
        CREATE TABLE lasting_keys (
            epoch INTEGER PRIMARY KEY,
            sealed_keys BLOB NOT NULL
        );

        CREATE TABLE accounts (
            account_id BLOB PRIMARY KEY,
            sealed_name BLOB NOT NULL,
            is_suspended INTEGER NOT NULL DEFAULT 0,
            -- Goes up with every change of a row that decides for the account. `digest` is of those rows, and `mac` of it, the
            -- revision and the status.
            revision INTEGER NOT NULL,
            digest BLOB NOT NULL,
            mac BLOB NOT NULL,
            -- Goes up with what those who watch the account are told.
            changes INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL
        ) WITHOUT ROWID;

        CREATE TABLE emails (
            account_id BLOB NOT NULL,
            tag BLOB NOT NULL,
            number INTEGER NOT NULL,
            sealed_address BLOB NOT NULL,
            is_discoverable INTEGER NOT NULL DEFAULT 1,
            verified_at INTEGER,
            added_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, tag)
        ) WITHOUT ROWID;

        -- Whose an address is. Only verified ones are here, each once.
        CREATE TABLE verified_emails (
            tag BLOB PRIMARY KEY,
            account_id BLOB NOT NULL
        ) WITHOUT ROWID;

        -- What codes an account requested in the last 24 hours. Of each address and purpose the newest one counts.
        CREATE TABLE verification_codes (
            account_id BLOB NOT NULL,
            number INTEGER NOT NULL,
            tag BLOB NOT NULL,
            purpose INTEGER NOT NULL,
            code_tag BLOB NOT NULL,
            tries INTEGER NOT NULL DEFAULT 0,
            issued_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, number)
        ) WITHOUT ROWID;
        CREATE INDEX verification_codes_by_time ON verification_codes (issued_at);

        -- Accounts that proved an address which another account has verified. `code` authenticates the whole row.
        CREATE TABLE email_claims (
            tag BLOB NOT NULL,
            claimant_id BLOB NOT NULL,
            claim_id BLOB NOT NULL,
            owner_id BLOB NOT NULL,
            decision INTEGER NOT NULL,
            opened_at INTEGER NOT NULL,
            noticed_at INTEGER,
            completable_at INTEGER,
            decided_at INTEGER,
            sealed_address BLOB NOT NULL,
            code BLOB NOT NULL,
            PRIMARY KEY (tag, claimant_id)
        ) WITHOUT ROWID;
        CREATE INDEX email_claims_by_id ON email_claims (claim_id);
        CREATE INDEX email_claims_by_claimant ON email_claims (claimant_id);
        CREATE INDEX email_claims_by_owner ON email_claims (owner_id);

        -- What limits remember about addresses, whoever has them, for at most 30 days; and the random keys of the days, each of
        -- which is deleted with the last row of its day.
        CREATE TABLE address_history (
            tag BLOB PRIMARY KEY,
            day INTEGER NOT NULL,
            expires INTEGER NOT NULL,
            sealed_value BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX address_history_by_day ON address_history (day);
        CREATE INDEX address_history_by_end ON address_history (expires);
        CREATE TABLE address_history_keys (
            day INTEGER PRIMARY KEY,
            sealed_key BLOB NOT NULL
        );

        CREATE TABLE containers (
            container_id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            -- 0: in use. 1: being deleted. 2: deleted; the row stays, so that its number is never given again.
            state INTEGER NOT NULL DEFAULT 0,
            -- Of the number, the name and the state: everything else is bound to the number.
            mac BLOB NOT NULL,
            private_epoch INTEGER NOT NULL DEFAULT 0,
            prefix_bits INTEGER,
            cover_due INTEGER,
            created_at INTEGER NOT NULL
        );
        CREATE UNIQUE INDEX containers_by_name ON containers (name) WHERE state <> 2;
        -- What each person may do in a container.
        CREATE TABLE container_limits (
            container_id INTEGER PRIMARY KEY,
            permit_capacity INTEGER NOT NULL,
            permit_millionths_per_hour INTEGER NOT NULL,
            unverified_capacity INTEGER NOT NULL,
            multiplications_per_day INTEGER,
            rows_per_day INTEGER,
            fields_per_person INTEGER NOT NULL,
            code BLOB NOT NULL
        );
        CREATE TABLE container_keys (
            container_id INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            sealed_key BLOB NOT NULL,
            PRIMARY KEY (container_id, epoch)
        );

        -- How people are found in a container. Epoch 0 is the directory of contact hashes; the others are private ones, each
        -- under a key of its own, whose seed belongs to an epoch of the store's keys.
        CREATE TABLE directories (
            container_id INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            state INTEGER NOT NULL,
            position BLOB,
            sealed_seed BLOB,
            public_key BLOB,
            prefix_bits INTEGER NOT NULL DEFAULT 0,
            key_epoch INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (container_id, epoch)
        ) WITHOUT ROWID;
        -- How many rows a private directory has: the sum of what each service has put in and taken out, in its lane.
        CREATE TABLE directory_counts (
            container_id INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            row_count INTEGER NOT NULL,
            PRIMARY KEY (container_id, epoch, lane)
        ) WITHOUT ROWID;

        -- The user record ID of an account in a container.
        CREATE TABLE users (
            account_id BLOB NOT NULL,
            container_id INTEGER NOT NULL,
            record_id BLOB NOT NULL,
            mac BLOB NOT NULL,
            revision INTEGER NOT NULL DEFAULT 0,
            created_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, container_id)
        ) WITHOUT ROWID;
        -- Not unique, which would bind it to the account where tables are spread: record IDs are 128 random bits.
        CREATE INDEX users_by_record ON users (container_id, record_id);

        -- What people were asked, and what they answered: the last answer counts, the others prove what held before.
        CREATE TABLE wordings (
            container_id INTEGER NOT NULL,
            wording_id BLOB NOT NULL,
            sealed_wording BLOB NOT NULL,
            PRIMARY KEY (container_id, wording_id)
        );
        CREATE TABLE consents (
            account_id BLOB NOT NULL,
            container_id INTEGER NOT NULL,
            number INTEGER NOT NULL,
            decision INTEGER NOT NULL,
            wording_id BLOB NOT NULL,
            decided_at INTEGER NOT NULL,
            -- A digest of this decision and of the chain of the one before it.
            chain BLOB NOT NULL,
            PRIMARY KEY (account_id, container_id, number)
        ) WITHOUT ROWID;
        CREATE INDEX consents_by_wording ON consents (container_id, wording_id);

        -- Who can be found: rows only for people who granted it, and only for their verified, discoverable addresses.
        CREATE TABLE directory (
            container_id INTEGER NOT NULL,
            tag BLOB NOT NULL,
            record_id BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY (container_id, tag)
        ) WITHOUT ROWID;
        CREATE INDEX directory_by_sequence ON directory (container_id, sequence);
        -- How many rows a container's directory ever had, in each of the lanes from which they have their sequences. A service
        -- keeps to one lane: two that write at the same time would meet at a single count.
        CREATE TABLE directory_lanes (
            container_id INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            row_count INTEGER NOT NULL,
            PRIMARY KEY (container_id, lane)
        ) WITHOUT ROWID;
        -- The same without contact hashes: tags and sealed user record IDs from outputs of the oblivious function, in the order
        -- of encrypted bucket positions. The code is over all the rest of a row.
        CREATE TABLE private_directory (
            container_id INTEGER NOT NULL,
            epoch INTEGER NOT NULL,
            bucket BLOB NOT NULL,
            tag BLOB NOT NULL,
            record_id BLOB NOT NULL,
            sealed_record BLOB NOT NULL,
            code BLOB NOT NULL,
            PRIMARY KEY (container_id, epoch, bucket, tag, record_id)
        ) WITHOUT ROWID;
        -- What the directory says of a person, sealed: the name, and what a hit is checked against.
        CREATE TABLE identities (
            container_id INTEGER NOT NULL,
            record_id BLOB NOT NULL,
            sealed_identity BLOB NOT NULL,
            PRIMARY KEY (container_id, record_id)
        ) WITHOUT ROWID;

        -- User records that were saved. One that never was is empty.
        CREATE TABLE records (
            container_id INTEGER NOT NULL,
            record_id BLOB NOT NULL,
            is_private INTEGER NOT NULL,
            change_tag BLOB NOT NULL,
            sealed_fields BLOB NOT NULL,
            modified_at INTEGER NOT NULL,
            PRIMARY KEY (container_id, record_id, is_private)
        );
        CREATE TABLE fields (
            container_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            type INTEGER NOT NULL,
            PRIMARY KEY (container_id, name)
        ) WITHOUT ROWID;

        -- Who does not want to find, and to be found by, whom. Neither side finds the other.
        CREATE TABLE blocks (
            container_id INTEGER NOT NULL,
            record_id BLOB NOT NULL,
            blocked_id BLOB NOT NULL,
            is_operators INTEGER NOT NULL,
            PRIMARY KEY (container_id, record_id, blocked_id, is_operators)
        ) WITHOUT ROWID;
        CREATE INDEX blocks_by_blocked ON blocks (container_id, blocked_id);

        -- When the operator looked up whose a user record ID is. An entry stays when its subject is erased, without it.
        CREATE TABLE audit (
            number INTEGER PRIMARY KEY,
            container_id INTEGER NOT NULL,
            record_id BLOB,
            sealed_reason BLOB,
            noted_at INTEGER NOT NULL
        );
        CREATE INDEX audit_by_record ON audit (container_id, record_id);

        -- What people have spent of their limits and not regained yet, in millionths. Of it, services have taken `leased` ahead in
        -- the minute `lease_window`, and `leased_before` in the one before it. `lapsed`, in millionths, came back by itself.
        CREATE TABLE limits (
            account_id BLOB NOT NULL,
            container_id INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            spent INTEGER NOT NULL,
            counted_at INTEGER NOT NULL,
            lease_window INTEGER NOT NULL,
            leased INTEGER NOT NULL,
            leased_before INTEGER NOT NULL,
            lapsed INTEGER NOT NULL,
            code BLOB NOT NULL,
            PRIMARY KEY (account_id, container_id, kind)
        ) WITHOUT ROWID;
        CREATE INDEX limits_by_container ON limits (container_id, kind);
        -- How many discoveries a day had, and how many were refused by the limit: of all people together, counted by each
        -- service in its lane.
        CREATE TABLE activity (
            container_id INTEGER NOT NULL,
            day INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            discoveries INTEGER NOT NULL,
            refusals INTEGER NOT NULL,
            PRIMARY KEY (container_id, day, lane)
        ) WITHOUT ROWID;
        """

    private static let records = """
        -- A container has two environments, production (0) and development (1), with a row each. All other tables belong to one of
        -- them: their container_id is its number.
        ALTER TABLE containers ADD COLUMN environment INTEGER NOT NULL DEFAULT 0;
        DROP INDEX containers_by_name;
        CREATE UNIQUE INDEX containers_by_name ON containers (name, environment) WHERE state <> 2;

        -- The record types of a container and their fields. A number is never given again.
        CREATE TABLE schemas (
            container_id INTEGER PRIMARY KEY,
            -- A new random number with every change.
            stamp INTEGER NOT NULL,
            -- Whether the schema was deployed. Then only the operator changes it.
            is_fixed INTEGER NOT NULL,
            last_number INTEGER NOT NULL
        );
        CREATE TABLE record_types (
            container_id INTEGER NOT NULL,
            type INTEGER NOT NULL,
            name TEXT NOT NULL,
            -- The indexes that were declared for system fields, with three bits for each.
            system_indexes INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (container_id, type)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX record_types_by_name ON record_types (container_id, name);
        -- Who may do what with the records of a type in the public database: 1: READ. 2: CREATE. 4: WRITE. A type without rows has
        -- the grants that CloudKit gives to a new type. They are kept, and not enforced yet.
        CREATE TABLE grants (
            container_id INTEGER NOT NULL,
            type INTEGER NOT NULL,
            role TEXT NOT NULL,
            permissions INTEGER NOT NULL,
            PRIMARY KEY (container_id, type, role)
        ) WITHOUT ROWID;
        CREATE TABLE roles (
            container_id INTEGER NOT NULL,
            name TEXT NOT NULL,
            PRIMARY KEY (container_id, name)
        ) WITHOUT ROWID;
        ALTER TABLE fields RENAME TO fields_of_1;
        CREATE TABLE fields (
            container_id INTEGER NOT NULL,
            type INTEGER NOT NULL,
            name TEXT NOT NULL,
            number INTEGER NOT NULL,
            value_type INTEGER NOT NULL,
            -- 1: QUERYABLE. 2: SORTABLE. 4: SEARCHABLE. 8: ENCRYPTED.
            options INTEGER NOT NULL,
            PRIMARY KEY (container_id, type, name)
        ) WITHOUT ROWID;
        INSERT INTO schemas (container_id, stamp, is_fixed, last_number)
            SELECT container_id, 1, 0, 1000 FROM containers WHERE state <> 2;
        INSERT INTO record_types (container_id, type, name)
            SELECT container_id, 0, 'Users' FROM containers WHERE state <> 2;
        INSERT INTO fields (container_id, type, name, number, value_type, options)
            SELECT container_id, 0, name, row_number() OVER (PARTITION BY container_id ORDER BY name), type, 0 FROM fields_of_1;
        DROP TABLE fields_of_1;

        -- Saved records. The owner is empty in the public database, and else the user record ID of the user whose private database
        -- it is. The name's tag of a user record is the user record ID. A user record that was never saved is empty.
        ALTER TABLE records RENAME TO records_of_1;
        CREATE TABLE records (
            number INTEGER PRIMARY KEY,
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            name_tag BLOB NOT NULL,
            type INTEGER NOT NULL,
            change_tag BLOB NOT NULL,
            created_at INTEGER NOT NULL,
            modified_at INTEGER NOT NULL,
            sealed_fields BLOB NOT NULL
        );
        INSERT INTO records (number, container_id, owner, zone, name_tag, type, change_tag, created_at, modified_at, sealed_fields)
            SELECT row_number() OVER (ORDER BY r.container_id, r.record_id, r.is_private), r.container_id,
                CASE WHEN r.is_private = 1 THEN r.record_id ELSE substr(r.record_id, 1, 0) END, 0, r.record_id, 0, r.change_tag,
                coalesce((SELECT min(u.created_at) FROM users u WHERE u.container_id = r.container_id AND u.record_id = r.record_id), 0),
                r.modified_at, r.sealed_fields
            FROM records_of_1 r;
        DROP TABLE records_of_1;
        CREATE UNIQUE INDEX records_by_name ON records (container_id, owner, zone, name_tag);
        CREATE INDEX records_by_creation ON records (container_id, owner, type, created_at, number);
        CREATE INDEX records_by_change ON records (container_id, owner, type, modified_at, number);
        -- The next numbers of records. A service takes a thousand at a time.
        CREATE TABLE record_numbers (
            name TEXT PRIMARY KEY,
            next INTEGER NOT NULL
        ) WITHOUT ROWID;
        INSERT INTO record_numbers (name, next) SELECT 'records', count(*) + 1 FROM records;

        -- QUERYABLE fields: for each value of a record a keyed tag.
        CREATE TABLE index_entries (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            tag BLOB NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, tag, number)
        ) WITHOUT ROWID;

        -- SORTABLE fields: for each record with a value, its place in the order of the values. A position says nothing else about
        -- the value.
        CREATE TABLE order_entries (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            field INTEGER NOT NULL,
            position INTEGER NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, field, position)
        ) WITHOUT ROWID;
        CREATE INDEX order_entries_by_record ON order_entries (container_id, owner, number, field);

        -- Changes of records that a reader of a database has not taken yet, in the order of each lane. Rows are written only for
        -- databases with a reader. Kind 0 is a new record, 1 a changed one, 2 a deleted one, whose last content is kept.
        CREATE TABLE outbox_readers (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            reader INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, reader)
        ) WITHOUT ROWID;
        CREATE TABLE outbox (
            container_id INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            owner BLOB NOT NULL,
            type INTEGER NOT NULL,
            number INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            sealed_before BLOB,
            PRIMARY KEY (container_id, lane, sequence)
        );
        CREATE INDEX outbox_by_owner ON outbox (container_id, owner);

        -- The custom zones of private databases. All values of a zone are sealed under its own key, with which they become
        -- unreadable at once. A token with another incarnation belongs to a deleted zone of the same name.
        CREATE TABLE zones (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            name_tag BLOB NOT NULL,
            incarnation BLOB NOT NULL,
            sealed_zone BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX zones_by_name ON zones (container_id, owner, name_tag);
        -- The number of the last change of each private database, and up to which one tombstones were deleted.
        CREATE TABLE change_counts (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            last_change INTEGER NOT NULL,
            forgotten INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner)
        ) WITHOUT ROWID;
        -- The last change of each record in a custom zone. A deleted record leaves its sealed ID, and a deleted zone likewise, in
        -- zone 0 and without a number.
        CREATE TABLE changes (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            change INTEGER NOT NULL,
            number INTEGER,
            deleted_at INTEGER,
            sealed_id BLOB,
            PRIMARY KEY (container_id, owner, zone, change)
        );
        CREATE INDEX changes_by_record ON changes (container_id, owner, number);
        -- References that keep or delete their target (action 1: deleteSelf, 2: validate), and the parents of records (field 0).
        CREATE TABLE record_references (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            target INTEGER NOT NULL,
            source INTEGER NOT NULL,
            field INTEGER NOT NULL,
            action INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, target, source, field)
        ) WITHOUT ROWID;
        CREATE INDEX record_references_by_source ON record_references (container_id, owner, source);

        -- How many bytes the sealed contents of records have, counted by each service in its lane: in each private database, in the
        -- public one (with an empty owner), and of those by each creator (kind 1).
        CREATE TABLE record_bytes (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            kind INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, kind, lane)
        ) WITHOUT ROWID;
        INSERT INTO record_bytes (container_id, owner, kind, lane, bytes)
            SELECT container_id, owner, 0, 0, sum(length(sealed_fields)) FROM records GROUP BY container_id, owner
            UNION ALL SELECT container_id, name_tag, 1, 0, length(sealed_fields) FROM records WHERE length(owner) = 0;
        """
}
