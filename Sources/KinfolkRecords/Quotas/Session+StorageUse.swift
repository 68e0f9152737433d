public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel

extension Session {
    /// How many bytes the session's user has stored, and may store. Assets that are being uploaded are among them.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func storageUse() throws(KinfolkError) -> StorageUse {
        try service.read { db in
            try container.requireInUse(db)
            let user = try userInGoodStanding(db).record.value.bytes
            let quotas = try service.schemas.schema(of: container.number, service, db).quotas()
            return StorageUse(
                privateBytes: try ByteCountTable.total(.database, of: user, in: container.number, db),
                privateQuota: quotas[.user],
                publicBytes: try ByteCountTable.total(.creator, of: user, in: container.number, db),
                publicQuota: quotas[.creator]
            )
        }
    }
}
