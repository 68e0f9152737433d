public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Session {
    /// How many people a person may block in a container.
    public static let maximumBlocks = 1_000

    /// Blocks a person in this container: from now on, neither finds the other, by any kind of search.
    ///
    /// Neither person can detect a block by the other. A record can still be fetched by its ID. Blocking twice has the same
    /// effect as once, and an ID that nobody has can be blocked too.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for the person's own ID,
    ///   ``KinfolkError/Code/limitExceeded`` for more than ``maximumBlocks``,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func block(_ record: UserRecordID) throws(KinfolkError) {
        try service.write { db in
            let user = try userInGoodStanding(db)
            guard record != user.record else {
                throw KinfolkError(.invalidArgument, "A person cannot block themself.")
            }
            let known = try BlockTable.blocked(by: user.record, in: container.number, db)
            guard known.count < Session.maximumBlocks || known.contains(record) else {
                throw KinfolkError(.limitExceeded, "A person can block at most \(Session.maximumBlocks) others.")
            }
            try service.changing(user.account, known: user.rows, db) { rows in
                try rows.insertBlock(record, by: user.record, isOperators: false, in: container.number, db)
            }
        }
    }

    /// Ends a block that this person made. If there is none, nothing happens.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func unblock(_ record: UserRecordID) throws(KinfolkError) {
        try service.write { db in
            let user = try userInGoodStanding(db)
            let wasBlocked = try service.changing(user.account, known: user.rows, db) { rows in
                try rows.deleteBlock(record, by: user.record, isOperators: false, in: container.number, db)
            }
            if wasBlocked { try container.resealPrivateRows(of: [user.record, record], db) }
        }
    }

    /// The people whom this person blocked, in the order of their IDs; neither those who blocked this person, nor the operator's
    /// blocks.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func blockedUserRecordIDs() throws(KinfolkError) -> [UserRecordID] {
        try service.read { db in try BlockTable.blocked(by: user(db).record, in: container.number, db) }
    }
}

extension Container {
    /// How many accounts are prefetched together. An account may have ``Session/maximumBlocks`` rows.
    private static let accountsAhead = 100

    /// Makes a block as the operator: from now on, neither of two people finds the other. They can neither see nor end it. If the
    /// operator has already blocked the two, nothing happens.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if both are the same.
    public func block(_ record: UserRecordID, from other: UserRecordID) throws(KinfolkError) {
        guard record != other else { throw KinfolkError(.invalidArgument, "A block needs two different people.") }
        try service.write { db in
            try requireInUse(db)
            guard try !BlockTable.isOperators(record, by: other, in: number, db),
                try !BlockTable.isOperators(other, by: record, in: number, db)
            else { return }
            guard let account = try UserTable.row(of: other, in: number, service, db)?.account else {
                // Nobody has the ID, so there is no account whose rows include the block.
                return try BlockTable.insert(record, by: other, isOperators: true, in: number, db)
            }
            try service.changing(account, db) { rows in
                try rows.insertBlock(record, by: other, isOperators: true, in: number, db)
            }
        }
    }

    /// Ends the operator's block between two people. Their own blocks remain. If there is none, nothing happens.
    public func unblock(_ record: UserRecordID, from other: UserRecordID) throws(KinfolkError) {
        try service.write { db in
            try requireInUse(db)
            for (one, other) in [(record, other), (other, record)] {
                guard try BlockTable.isOperators(one, by: other, in: number, db) else { continue }
                let account = try UserTable.row(of: other, in: number, service, db)?.account
                let wasBlocked =
                    if let account {
                        try service.changing(account, db) { rows in
                            try rows.deleteBlock(one, by: other, isOperators: true, in: number, db)
                        }
                    } else { try BlockTable.delete(one, by: other, isOperators: true, in: number, db) }
                if wasBlocked { try resealPrivateRows(of: [one, other], db) }
            }
        }
    }

    /// The operator's blocks in this container, each pair once, a page at a time; not the blocks that people made.
    ///
    /// A block is part of the authenticated rows of the account that has ``OperatorBlock/otherUserRecordID``. If nobody has that
    /// ID, nothing authenticates the block, and anyone who can write to the store could have made it.
    ///
    /// ```swift
    /// var page = try container.operatorBlocks()
    /// while let last = page.last {
    ///     for block in page { print(block.userRecordID, block.otherUserRecordID) }
    ///     page = try container.operatorBlocks(after: last)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - last: The last block of the previous page; nil for the first page.
    ///   - limit: The maximum number of blocks.
    /// - Throws: ``KinfolkError/Code/storeCorrupt`` if the rows of one of these accounts were edited without the key.
    public func operatorBlocks(
        after last: OperatorBlock? = nil,
        limit: Int = 1_000
    ) throws(KinfolkError) -> [OperatorBlock] {
        try service.read { db in
            try requireInUse(db)
            let blocks = try BlockTable.operators(after: last, limit: max(0, limit), in: number, db)
            try verifyAccounts(of: Set(blocks.map(\.otherUserRecordID)), db)
            return blocks
        }
    }

    /// Verifies the accounts of people, whose blocks are part of their rows. Without that, a person's own block could be changed
    /// into one of the operator, and the operator would read whom the person blocked.
    private func verifyAccounts(of people: Set<UserRecordID>, _ db: Connection) throws {
        try db.askAhead { for record in people { _ = try UserTable.row(of: record, in: number, service, db) } }
        let accounts = try people.compactMap { try UserTable.row(of: $0, in: number, service, db)?.account }
        for first in stride(from: 0, to: accounts.count, by: Container.accountsAhead) {
            let part = accounts[first..<min(first + Container.accountsAhead, accounts.count)]
            try db.askAhead { for account in part { try AccountRows.askAhead(account, db) } }
            for account in part { _ = try AccountRows.verified(account, service, db) }
        }
    }

    /// Called after a block ends: re-seals the rows of both people with new salts, like the rows of people who were absent for
    /// another reason. The old rows would show that the people were hidden.
    fileprivate func resealPrivateRows(of people: [UserRecordID], _ db: Connection) throws {
        for record in people { try DirectoryIndex(service: service).resealPrivateRows(of: record, in: number, db) }
    }
}
