import Glibc
import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkPrivateClient
import KinfolkStorage

/// Re-seals unchanged rows of private directories as cover. The end of a block re-seals the rows of two people; with the cover,
/// the two cases cannot be distinguished by comparing the versions of buckets.
///
/// Each time it selects two people at random and re-seals all their rows in all epochs, as the end of a block does. The times are
/// random too, spread over the whole day: if all rows changed at once, that would cover nothing that changes later.
enum PrivateCover {
    private static let secondsOfDay = 86_400.0
    /// The minimum and maximum number of people per day.
    private static let fewest = 16.0
    private static let most = 300.0
    /// The maximum number of pairs at once, if many due times passed while nobody wrote to the store.
    private static let mostAtOnce = 8.0

    /// Does the cover that is due in all containers.
    static func run(for service: Service) throws {
        let now = service.steadyClock()
        guard try !service.store.read({ db in try ContainerTable.withCoverDue(at: now, db) }).isEmpty else { return }
        try service.store.write { db in
            for (container, due) in try ContainerTable.withCoverDue(at: now, db) {
                let rows = try coverPairs(from: due, until: now, in: container, service, db)
                try ContainerTable.setCoverDue(next(after: now, rows: rows), of: container, db)
            }
        }
    }

    /// The next due time, in a directory with `rows` rows.
    static func next(after now: Timestamp, rows: Int) -> Timestamp {
        // The times are exponentially distributed, which has no memory: past events reveal nothing about the next time.
        let share = (Double(SecureRandom.number(below: 1 << 30)) + 1) / Double(1 << 30)
        return Timestamp(microseconds: now.microseconds &+ Int64(-log(share) * interval(rows: rows) * 1_000_000))
    }

    /// The average number of seconds between two pairs.
    private static func interval(rows: Int) -> Double {
        secondsOfDay / (min(max(Double(rows) / 1_000, fewest), most) / 2)
    }

    /// - Returns: The number of rows in the newest epoch.
    private static func coverPairs(
        from due: Timestamp,
        until now: Timestamp,
        in container: Int64,
        _ service: Service,
        _ db: Connection
    ) throws -> Int {
        let directories = try service.directories(ofContainer: container, in: db)
        guard let epoch = directories.privateOnes.first?.epoch else { return 0 }
        let rows = try DirectoryCountTable.total(of: epoch, in: container, db)
        let missed = min(max(now.seconds(since: due), 0) / interval(rows: rows), mostAtOnce - 1)
        for _ in 0..<2 * (1 + Int(missed)) {
            let place = SecureRandom.bytes(BucketPosition.length)
            guard let record = try PrivateDirectoryTable.record(from: place, of: epoch, in: container, db) else {
                continue
            }
            // A person whose address cannot be opened must not prevent the cover of others.
            try? DirectoryIndex(service: service).resealPrivateRows(of: record, in: container, db)
        }
        return rows
    }
}
