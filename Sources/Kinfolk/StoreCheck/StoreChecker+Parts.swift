import KinfolkAccess
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkDiscovery
import KinfolkModel
import KinfolkPrivateClient
import KinfolkRecords
import KinfolkStorage

extension StoreChecker {
    /// What is checked besides the values, the owners and the sealed values of all tables.
    static let parts: [Part] = [
        Part("service") { try $0.checkService() },
        Part("root_keys", "lasting_keys") { try $0.checkRootKeys() },
        Part("containers") { check in
            try check.forEachRow(of: "containers") { row in
                let number = try row.integer("container_id")
                let (mac, name) = (try row.bytes("mac"), try row.text("name"))
                let state = try row.integer("state")
                let environment = try row.integer("environment")
                let isAuthentic = ContainerTable.isAuthentic(
                    mac,
                    ofNumber: number,
                    name,
                    environment: environment,
                    state: state,
                    check.keys
                )
                guard isAuthentic else {
                    return check.found(.changed, in: "containers")
                }
            }
        },
        Part("container_limits") { check in
            for container in check.containers {
                try check.attempt("container_limits") {
                    _ = try ContainerLimitsTable.limits(of: container, check.keys, check.db)
                }
            }
        },
        Part("container_keys") { check in
            for container in check.containers {
                try check.attempt("container_keys") { _ = try check.keys.container(container, check.db) }
            }
        },
        Part("directories") { try $0.checkDirectories() },
        Part(
            "records",
            "index_entries",
            "cell_entries",
            "record_references",
            "order_entries",
            "postings",
            "record_bytes",
            "assets",
            "asset_chunks"
        ) {
            try $0.checkRecords()
        },
        Part("record_types", "grants") { check in
            for container in check.containers where check.isInUse(container) {
                try check.attempt("record_types") {
                    _ = try SchemaTable.types(of: container, check.keys, check.db)
                }
            }
        },
        Part("zones", "tombstones", "outbox") { try $0.checkZones() },
        Part("subscriptions", "subscription_keys", "devices", "notifications") { try $0.checkSubscriptions() },
        Part("fields") { check in
            try check.forEachRow(of: "fields") { row in
                guard try UInt8(exactly: row.integer("value_type")).flatMap(FieldType.init(rawValue:)) != nil else {
                    throw StorageError(.corrupt)
                }
            }
        },
        Part("api_tokens") { check in
            try check.forEachRow(of: "api_tokens") { row in _ = try APITokenTable.token(row.row, check.keys) }
        },
        Part("server_keys") { check in
            try check.forEachRow(of: "server_keys") { row in _ = try ServerKeyTable.key(row.row, check.keys) }
        },
        Part("web_sessions") { check in
            try check.forEachRow(of: "web_sessions") { row in _ = try WebSessionTable.row(row.row, check.keys) }
        },
        Part("linked_identities") { check in
            try check.forEachRow(of: "linked_identities") { row in
                let row = try LinkedIdentityTable.row(row.row, check.keys)
                guard row.hasRightTag(check.keys) else { throw LinkedIdentityTable.changed }
            }
        },
        Part("email_claims") { check in
            try check.forEachRow(of: "email_claims") { row in _ = try ClaimTable.row(row.row, check.keys) }
        },
        Part("address_history") { check in
            try check.forEachRow(of: "address_history") { row in
                let row = AddressHistoryTable.Row(
                    tag: try row.tag("tag"),
                    day: try row.integer("day"),
                    expires: try row.integer("expires"),
                    sealed: try row.bytes("sealed_value")
                )
                try AddressHistory.verify(row, check.keys)
            }
        },
        Part("private_directory") { try $0.checkPrivateRows() },
        Part("directory_lanes", "directory_counts") { try $0.checkCounts() },
        // Everything that belongs to accounts, and the directories derived from it.
        Part(
            "accounts",
            "emails",
            "verified_emails",
            "users",
            "consents",
            "blocks",
            "limits",
            "directory",
            "identities"
        ) { check in
            var accounts = AccountCheck(check)
            try accounts.run()
        },
    ]

    private func checkService() throws {
        // A copy that nobody has opened yet gets its own counter and identity when it is opened.
        var isCopy = false
        try attempt("service") { isCopy = try CopyMark.isWhole(db) }
        if !isCopy { try attempt("service") { _ = try StoreCounter(keys, db) } }
        try attempt("service") { _ = try ClaimWait.value(keys, db) }
        try attempt("service") { _ = try BucketKey.find(keys, db) }
        if !isCopy { try attempt("service") { _ = try CopyMark.identity(db) } }
        try attempt("service") {
            guard try SteadyClock.isAuthentic(keys, db) else { return found(.changed, in: "service") }
        }
    }

