import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The table of the signatures of requests that servers made, until they expire.
///
/// Its rows are not authenticated: to accept a request twice, somebody would need write access to the database and a copy of the request.
enum UsedSignatureTable {
    /// The name of the latest expiration of a deleted row. A clock that goes back makes such a signature look valid again, so everything
    /// that expires before this is refused.
    private static let horizon = "signatures"

    /// Notes a signature.
    ///
    /// - Returns: Whether it was not used before. False too if that is not known any more.
    static func insert(
        _ r: [UInt8],
        of key: [UInt8],
        in container: Int64,
        until end: Timestamp,
        at now: Timestamp,
        _ db: Connection
    ) throws -> Bool {
        if var horizon = try horizon(db) {
            // The clock was ahead. No signature that is accepted now ends later than this, so none is accepted twice.
            let latest = now.adding(seconds: SignatureTimes.difference + SignatureTimes.lifetime)
            if horizon > latest {
                horizon = latest
                try set(horizon, db)
            }
            guard end > horizon else { return false }
        }
        return try db.changes(
            """
            INSERT INTO used_signatures (container_id, key_id, r, expires_at) VALUES ($1, $2, $3, $4)
            ON CONFLICT DO NOTHING
            """,
            .integer(container),
            .bytes(key),
            .bytes(r),
            .integer(end.microseconds)
        ) == 1
    }

    static func deleteExpired(at now: Timestamp, _ db: Connection) throws {
        let last = try db.first(
            "SELECT expires_at FROM used_signatures WHERE expires_at <= $1 ORDER BY expires_at DESC LIMIT 1",
            .integer(now.microseconds)
        ) { Timestamp(microseconds: $0.integer(0)) }
        guard let last else { return }
        try db.execute("DELETE FROM used_signatures WHERE expires_at <= $1", .integer(last.microseconds))
        try refuse(until: last, db)
    }

    /// Refuses all signatures that expire by then.
    static func refuse(until end: Timestamp, _ db: Connection) throws {
        try set(horizon(db).map { max($0, end) } ?? end, db)
    }

    private static func set(_ horizon: Timestamp, _ db: Connection) throws {
        try ServiceTable.set(
            UsedSignatureTable.horizon,
            withUnsafeBytes(of: horizon.microseconds.bigEndian, Array.init),
            db
        )
    }

    private static func horizon(_ db: Connection) throws -> Timestamp? {
        guard let bytes = try ServiceTable.value(horizon, db) else { return nil }
        guard bytes.count == 8 else { throw StorageError(.corrupt) }
        return Timestamp(microseconds: Int64(bitPattern: bytes.reduce(0) { $0 << 8 | UInt64($1) }))
    }
}
