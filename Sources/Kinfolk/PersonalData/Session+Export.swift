import KinfolkAccounts
import KinfolkCrypto
import KinfolkJSON
import KinfolkModel
import KinfolkStorage

extension Session {
    /// Everything that this container holds about the person, as JSON, for the application to hand to them: the user record ID,
    /// their roles, the name under which others find them here (null unless they can be found), both user records, every decision about
    /// discoverability with the wording shown, whom they blocked, and what they spent of limits, in whole numbers.
    ///
    /// It contains nothing that leads to the account, to another container or to an address, and nothing else that the operator did:
    /// see ``Account`` for all of that. It also works for a suspended account, and includes the private record: a suspended
    /// person keeps the right to see what is stored about them. The format is that of the account's export.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func export() throws(KinfolkError) -> String {
        try service.read { db in try export(db).json }
    }

    /// Everything that this container holds about the person, as a tar archive (POSIX.1-2001, pax) that is written a piece at a time: the
    /// JSON text of `export()` as `export.json`, and the files of all assets in a folder `assets`.
    ///
    /// - Parameter write: Called with each piece, of at most about 1 MB. If it throws, the export ends.
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session is anonymous or its account was erased.
    public func exportArchive(write: ([UInt8]) throws(KinfolkError) -> Void) throws(KinfolkError) {
        try ArchiveExport(service: service).run(write: write) { db in
            let (json, use) = try export(db)
            return (json, [use])
        }
    }

    private func export(_ db: Connection) throws -> (json: String, use: ContainerUse) {
        let (user, rows) = try userRows(db)
        let keys = try service.keys(db)
        // The application gets the name only if other people can see it: otherwise the name would link the person's
        // containers.
        let isSeen = rows.isDiscoverable(in: container.number) && !rows.account.isSuspended
        let name = isSeen ? try rows.account.name(with: keys) : nil
        var use = ContainerUse(
            name: container.name,
            environment: container.environment,
            userRecordID: user.record,
            since: user.createdAt,
            roles: user.roles
        )
        try use.read(
            number: container.number,
            of: user.account,
            LimitTable.all(of: user.account, in: container.number, keys, db),
            blocked: rows.blocks[container.number, default: []].filter { $0.isOperators == 0 }.map(\.blocked),
            service,
            db
        )
        var json = JSONWriter()
        json.object(
            use.ofApplication + [
                ("given_name", { json in name.map { json.string($0.givenName) } ?? json.null() }),
                ("family_name", { json in name.map { json.string($0.familyName) } ?? json.null() }),
            ]
        )
        return (json.text + "\n", use)
    }
}