    /// Checks the root keys that are sealed under other root keys. Those sealed under the service key have already been opened.
    private func checkRootKeys() throws {
        let openers = Dictionary(keys.epochs.map { ($0.check, $0.rootSealing) }) { first, _ in first }
        for row in try KeyTable.rootKeys(db) {
            guard let opener = openers[row.sealedUnder] else { continue }
            try attempt("root_keys") { _ = try EpochKeys(epoch: row.epoch, sealed: row.sealed, under: opener) }
        }
    }

    private func checkDirectories() throws {
        for container in containers {
            try attempt("directories") { _ = try keys.directories(of: container, db) }
            guard let sealing = try keys(of: container)?.sealing else { continue }
            try attempt("directories") {
                let name = try ContainerTable.name(of: container, db)
                for row in try DirectoryEpochTable.all(of: container, db) where !row.sealedSeed.isEmpty {
                    try attempt("directories") { try checkSeed(of: row, in: (container, name), sealing) }
                }
            }
        }
    }

    private func checkSeed(
        of directory: DirectoryEpochTable.Row,
        in container: (number: Int64, name: String),
        _ sealing: SealingKeys
    ) throws {
        var seed = try sealing.open(
            directory.sealedSeed,
            at: PrivateDirectory.place(ofSeedOf: directory.epoch, in: container.number)
        )
        defer { seed.withUnsafeMutableBytes(wipe) }
        let key = try PrivateDirectory.key(
            seed: seed.withUnsafeBytes(SecretKey.init(copying:)),
            container: container.name
        )
        if key.publicKey.bytes != directory.publicKey { found(.changed, in: "directories") }
    }

    /// Checks the codes of rows. Whether they are the right rows is checked together with the accounts.
    private func checkPrivateRows() throws {
        var rowKeys: [DirectoryCheck.Place: PrivateRowKeys] = [:]
        for container in containers {
            for directory in try directories(of: container)?.privateOnes ?? [] {
                rowKeys[DirectoryCheck.Place(container: container, epoch: Int64(directory.epoch))] = directory.rowKeys
            }
        }
        try forEachRow(of: "private_directory") { row in
            let place = DirectoryCheck.Place(
                container: try row.integer("container_id"),
                epoch: try row.integer("epoch")
            )
            // A directory that has ended is being emptied, and its key was deleted.
            guard let keys = rowKeys[place] else { return }
            let (bucket, tag, record) = (try row.bytes("bucket"), try row.bytes("tag"), try row.bytes("record_id"))
            let (sealed, code) = (try row.bytes("sealed_record"), try row.bytes("code"))
            guard bucket.count == BucketPosition.length, tag.count == DirectoryTag.length,
                record.count == RandomID.length, code.count == ShortHashKey.codeLength
            else { throw StorageError(.corrupt) }
            let right = tag.withUnsafeBytes { tag in
                record.withUnsafeBytes { record in
                    sealed.withUnsafeBytes { sealed in
                        keys.code(bucket: number(bucket), tag: tag, record: record, sealed: sealed)
                    }
                }
            }
            if right != number(code) { found(.changed, in: "private_directory") }
        }
    }

    private func number<Number: FixedWidthInteger>(_ bytes: [UInt8]) -> Number {
        bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
    }

    private func checkCounts() throws {
        for container in containers where isInUse(container) {
            try attempt("directory_lanes") { try checkLanes(of: container) }
            for directory in try directories(of: container)?.privateOnes ?? [] {
                try attempt("directory_counts") { try checkCount(of: directory, in: container) }
            }
        }
    }

    private func checkLanes(of container: Int64) throws {
        let progress = try DirectoryLaneTable.progress(of: container, db)
        let inLanes = try progress.ranges(after: DirectoryProgress()).reduce(0) { count, lane in
            try count + DirectoryTagTable.count(in: container, after: lane.first, through: lane.last, db)
        }
        // A filter never learns of a row whose sequence number no lane has assigned.
        if try inLanes != directorySizes(in: "directory")[DirectoryCheck.Place(container: container)] ?? 0 {
            found(.miscounted, in: "directory_lanes")
        }
    }

    private func checkCount(of directory: PrivateDirectory, in container: Int64) throws {
        let place = DirectoryCheck.Place(container: container, epoch: Int64(directory.epoch))
        let rows = try directorySizes(in: "private_directory")[place] ?? 0
        if try DirectoryCountTable.total(of: directory.epoch, in: container, db) != rows {
            found(.miscounted, in: "directory_counts")
        }
    }
}
