import KinfolkStorage

/// What each person may do in a container: for the operator.
extension Container {
    /// The rate limit of discovery in this container.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was changed from outside.
    public func permitLimit() throws(KinfolkError) -> PermitLimit {
        try service.read { db in try limits(db).permits }
    }

    /// Changes the rate limit of discovery.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the capacity is 0, or the rate negative, infinite or not a
    ///   number.
    public func setPermitLimit(_ limit: PermitLimit) throws(KinfolkError) {
        guard limit.capacity >= 1, limit.perHour >= 0, limit.perHour.isFinite else {
            throw KinfolkError(
                .invalidArgument,
                "A capacity is at least 1, and a rate is a number that is not negative."
            )
        }
        try change { $0.permits = limit }
    }

    /// The limit of the work of private discovery in this container.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was changed from outside.
    public func privateWorkLimit() throws(KinfolkError) -> PrivateWorkLimit {
        try service.read { db in try limits(db).work }
    }

    /// Changes the limit of the work of private discovery.
    public func setPrivateWorkLimit(_ limit: PrivateWorkLimit) throws(KinfolkError) {
        try change { $0.work = limit }
    }

    /// How many new fields each person may add to the schema of this container: 50 unless it was changed.
    ///
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if it was changed from outside.
    public func fieldLimit() throws(KinfolkError) -> UInt32 {
        try service.read { db in try limits(db).fields }
    }

    /// Changes how many new fields each person may add to the schema.
    ///
    /// - Parameter fields: 0 if only the operator may: see `addField(_:type:)`.
    public func setFieldLimit(_ fields: UInt32) throws(KinfolkError) { try change { $0.fields = fields } }

    func limits(_ db: Connection) throws -> ContainerLimits {
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
