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
            let creator = try userInGoodStanding(db).record
            let user = creator.value.bytes
            let quotas = try service.schemas.schema(of: container.number, service, db).quotas()
            let publicBytes =
                if let quota = quotas[.creator] {
                    try CreatorDebts(service, db).total(of: creator, in: container.number, quota: quota)
                } else {
                    try ByteCountTable.total(.creator, of: user, in: container.number, db)
                }
            return StorageUse(
                privateBytes: try ByteCountTable.total(.database, of: user, in: container.number, db),
                privateQuota: quotas[.user],
                publicBytes: publicBytes,
                publicQuota: quotas[.creator]
            )
        }
    }
}
