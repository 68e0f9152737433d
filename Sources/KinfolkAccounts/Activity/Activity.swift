package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage
package import KinfolkThreads

/// Counts the discoveries and refusals of all people together, in memory.
///
/// They are written together with other writes: with the next permits that are recorded as spent, and when the service closes or
/// the process exits. A refusal never causes a write by itself: otherwise a client that sends a flood of refused requests, at no
/// cost to itself, could load the disk. After a crash, counts that were not yet written are lost.
package final class Activity: Sendable {
    package enum Event { case discovery, refusal }

    private struct Day: Hashable {
        let container: Int64
        let start: Timestamp
    }

    private struct Count {
        var discoveries = 0
        var refusals = 0
    }

    package struct Row {
        package let container: Int64
        package let day: Timestamp
        package var discoveries: Int
        package var refusals: Int
    }

    private let counts = Lock<[Day: Count]>([:])
    private let fork = Fork.generation

    package func note(_ event: Event, in container: Int64, at now: Timestamp) {
        // In a forked child the counts are the parent's, and may have been copied in the middle of a change.
        guard fork == Fork.generation else { return }
        let day = Day(container: container, start: now.startOfDay)
        counts.withLock { counts in
            switch event {
            case .discovery: counts[day, default: Count()].discoveries += 1
            case .refusal: counts[day, default: Count()].refusals += 1
            }
        }
    }

    /// Removes the counts from memory and returns them.
    func takeOut() -> [Row] {
        guard fork == Fork.generation else { return [] }
        return counts.withLock { counts in
            defer { counts = [:] }
            return counts.map { day, count in
                Row(
                    container: day.container,
                    day: day.start,
                    discoveries: count.discoveries,
                    refusals: count.refusals
                )
            }
        }
    }

    /// Undoes ``takeOut()``.
    func putBack(_ rows: [Row]) {
        counts.withLock { counts in
            for row in rows {
                let day = Day(container: row.container, start: row.day)
                counts[day, default: Count()].discoveries += row.discoveries
                counts[day, default: Count()].refusals += row.refusals
            }
        }
    }

    /// Writes all counts to the store. If that fails, they are lost.
    ///
    /// - Parameter deadline: How long to wait for other writers; nil for the store's own limit.
    package func writeAll(to store: Store, lane: Int, until deadline: Deadline? = nil) {
        let rows = takeOut()
        guard !rows.isEmpty else { return }
        try? store.write(until: deadline) { db in
            try ActivityTable.add(rows, to: lane, db)
            for row in rows { try ActivityTable.trim(in: row.container, at: row.day, db) }
        }
    }
}

extension Activity: ServicePart {
    package func writePending(of service: Service, until deadline: Deadline?) {
        writeAll(to: service.store, lane: service.lane, until: deadline)
    }
}

extension Service {
    package var activity: Activity { part(Activity.self) }
}
