import KinfolkStorage

/// The table of containers.
enum ContainerTable {
    /// A container's number in this store. It says nothing outside of it.
    static func number(named name: String, _ keys: KeyRing, _ db: Connection) throws -> Int64? {
        let row = try db.first("SELECT container_id, mac FROM containers WHERE name = $1", .text(name)) { row in
            (number: row.integer(0), mac: row.bytes(1))
        }
        guard let row else { return nil }
        guard keys.isAuthentic(row.mac, of: message(row.number, name)) else { throw renamed }
        return row.number
    }

    /// All containers, verified, in the order of their names.
    static func verified(_ keys: KeyRing, _ db: Connection) throws -> [(name: String, number: Int64)] {
        try db.all("SELECT name, container_id, mac FROM containers ORDER BY name") { row in
            let (name, number) = (row.text(0), row.integer(1))
            guard keys.isAuthentic(row.bytes(2), of: message(number, name)) else { throw renamed }
            return (name, number)
        }
    }

    /// Authenticates all of them by the newest key.
    static func renewCodes(_ keys: KeyRing, _ db: Connection) throws {
        for container in try verified(keys, db) {
            try db.execute(
                "UPDATE containers SET mac = $2 WHERE container_id = $1",
                .integer(container.number),
                .tag(keys.authenticationCode(of: message(container.number, container.name)))
            )
        }
    }

    private static func message(_ number: Int64, _ name: String) -> [UInt8] {
        var encoding = RowEncoding("containers")
        encoding.append(number)
        encoding.append(Array(name.utf8))
        return encoding.bytes
    }

    private static var renamed: KinfolkError {
        KinfolkError(
            .storeCorrupt,
            "A container has another name than it was given: the store was changed from outside."
        )
    }

    static func exists(_ container: Int64, _ db: Connection) throws -> Bool {
        try db.first("SELECT 1 FROM containers WHERE container_id = $1", .integer(container)) { _ in true } ?? false
    }

    static func name(of container: Int64, _ db: Connection) throws -> String {
        try db.first("SELECT name FROM containers WHERE container_id = $1", .integer(container)) { $0.text(0) } ?? ""
    }

    /// The number of the next epoch of the private directory. No two ever have the same.
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

    /// How many bits of a tag the operator wants told; nil for what suits the directory.
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

    /// Notes when rows of the private directory are to be sealed anew as cover.
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

    /// The containers whose cover is due, with the moment.
    static func withCoverDue(at now: Timestamp, _ db: Connection) throws -> [(container: Int64, due: Timestamp)] {
        try db.all(
            "SELECT container_id, cover_due FROM containers WHERE cover_due <= $1",
            .integer(now.microseconds)
        ) { ($0.integer(0), Timestamp(microseconds: $0.integer(1))) }
    }

    static func all(_ db: Connection) throws -> [(name: String, number: Int64)] {
        try db.all("SELECT name, container_id FROM containers ORDER BY name") { ($0.text(0), $0.integer(1)) }
    }

    static func insert(_ name: String, at now: Timestamp, _ keys: KeyRing, _ db: Connection) throws -> Int64 {
        let last = try db.first("SELECT coalesce(max(container_id), 0) FROM containers") { $0.integer(0) } ?? 0
        let (number, isOver) = last.addingReportingOverflow(1)
        guard !isOver else { throw StorageError(.corrupt) }
        try db.execute(
            """
            INSERT INTO containers (container_id, name, mac, created_at) VALUES ($1, $2, $3, $4)
            """,
            .integer(number),
            .text(name),
            .tag(keys.authenticationCode(of: message(number, name))),
            .integer(now.microseconds)
        )
        return number
    }
}
