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
}
