import KinfolkAccounts
import KinfolkCore
import KinfolkDiscovery
import KinfolkModel
import KinfolkStorage

/// Deletes the rows of a container that is no longer in use, a number of people in each transaction.
///
/// An account's row has a digest of the account's other rows, which may include rows of this container. So both change in one
/// transaction: the container's rows are deleted, and the digest is computed again. The account stays valid throughout.
struct ContainerEraser {
    /// When a transaction ends. It then takes some tenths of a second.
    struct BatchLimits {
        static let standard = BatchLimits(people: 1_000, rows: 25_000)

        /// The maximum number of people.
        let people: Int
        /// How many rows of a table are deleted together, of people or without an owner. The last person of a batch may exceed it.
        let rows: Int
    }

    /// How many accounts are prefetched together.
    private static let accountsAhead = 50

    let service: Service
    let container: ContainerTable.Row
    let limits: BatchLimits

    private var number: Value { .integer(container.number) }

    struct Batch {
        let people: Int
        let isOver: Bool
    }

    private struct Person {
        let account: AccountID
        let record: UserRecordID

        func id(_ key: Table.UserKey) -> RandomID {
            switch key {
            case .account: account.value
            case .record: record.value
            }
        }
    }

    func count(_ db: Connection) throws -> Int {
        try db.first("SELECT count(*) FROM users WHERE container_id = $1", number) { Int($0.integer(0)) } ?? 0
    }

    /// Deletes the rows of the next people. When no people are left, deletes the rest.
    func eraseBatch(_ db: Connection) throws -> Batch {
        // Another process may have completed the deletion, and a new container may have the same name.
        let state = try db.first("SELECT state FROM containers WHERE container_id = $1", number) { $0.integer(0) }
        guard state == ContainerTable.State.ending.rawValue else { return Batch(people: 0, isOver: true) }
        // Before the people: one person may have very many records and deleted zones, which go with the person otherwise.
        if try RecordTable.hasRows(of: container.number, db) {
            // In a damaged index, rows might be found that cannot be deleted.
            guard try RecordTable.delete(atMost: limits.rows, in: container.number, db) > 0 else {
                throw StorageError(.corrupt)
            }
            return Batch(people: 0, isOver: false)
        }
        let (people, areAll) = try nextPeople(db)
        let erased = try erase(people, db)
        guard areAll, erased == people.count, try eraseRows(db) else { return Batch(people: erased, isOver: false) }
        try eraseRest(db)
        return Batch(people: erased, isOver: true)
    }

    /// The next people, and whether there are no more.
    private func nextPeople(_ db: Connection) throws -> (people: [Person], areAll: Bool) {
        let rows = try db.all(
            "SELECT account_id, record_id FROM users WHERE container_id = $1 ORDER BY record_id LIMIT $2",
            number,
            .integer(Int64(limits.people))
        ) { row in
            row.withBytes(0, RandomID.init(bytes:)).flatMap { account in
                row.withBytes(1, RandomID.init(bytes:)).map { record in
                    Person(account: AccountID(account), record: UserRecordID(record))
                }
            }
        }
        let people = rows.compactMap(\.self)
        guard people.count < rows.count else { return (people, rows.count < limits.people) }
        // A value that is not an ID was written without the key. It must not hide the people after it.
        let deleted = try db.changes(
            "DELETE FROM users WHERE container_id = $1 AND (length(account_id) <> 16 OR length(record_id) <> 16)",
            number
        )
        return (people, deleted == 0)
    }

    /// Deletes the rows of people. All reads come first: on a server, reads that alternate with writes take a round trip each.
    ///
    /// - Returns: How many people; fewer than were given if they have many rows.
    private func erase(_ people: [Person], _ db: Connection) throws -> Int {
        var (rows, erased): (Int, [Person]) = (0, [])
        var standings: [AccountStanding] = []
        for first in stride(from: 0, to: people.count, by: ContainerEraser.accountsAhead) where rows < limits.rows {
            let part = people[first..<min(first + ContainerEraser.accountsAhead, people.count)]
            try db.askAhead {
                for person in part {
                    try AccountRows.askAhead(person.account, db)
                    _ = try countRows(of: person, db)
                }
            }
            for person in part where rows < limits.rows {
                rows += try countRows(of: person, db)
                if let standing = try standingWithout(person, db) { standings.append(standing) }
                erased.append(person)
            }
        }
        for table in Tables.all.reversed() {
            guard let (condition, id) = table.conditionOfUser else { continue }
            try db.execute(composed: table.removal(where: condition), for: erased) { person in
                [number, .id(person.id(id))]
            }
        }
        try AccountTable.renew(standings, service.keys(db), db)
        return erased.count
    }

    /// How many rows a person has in the tables that may hold many of one person.
    private func countRows(of person: Person, _ db: Connection) throws -> Int {
        try db.first(
            """
            SELECT (SELECT count(*) FROM consents WHERE container_id = $1 AND account_id = $2)
                + (SELECT count(*) FROM blocks WHERE container_id = $1 AND record_id = $3)
            """,
            number,
            .id(person.account.value),
            .id(person.record.value)
        ) { Int($0.integer(0)) } ?? 0
    }

    /// The standing of an account after its rows in this container are deleted. Nil if the digest does not depend on them, or if
    /// the account is damaged; it then remains unchanged.
    ///
    /// The revision does not change, so what other containers publish of the account stays valid. An old copy of the account's
    /// row is useless: its digest is wrong without the rows that are deleted here, and these rows are useless in a deleted
    /// container.
    private func standingWithout(_ person: Person, _ db: Connection) throws -> AccountStanding? {
        let rows: AccountRows?
        do { rows = try AccountRows.verified(person.account, service, db) } catch let error as KinfolkError {
            guard error.code == .storeCorrupt else { throw error }
            rows = nil
        }
        guard let rows else { return nil }
        let rest = rows.without(container.number)
        guard rest.digest != rows.digest else { return nil }
        var standing = rows.account.standing
        standing.digest = rest.digest
        return standing
    }

    /// Deletes rows that no longer belong to a person, from tables that may have many of them. False if there may be more.
    private func eraseRows(_ db: Connection) throws -> Bool {
        let limit = limits.rows
        guard try DirectoryTagTable.delete(atMost: limit, in: container.number, db) < limit else { return false }
        for directory in try DirectoryEpochTable.all(of: container.number, db) where directory.epoch > 0 {
            let deleted = try PrivateDirectoryTable.delete(atMost: limit, of: directory.epoch, in: container.number, db)
            guard deleted < limit else { return false }
        }
        let wordings = try db.changes(
            """
            DELETE FROM wordings WHERE container_id = $1 AND wording_id IN
            (SELECT wording_id FROM wordings WHERE container_id = $1 LIMIT $2)
            """,
            number,
            .integer(Int64(limit))
        )
        return wordings < limit
    }

    /// Deletes what is left: tables with few rows, and rows that were written while others were deleted.
    private func eraseRest(_ db: Connection) throws {
        for table in Tables.all.reversed() where table.isOfContainer {
            try db.execute(composed: table.removal(where: "container_id = $1"), [number])
        }
        try ContainerTable.set(.deleted, of: container, service.keys(db), db)
        try ContainerTable.empty(container.number, db)
        // Makes all processes drop the container's keys from memory.
        try KeyTable.renewStamp(db)
    }
}
