import KinfolkStorage

/// Writes people whom the store does not know, within one transaction.
///
/// A newcomer has no rows that could be in the way: nothing needs to be looked up but whose the addresses are, nor taken out
/// of the directory.
struct NewcomerWriter {
    private let container: Container
    private let wording: [UInt8]
    private let now: Timestamp
    private let keys: KeyRing
    private let db: Connection

    private var service: Service { container.service }

    init(container: Container, wording: ConsentWording?, _ db: Connection) throws {
        self.container = container
        self.db = db
        now = container.service.clock()
        keys = try container.service.keys(db)
        self.wording =
            try wording.map { wording in
                let keys = try container.service.keys(ofContainer: container.number, in: db)
                return try ConsentTable.keep(wording, in: container.number, keys, db)
            } ?? []
    }

    /// Makes an account that has used the container, with its addresses verified.
    ///
    /// - Returns: False, and nothing is made, if an account has one of the addresses.
    func insert(_ person: Newcomer) throws -> Bool {
        let tags = person.addresses.map { keys.tags(of: $0.hash) }
        for tags in tags where try EmailTable.owner(of: tags, db) != nil { return false }
        let account = AccountID(.make())
        try AccountTable.insert(account, person.name, at: now, keys, db)
        for (offset, address) in person.addresses.enumerated() {
            try EmailTable.insertVerified(
                address,
                tag: tags[offset][0],
                number: offset + 1,
                of: account,
                at: now,
                keys,
                db
            )
        }
        let record = UserRecordID(.make())
        try UserTable.insert(record, of: account, in: container.number, at: now, db)
        guard person.discoverability != .undetermined else { return true }
        try ConsentTable.insert(
            person.discoverability,
            wording: wording,
            of: account,
            in: container.number,
            at: now,
            db
        )
        if person.discoverability == .granted {
            let hashes = person.addresses.map(\.hash)
            try Directory(service: service).publish(record, person.name, hashes, in: container.number, db)
        }
        return true
    }
}
