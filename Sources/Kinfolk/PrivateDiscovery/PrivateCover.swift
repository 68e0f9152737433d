import Glibc
import KinfolkCrypto
import KinfolkStorage

/// Seals rows of private directories anew that nobody changed, as cover: the end of a block does the same with the rows of two
/// people, and whoever compares the versions of buckets cannot tell which of the two it was.
///
/// Each time it takes two people at random, with all their rows in all epochs, as the end of a block does. The moments are random
/// too, spread over the whole day: rows that changed all at once would cover nothing that changes later.
enum PrivateCover {
    private static let secondsOfDay = 86_400.0
    /// How many people a day.
    private static let fewest = 16.0
    private static let most = 300.0
    /// How often at once at most, when many moments passed while nobody wrote to the store.
    private static let mostAtOnce = 8.0

    /// Does what is due in all containers.
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

    /// When it is due next, in a directory of so many rows.
    static func next(after now: Timestamp, rows: Int) -> Timestamp {
        // The time between random moments, which has no memory: what was seen says nothing about when the next one is.
        let share = (Double(SecureRandom.number(below: 1 << 30)) + 1) / Double(1 << 30)
        return Timestamp(microseconds: now.microseconds &+ Int64(-log(share) * interval(rows: rows) * 1_000_000))
    }

    /// How many seconds there are from one pair to the next on average.
    private static func interval(rows: Int) -> Double {
        secondsOfDay / (min(max(Double(rows) / 1_000, fewest), most) / 2)
    }

    /// - Returns: How many rows the newest epoch has.
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
            // Somebody whose address does not open must not keep others from being covered.
            try? Directory(service: service).resealPrivateRows(of: record, in: container, db)
        }
        return rows
    }
}
