public import KinfolkCore
public import KinfolkModel
package import KinfolkStorage
import KinfolkThreads

/// A person, as the operator knows them: a name, e-mail addresses, a status.
///
/// An account is a handle to what the store holds: each call reads or writes the store. Its calls throw
/// ``KinfolkError/Code/unknownItem`` after the account is erased.
public final class Account: Sendable {
    /// The service to which the account belongs.
    public let service: Service

    /// The operator's identifier of the person. Never give it to an application.
    public let id: AccountID

    /// Whether this object was returned by the call that created the account, and has not been used for a first session since.
    /// Nil if the account existed before.
    private let isNew: Lock<Bool>?

    package init(service: Service, id: AccountID, isNew: Bool = false) {
        self.service = service
        self.id = id
        self.isNew = isNew ? Lock(true) : nil
    }

    /// Records that the account is used in a container. True if it was new until now, so it has no user record ID there.
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

    /// Changes the person's name, including what others discover.
    ///
    /// - Throws: ``KinfolkError/Code/limitExceeded`` if a part has more than ``PersonName/maximumLength`` bytes.
    public func setName(_ name: PersonName) throws(KinfolkError) {
        try name.validate()
        try change { rows, db in try rows.setName(name, service.keys(db), db) }
    }

    /// Whether the account is suspended.
    public func isSuspended() throws(KinfolkError) -> Bool {
        try service.read { db in try row(db).isSuspended }
    }

    /// Suspends the account: its sessions become ``AccountStatus/restricted``, and discoveries no longer find it.
    public func suspend() throws(KinfolkError) {
        try change(allowsDamage: true) { rows, db in try rows.setSuspended(true, db) }
    }

    /// Ends the suspension. Earlier consents are effective again.
    public func resume() throws(KinfolkError) {
        try change { rows, db in try rows.setSuspended(false, db) }
    }
}

extension Account {
    /// The account's row, after all authenticated rows of the account were verified.
    package func row(_ db: Connection) throws -> AccountTable.Row {
        // Not verified again if this connection has verified it for this state of the store.
        let isVerified = try KnownAccounts.of(db)?.standing(of: id) != nil
        let row = try isVerified ? AccountTable.row(id, db) : AccountRows.verified(id, service, db)?.account
        guard let row else { throw Account.unknown }
        return row
    }

    /// The containers in which the person has agreed to be found, by name; those of development are marked.
    package func containersOfConsent() throws(KinfolkError) -> [String] {
        try service.read { db in
            guard let rows = try AccountRows.verified(id, service, db) else { throw Account.unknown }
            return try ContainerTable.verified(service.keys(db), db)
                .filter { $0.state == .inUse && rows.isDiscoverable(in: $0.number) }
                .map { $0.environment == .production ? $0.name : $0.name + " (development)" }
                .sorted()
        }
    }

    package static var unknown: KinfolkError { KinfolkError(.unknownItem, "There is no such account.") }

    /// Changes the account and its directory rows in one transaction, and then notifies the watchers of the account.
    ///
    /// - Parameter allowsDamage: Whether to change the account even if its rows were edited without the key.
    package func change<Result>(
        allowsDamage: Bool = false,
        _ body: (inout AccountRows, Connection) throws -> Result
    ) throws(KinfolkError) -> Result {
        let result = try service.write { db in
            try changing(db, allowsDamage: allowsDamage) { rows in try body(&rows, db) }
        }
        service.watcher.stir()
        return result
    }

    /// Used inside a transaction. All authenticated rows of the account are changed in `body`: they are verified before and
    /// authenticated again after it.
    ///
    /// - Parameter known: The account's rows, if this transaction has verified them and changed nothing since.
    package func changing<Result>(
        _ db: Connection,
        known: AccountRows? = nil,
        allowsDamage: Bool = false,
        _ body: (inout AccountRows) throws -> Result
    ) throws -> Result {
        try service.changing(id, known: known, allowsDamage: allowsDamage, db) { rows in
            let result = try body(&rows)
            try AccountTable.touch(id, db)
            return result
        }
    }
}

extension Account: Redacted {}
