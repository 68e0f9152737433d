import KinfolkCrypto
package import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

/// Access to one container for one account, or without an account. Applications do everything through a session.
public final class Session: Sendable {
    /// The container of the session.
    public let container: Container

    package let account: AccountID?
    /// Nil in an anonymous session.
    package let recordID: UserRecordID?

    /// The device that makes the changes of this session, and is not notified of them. A session without a device's name is one itself.
    package let device: RandomID
    /// The name of the device; nil for a session without one.
    package let deviceName: String?

    package init(
        container: Container,
        account: AccountID?,
        recordID: UserRecordID?,
        device: RandomID = .make(),
        named deviceName: String? = nil
    ) {
        self.container = container
        self.device = device
        self.deviceName = deviceName
        self.account = account
        self.recordID = recordID
    }

    package var service: Service { container.service }

    /// The status of the account, read from the store each time.
    public func accountStatus() -> AccountStatus {
        guard let account else { return .noAccount }
        do {
            guard let standing = try service.read({ db in try standing(of: account, db) }) else { return .noAccount }
            return standing.value.isSuspended ? .restricted : .available
        } catch {
            // The container was deleted, so there is no account in it.
            return error.code == .unknownItem ? .noAccount : .couldNotDetermine
        }
    }

    /// The person's user record ID in this container.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func userRecordID() throws(KinfolkError) -> UserRecordID {
        try service.read { db in try user(db).record }
    }
}

extension Session {
    /// A signed-in account and its user record ID in this container.
    package struct User {
        package let account: AccountID
        package let record: UserRecordID
        /// The account's roles in this container, if the account is in good standing.
        package var roles = RoleNames()
        /// The account's rows, if this transaction has verified them.
        package var rows: AccountRows?
    }

    /// The signed-in user, suspended or not.
    package func user(_ db: Connection) throws -> User {
        guard let account, let recordID, try standing(of: account, db) != nil else { throw Session.nobody }
        return User(account: account, record: recordID)
    }

    /// The account rows of the signed-in user, suspended or not.
    package func userRows(_ db: Connection) throws -> (user: UserTable.Row, rows: AccountRows) {
        let rows = try account.flatMap { try AccountRows.verified($0, service, db) }
        try container.requireInUse(db)
        guard let rows else { throw Session.nobody }
        guard let user = rows.users.first(where: { $0.container == container.number }), user.record == recordID else {
            throw AccountRows.changed
        }
        return (user, rows)
    }

    /// The signed-in user, for calls that withdraw or refuse something: they work even if the account's rows were changed from
    /// outside.
    package func userWhoMayGo(_ db: Connection) throws -> User {
        do {
            return try userInGoodStanding(db)
        } catch let error as KinfolkError where error.code == .storeCorrupt {
            guard let account, let recordID else { throw Session.nobody }
            return User(account: account, record: recordID)
        }
    }

    /// The signed-in user, if the account may write and discover.
    package func userInGoodStanding(_ db: Connection) throws -> User {
        guard let account, let recordID, let standing = try standing(of: account, db) else { throw Session.nobody }
        guard !standing.value.isSuspended else { throw Session.suspended }
        let roles = standing.value.roles(in: container.number)
        return User(account: account, record: recordID, roles: roles, rows: standing.rows)
    }

    /// The signed-in user, if the account may write and discover; nil if it may not, and in an anonymous session.
    package func activeUser(_ db: Connection) throws -> User? {
        do { return try userInGoodStanding(db) } catch let error as KinfolkError where error.code == .notAuthenticated {
            return nil
        }
    }

    /// What was verified about the session's account, and its rows if they were read for that. Nil if the account no longer exists.
    private func standing(
        of account: AccountID,
        _ db: Connection
    ) throws -> (value: KnownAccounts.Standing, rows: AccountRows?)? {
        let known =
            try KnownAccounts.of(db)?.standing(of: account) ?? VerifiedAccounts.standing(of: account, in: container, db)
        let rows = try known == nil ? AccountRows.verified(account, service, db) : nil
        let standing = known ?? rows.map(KnownAccounts.Standing.init)
        try container.requireInUse(db)
        guard let standing else { return nil }
        // A user record ID is deleted only together with its account or its container.
        guard standing.record(in: container.number) == recordID else { throw AccountRows.changed }
        return (standing, rows)
    }

    package static var nobody: KinfolkError { KinfolkError(.notAuthenticated, "Nobody is signed in to this session.") }
    package static var suspended: KinfolkError { KinfolkError(.notAuthenticated, "The account is suspended.") }
}

extension Container {
    /// Signs an account in. Its first session in this container creates its user record ID and its two user records.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the account belongs to another service,
    ///   ``KinfolkError/Code/notAuthenticated`` if it was erased, or is suspended and never used this container.
    public func session(for account: Account) throws(KinfolkError) -> Session {
        guard account.service === service else {
            throw KinfolkError(.invalidArgument, "The account and the container belong to different services.")
        }
        let known = account.noteUse() ? nil : try recordID(of: account.id)
        let recordID = if let known { known } else { try join(account.id) }
        return Session(container: self, account: account.id, recordID: recordID)
    }

    private func recordID(of account: AccountID) throws(KinfolkError) -> UserRecordID? {
        try service.read { db in
            try requireInUse(db)
            return try UserTable.row(of: account, in: number, service, db)?.record
        }
    }

    /// A session without an account. It may read public user records, and nothing else.
    public func anonymousSession() -> Session {
        Session(container: self, account: nil, recordID: nil, device: RandomID(tag: Tag()))
    }

    /// Creates the user record ID of an account that seems to have none here.
    private func join(_ account: AccountID) throws(KinfolkError) -> UserRecordID {
        // Uses the keys in memory. If they are stale, no row is inserted.
        guard let keys = service.keychain.latest else { return try service.write { db in try join(account, db) } }
        try keys.requireInUse(number)
        let row = UserTable.Row(UserRecordID(.make()), of: account, in: number, at: service.clock(), keys)
        var isAgain = false
        let (joined, inserted): (UserRecordID, ChangeCount?) = try service.write(isRepeatable: true) { db in
            // An attempt with an unknown outcome may have inserted the row.
            if isAgain { return (try join(account, db), nil) }
            isAgain = true
            return (row.record, try UserTable.insertIfPossible(row, keys, db))
        }
        guard let inserted, inserted.value == 0 else { return joined }
        // Another thread or process may have been faster, or the account may not be allowed.
        do { return try service.write { db in try join(account, db) } } catch {
            throw error.code == .serviceUnavailable && !inserted.isKnown ? KinfolkError(StorageError(.inDoubt)) : error
        }
    }

    /// The user record ID of an account; created if it has none here. Call this in a write transaction.
    package func join(_ account: AccountID, _ db: Connection) throws -> UserRecordID {
        try requireInUse(db)
        guard let rows = try AccountRows.verified(account, service, db) else { throw Session.nobody }
        if let known = rows.record(in: number) { return known }
        guard !rows.account.isSuspended else { throw Session.suspended }
        let row = UserTable.Row(
            UserRecordID(.make()),
            of: account,
            in: number,
            at: service.clock(),
            try service.keys(db)
        )
        try UserTable.insert([row], db)
        return row.record
    }
}

extension Session: Redacted {}
