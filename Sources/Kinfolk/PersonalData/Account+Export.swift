import KinfolkAccess
import KinfolkAccounts
import KinfolkContacts
import KinfolkCore
import KinfolkCrypto
import KinfolkJSON
import KinfolkModel
import KinfolkStorage

extension Account {
    /// Everything that is stored about the person, as JSON: name, addresses and status; the codes they requested; the claims
    /// they made and the claims made against them, without the other person; and for each container the user record ID, every
    /// decision about discoverability with the wording shown, whom they blocked, when the operator looked them up, both user records,
    /// and where they are signed in. No token and no code is in it.
    ///
    /// Times are in RFC 3339, bytes in hexadecimal. Of an asset, there are the size, the SHA-256 and the name of its file in
    /// `exportArchive(write:)`.
    public func export() throws(KinfolkError) -> String {
        try service.read { db in try export(uses(db), db) }
    }

    /// Everything that is stored about the person, as a tar archive (POSIX.1-2001, pax) that is written a piece at a time: the JSON text of
    /// `export()` as `export.json`, and the files of all assets in a folder `assets`. All of it is as it was at one moment.
    ///
    /// - Parameter write: Called with each piece, of at most about 1 MB. If it throws, the export ends.
    public func exportArchive(write: ([UInt8]) throws(KinfolkError) -> Void) throws(KinfolkError) {
        try ArchiveExport(service: service).run(write: write) { db in
            let uses = try uses(db)
            return (try export(uses, db), uses)
        }
    }

    private func export(_ uses: [ContainerUse], _ db: Connection) throws -> String {
        let id = id
        let account = try row(db)
        let keys = try service.keys(db)
        let name = try account.name(with: keys)
        let emails = try emails(db)
        let codes = try codes(keys, db)
        let claims = try Claims(service, db)
        let identities = try LinkedIdentityTable.all(of: id, keys, db)
        let (made, met) = (try claims.by(id), try claims.against(id))
        var json = JSONWriter()
        json.object([
            ("account_id", { $0.string(id.description) }),
            ("created_at", { $0.string(account.createdAt.description) }),
            ("suspended", { $0.boolean(account.isSuspended) }),
            ("given_name", { $0.string(name.givenName) }),
            ("family_name", { $0.string(name.familyName) }),
            ("emails", { $0.array(emails) { $1.write(to: &$0) } }),
            ("identities", { $0.array(identities) { $1.write(to: &$0) } }),
            ("codes", { $0.array(codes) { $1.write(to: &$0) } }),
            ("claims_made", { $0.array(made) { $1.write(to: &$0) } }),
            ("claims_against", { $0.array(met) { $1.write(to: &$0) } }),
            ("containers", { $0.array(uses) { $0.object($1.everything) } }),
        ])
        return json.text + "\n"
    }

    private func codes(_ keys: KeyRing, _ db: Connection) throws -> [RequestedCode] {
        let emails = try EmailTable.all(of: id, db).map { row in
            let address = try row.open(with: keys)
            return (tags: keys.tags(of: address.hash).map(\.bytes), spelling: address.spelling)
        }
        return try VerificationTable.all(of: id, db).map { row in
            RequestedCode(
                address: emails.first { $0.tags.contains(row.tag) }?.spelling,
                purpose: Int32(exactly: row.purpose).flatMap(CodePurpose.init),
                requestedAt: row.issuedAt
            )
        }
    }

    private func uses(_ db: Connection) throws -> [ContainerUse] {
        let containers = try db.all(
            """
            SELECT c.container_id, c.name, u.record_id, u.created_at, c.environment, u.roles FROM users u
            JOIN containers c ON c.container_id = u.container_id
            WHERE u.account_id = $1 ORDER BY c.name, c.environment
            """,
            .id(id.value)
        ) { row in
            (
                number: row.integer(0), name: row.text(1), id: row.withBytes(2, RandomID.init(bytes:)),
                since: Timestamp(microseconds: row.integer(3)),
                environment: ContainerEnvironment(rawValue: row.integer(4)),
                roles: RoleNames(stored: row.text(5))
            )
        }
        let limits = try LimitTable.all(of: id, service.keys(db), db)
        return try containers.compactMap { container in
            guard let record = container.id.map(UserRecordID.init), let environment = container.environment else {
                return nil
            }
            var use = ContainerUse(
                name: container.name,
                environment: environment,
                userRecordID: record,
                since: container.since,
                roles: container.roles
            )
            let blocked = try BlockTable.blocked(by: record, in: container.number, db)
            try use.read(number: container.number, of: id, limits, blocked: blocked, service, db)
            return use
        }
    }
}

extension AccountEmail {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("address", { $0.string(spelling) }),
            ("added_at", { $0.string(addedAt.description) }),
            ("verified_at", { json in verifiedAt.map { json.string($0.description) } ?? json.null() }),
            ("discoverable", { $0.boolean(isDiscoverable) }),
        ])
    }
}

extension LinkedIdentity {
    fileprivate func write(to json: inout JSONWriter) {
        json.object([
            ("issuer", { $0.string(issuer) }),
            ("subject", { $0.string(subject) }),
            ("added_at", { $0.string(addedAt.description) }),
        ])
    }
}

/// A code that a person requested in the last 24 hours.
private struct RequestedCode {
    /// The address that the code was for. Nil if the address has been removed since.
    let address: String?
    let purpose: CodePurpose?
    let requestedAt: Timestamp

    func write(to json: inout JSONWriter) {
        json.object([
            ("address", { json in address.map { json.string($0) } ?? json.null() }),
            ("purpose", { json in purpose.map { json.string(String(describing: $0)) } ?? json.null() }),
            ("requested_at", { $0.string(requestedAt.description) }),
        ])
    }
}

extension EmailClaim {
    fileprivate func write(to json: inout JSONWriter) {
        func moment(_ moment: Timestamp?, _ json: inout JSONWriter) {
            moment.map { json.string($0.description) } ?? json.null()
        }
        // Not in the other person's spelling.
        let canonical = (try? EmailAddress(address))?.canonical ?? ""
        json.object([
            ("address", { $0.string(canonical) }),
            ("state", { $0.string(String(describing: state)) }),
            ("opened_at", { $0.string(openedAt.description) }),
            ("noticed_at", { moment(noticedAt, &$0) }),
            ("completable_at", { moment(completableAt, &$0) }),
        ])
    }
}
