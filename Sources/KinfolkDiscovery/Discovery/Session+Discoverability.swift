public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
package import KinfolkStorage

extension Session {
    /// What the person decided about being found in this container.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func discoverability() throws(KinfolkError) -> Discoverability {
        try service.read { db in
            try ConsentTable.decision(of: user(db).account, in: container.number, db)
        }
    }

    /// Stores what the person decided, for example in the application's settings.
    ///
    /// A discovery that begins after a revocation has returned does not find the person. The time and the wording are stored as
    /// the proof of consent. The last 50 decisions of the person in this container are kept.
    ///
    /// - Parameters:
    ///   - decision: Granted or denied.
    ///   - wording: What the person was shown. For a grant, neither part may be empty.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` for an undetermined decision or a grant without wording,
    ///   ``KinfolkError/Code/limitExceeded`` for a wording that is too long,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func setDiscoverability(_ decision: Discoverability, wording: ConsentWording) throws(KinfolkError) {
        try Session.validate(decision, wording)
        try service.write { db in
            let user = try decision == .denied ? userWhoMayGo(db) : userInGoodStanding(db)
            try decide(decision, wording, user, db)
        }
        service.watcher.stir()
    }

    /// Asks the person through the host's own prompt, once: after there is an answer, later calls return it without asking.
    ///
    /// ```swift
    /// let answer = try session.requestDiscoverability(wording: wording) { wording in
    ///     askThePerson(wording.text) ? .granted : .denied  // .undetermined if the person closes the prompt
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - wording: What the prompt shows.
    ///   - prompt: Shows the wording and returns the answer; undetermined if the person gave none. It runs on the calling thread,
    ///     outside of any transaction.
    /// - Returns: The decision that is now effective.
    /// - Throws: What `setDiscoverability(_:wording:)` throws.
    public func requestDiscoverability(
        wording: ConsentWording,
        prompt: (ConsentWording) -> Discoverability
    ) throws(KinfolkError) -> Discoverability {
        let known = try storedAnswer(to: wording)
        guard known == .undetermined else { return known }
        let answer = prompt(wording)
        return answer == .undetermined ? answer : try keepAnswer(answer, to: wording)
    }

    /// The person's earlier answer, or undetermined if the person has to be asked.
    func storedAnswer(to wording: ConsentWording) throws(KinfolkError) -> Discoverability {
        try wording.validate(for: .granted)
        return try service.read { db in
            try ConsentTable.decision(of: userInGoodStanding(db).account, in: container.number, db)
        }
    }

    /// Stores an answer and returns the effective one: if the person was asked twice at the same time, the first answer.
    func keepAnswer(_ answer: Discoverability, to wording: ConsentWording) throws(KinfolkError) -> Discoverability {
        let result = try service.write { db in
            let user = try userInGoodStanding(db)
            let known = try ConsentTable.decision(of: user.account, in: container.number, db)
            guard known == .undetermined else { return known }
            try decide(answer, wording, user, db)
            return answer
        }
        service.watcher.stir()
        return result
    }

    private static func validate(_ decision: Discoverability, _ wording: ConsentWording) throws(KinfolkError) {
        guard decision != .undetermined else {
            throw KinfolkError(.invalidArgument, "The decision must be granted or denied.")
        }
        try wording.validate(for: decision)
    }

    /// Used inside a transaction, of this type or of an import.
    package func decide(_ decision: Discoverability, _ wording: ConsentWording, _ user: User, _ db: Connection) throws {
        let container = container.number
        try service.changing(user.account, known: user.rows, allowsDamage: decision == .denied, db) { rows in
            let now = service.clock()
            let keys = try service.keys(ofContainer: container, in: db)
            let wording = try ConsentTable.keep(wording, in: container, keys, db)
            try rows.insert(decision, wording: wording, in: container, at: now, db)
            try UserTable.touch(user.account, in: container, db)
        }
    }
}
