import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Deletes web sessions, sign-ins, sign-in codes and used signatures that have expired.
enum AccessExpiry {
    static func run(_ service: Service) throws {
        guard !service.isReadOnly else { return }
        let now = service.clock()
        let isDue = try service.store.read { db in
            try WebSessionTable.hasExpired(at: now, db) || UsedSignatureTable.hasExpired(at: now, db)
                || SignInTable.hasExpired(at: now, db) || PendingSignInTable.hasExpired(at: now, db)
        }
        guard isDue else { return }
        try service.store.write { db in
            try WebSessionTable.deleteExpired(at: now, db)
            try UsedSignatureTable.deleteExpired(at: now, db)
            try SignInTable.deleteExpired(at: now, db)
            try PendingSignInTable.deleteExpired(at: now, db)
        }
    }
}
