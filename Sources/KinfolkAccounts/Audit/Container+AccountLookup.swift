public import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Container {
    /// The account behind a user record ID: for the operator, for example after a report of abuse. Sessions have no such call, so an
    /// application cannot get from an ID to an account.
    ///
    /// Each call adds an entry to the audit log (`Service/auditLog(after:limit:)`), which is on disk before the call returns,
    /// even if nobody has the ID.
    ///
    /// ```swift
    /// let account = try container.account(of: reported, reason: "Ticket 4711: threats")
    /// try account.suspend()
    /// ```
    ///
    /// - Parameters:
    ///   - record: The user record ID.
    ///   - reason: The reason, in 1 to 1,024 bytes: for example a ticket's number. It is sealed in the store.
    /// - Throws: ``KinfolkError/Code/unknownItem`` if nobody has this ID here,
    ///   ``KinfolkError/Code/invalidArgument`` without a reason, ``KinfolkError/Code/limitExceeded`` for one that is too long.
    public func account(of record: UserRecordID, reason: String) throws(KinfolkError) -> Account {
        guard !reason.isEmpty else { throw KinfolkError(.invalidArgument, "A look-up needs a reason.") }
        guard reason.utf8.count <= 1_024 else {
            throw KinfolkError(.limitExceeded, "A reason has at most 1,024 bytes.")
        }
        let found: Result<AccountID?, KinfolkError> = try service.write { db in
            let keys = try service.keys(db)
            try requireInUse(db)
            try AuditTable.insert(record, in: number, reason: reason, at: service.clock(), keys, db)
            // The entry is kept even if the row turns out to be invalid.
            do {
                return .success(try UserTable.row(of: record, in: number, service, db)?.account)
            } catch { return .failure(KinfolkError(error)) }
        }
        guard let id = try found.get() else {
            throw KinfolkError(.unknownItem, "Nobody has this user record ID in this container.")
        }
        return try service.account(id)
    }
}

extension Service {
    /// The look-ups of accounts by user record ID, in order, a page at a time: those after a number.
    ///
    /// ```swift
    /// var page = try service.auditLog()
    /// while let last = page.last {
    ///     for entry in page { print(entry.number, entry.container, entry.reason ?? "erased") }
    ///     page = try service.auditLog(after: last.number)
    /// }
    /// ```
    public func auditLog(after number: Int64 = 0, limit: Int = 1_000) throws(KinfolkError) -> [AuditEntry] {
        try read { db in try AuditTable.entries(after: number, limit: max(0, limit), keys(db), db) }
    }
}
