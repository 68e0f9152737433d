import KinfolkCrypto
import KinfolkStorage
import KinfolkThreads

/// Puts everybody who can be found into a directory that is new, in the order of the account IDs.
///
/// How far it has come is in the store, so that any process can go on. Whoever changes something about a person meanwhile
/// puts them in, and notes it in a revision: rows that were made of what held before are thrown away.
struct DirectoryBuilder {
    let container: Container
    let epoch: UInt32
    /// How many people at once: so many that the pages of the table are visited by several rows each.
    var batchSize = 16_384

    private var service: Service { container.service }

    private struct Candidate {
        let account: AccountID
        let revisions: Revisions
        let person: Directory.Person
    }

    private struct Revisions: Equatable {
        let account: Int64
        let user: Int64
    }

    private struct Batch {
        let people: [Candidate]
        /// The last account that was looked at; nil if there is nobody more.
        let end: AccountID?
        let count: Int
        let position: [UInt8]
    }

    func count() throws -> Int {
        try service.store.read { db in
            try db.first(
                "SELECT count(*) FROM users WHERE container_id = $1 AND account_id > $2",
                .integer(container.number),
                .bytes(DirectoriesTable.row(epoch, of: container.number, db)?.position ?? [])
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// Puts the next people in, and returns how many were looked at. Nil when there are no more, or somebody else is done.
    func buildBatch() throws -> Int? {
        let read = try service.store.read { db -> (Batch, PrivateDirectory?)? in
            let row = try DirectoriesTable.row(epoch, of: container.number, db)
            guard let row, row.state == .building else { return nil }
            let directory = try service.directories(ofContainer: container.number, in: db).privateOnes
                .first { $0.epoch == epoch }
            return (try batch(after: row.position, db), directory)
        }
        guard let (batch, directory) = read else { return nil }
        let rows = try directory?.rows(
            of: batch.people.flatMap { candidate in
                candidate.person.hashes.map { PrivateDirectory.Entry(hash: $0, record: candidate.person.record) }
            },
            threads: Parallel.coreCount
        )
        return try service.store.write(isLarge: true) { db in
            let row = try DirectoriesTable.row(epoch, of: container.number, db)
            // Somebody else may be building too.
            guard let row, row.state == .building, row.position == batch.position else { return row == nil ? nil : 0 }
            let people = try unchanged(batch.people, db)
            if let directory, let rows {
                let records = Set(people.map(\.record))
                let wanted = people.count == batch.people.count ? rows : rows.filter { records.contains($0.record) }
                try Directory(service: service).publish(wanted, in: directory, of: container.number, db)
            } else {
                try Directory(service: service).publishHashes(of: people, in: container.number, db)
            }
            guard let end = batch.end else {
                try DirectoriesTable.set(.complete, [], of: epoch, in: container.number, db)
                try KeyTable.renewStamp(db)
                return nil
            }
            try DirectoriesTable.set(.building, end.value.bytes, of: epoch, in: container.number, db)
            return batch.count
        }
    }

    private func batch(after position: [UInt8], _ db: Connection) throws -> Batch {
        let users = try db.all(
            """
            SELECT u.account_id, u.record_id, a.revision, u.revision, a.is_suspended, coalesce((
                SELECT c.decision FROM consents c
                WHERE c.account_id = u.account_id AND c.container_id = u.container_id
                ORDER BY c.number DESC LIMIT 1), 0)
            FROM users u JOIN accounts a ON a.account_id = u.account_id
            WHERE u.container_id = $1 AND u.account_id > $2 ORDER BY u.account_id LIMIT $3
            """,
            .integer(container.number),
            .bytes(position),
            .integer(Int64(batchSize))
        ) { row in
            (
                account: row.withBytes(0, RandomID.init(bytes:)).map(AccountID.init),
                record: row.withBytes(1, RandomID.init(bytes:)).map(UserRecordID.init),
                revisions: Revisions(account: row.integer(2), user: row.integer(3)),
                isDiscoverable: row.integer(4) == 0 && row.integer(5) == Int64(Discoverability.granted.rawValue)
            )
        }
        let keys = try service.keys(db)
        let people = try users.compactMap { user -> Candidate? in
            guard user.isDiscoverable, let account = user.account, let record = user.record else { return nil }
            let hashes = try EmailTable.all(of: account, db).filter { $0.isVerified && $0.isDiscoverable }
                .map { try $0.open(with: keys).hash }
            // The name stands elsewhere already.
            let person = Directory.Person(
                record: record,
                name: PersonName(givenName: "", familyName: ""),
                hashes: hashes
            )
            return hashes.isEmpty ? nil : Candidate(account: account, revisions: user.revisions, person: person)
        }
        return Batch(people: people, end: users.last?.account, count: users.count, position: position)
    }

    /// Those of whom still holds what was read.
    private func unchanged(_ candidates: [Candidate], _ db: Connection) throws -> [Directory.Person] {
        try candidates.compactMap { candidate in
            let now = try db.first(
                """
                SELECT a.revision, u.revision FROM accounts a JOIN users u ON u.account_id = a.account_id
                WHERE a.account_id = $1 AND u.container_id = $2
                """,
                .id(candidate.account.value),
                .integer(container.number)
            ) { Revisions(account: $0.integer(0), user: $0.integer(1)) }
            return now == candidate.revisions ? candidate.person : nil
        }
    }
}
