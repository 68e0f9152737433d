import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

/// Limits of each person in a container, for the operator.
extension Container {
    /// The rate limit of discovery in this container.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was edited without the key.
    public func permitLimit() throws(KinfolkError) -> PermitLimit {
        try service.read { db in try limits(db).permits }
    }

    /// Changes the rate limit of discovery.
    ///
    /// ```swift
    /// try container.setPermitLimit(PermitLimit(capacity: 5_000, perHour: 2))
    /// ```
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the capacity is 0, or the rate negative, infinite or not a
    ///   number.
    public func setPermitLimit(_ limit: PermitLimit) throws(KinfolkError) {
        guard limit.capacity >= 1, limit.perHour >= 0, limit.perHour.isFinite else {
            throw KinfolkError(
                .invalidArgument,
                "The capacity must be at least 1, and the rate must not be negative."
            )
        }
        try change { $0.permits = limit }
    }

    /// How many permits a person has left, rounded down. Permits that other processes have leased for the person count as
    /// spent.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if nobody has this ID here,
    ///   ``KinfolkError/Code/storeCorrupt`` if what the person spent was edited without the key.
    public func permitsLeft(of record: UserRecordID) throws(KinfolkError) -> UInt32 {
        let left = try service.read { db in try session(of: record, db).left(of: .permits, inMemory: true, db) }
        return UInt32(clamping: left / Limit.unit)
    }

    /// Sets how many permits a person has left: for example more for a person who spent them on a faulty import, or none.
    ///
    /// It also replaces what the person's addresses remember of spent permits, so that the change lasts when an address is
    /// verified again. What other processes spent in the last minutes and have not written yet still counts afterwards.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if nobody has this ID here, ``KinfolkError/Code/limitExceeded`` if `permits`
    ///   is more than the person can hold: raise the limit first (`setPermitLimit(_:)`).
    public func setPermitsLeft(_ permits: UInt32, of record: UserRecordID) throws(KinfolkError) {
        try setLeft(permits, of: record)
    }

    /// Sets the permits of a person to the most that the person can hold. Otherwise it works like `setPermitsLeft(_:of:)`.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if nobody has this ID here.
    public func topUpPermits(of record: UserRecordID) throws(KinfolkError) { try setLeft(nil, of: record) }

    private func setLeft(_ permits: UInt32?, of record: UserRecordID) throws(KinfolkError) {
        var inMemory: [LimitHolder: LimitLeases.Lease] = [:]
        do {
            try service.write { db in
                service.leases.putBack(inMemory)
                inMemory = try session(of: record, db).setLeft(permits, of: .permits, db)
            }
        } catch {
            service.leases.putBack(inMemory)
            throw error
        }
    }

    private func session(of record: UserRecordID, _ db: Connection) throws -> Session {
        try requireInUse(db)
        guard let user = try UserTable.row(of: record, in: number, service, db) else {
            throw KinfolkError(.unknownItem, "Nobody has this user record ID in this container.")
        }
        return Session(container: self, account: user.account, recordID: record)
    }

    /// The limit of the work of private discovery in this container.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was edited without the key.
    public func privateWorkLimit() throws(KinfolkError) -> PrivateWorkLimit {
        try service.read { db in try limits(db).work }
    }

    /// Changes the limit of the work of private discovery.
    public func setPrivateWorkLimit(_ limit: PrivateWorkLimit) throws(KinfolkError) {
        try change { $0.work = limit }
    }

    /// How many new fields each person may add to the schema of this container: 50 unless it was changed.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was edited without the key.
    public func fieldLimit() throws(KinfolkError) -> UInt32 {
        try service.read { db in try limits(db).fields }
    }

    /// Changes how many new fields each person may add to the schema.
    ///
    /// - Parameter fields: 0 to let only the operator add fields: see `addField(_:type:)`.
    public func setFieldLimit(_ fields: UInt32) throws(KinfolkError) { try change { $0.fields = fields } }

    package func limits(_ db: Connection) throws -> ContainerLimits {
        try requireInUse(db)
        return try ContainerLimitsTable.limits(of: number, service.keys(db), db)
    }

    private func change(_ body: (inout ContainerLimits) -> Void) throws(KinfolkError) {
        try service.write { db in
            var limits = try limits(db)
            body(&limits)
            try ContainerLimitsTable.set(limits, of: number, service.keys(db), db)
        }
    }
}
