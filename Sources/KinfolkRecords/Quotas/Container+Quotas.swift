public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// A quota of this container, in bytes; nil if there is no limit. An asset may have 250,000,000 bytes unless the operator
    /// sets another limit; the other quotas have none.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was edited without the key.
    public func quota(_ quota: Quota) throws(KinfolkError) -> Int? {
        try service.read { db in try limits(db).quotas[quota] }
    }

    /// Changes a quota of this container. What exceeds it already stays; saves that add bytes then fail with
    /// ``KinfolkError/Code/quotaExceeded`` until enough is deleted.
    ///
    /// ```swift
    /// try container.setQuota(.user, to: 1_000_000_000)
    /// ```
    ///
    /// - Parameter bytes: The limit; nil for none.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for a negative number.
    public func setQuota(_ quota: Quota, to bytes: Int?) throws(KinfolkError) {
        guard bytes ?? 0 >= 0 else { throw KinfolkError(.invalidArgument, "A quota is not negative.") }
        try service.write { db in
            var limits = try limits(db)
            limits.quotas[quota] = bytes
            try ContainerLimitsTable.set(limits, of: number, service.keys(db), db)
            // The allowances of the lanes are parts of the former limit.
            if quota == .publicDatabase { try ByteCountTable.withdrawAllowances(in: number, db) }
            // The quotas are cached with the schema.
            try SchemaTable.renewStamp(of: number, db)
        }
    }
}
