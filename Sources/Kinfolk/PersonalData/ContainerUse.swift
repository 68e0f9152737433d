import KinfolkAccess
import KinfolkAccounts
import KinfolkCore
import KinfolkDocuments
import KinfolkJSON
import KinfolkKeyValue
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import KinfolkSubscriptions

/// What one container holds about a person.
struct ContainerUse {
    typealias Member = (String, (inout JSONWriter) -> Void)

    let name: String
    let environment: ContainerEnvironment
    let userRecordID: UserRecordID
    /// The day of the person's first session in the container.
    let since: Timestamp
    /// In the order of their names.
    let roles: [String]
    /// What was spent of each limit and not yet regained when it was last counted.
    private(set) var limits: [LimitTable.Row] = []
    private(set) var decisions: [ConsentTable.Row] = []
    /// Whom the person blocked; never who blocked them.
    private(set) var blocked: [UserRecordID] = []
    /// When the operator looked up the person behind the ID.
    private(set) var lookedUpAt: [Timestamp] = []
    /// The names of the custom zones of the private database.
    private(set) var zones: [String] = []
    private(set) var records: [Record] = []
    private(set) var keyValues: [(key: String, value: PropertyListValue)] = []
    private(set) var documents: [Document] = []
    /// The records whose assets are in the archive: not those of documents that the person leaves out of exports.
    private(set) var recordsWithFiles: [Record] = []
    private(set) var subscriptions: [(database: DatabaseScope, subscription: Subscription)] = []
    /// The names of devices; nil for sessions without one.
    private(set) var devices: [String?] = []
    private(set) var webSessions: [WebSession] = []
    /// Not empty for an account that was made for a server.
    private(set) var serverKeys: [ServerKey] = []
    /// The number of the container.
    private(set) var number: Int64 = 0

    init(
        name: String,
        environment: ContainerEnvironment,
        userRecordID: UserRecordID,
        since: Timestamp,
        roles: RoleNames
    ) {
        self.name = name
        self.environment = environment
        self.userRecordID = userRecordID
        self.since = since
        self.roles = roles.names.sorted()
    }

    /// Reads the data from the store.
    ///
    /// - Parameters:
    ///   - limits: The limits of the account in this container; those in other containers are left out.
    ///   - blocked: Whom the person blocked.
    mutating func read(
        number: Int64,
        of account: AccountID,
        _ limits: [LimitTable.Row],
        blocked: [UserRecordID],
        _ service: Service,
        _ db: Connection
    ) throws {
        let keys = try service.keys(ofContainer: number, in: db)
        self.number = number
        self.limits = limits.filter { $0.holder.container == number }.map { row in
            // Unspent permits of this service's leases, and lapsed leases, are not counted.
            let spending = row.spending?.settling(service.leases.lease(of: row.holder))
            return LimitTable.Row(holder: row.holder, spending: spending?.lapsed(at: service.steadyClock()))
        }
        decisions = try ConsentTable.all(of: account, in: number, keys, db)
        self.blocked = blocked
        lookedUpAt = try AuditTable.moments(of: userRecordID, in: number, db)
        let ofPerson = try RecordsOfPerson(userRecordID, in: number, service, db)
        zones = try ofPerson.zones(db).map(\.name)
        try note(ofPerson.all(db))
        let databases = [nil, userRecordID].map { RecordPlace(ofPrivate: $0, in: number, keys) }
        subscriptions = try databases.flatMap { database in
            try SubscriptionTable.all(of: userRecordID, in: database, db).map { (database.database, $0.subscription) }
                .sorted { $0.1.id.utf8.lexicographicallyPrecedes($1.1.id.utf8) }
        }
        devices = try DeviceTable.all(of: userRecordID, keys, in: number, db).map(\.name)
        let storeKeys = try service.keys(db)
        webSessions = try WebSessionTable.sessions(of: account, in: number, at: service.clock(), storeKeys, db)
        serverKeys = try ServerKeyTable.all(of: account, in: number, storeKeys, db)
    }

