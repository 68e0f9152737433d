import KinfolkStorage
import KinfolkThreads

/// A person, as the operator knows them: a name, e-mail addresses, a status.
///
/// An account is a handle on what the store holds: each call reads or writes it afresh. Its calls throw
/// ``KinfolkError/Code/unknownItem`` once the account is erased.
public final class Account: Sendable {
    /// The service that the account is of.
    public let service: Service

    /// The operator's name for the person. Never give it to an application.
    public let id: AccountID

    /// Whether the call that made the account returned this, and it has not been used for a first session since.
    /// Nil if the account was there before.
    private let isNew: Lock<Bool>?

    init(service: Service, id: AccountID, isNew: Bool = false) {
        self.service = service
        self.id = id
        self.isNew = isNew ? Lock(true) : nil
    }

    /// Notes that the account is used in a container. True if it was new until now, so that nobody need look for its user
    /// record ID there.
    func noteUse() -> Bool {
        isNew?.withLock { isNew in
            defer { isNew = false }
            return isNew
        } ?? false
    }

    /// The person's name.
    public func name() throws(KinfolkError) -> PersonName {
        try service.read { db in try row(db).name(with: service.keys(db)) }
    }

    /// Changes the person's name, in all that others discover too.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if a part has more than ``PersonName/maximumLength`` bytes.
    public func setName(_ name: PersonName) throws(KinfolkError) {
        try name.validate()
        try change { db in try AccountTable.setName(id, name, service.keys(db), db) }
    }

    /// Whether the account is suspended.
    public func isSuspended() throws(KinfolkError) -> Bool {
        try service.read { db in try row(db).isSuspended }
    }

    /// Suspends the account: its sessions become ``AccountStatus/restricted``, and no discovery finds it any more.
    public func suspend() throws(KinfolkError) {
        try change(allowsDamage: true) { db in try AccountTable.setSuspended(id, true, db) }
    }

    /// Ends the suspension. What the person had granted holds again.
    public func resume() throws(KinfolkError) {
        try change { db in try AccountTable.setSuspended(id, false, db) }
    }
}

extension Account {
    /// The account's row, once all rows that decide for the account are verified.
    func row(_ db: Connection) throws -> AccountTable.Row {
        // Who has verified the account in this state of the store need not do so again.
        let isVerified = try Known.of(db)?.standing(of: id) != nil
        let row = try isVerified ? AccountTable.row(id, db) : AccountRows.verified(id, service, db)?.account
        guard let row else { throw Account.unknown }
        return row
    }

    static var unknown: KinfolkError { KinfolkError(.unknownItem, "There is no such account.") }

    /// Changes the account and its directory rows in one transaction, and then notifies the watchers of the account.
    ///
    /// - Parameter allowsDamage: Whether an account is changed whose rows are not those that were written.
    func change<Result>(
        allowsDamage: Bool = false,
        _ body: (Connection) throws -> Result
    ) throws(KinfolkError) -> Result {
        let result = try service.write { db in
            try AccountRows.askAhead(id, db)
            // Without a row there is no such account, or it was taken away.
            if try AccountTable.row(id, db) == nil { _ = try row(db) }
            return try changing(db, allowsDamage: allowsDamage) { try body(db) }
        }
        service.watcher.stir()
        return result
    }

    /// Inside of a transaction: everything that decides for the account is changed here, so that its rows are verified before,
    /// and authenticated after.
    func changing<Result>(
        _ db: Connection,
        allowsDamage: Bool = false,
        _ body: () throws -> Result
    ) throws -> Result {
        try Directory(service: service).changing(id, allowsDamage: allowsDamage, db) {
            let result = try body()
            try AccountTable.touch(id, db)
            return result
        }
    }
}

extension Account: Redacted {}
