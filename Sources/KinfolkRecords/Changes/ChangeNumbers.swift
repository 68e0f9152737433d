import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Numbers the changes of custom zones that one transaction makes.
///
/// All changes of a batch have one number, and so a reader gets all of them or none. What the operator changes in very many records
/// gets several numbers, because a page holds a whole number.
final class ChangeNumbers {
    private struct Owner: Hashable {
        let container: Int64
        let owner: [UInt8]
    }

    /// The numbers of one database.
    private struct Numbers {
        let place: RecordPlace
        let before: Int64
        private(set) var last: Int64
        /// What was saved and deleted under the last number.
        private var (records, bytes, deletions) = (0, 0, 0)

        init(_ place: RecordPlace, after last: Int64) {
            self.place = place
            before = last
            self.last = last
        }

        mutating func save(_ size: Int) {
            if records == Database.maximumBatch || bytes + size > Database.maximumBatchSize { next() }
            if last == before { next() }
            records += 1
            bytes += size
        }

        mutating func delete() {
            if deletions == ChangePage.maximumDeletions || last == before { next() }
            deletions += 1
        }

        private mutating func next() {
            last += 1
            (records, bytes, deletions) = (0, 0, 0)
        }
    }

    /// What changed in one zone.
    private struct ZoneChanges {
        let place: RecordPlace
        let deletionsBefore: Int64
        var deletions: Int64 = 0
        var change: Int64 = 0
    }

    private let now: Timestamp
    private let db: Connection
    private var numbers: [Owner: Numbers] = [:]
    /// Under the numbers of the zones, by their databases.
    private var zones: [Owner: [Int64: ZoneChanges]] = [:]

    init(at now: Timestamp, _ db: Connection) {
        self.now = now
        self.db = db
    }

    /// Makes the queries of ``prepare(_:)``, to prefetch them: in that case they see no rows.
    static func query(_ place: RecordPlace, _ db: Connection) throws {
        guard place.tracksChanges else { return }
        _ = try ChangeCountTable.count(of: place, db)
        _ = try ZoneTable.deletions(in: place, db)
    }

    /// Reads what numbering needs. Call this before the first change, so that a server answers it with other queries.
    func prepare(_ place: RecordPlace) throws {
        guard place.tracksChanges else { return }
        let owner = Owner(container: place.container, owner: place.owner)
        if numbers[owner] == nil {
            numbers[owner] = Numbers(place, after: try ChangeCountTable.count(of: place, db).last)
        }
        if zones[owner]?[place.zone] == nil {
            guard let deletions = try ZoneTable.deletions(in: place, db) else {
                throw KinfolkError.damaged("A zone is missing.")
            }
            zones[owner, default: [:]][place.zone] = ZoneChanges(place: place, deletionsBefore: deletions)
        }
    }

    /// The number of a change that saves a record; 0 in a default zone.
    ///
    /// - Parameter size: The size of the record's fields.
    func number(forSaving size: Int, in place: RecordPlace) throws -> Int64 {
        guard place.tracksChanges else { return 0 }
        return try change(in: place) { $0.save(size) }
    }

    /// The number of a change that deletes a record, and the number of the deletion in its zone.
    func numbers(forDeletingIn place: RecordPlace) throws -> (change: Int64, deletion: Int64) {
        let change = try change(in: place) { $0.delete() }
        let owner = Owner(container: place.container, owner: place.owner)
        zones[owner]?[place.zone]?.deletions += 1
        let zone = zones[owner]?[place.zone]
        return (change, (zone?.deletionsBefore ?? 0) + (zone?.deletions ?? 0))
    }

    private func change(in place: RecordPlace, _ note: (inout Numbers) -> Void) throws -> Int64 {
        try prepare(place)
        let owner = Owner(container: place.container, owner: place.owner)
        guard var numbers = numbers[owner] else { return 0 }
        note(&numbers)
        self.numbers[owner] = numbers
        zones[owner]?[place.zone]?.change = numbers.last
        return numbers.last
    }

    /// Writes the numbers, and purges tombstones that need not be kept any more.
    func finish() throws {
        for numbers in numbers.values where numbers.last > numbers.before {
            try ChangeCountTable.note(last: numbers.last, of: numbers.place, db)
        }
        for zones in zones.values {
            for (_, zone) in zones.sorted(by: { $0.key < $1.key }) where zone.change > 0 { try finish(zone) }
        }
        (numbers, zones) = ([:], [:])
    }

    private func finish(_ zone: ZoneChanges) throws {
        try ZoneTable.note(change: zone.change, deletions: zone.deletions, in: zone.place, db)
        guard zone.deletions > 0 else { return }
        let last = zone.deletionsBefore + zone.deletions
        try TombstoneTable.purge(
            // More than were added, so that old ones are made up for.
            atMost: 2 * min(Int(zone.deletions), ChangePage.maximumDeletions),
            through: last - ChangePage.keptDeletions,
            before: now.adding(seconds: -ChangePage.keptSeconds),
            orThrough: last - ChangePage.mostDeletions,
            in: zone.place,
            db
        )
    }
}
