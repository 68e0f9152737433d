import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Deletes web sessions, sign-ins, sign-in codes and used signatures that have expired.
enum AccessExpiry {
    /// The tables whose expired rows are only deleted.
    private static let simple = ["sign_ins", "pending_sign_ins"]

    static func run(_ service: Service) throws {
        guard !service.isReadOnly else { return }
        let now = service.clock()
        let isDue = try service.store.read { db in
            try (["web_sessions", "used_signatures"] + simple).contains { table in
                let sql = "SELECT 1 FROM \(table) WHERE expires_at <= $1 LIMIT 1"
                return try db.using(composed: sql, [.integer(now.microseconds)]) { try $0.step() }
            }
        }
        guard isDue else { return }
        try service.store.write { db in
            try WebSessionTable.deleteExpired(at: now, db)
            try UsedSignatureTable.deleteExpired(at: now, db)
            for table in simple {
                try db.execute(
                    composed: "DELETE FROM \(table) WHERE expires_at <= $1",
                    [.integer(now.microseconds)]
                )
            }
        }
    }
}
