extension Schema {
    /// Environments, records of any type, and what is derived from them.
    static let records = """
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
            -- Whether the public records of each creator have entries of their own in indexes: 1 if all have, or some may have.
            has_creator_entries INTEGER NOT NULL DEFAULT 0,
            -- Of the name and the grants. NULL only for the type of user records of a container that version 0.1.0 created.
            code BLOB,
            PRIMARY KEY (container_id, type)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX record_types_by_name ON record_types (container_id, name);
        -- Who may do what with the records of a type in the public database: 1: READ. 2: CREATE. 4: WRITE. A type without rows has
        -- the grants that CloudKit gives to a new type.
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
        -- The names of the roles that the operator gave to an account in a container, in order, with a space between them. The digest
        -- of the account covers them.
        ALTER TABLE users ADD COLUMN roles TEXT NOT NULL DEFAULT '';
        CREATE INDEX users_with_roles ON users (container_id) WHERE roles <> '';
        ALTER TABLE fields RENAME TO fields_of_1;
        CREATE TABLE fields (
            container_id INTEGER NOT NULL,
            type INTEGER NOT NULL,
            name TEXT NOT NULL,
            number INTEGER NOT NULL,
            value_type INTEGER NOT NULL,
            -- 1: QUERYABLE. 2: SORTABLE. 4: SEARCHABLE. 8: ENCRYPTED.
            options INTEGER NOT NULL,
            -- Those of the indexes that are complete if they are declared, and that may have entries if they are not.
            built INTEGER NOT NULL DEFAULT 0,
            -- The version of the tables of Unicode by which texts are indexed; -1 while the entries of another version are removed.
            unicode INTEGER NOT NULL DEFAULT 0,
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
            -- The number of the last change in a custom zone; 0 in a default zone, which has no change tracking.
            change INTEGER NOT NULL,
            sealed_fields BLOB NOT NULL
        );
        INSERT INTO records (number, container_id, owner, zone, name_tag, type, change_tag, created_at, modified_at, change,
                sealed_fields)
            SELECT row_number() OVER (ORDER BY r.container_id, r.record_id, r.is_private), r.container_id,
                CASE WHEN r.is_private = 1 THEN r.record_id ELSE substr(r.record_id, 1, 0) END, 0, r.record_id, 0, r.change_tag,
                coalesce((SELECT min(u.created_at) FROM users u WHERE u.container_id = r.container_id AND u.record_id = r.record_id), 0),
                r.modified_at, 0, r.sealed_fields
            FROM records_of_1 r;
        DROP TABLE records_of_1;
        CREATE INDEX records_by_creation ON records (container_id, owner, zone, type, created_at, number);
        CREATE INDEX records_by_modification ON records (container_id, owner, zone, type, modified_at, number);
        CREATE INDEX records_by_change ON records (container_id, owner, zone, change) WHERE zone > 0;
        -- The last one: while PostgreSQL has no statistics of a new table, it takes the newest of the indexes that seem equally cheap.
        CREATE UNIQUE INDEX records_by_name ON records (container_id, owner, zone, name_tag);
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
            zone INTEGER NOT NULL,
            tag BLOB NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, zone, tag, number)
        ) WITHOUT ROWID;

        -- SORTABLE fields: for each record with a value, its place in the order of the values. A position says nothing else about
        -- the value.
        CREATE TABLE order_entries (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            field INTEGER NOT NULL,
            position INTEGER NOT NULL,
            number INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, zone, field, position)
        ) WITHOUT ROWID;
        CREATE INDEX order_entries_by_record ON order_entries (container_id, owner, zone, number, field);

        -- QUERYABLE locations: for each location of a record the cells in which it is, one of each size, and the location itself.
        CREATE TABLE cell_entries (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            tag BLOB NOT NULL,
            number INTEGER NOT NULL,
            sealed_point BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone, tag, number)
        ) WITHOUT ROWID;

        -- SEARCHABLE fields: for each word, the numbers of the records that have it, sealed together. The first row of a word is
        -- found by a tag of the word, and lists further rows if there are many records.
        CREATE TABLE postings (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            tag BLOB NOT NULL,
            sealed_block BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone, tag)
        ) WITHOUT ROWID;

        -- Record types whose indexes are being built or removed, and the last record that was reached, in the order of
        -- records_by_creation.
        CREATE TABLE index_builds (
            container_id INTEGER NOT NULL,
            type INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            number INTEGER NOT NULL,
            done INTEGER NOT NULL,
            -- How many records the type had.
            total INTEGER NOT NULL,
            PRIMARY KEY (container_id, type)
        ) WITHOUT ROWID;

        -- Changes of records that a reader of a database has not taken yet, in the order of each lane. Rows are written only for
        -- databases with a reader. Kind 0 is a new record, 1 a changed one, 2 a deleted one, whose last content is kept. Kind 3 is a zone
        -- that was made or deleted, whose name is kept.
        CREATE TABLE outbox_readers (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            -- A new random number with each change of the database's subscriptions.
            stamp INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner)
        ) WITHOUT ROWID;
        CREATE TABLE outbox (
            container_id INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            type INTEGER NOT NULL,
            number INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            -- The device whose session made the change; empty if no session did.
            origin BLOB NOT NULL,
            -- A random number: the row's sequence is used again after the row was deleted.
            stamp INTEGER NOT NULL,
            -- The last subscription that was notified of this change, if there are many.
            reached INTEGER NOT NULL DEFAULT 0,
            sealed_before BLOB,
            PRIMARY KEY (container_id, lane, sequence)
        );
        CREATE INDEX outbox_by_owner ON outbox (container_id, owner, zone);
        -- By it, a reader finds that a record has an older change in another lane.
        CREATE INDEX outbox_by_number ON outbox (container_id, number);

        -- The custom zones of private databases. The number of a zone is that of the change that made it. All values of a zone are
        -- sealed under a key of its own, which is part of the sealed zone: when the row is deleted, they become unreadable at once.
        CREATE TABLE zones (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            name_tag BLOB NOT NULL,
            -- The number of the last change in the zone.
            change INTEGER NOT NULL,
            -- How many records of the zone were deleted, and the last change whose tombstones were purged.
            deletions INTEGER NOT NULL,
            forgotten INTEGER NOT NULL,
            sealed_zone BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX zones_by_name ON zones (container_id, owner, name_tag);
        -- Deleted zones. The rows of their records are deleted afterwards, in batches.
        CREATE TABLE removed_zones (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            change INTEGER NOT NULL,
            removed_at INTEGER NOT NULL,
            -- 1 when no rows of the zone are left.
            is_swept INTEGER NOT NULL,
            sealed_name BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone)
        ) WITHOUT ROWID;
        CREATE INDEX removed_zones_by_change ON removed_zones (container_id, owner, change);
        CREATE INDEX removed_zones_to_sweep ON removed_zones (container_id, owner, zone) WHERE is_swept = 0;
        -- The number of the last change of each private database, and the last change whose deleted zones were purged.
        CREATE TABLE change_counts (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            last_change INTEGER NOT NULL,
            forgotten INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner)
        ) WITHOUT ROWID;
        -- Deleted records of custom zones, numbered within their zone.
        CREATE TABLE tombstones (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            change INTEGER NOT NULL,
            deletion INTEGER NOT NULL,
            name_tag BLOB NOT NULL,
            deleted_at INTEGER NOT NULL,
            sealed_id BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone, change, deletion)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX tombstones_by_name ON tombstones (container_id, owner, zone, name_tag);
        -- The parents of records (kind 0), and references that delete the source with the target (1) or need the target (2). The
        -- target is the tag of a name, because a parent need not exist. The source is the number of a record.
        CREATE TABLE record_references (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            target BLOB NOT NULL,
            kind INTEGER NOT NULL,
            source INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner, zone, target, kind, source)
        ) WITHOUT ROWID;

        -- How many bytes the sealed contents of records and assets have, counted by each service in its lane: in each zone of a private
        -- database, in the public one (with an empty owner), and of those by each creator (kind 1).
        CREATE TABLE record_bytes (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            lane INTEGER NOT NULL,
            bytes INTEGER NOT NULL,
            -- Up to how many bytes the lane may count of a limited public database. The sum of these is at most the limit.
            allowance INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (container_id, owner, zone, kind, lane)
        ) WITHOUT ROWID;
        INSERT INTO record_bytes (container_id, owner, zone, kind, lane, bytes)
            SELECT container_id, owner, 0, 0, 0, sum(length(sealed_fields)) FROM records GROUP BY container_id, owner
            UNION ALL SELECT container_id, name_tag, 0, 1, 0, length(sealed_fields) FROM records WHERE length(owner) = 0;

        -- What the operator limits, in bytes; NULL for the standard.
        ALTER TABLE container_limits ADD COLUMN quota_of_user INTEGER;
        ALTER TABLE container_limits ADD COLUMN quota_of_public_database INTEGER;
        ALTER TABLE container_limits ADD COLUMN quota_of_creator INTEGER;
        ALTER TABLE container_limits ADD COLUMN quota_of_asset INTEGER;
        ALTER TABLE container_limits ADD COLUMN quota_of_key_value_store INTEGER;

        -- Assets: uploads, and files that records name. Each has a key of its own, which is part of the sealed asset: when the row is
        -- deleted, the file becomes unreadable at once. A record's use of an asset is a row of record_references of kind 3.
        CREATE TABLE assets (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            zone INTEGER NOT NULL,
            id BLOB NOT NULL,
            -- The number under which its chunks are.
            number INTEGER NOT NULL,
            -- The tag of the user who uploaded it; empty in a private database, and if that user was erased.
            creator_tag BLOB NOT NULL,
            -- When an asset that no record has named is deleted; 0 once a record has named it.
            expires_at INTEGER NOT NULL,
            -- How many bytes its chunks and the sealed asset have.
            bytes INTEGER NOT NULL,
            sealed_asset BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, zone, id)
        ) WITHOUT ROWID;
        CREATE INDEX assets_to_expire ON assets (expires_at) WHERE expires_at > 0;
        CREATE INDEX assets_by_creator ON assets (container_id, creator_tag);
        CREATE TABLE asset_chunks (
            container_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            chunk INTEGER NOT NULL,
            sealed_chunk BLOB NOT NULL,
            PRIMARY KEY (container_id, asset, chunk)
        ) WITHOUT ROWID;
        -- Deleted assets whose chunks are deleted afterwards, in batches.
        CREATE TABLE removed_assets (
            container_id INTEGER NOT NULL,
            asset INTEGER NOT NULL,
            PRIMARY KEY (container_id, asset)
        ) WITHOUT ROWID;

        -- Subscriptions of users (subscriber) to databases (owner, which is empty for the public one). The number is random.
        CREATE TABLE subscriptions (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            subscriber BLOB NOT NULL,
            number INTEGER NOT NULL,
            id_tag BLOB NOT NULL,
            sealed_subscription BLOB NOT NULL,
            PRIMARY KEY (container_id, number)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX subscriptions_by_id ON subscriptions (container_id, subscriber, owner, id_tag);
        -- For each subscription the keyed tags of the changes that may concern it: of a value of a field, of a record type, of a zone, or
        -- of a database.
        CREATE TABLE subscription_keys (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            key_tag BLOB NOT NULL,
            number INTEGER NOT NULL,
            subscriber BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, key_tag, number)
        ) WITHOUT ROWID;
        CREATE INDEX subscription_keys_by_number ON subscription_keys (container_id, number);
        CREATE INDEX subscription_keys_by_subscriber ON subscription_keys (container_id, subscriber);
        -- The devices of users, and the last notification that each has acknowledged.
        CREATE TABLE devices (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            device BLOB NOT NULL,
            -- Empty for a session without a name.
            name_tag BLOB NOT NULL,
            acknowledged INTEGER NOT NULL,
            -- When a session without a name is forgotten; 0 for a device with a name.
            expires_at INTEGER NOT NULL,
            sealed_name BLOB,
            PRIMARY KEY (container_id, owner, device)
        ) WITHOUT ROWID;
        CREATE UNIQUE INDEX devices_by_name ON devices (container_id, owner, name_tag) WHERE length(name_tag) > 0;
        CREATE INDEX devices_to_expire ON devices (expires_at) WHERE expires_at > 0;
        -- The number of the last notification of each user, and the last one that was dropped because there were too many.
        CREATE TABLE notification_counts (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            last_notification INTEGER NOT NULL,
            forgotten INTEGER NOT NULL,
            PRIMARY KEY (container_id, owner)
        ) WITHOUT ROWID;
        CREATE TABLE notifications (
            container_id INTEGER NOT NULL,
            owner BLOB NOT NULL,
            notification INTEGER NOT NULL,
            -- The number of the subscription.
            subscription INTEGER NOT NULL,
            -- The tags of the creator of a deleted record and of the user who changed it last; empty otherwise.
            creator_tag BLOB NOT NULL,
            modifier_tag BLOB NOT NULL,
            sealed_notification BLOB NOT NULL,
            PRIMARY KEY (container_id, owner, notification)
        ) WITHOUT ROWID;
        CREATE INDEX notifications_by_creator ON notifications (container_id, creator_tag) WHERE length(creator_tag) > 0;
        CREATE INDEX notifications_by_modifier ON notifications (container_id, modifier_tag) WHERE length(modifier_tag) > 0;

        -- The tokens by which applications call the network service. A token is random, and its tag is a hash of it without a key.
        CREATE TABLE api_tokens (
            container_id INTEGER NOT NULL,
            token_tag BLOB NOT NULL,
            sealed_token BLOB NOT NULL,
            PRIMARY KEY (container_id, token_tag)
        );
        -- The public keys of servers, each with an account of its own. `key_id` is the SHA-256 of the key.
        CREATE TABLE server_keys (
            container_id INTEGER NOT NULL,
            key_id BLOB NOT NULL,
            account_id BLOB NOT NULL,
            sealed_key BLOB NOT NULL,
            PRIMARY KEY (container_id, key_id)
        );
        CREATE INDEX server_keys_by_account ON server_keys (account_id);
        -- The signatures of requests that servers made in the last minutes, by their first number, so that no request is accepted twice.
        CREATE TABLE used_signatures (
            container_id INTEGER NOT NULL,
            key_id BLOB NOT NULL,
            r BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (container_id, key_id, r)
        ) WITHOUT ROWID;
        CREATE INDEX used_signatures_to_expire ON used_signatures (expires_at);
        -- Browsers in which people are signed in, and sign-in codes that a browser can still redeem. The tags are hashes of random
        -- values without a key. The sealed content repeats them and the time, so that nobody can change them.
        CREATE TABLE web_sessions (
            account_id BLOB NOT NULL,
            container_id INTEGER NOT NULL,
            session_id BLOB NOT NULL,
            -- Of the current token; NULL while the code is not redeemed.
            token_tag BLOB,
            -- Of the token before it, which is valid for a short time, and of the code.
            previous_tag BLOB,
            code_tag BLOB,
            -- Of the API token through which it was begun.
            api_token_tag BLOB NOT NULL,
            expires_at INTEGER NOT NULL,
            sealed_session BLOB NOT NULL,
            PRIMARY KEY (account_id, container_id, session_id)
        );
        CREATE INDEX web_sessions_by_token ON web_sessions (container_id, token_tag);
        CREATE INDEX web_sessions_by_previous_token ON web_sessions (container_id, previous_tag);
        CREATE INDEX web_sessions_by_code ON web_sessions (container_id, code_tag);
        CREATE INDEX web_sessions_by_api_token ON web_sessions (container_id, api_token_tag);
        CREATE INDEX web_sessions_to_expire ON web_sessions (expires_at);
        -- The sign-ins at the pages of a network service that have not ended.
        CREATE TABLE sign_ins (
            account_id BLOB NOT NULL,
            sign_in_id BLOB NOT NULL,
            -- 1 when the person has proved to own the account; before that, the browser that asked for the newest code.
            is_proved INTEGER NOT NULL,
            -- The container of the application to which the person signs in; 0 for the page of the account.
            to_container INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (account_id, sign_in_id)
        ) WITHOUT ROWID;
        CREATE INDEX sign_ins_to_expire ON sign_ins (expires_at);
        -- The sign-ins by an address that no account has. `pending_id` becomes the ID of the account if the code is entered.
        CREATE TABLE pending_sign_ins (
            pending_id BLOB PRIMARY KEY,
            code_tag BLOB NOT NULL,
            tries INTEGER NOT NULL,
            issued_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX pending_sign_ins_to_expire ON pending_sign_ins (expires_at);
        -- The identities at OpenID Connect providers and proxies by which people sign in, each once.
        CREATE TABLE linked_identities (
            tag BLOB PRIMARY KEY,
            account_id BLOB NOT NULL,
            sealed_identity BLOB NOT NULL
        );
        CREATE INDEX linked_identities_by_account ON linked_identities (account_id);
        """
}
