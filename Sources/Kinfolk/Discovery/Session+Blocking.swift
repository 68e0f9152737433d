import KinfolkStorage

extension Session {
    /// How many people a person may block in a container.
    public static let maximumBlocks = 10_000

    /// Blocks somebody in this container: from now on neither finds the other, by whatever they search.
    ///
    /// Nobody can tell whether they are blocked. Records that one has the ID of can still be fetched. Blocking twice is
    /// blocking once, and an ID that nobody has can be blocked too.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for one's own ID,
    ///   ``KinfolkError/Code/limitExceeded`` for more than ``maximumBlocks``,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func block(_ record: UserRecordID) throws(KinfolkError) {
        try service.write { db in
            let user = try userInGoodStanding(db)
            guard record != user.record else {
                throw KinfolkError(.invalidArgument, "Nobody blocks themselves.")
            }
            let known = try BlockTable.blocked(by: user.record, in: container.number, db)
            guard known.count < Session.maximumBlocks || known.contains(record) else {
                throw KinfolkError(.limitExceeded, "A person blocks at most \(Session.maximumBlocks) others.")
            }
            try Directory(service: service).changing(user.account, db) {
                try BlockTable.insert(record, by: user.record, isOperators: false, in: container.number, db)
            }
        }
    }

    /// Ends a block of this person's own. If there is none, nothing happens.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func unblock(_ record: UserRecordID) throws(KinfolkError) {
        try service.write { db in
            let user = try userInGoodStanding(db)
            let wasBlocked = try Directory(service: service).changing(user.account, db) {
                try BlockTable.delete(record, by: user.record, isOperators: false, in: container.number, db)
            }
            if wasBlocked { try container.resealPrivateRows(of: [user.record, record], db) }
        }
    }

    /// Whom this person blocked, in the order of the IDs. Not who blocked them, nor what the operator blocked.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func blockedUserRecordIDs() throws(KinfolkError) -> [UserRecordID] {
        try service.read { db in try BlockTable.blocked(by: user(db).record, in: container.number, db) }
    }
}

extension Container {
    /// The operator's block: from now on neither of two people finds the other. Neither sees it, nor can end it. If there is one
    /// between them already, nothing happens.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if both are the same.
    public func block(_ record: UserRecordID, from other: UserRecordID) throws(KinfolkError) {
        guard record != other else { throw KinfolkError(.invalidArgument, "A block is between two people.") }
        try service.write { db in
            try requireInUse(db)
            guard try !BlockTable.isOperators(record, by: other, in: number, db),
                try !BlockTable.isOperators(other, by: record, in: number, db)
            else { return }
            try changing(other, db) { try BlockTable.insert(record, by: other, isOperators: true, in: number, db) }
        }
    }

    /// Ends the operator's block between two people. Their own blocks stay. If there is none, nothing happens.
    public func unblock(_ record: UserRecordID, from other: UserRecordID) throws(KinfolkError) {
        try service.write { db in
            try requireInUse(db)
            for (one, other) in [(record, other), (other, record)] {
                guard try BlockTable.blockers(of: one, in: number, db).contains(other) else { continue }
                let wasBlocked = try changing(other, db) {
                    try BlockTable.delete(one, by: other, isOperators: true, in: number, db)
                }
                if wasBlocked { try resealPrivateRows(of: [one, other], db) }
            }
        }
    }

    /// The operator's blocks in this container, each pair once, a page at a time. Not those that people made.
    ///
    /// - Parameters:
    ///   - last: The last block of the page before; nil for the first page.
    ///   - limit: How many at most.
    public func operatorBlocks(
        after last: OperatorBlock? = nil,
        limit: Int = 1_000
    ) throws(KinfolkError) -> [OperatorBlock] {
        try service.read { db in
            try requireInUse(db)
            return try BlockTable.operators(after: last, limit: max(0, limit), in: number, db)
        }
    }

    /// Changes the blocks of somebody, who may be nobody: then they decide nothing.
    private func changing<Result>(
        _ record: UserRecordID,
        _ db: Connection,
        _ change: () throws -> Result
    ) throws -> Result {
        guard let account = try UserTable.row(of: record, in: number, service, db)?.account else { return try change() }
        return try Directory(service: service).changing(account, db, change)
    }

    /// After a block: the rows of both come back to each other's sight with new salts, as the rows of people who were away for
    /// another reason do. The old ones would show that they were hidden.
    fileprivate func resealPrivateRows(of people: [UserRecordID], _ db: Connection) throws {
        for record in people { try Directory(service: service).resealPrivateRows(of: record, in: number, db) }
    }
}