    private mutating func note(_ all: [Record]) throws {
        for record in all {
            switch record.id.zone {
            case ReservedZone.keyValueStore.name:
                let pair = KeyValueRecord(record)
                keyValues.append((try pair.text(), try pair.value()))
            case ReservedZone.documents.name:
                let document = try DocumentRecord(record).document
                documents.append(document)
                if !document.isExcludedFromBackup { recordsWithFiles.append(record) }
            default:
                records.append(record)
                recordsWithFiles.append(record)
            }
        }
        keyValues.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        documents.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// What the application may hand to the person. It contains nothing that the operator did, and nothing that happened in
    /// several containers at the same time. When an address is verified, the limits of all containers may be recounted at once,
    /// so their times and the fractions of permits are left out. A person may sign in once for several containers, so that time is
    /// left out too.
    var ofApplication: [Member] {
        identity + [("limits", { $0.array(limits) { $1.writeRoughly(to: &$0) } })] + content + [
            ("web_sessions", { $0.array(webSessions) { $1.writeRoughly(to: &$0) } })
        ]
    }

    /// Everything, for the account's own export.
    var everything: [Member] {
        identity + [
            ("limits", { $0.array(limits) { $1.write(to: &$0) } }),
            ("looked_up_at", { $0.array(lookedUpAt) { $0.string($1.description) } }),
        ] + content + [("web_sessions", { $0.array(webSessions) { $1.write(to: &$0) } })]
    }

    private var identity: [Member] {
        [
            ("container", { $0.string(name) }),
            ("environment", { $0.string(String(describing: environment)) }),
            ("user_record_id", { $0.string(userRecordID.description) }),
            ("since", { $0.string(since.description) }),
            ("roles", { $0.array(roles) { $0.string($1) } }),
        ]
    }

    private var content: [Member] {
        [
            ("discoverability", { $0.array(decisions) { $1.write(to: &$0) } }),
            ("blocked", { $0.array(blocked) { $0.string($1.description) } }),
            ("zones", { $0.array(zones) { $0.string($1) } }),
            ("records", { $0.array(records) { $1.write(to: &$0) } }),
            (
                "key_value_store",
                {
                    $0.array(keyValues) { json, pair in
                        json.object([("key", { $0.string(pair.key) })] + pair.value.members)
                    }
                }
            ),
            ("documents", { $0.array(documents) { $1.write(to: &$0) } }),
            ("subscriptions", { $0.array(subscriptions) { $1.subscription.write(to: &$0, $1.database) } }),
            ("devices", { $0.array(devices) { json, name in name.map { json.string($0) } ?? json.null() } }),
            ("server_keys", { $0.array(serverKeys) { $1.write(to: &$0) } }),
        ]
    }
}

extension LimitTable.Row {
    /// In whole numbers, rounded up, and without the time.
    fileprivate func writeRoughly(to json: inout JSONWriter) {
        json.object([
            ("kind", { $0.string(holder.kind.name) }),
            (
                "spent",
                { json in
                    guard let spending else { return json.null() }
                    let (whole, rest) = spending.millionths.quotientAndRemainder(dividingBy: Limit.unit)
                    json.integer(rest > 0 ? whole + 1 : whole)
                }
            ),
        ])
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("kind", { $0.string(holder.kind.name) }),
            (
                "spent",
                { json in
                    // A limit that was edited without the key is shown as null.
                    guard let spending else { return json.null() }
                    json.double(Double(spending.millionths) / Double(Limit.unit))
                }
            ),
            ("counted_at", { json in spending.map { json.string($0.countedAt.description) } ?? json.null() }),
        ])
    }
}

extension ConsentTable.Row {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("decision", { $0.string(String(describing: decision)) }),
            ("decided_at", { $0.string(decidedAt.description) }),
            ("wording_version", { $0.string(wording.version) }),
            ("wording", { $0.string(wording.text) }),
        ])
    }
}

extension Record {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("database", { json in database.map { json.string(String(describing: $0)) } ?? json.null() }),
            ("type", { $0.string(type) }),
            ("name", { $0.string(id.name) }),
            ("zone", { $0.string(id.zone) }),
            ("created_at", { json in createdAt.map { json.string($0.description) } ?? json.null() }),
            ("modified_at", { json in modifiedAt.map { json.string($0.description) } ?? json.null() }),
            ("parent", { json in parent.map { json.string($0.target.name) } ?? json.null() }),
            (
                "fields",
                { json in
                    json.object(
                        keys.compactMap { key in self[key].map { value in (key, { value.write(to: &$0) }) } }
                    )
                }
            ),
        ])
    }
}

extension PropertyListValue {
    /// A value of the key-value store as JSON: its type and its value.
    fileprivate var members: [ContainerUse.Member] {
        switch self {
        case .string(let value): [("type", { $0.string("string") }), ("value", { $0.string(value) })]
        case .int64(let value): [("type", { $0.string("int64") }), ("value", { $0.integer(value) })]
        case .double(let value): [("type", { $0.string("double") }), ("value", { $0.double(value) })]
        case .boolean(let value): [("type", { $0.string("boolean") }), ("value", { $0.boolean(value) })]
        case .bytes(let value):
            [("type", { $0.string("bytes") }), ("value", { $0.string(Hexadecimal.text(value)) })]
        case .date(let value): [("type", { $0.string("date") }), ("value", { $0.string(value.description) })]
        case .array(let values):
            [("type", { $0.string("array") }), ("value", { $0.array(values) { $0.object($1.members) } })]
        case .dictionary(let values):
            [
                ("type", { $0.string("dictionary") }),
                (
                    "value",
                    { json in
                        let keys = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                        json.object(keys.map { key in (key, { $0.object(values[key]?.members ?? []) }) })
                    }
                ),
            ]
        }
    }
}

