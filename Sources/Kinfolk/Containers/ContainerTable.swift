import KinfolkStorage

/// The table of containers.
enum ContainerTable {
    enum State: Int64 {
        case inUse = 0
        /// No session or operator can use it any more, and its rows are being deleted.
        case ending = 1
        /// Only its number and its name remain.
        case deleted = 2
    }

    struct Row {
        /// The container's number in this store. It has no meaning outside the store, and is never reused.
        let number: Int64
        let name: String
        let state: State

        fileprivate var message: [UInt8] {
            var encoding = RowEncoding("containers")
            encoding.append(number)
            encoding.append(Array(name.utf8))
            encoding.append(state.rawValue)
            return encoding.bytes
        }
    }

    /// The container that currently has a name: in use or being deleted.
    static func row(named name: String, _ keys: KeyRing, _ db: Connection) throws -> Row? {
        try db.first(
            "SELECT container_id, name, state, mac FROM containers WHERE name = $1 AND state <> 2",
            .text(name)
        ) { try verified($0, keys) }
    }

    /// All containers, verified, in the order of their names.
    static func verified(_ keys: KeyRing, _ db: Connection) throws -> [Row] {
        try db.all("SELECT container_id, name, state, mac FROM containers ORDER BY name, container_id") {
            try verified($0, keys)
        }
    }

    private static func verified(_ row: any Statement, _ keys: KeyRing) throws -> Row {
        let state = State(rawValue: row.integer(2))
        let container = state.map { Row(number: row.integer(0), name: row.text(1), state: $0) }
        guard let container, keys.isAuthentic(row.bytes(3), of: container.message) else {
            throw KinfolkError.damaged(
                "A container has another name or state than it was given: the store was changed from outside."
            )
        }
        return container
    }

    /// Whether the code in a row is valid.
    static func isAuthentic(_ mac: [UInt8], ofNumber number: Int64, _ name: String, state: Int64, _ keys: KeyRing)
        -> Bool
    {
        guard let state = State(rawValue: state) else { return false }
        return keys.isAuthentic(mac, of: Row(number: number, name: name, state: state).message)
    }

    /// Authenticates all containers under the newest key.
    static func renewCodes(_ keys: KeyRing, _ db: Connection) throws {
        for container in try verified(keys, db) { try set(container.state, of: container, keys, db) }
    }

    /// Changes the state of a container and renews its authentication code.
    static func set(_ state: State, of container: Row, _ keys: KeyRing, _ db: Connection) throws {
        let row = Row(number: container.number, name: container.name, state: state)
        try db.execute(
            "UPDATE containers SET state = $2, mac = $3 WHERE container_id = $1",
            .integer(row.number),
            .integer(row.state.rawValue),
            .tag(keys.authenticationCode(of: row.message))
        )
    }

    /// The numbers of containers that are deleted or being deleted.
    static func ended(_ db: Connection) throws -> Set<Int64> {
        Set(try db.all("SELECT container_id FROM containers WHERE state <> 0") { $0.integer(0) })
    }

    static func exists(_ container: Int64, _ db: Connection) throws -> Bool {
        try db.first("SELECT 1 FROM containers WHERE container_id = $1 AND state <> 2", .integer(container)) { _ in
            true
        } ?? false
    }

    static func name(of container: Int64, _ db: Connection) throws -> String {
        try db.first("SELECT name FROM containers WHERE container_id = $1", .integer(container)) { $0.text(0) } ?? ""
    }

    /// Takes the number of the next epoch of the private directory. A number is never used twice.
    static func takePrivateEpoch(of container: Int64, _ db: Connection) throws -> UInt32 {
        let epoch = try db.first(
            """
            UPDATE containers SET private_epoch = private_epoch + 1
            WHERE container_id = $1 AND private_epoch BETWEEN 0 AND 4294967294 RETURNING private_epoch
            """,
            .integer(container)
        ) { $0.integer(0) }
        guard let number = epoch.flatMap(UInt32.init(exactly:)) else { throw StorageError(.corrupt) }
        return number
    }

    /// How many bits of a bucket position clients reveal, as set by the operator; nil to choose by the size of the directory.
    static func prefixBits(of container: Int64, _ db: Connection) throws -> PrefixBits? {
        let bits = try db.first("SELECT prefix_bits FROM containers WHERE container_id = $1", .integer(container)) {
            row in
            row.isNull(0) ? nil : PrefixBits(clamping: Int(row.integer(0)))
        }
        return bits ?? nil
    }

    static func setPrefixBits(_ bits: PrefixBits?, of container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE containers SET prefix_bits = $2 WHERE container_id = $1",
            .integer(container),
            bits.map { .integer(Int64($0.count)) } ?? .null
        )
    }

    /// Stores when rows of the private directory are to be re-sealed as cover.
    static func setCoverDue(
        _ due: Timestamp,
        of container: Int64,
        onlyIfMissing: Bool = false,
        _ db: Connection
    ) throws {
        try db.execute(
            onlyIfMissing
                ? "UPDATE containers SET cover_due = $2 WHERE container_id = $1 AND cover_due IS NULL"
                : "UPDATE containers SET cover_due = $2 WHERE container_id = $1",
            .integer(container),
            .integer(due.microseconds)
        )
    }

    /// The containers whose cover is due, with the due time.
    static func withCoverDue(at now: Timestamp, _ db: Connection) throws -> [(container: Int64, due: Timestamp)] {
        try db.all(
            "SELECT container_id, cover_due FROM containers WHERE cover_due <= $1",
            .integer(now.microseconds)
        ) { ($0.integer(0), Timestamp(microseconds: $0.integer(1))) }
    }

    /// The containers that have rows: in use or being deleted.
    static func all(_ db: Connection) throws -> [(name: String, number: Int64)] {
        try db.all("SELECT name, container_id FROM containers WHERE state <> 2 ORDER BY name") {
            ($0.text(0), $0.integer(1))
        }
    }

    static func insert(_ name: String, at now: Timestamp, _ keys: KeyRing, _ db: Connection) throws -> Int64 {
        let last = try db.first("SELECT coalesce(max(container_id), 0) FROM containers") { $0.integer(0) } ?? 0
        // Clients identify an epoch by the container's name and the epoch number. A deleted container of the same name used the
        // first numbers.
        let epoch = try db.first("SELECT coalesce(max(private_epoch), 0) FROM containers WHERE name = $1", .text(name))
        {
            $0.integer(0)
        }
        let (number, isOver) = last.addingReportingOverflow(1)
        guard !isOver else { throw StorageError(.corrupt) }
        try db.execute(
            """
            INSERT INTO containers (container_id, name, mac, private_epoch, created_at) VALUES ($1, $2, $3, $4, $5)
            """,
            .integer(number),
            .text(name),
            .tag(keys.authenticationCode(of: Row(number: number, name: name, state: .inUse).message)),
            .integer(epoch ?? 0),
            .integer(now.microseconds)
        )
        return number
    }

    /// Clears the remaining settings of a deleted container.
    static func empty(_ container: Int64, _ db: Connection) throws {
        try db.execute(
            "UPDATE containers SET prefix_bits = NULL, cover_due = NULL, created_at = 0 WHERE container_id = $1",
            .integer(container)
        )
    }
}
