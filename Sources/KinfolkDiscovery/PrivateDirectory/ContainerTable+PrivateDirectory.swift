import KinfolkAccounts
import KinfolkModel
package import KinfolkPrivateClient
package import KinfolkStorage

/// The columns of a container that belong to its private directory.
extension ContainerTable {
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
    package static func prefixBits(of container: Int64, _ db: Connection) throws -> PrefixBits? {
        let bits = try db.first("SELECT prefix_bits FROM containers WHERE container_id = $1", .integer(container)) {
            row in
            row.isNull(0) ? nil : PrefixBits(clamping: Int(row.integer(0)))
        }
        return bits ?? nil
    }

    package static func setPrefixBits(_ bits: PrefixBits?, of container: Int64, _ db: Connection) throws {
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
}
