import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// The table of the sign-ins to accounts at the pages of a network service that have not ended, and of the browsers that have asked for the
/// newest code of an account.
///
/// Its rows are not authenticated: a row is worth nothing without the sealed state of the sign-in, which the browser holds.
enum SignInTable {
    /// The most sign-ins of an account that a person has proved. The one that expires first ends when there is another.
    private static let limit: Int64 = 100

    static func insert(
        _ id: RandomID,
        of account: AccountID,
        isProved: Bool,
        to container: Int64,
        until end: Timestamp,
        _ db: Connection
    ) throws {
        try db.execute(
            """
            INSERT INTO sign_ins (account_id, sign_in_id, is_proved, to_container, expires_at) VALUES ($1, $2, $3, $4, $5)
            """,
            .id(account.value),
            .id(id),
            .integer(isProved ? 1 : 0),
            .integer(container),
            .integer(end.microseconds)
        )
    }

    /// Ends the sign-ins of an account for which there is no room if another begins.
    static func makeRoom(for account: AccountID, _ db: Connection) throws {
        try db.execute(
            """
            DELETE FROM sign_ins WHERE account_id = $1 AND sign_in_id IN (SELECT sign_in_id FROM sign_ins
                WHERE account_id = $1 AND is_proved = 1 ORDER BY expires_at DESC, sign_in_id LIMIT $2 OFFSET $3)
            """,
            .id(account.value),
            .integer(limit),
            .integer(limit - 1)
        )
    }

    static func exists(_ id: RandomID, of account: AccountID, isProved: Bool, at now: Timestamp, _ db: Connection)
        throws
        -> Bool
    {
        try db.first(
            """
            SELECT 1 FROM sign_ins WHERE account_id = $1 AND sign_in_id = $2 AND is_proved = $3 AND expires_at > $4
            """,
            .id(account.value),
            .id(id),
            .integer(isProved ? 1 : 0),
            .integer(now.microseconds)
        ) { _ in true } ?? false
    }

    /// Deletes those that nobody has proved yet.
    static func deleteUnproved(of account: AccountID, _ db: Connection) throws {
        try db.execute("DELETE FROM sign_ins WHERE account_id = $1 AND is_proved = 0", .id(account.value))
    }

    /// - Returns: Whether there was one.
    static func delete(_ id: RandomID, of account: AccountID, _ db: Connection) throws -> Bool {
        try db.changes(
            "DELETE FROM sign_ins WHERE account_id = $1 AND sign_in_id = $2",
            .id(account.value),
            .id(id)
        ) == 1
    }

    static func deleteAll(of account: AccountID, _ db: Connection) throws {
        try db.execute("DELETE FROM sign_ins WHERE account_id = $1", .id(account.value))
    }

    static func deleteAll(of account: AccountID, to container: Int64, _ db: Connection) throws {
        try db.execute(
            "DELETE FROM sign_ins WHERE account_id = $1 AND to_container = $2",
            .id(account.value),
            .integer(container)
        )
    }
}
