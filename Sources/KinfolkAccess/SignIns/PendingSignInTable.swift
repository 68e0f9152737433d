import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// The table of the sign-ins by an address that no account has, and whose code was not entered yet. There is no account before that.
///
/// A row holds nothing of the address: the browser has it, in the sealed state of the sign-in, and the hash of the code is bound to it. So the
/// rows are not authenticated either.
enum PendingSignInTable {
    /// - Parameter id: The ID that the account gets.
    static func set(_ code: MailedCode, of id: AccountID, until end: Timestamp, _ db: Connection) throws {
        try db.execute(
            """
            INSERT INTO pending_sign_ins (pending_id, code_tag, tries, issued_at, expires_at) VALUES ($1, $2, 0, $3, $4)
            ON CONFLICT (pending_id) DO UPDATE SET
            code_tag = excluded.code_tag, tries = 0, issued_at = excluded.issued_at, expires_at = excluded.expires_at
            """,
            .id(id.value),
            .bytes(code.tag),
            .integer(code.issuedAt.microseconds),
            .integer(end.microseconds)
        )
    }

    static func code(of id: AccountID, _ db: Connection) throws -> MailedCode? {
        try db.first("SELECT code_tag, tries, issued_at FROM pending_sign_ins WHERE pending_id = $1", .id(id.value)) {
            row in
            MailedCode(
                tag: row.bytes(0),
                tries: row.integer(1),
                issuedAt: Timestamp(microseconds: row.integer(2))
            )
        }
    }

    static func countTry(of id: AccountID, _ db: Connection) throws {
        try db.execute("UPDATE pending_sign_ins SET tries = tries + 1 WHERE pending_id = $1", .id(id.value))
    }

    static func delete(_ id: AccountID, _ db: Connection) throws {
        try db.execute("DELETE FROM pending_sign_ins WHERE pending_id = $1", .id(id.value))
    }
}
