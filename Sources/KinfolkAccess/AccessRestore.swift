import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// What a restored backup must not bring back: web sessions and sign-ins that have ended since, and signatures that were used since.
package enum AccessRestore {
    /// People sign in again, and no signature from before is accepted.
    package static func run(at now: Timestamp, _ db: Connection) throws {
        try db.execute("DELETE FROM web_sessions")
        try db.execute("DELETE FROM sign_ins")
        try db.execute("DELETE FROM pending_sign_ins")
        try UsedSignatureTable.refuse(until: now.adding(seconds: SignatureTimes.lifetime), db)
    }
}
