import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// Adds everybody who can be found to a new directory, in the order of the account IDs.
///
/// The position is stored in the database, so that any process can continue. A change of a person during the build adds that
/// person to the directory itself and increases a revision; rows that were prepared from the older state are then discarded.
struct DirectoryBuilder {
    let container: Container
    let epoch: UInt32
    /// How many people are processed at once: enough that each visited page of the table gets several rows.
    var batchSize = 16_384

    private var service: Service { container.service }

    private struct Candidate {
        let account: AccountID
        let revisions: Revisions
        let record: UserRecordID
        var hashes: [[UInt8]]

        /// The identity is nil because it is already in the directory.
        var person: DirectoryIndex.Person { DirectoryIndex.Person(record: record, hashes: hashes, identity: nil) }
    }

    private struct Revisions: Equatable {
        let account: Int64
        let user: Int64
    }

    private struct Batch {
        let people: [Candidate]
        /// The last account of the batch; nil if nobody is left.
        let end: AccountID?
        let count: Int
        let position: [UInt8]
    }

    func count() throws -> Int {
        try service.store.read { db in
            try db.first(
                "SELECT count(*) FROM users WHERE container_id = $1 AND account_id > $2",
                .integer(container.number),
                .bytes(DirectoryEpochTable.row(epoch, of: container.number, db)?.position ?? [])
            ) { Int($0.integer(0)) } ?? 0
        }
    }

    /// Adds the next people, and returns how many were processed. Nil when nobody is left, or another process has finished.
    func buildBatch() throws -> Int? {
        let read = try service.store.read { db -> (Batch, PrivateDirectory?)? in
            let row = try DirectoryEpochTable.row(epoch, of: container.number, db)
            guard let row, row.state == .building else { return nil }
            let directory = try service.directories(ofContainer: container.number, in: db).privateOnes
                .first { $0.epoch == epoch }
            return (try batch(after: row.position, db), directory)
        }
        guard let (batch, directory) = read else { return nil }
        let rows = try directory?.rows(
            of: batch.people.flatMap { candidate in
                candidate.hashes.map { PrivateDirectory.Entry(hash: $0, record: candidate.record) }
            },
            threads: Parallel.coreCount
        )
        return try service.store.write(isLarge: true) { db in
            try container.requireInUse(db)
            let row = try DirectoryEpochTable.row(epoch, of: container.number, db)
            // Another process may be building too.
            guard let row, row.state == .building, row.position == batch.position else { return row == nil ? nil : 0 }
            let people = try unchanged(batch.people, db)
            if let directory, let rows {
                let records = Set(people.map(\.record))
                let wanted = people.count == batch.people.count ? rows : rows.filter { records.contains($0.record) }
                try DirectoryIndex(service: service).publish(wanted, in: directory, of: container.number, db)
            } else {
                guard epoch == 0 else {
                    throw KinfolkError(.conflict, "The directory was ended by another call while it was built.")
                }
                try DirectoryIndex(service: service).publishHashes(of: people, in: container.number, db)
            }
            guard let end = batch.end else {
                try DirectoryEpochTable.set(.complete, [], of: epoch, in: container.number, db)
                try KeyTable.renewStamp(db)
                return nil
            }
            try DirectoryEpochTable.set(.building, end.value.bytes, of: epoch, in: container.number, db)
            return batch.count
        }
    }

    private func batch(after position: [UInt8], _ db: Connection) throws -> Batch {
        // The plus sign keeps SQLite from using the index by record ID, with which each batch would read and sort the whole
        // container.
        let next = try db.all(
            """
            SELECT account_id FROM users
            WHERE +container_id = $1 AND account_id > $2 ORDER BY account_id LIMIT $3
            """,
            .integer(container.number),
            .bytes(position),
            .integer(Int64(batchSize))
        ) { $0.withBytes(0, RandomID.init(bytes:)) }
        guard let last = next.last, let end = last.map(AccountID.init) else {
            return Batch(people: [], end: nil, count: 0, position: position)
        }
        return Batch(
            people: try candidates(after: position, upTo: end, db),
            end: end,
            count: next.count,
            position: position
        )
    }

    /// The people of this range who can be found.
    private func candidates(after position: [UInt8], upTo end: AccountID, _ db: Connection) throws -> [Candidate] {
        let keys = try service.keys(db)
        let containerKeys = try service.keys(ofContainer: container.number, in: db)
        var people: [Candidate] = []
        // The sealed identity of each person contains the tags under which they may be found. It proves the unauthenticated rows
        // by which the query selects.
        var proofs: [PublishedIdentity] = []
        // One query for all people: separate queries for the addresses of each would cost as much as all other reads.
        _ = try db.all(
            """
            SELECT a.account_id, a.is_suspended, a.revision, a.digest, a.mac, u.record_id, u.revision, e.tag,
                e.sealed_address, i.sealed_identity
            FROM users u
            JOIN accounts a ON a.account_id = u.account_id
            LEFT JOIN identities i ON i.container_id = u.container_id AND i.record_id = u.record_id
            JOIN emails e ON e.account_id = u.account_id
            WHERE +u.container_id = $1 AND u.account_id > $2 AND u.account_id <= $3
            AND a.is_suspended = 0 AND e.verified_at IS NOT NULL AND e.is_discoverable <> 0
            AND $4 = (
                SELECT c.decision FROM consents c
                WHERE c.account_id = u.account_id AND c.container_id = u.container_id
                ORDER BY c.number DESC LIMIT 1)
            ORDER BY u.account_id
            """,
            .integer(container.number),
            .bytes(position),
            .id(end.value),
            .integer(Int64(Discoverability.granted.rawValue))
        ) { row in
            guard let record = row.withBytes(5, RandomID.init(bytes:)).map(UserRecordID.init),
                let tag = row.withBytes(7, Tag.init)
            else { throw AccountRows.changed }
            let standing = try AccountStanding(row)
            let hash = try EmailTable.open(row.bytes(8), tag, of: standing.id, with: keys).hash
            if people.last?.account == standing.id {
                people[people.count - 1].hashes.append(hash)
            } else {
                let place = DirectoryIndex.place(ofIdentityOf: record, in: container.number)
                let proof = try PublishedIdentity(bytes: containerKeys.sealing.open(row.bytes(9), at: place))
                guard proof.account == standing.id, proof.revision == standing.revision,
                    standing.isAuthentic(with: keys)
                else { throw AccountRows.changed }
                proofs.append(proof)
                let revisions = Revisions(account: standing.revision, user: row.integer(6))
                people.append(Candidate(account: standing.id, revisions: revisions, record: record, hashes: [hash]))
            }
        }
        for (person, proof) in zip(people, proofs) {
            let mayBeFound =
                person.hashes.count == proof.tags.count
                && person.hashes.allSatisfy { hash in
                    containerKeys.directoryTags.contains { proof.tags.contains($0.tag(hash)) }
                }
            guard mayBeFound else { throw AccountRows.changed }
        }
        return people
    }

    /// Candidates that have not changed since they were read.
    private func unchanged(_ candidates: [Candidate], _ db: Connection) throws -> [DirectoryIndex.Person] {
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
