import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// What distinguishes user records from all others: each user has one in each of the two databases, which exists without having been
/// saved. They cannot be created or deleted.
enum UserRecordRule {
    /// Throws unless the type and the name of a record fit together.
    static func check(_ type: String, _ id: RecordID) throws(KinfolkError) {
        guard (type == RecordType.users) == (id.user != nil) else {
            throw KinfolkError(
                .invalidArgument,
                "A record of the type Users is named by a user record ID, and no other record is."
            )
        }
    }

    /// The record that every user has, before it is saved. Nil if nobody has the ID.
    static func unsaved(
        _ user: UserRecordID,
        in container: Int64,
        _ service: Service,
        _ db: Connection
    ) throws -> RecordRow? {
        guard let row = try UserTable.row(of: user, in: container, service, db) else { return nil }
        let content = RecordContent(
            name: user.description,
            creator: user,
            createdAt: row.createdAt,
            modifier: user,
            modifiedAt: row.createdAt,
            fields: Fields()
        )
        return RecordRow(unsaved: content)
    }

    static var isKept: KinfolkError {
        KinfolkError(.permissionFailure, "A user record cannot be deleted: it exists as long as its user.")
    }
}
