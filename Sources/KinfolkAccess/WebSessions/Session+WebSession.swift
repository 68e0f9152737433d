package import KinfolkAccounts
import KinfolkCore
package import KinfolkModel
import KinfolkStorage

extension Session {
    /// Whether the web session whose device this is has not ended. It says nothing of whether the row is authentic: that was found out when the
    /// session was made.
    package func hasWebSession() throws(KinfolkError) -> Bool {
        guard let account else { return false }
        return try service.read { db in
            try db.first(
                """
                SELECT 1 FROM web_sessions
                WHERE account_id = $1 AND container_id = $2 AND session_id = $3 AND expires_at > $4
                """,
                .id(account.value),
                .integer(container.number),
                .id(device),
                .integer(service.clock().microseconds)
            ) { _ in true } ?? false
        }
    }
}
