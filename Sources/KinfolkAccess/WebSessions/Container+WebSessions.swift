package import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
package import KinfolkModel
import KinfolkStorage

extension Container {
    /// Begins a web session of an account.
    ///
    /// - Parameters:
    ///   - account: Who signed in.
    ///   - apiToken: The application's token. The web session is valid only together with it.
    ///   - isLasting: Whether it ends after two weeks without use, and not after half an hour.
    ///   - signedInAt: When the person proved who they are; nil for now.
    /// - Returns: A web auth token: the base64 of 32 random bytes.
    /// - Throws: The errors of `session(for:)`, ``KinfolkError/Code/unknownItem`` if the API token was deleted,
    ///   ``KinfolkError/Code/notAuthenticated`` if the account is suspended.
    package func beginWebSession(
        for account: Account,
        apiToken: APIToken,
        isLasting: Bool,
        signedInAt: Timestamp? = nil
    ) throws(KinfolkError) -> String {
        let token = RandomToken.make()
        try addWebSession(of: account, apiToken, isLasting: isLasting, signedInAt: signedInAt) { content, now in
            content.give(token.tag(.web), at: now)
        }
        return Base64.text(token.bytes)
    }

    /// The session of the account that is signed in with a web auth token. Nil if the token is malformed, unknown or expired, was begun
    /// through another API token, or if the account is suspended.
    ///
    /// A token that is older than some minutes, or a day in a lasting session, is replaced by a new one. Other calls write nothing.
    package func session(
        webAuthToken text: String,
        apiToken: APIToken
    ) throws(KinfolkError) -> AuthenticatedSession? {
        guard let tag = RandomToken(Base64.bytes(text))?.tag(.web) else { return nil }
        let now = service.clock()
        let found = try service.read { db in try authenticated(by: tag, apiToken, at: now, db) }
        guard let found else { return nil }
        guard found.isDue(at: now), !service.isReadOnly else { return result(found, renewed: nil) }
        do {
            return try renew(tag, apiToken, at: now)
        } catch  where error.code == .serviceUnavailable {
            // The store can be read but not written now, and the token is still valid.
            return result(found, renewed: nil)
        }
    }

    /// The account that is signed in with a web auth token; nil as for the session. It writes nothing.
    package func account(webAuthToken text: String, apiToken: APIToken) throws(KinfolkError) -> AccountID? {
        guard let tag = RandomToken(Base64.bytes(text))?.tag(.web) else { return nil }
        let now = service.clock()
        return try service.read { db in try authenticated(by: tag, apiToken, at: now, db)?.session.account }
    }

    /// Ends the web session with this token: signs the person out in this browser. Does nothing if there is none.
    package func endWebSession(webAuthToken text: String) throws(KinfolkError) {
        guard let tag = RandomToken(Base64.bytes(text))?.tag(.web) else { return }
        try service.write { db in try WebSessionTable.delete(withToken: tag, in: number, db) }
    }

    // MARK: Parts

    /// A valid web session, and the session for it.
    private struct Found {
        var row: WebSessionRow
        let session: Session
        /// Whether the current token was presented, and not the one before it.
        let isByCurrentToken: Bool

        /// Whether the token is old enough to be replaced.
        func isDue(at now: Timestamp) -> Bool {
            isByCurrentToken
                && now.seconds(since: row.content.renewedAt) > WebSessionTimes.renewal(isLasting: row.content.isLasting)
        }
    }

    private func authenticated(
        by tag: Tag,
        _ apiToken: APIToken,
        at now: Timestamp,
        _ db: Connection
    ) throws -> Found? {
        try requireInUse(db)
        let keys = try service.keys(db)
        let current = try WebSessionTable.row(by: .token, tag, in: number, keys, db)
        guard let row = try current ?? WebSessionTable.row(by: .previousToken, tag, in: number, keys, db),
            row.content.isCurrent(at: now), row.content.apiTokenTag == apiToken.tag
        else { return nil }
        if current == nil {
            guard let end = row.content.previousUntil, now < end else { return nil }
        }
        guard let user = try UserTable.row(of: row.account, in: number, service, db) else { return nil }
        // The ID of the web session is its device, so that notifications wait between its requests.
        let session = Session(container: self, account: row.account, recordID: user.record, device: row.id)
        guard try session.activeUser(db) != nil else { return nil }
        return Found(row: row, session: session, isByCurrentToken: current != nil)
    }

    private func result(_ found: Found, renewed: String?) -> AuthenticatedSession {
        AuthenticatedSession(
            session: found.session,
            webSession: found.row.description(container: name, environment),
            renewed: renewed
        )
    }

    /// Replaces a token, unless another request was faster.
    private func renew(_ tag: Tag, _ apiToken: APIToken, at now: Timestamp) throws(KinfolkError)
        -> AuthenticatedSession?
    {
        let token = RandomToken.make()
        return try service.write { db in
            guard var found = try authenticated(by: tag, apiToken, at: now, db) else { return nil }
            guard found.isDue(at: now) else { return result(found, renewed: nil) }
            found.row.content.give(token.tag(.web), at: now)
            try WebSessionTable.update(found.row, service.keys(db), db)
            return result(found, renewed: Base64.text(token.bytes))
        }
    }

    /// Adds a web session or a code.
    ///
    /// - Parameter complete: Gives the content its tag and its end.
    func addWebSession(
        of account: Account,
        _ apiToken: APIToken,
        isLasting: Bool,
        signedInAt: Timestamp?,
        _ complete: (inout WebSessionContent, Timestamp) -> Void
    ) throws(KinfolkError) {
        guard account.service === service else {
            throw KinfolkError(.invalidArgument, "The account and the container belong to different services.")
        }
        let now = service.clock()
        var content = WebSessionContent(
            apiToken: apiToken,
            isLasting: isLasting,
            signedInAt: min(signedInAt ?? now, now),
            at: now,
            until: now
        )
        complete(&content, now)
        let row = WebSessionRow(account: account.id, container: number, id: .make(), content: content)
        try service.write { db in
            try requireInUse(db)
            let keys = try service.keys(db)
            guard try APITokenTable.token(apiToken.tag, in: number, keys, db) != nil else {
                throw KinfolkError(.unknownItem, "The API token was deleted.")
            }
            let record = try join(account.id, db)
            _ = try Session(container: self, account: account.id, recordID: record).userInGoodStanding(db)
            try makeRoom(for: account.id, at: now, keys, db)
            try WebSessionTable.insert(row, keys, db)
        }
    }

    /// Ends what has expired, and the oldest sessions if there are too many.
    private func makeRoom(for account: AccountID, at now: Timestamp, _ keys: KeyRing, _ db: Connection) throws {
        let rows = try WebSessionTable.all(of: account, in: number, keys, db)
        let current = rows.filter { $0.content.isCurrent(at: now) }
            .sorted { ($0.content.createdAt, $0.id) > ($1.content.createdAt, $1.id) }
        for row in rows.filter({ !$0.content.isCurrent(at: now) }) + current.dropFirst(WebSessionTable.limit - 1) {
            try WebSessionTable.delete(row, db)
        }
    }
}
