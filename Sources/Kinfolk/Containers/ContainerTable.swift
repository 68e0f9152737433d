import KinfolkStorage

/// The table of containers.
enum ContainerTable {
    /// A container's number in this store. It says nothing outside of it.
    static func number(named name: String, _ db: Connection) throws -> Int64? {
        try db.first("SELECT container_id FROM containers WHERE name = $1", .text(name)) { $0.integer(0) }
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

    static func all(_ db: Connection) throws -> [(name: String, number: Int64)] {
        try db.all("SELECT name, container_id FROM containers ORDER BY name") { ($0.text(0), $0.integer(1)) }
    }

    static func insert(_ name: String, at now: Timestamp, _ db: Connection) throws -> Int64 {
        let last = try db.first("SELECT coalesce(max(container_id), 0) FROM containers") { $0.integer(0) } ?? 0
        let (number, isOver) = last.addingReportingOverflow(1)
        guard !isOver else { throw StorageError(.corrupt) }
        try db.execute(
            """
            INSERT INTO containers (container_id, name, created_at) VALUES ($1, $2, $3)
            """,
            .integer(number),
            .text(name),
            .integer(now.microseconds)
        )
        return number
    }
}