extension Document {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("path", { $0.string(path) }),
            ("created_at", { $0.string(createdAt.description) }),
            ("modified_at", { $0.string(modifiedAt.description) }),
            ("is_excluded_from_backup", { $0.boolean(isExcludedFromBackup) }),
            ("current", { current.write(to: &$0, hasFile: !isExcludedFromBackup) }),
            ("conflicts", { $0.array(conflicts) { $1.write(to: &$0, hasFile: !isExcludedFromBackup) } }),
            ("older_versions", { $0.array(olderVersions) { $1.write(to: &$0, hasFile: !isExcludedFromBackup) } }),
        ])
    }
}

extension DocumentVersion {
    /// - Parameter hasFile: Whether an archive has the contents.
    fileprivate func write(to json: inout JSONWriter, hasFile: Bool) {
        json.object([
            ("saved_at", { $0.string(savedAt.description) }),
            ("device", { json in device.map { json.string($0) } ?? json.null() }),
            ("file", { json in hasFile ? json.string(asset.fileName) : json.null() }),
            ("size", { $0.integer(Int64(size)) }),
            ("sha256", { $0.string(Hexadecimal.text(sha256)) }),
        ])
    }
}

extension Subscription {
    fileprivate func write(to json: inout JSONWriter, _ database: DatabaseScope) {
        func list(_ values: [String], _ json: inout JSONWriter) { json.array(values) { $0.string($1) } }
        func text(_ value: String?, _ json: inout JSONWriter) { value.map { json.string($0) } ?? json.null() }
        json.object([
            ("id", { $0.string(id) }),
            ("database", { $0.string(String(describing: database)) }),
            ("type", { $0.string(String(describing: type)) }),
            ("zone", { text(zone, &$0) }),
            ("record_type", { text(query?.recordType, &$0) }),
            ("predicate", { text(query?.predicate.text, &$0) }),
            ("arguments", { $0.array(query?.predicate.arguments ?? []) { $1.write(to: &$0) } }),
            ("options", { $0.integer(Int64(options.rawValue)) }),
            ("texts", { list(info.allTexts, &$0) }),
            ("desired_keys", { list(info.desiredKeys, &$0) }),
        ])
    }
}

extension WebSession {
    /// Without the time of the sign-in.
    fileprivate func writeRoughly(to json: inout JSONWriter) { json.object(members) }

    fileprivate func write(to json: inout JSONWriter) {
        json.object(members + [("signed_in_at", { $0.string(signedInAt.description) })])
    }

    private var members: [ContainerUse.Member] {
        [
            ("id", { $0.string(id) }),
            ("api_token", { $0.string(apiTokenName) }),
            ("created_at", { $0.string(createdAt.description) }),
            ("expires_at", { $0.string(expiresAt.description) }),
            ("is_lasting", { $0.boolean(isLasting) }),
        ]
    }
}

extension ServerKey {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("id", { $0.string(id) }),
            ("name", { $0.string(name) }),
            ("public_key", { $0.string(Hexadecimal.text(publicKey)) }),
            ("created_at", { $0.string(createdAt.description) }),
        ])
    }
}

extension FieldValue {
    /// A field as JSON: its type and its value.
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("type", { $0.string(String(describing: type)) }),
            ("value", { writeValue(to: &$0) }),
        ])
    }

    private func writeValue(to json: inout JSONWriter) {
        switch self {
        case .string(let value): json.string(value)
        case .int64(let value): json.integer(value)
        case .double(let value): json.double(value)
        case .boolean(let value): json.boolean(value)
        case .bytes(let value): json.string(Hexadecimal.text(value))
        case .date(let value): json.string(value.description)
        case .location(let value): value.write(to: &json)
        case .reference(let value): value.write(to: &json)
        case .asset(let value): value.write(to: &json)
        case .stringList(let values): json.array(values) { $0.string($1) }
        case .int64List(let values): json.array(values) { $0.integer($1) }
        case .doubleList(let values): json.array(values) { $0.double($1) }
        case .booleanList(let values): json.array(values) { $0.boolean($1) }
        case .bytesList(let values): json.array(values) { $0.string(Hexadecimal.text($1)) }
        case .dateList(let values): json.array(values) { $0.string($1.description) }
        case .locationList(let values): json.array(values) { $1.write(to: &$0) }
        case .referenceList(let values): json.array(values) { $1.write(to: &$0) }
        case .assetList(let values): json.array(values) { $1.write(to: &$0) }
        }
    }
}

extension Reference {
    /// A user record ID, or an object with the name, the zone and the action.
    fileprivate func write(to json: inout JSONWriter) {
        if let user { return json.string(user.description) }
        json.object([
            ("name", { $0.string(target.name) }),
            ("zone", { $0.string(target.zone) }),
            ("action", { $0.string(String(describing: action)) }),
        ])
    }
}

extension Asset {
    /// The size, the SHA-256, and the name of the file in an archive.
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("file", { $0.string(fileName) }),
            ("size", { $0.integer(Int64(size)) }),
            ("sha256", { $0.string(Hexadecimal.text(sha256)) }),
        ])
    }

    /// The name of the file in an archive.
    var fileName: String { "assets/\(id.hex)" }
}

extension Location {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([("latitude", { $0.double(latitude) }), ("longitude", { $0.double(longitude) })])
    }
}
