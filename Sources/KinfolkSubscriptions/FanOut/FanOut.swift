package import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
package import KinfolkThreads

/// Makes notifications of the changes in the outbox, after the saves that wrote them.
///
/// Each service handles the changes of its own lane, and those that another service left: because it ended, or because it is slow. If two
/// services handle the same changes, the second one to write finds that the rows are gone, and writes nothing.
package final class FanOut: ServicePart {
    /// The most changes that are read in one transaction.
    package static let batchSize = 200
    /// The most notifications that are written in one transaction.
    private static let notificationLimit = 1_000
    /// After how many seconds the changes of another lane count as left.
    private static let patience = 1.0
    /// How long to wait for further changes before those without subscriptions are deleted. A save does not wait for that.
    private static let pause = 0.02
    /// So many of them are deleted at once.
    private static let readLimit = 512

    private struct Lane: Hashable, Comparable {
        let container, number: Int64

        static func < (left: Lane, right: Lane) -> Bool {
            (left.container, left.number) < (right.container, right.number)
        }
    }

    private struct State {
        /// Changes that were read and concern nobody. Those of a lane are deleted together.
        var read: [Lane: [(sequence: Int64, stamp: Int64)]] = [:]
        /// When the last change was found.
        var foundAt = Deadline.now
        /// The first change of each lane of others, and when it was seen first.
        var others: [Lane: (stamp: Int64, since: UInt64)] = [:]
        /// The lanes of others that this service handles until they are empty.
        var taken: Set<Lane> = []
        /// The lane that was handled last. The next one follows it, so that no container and no service keeps the others waiting.
        var last: Lane?
        /// Lanes that this service has given up, because the store is damaged, and the first change there.
        var failed: [Lane: Int64] = [:]
    }

    private let thread = BatchThread()
    private let state = Lock(State())
    private let indexes = SubscriptionIndexes()
    private let known = KnownSubscriptions()

    package init() {}

    /// Starts the thread if it does not run.
    package func start(_ service: Service) {
        guard !service.isReadOnly else { return }
        // Between batches, the thread does not keep the service open. The service ends the thread before it is deallocated.
        unowned(unsafe) let service = service
        thread.start { [self] deadline in
            // During a batch it does: sessions that the batch makes would otherwise release the last reference in its middle.
            let kept: Service = service
            return try withExtendedLifetime(kept) { try runBatch(kept, until: deadline) }
        }
    }

    /// Starts the thread if another service left changes.
    package func startIfNeeded(_ service: Service) throws {
        guard !service.isReadOnly else { return }
        if try service.store.read(OutboxTable.hasRows) { start(service) }
    }

    package func stop() { thread.stop() }

    /// Handles what this service has written, and what others left, before the service closes.
    package func writePending(of service: Service, until deadline: Deadline?) {
        guard service.outbox.mayHaveRows else { return }
        let end = Deadline(in: 2)
        do {
            while !end.hasPassed, try runBatch(service, until: deadline, isEnding: true) {}
        } catch {
            // Another service finds the changes.
        }
    }

    // MARK: Batches

    /// The changes of another service are being handled, or the rows were removed: read them again.
    private struct Stale: Error {}

    /// Handles the next changes. False if there are none.
    ///
    /// - Parameters:
    ///   - betweenReadings: For tests: what others do when changes of another lane are to be read first.
    ///   - beforeWriting: For tests: what others do between the transaction that reads and the one that writes.
    package func runBatch(
        _ service: Service,
        until deadline: Deadline?,
        isEnding: Bool = false,
        betweenReadings: () throws -> Void = {},
        beforeWriting: () throws -> Void = {}
    ) throws -> Bool {
        guard let (lane, stamp) = try nextLane(service) else { return false }
        do {
            let isRead = try run(lane, service, until: deadline, isEnding: isEnding, betweenReadings, beforeWriting)
            if !isRead { giveUp(lane, stamp) }
            return true
        } catch is Stale {
            state.withLock { $0.read[lane] = nil }
            return true
        } catch let error where FanOut.isLasting(error) {
            giveUp(lane, stamp)
            return true
        }
    }

    /// Whether an error comes again: of a deleted container, or of one whose keys or schema cannot be read. It must not keep the others from
    /// being handled.
    private static func isLasting(_ error: any Error) -> Bool {
        [.storeCorrupt, .unknownItem].contains(KinfolkError(error).code)
    }

    /// Leaves a lane alone until its first change is another one: its rows cannot be read.
    private func giveUp(_ lane: Lane, _ stamp: Int64) { state.withLock { $0.failed[lane] = stamp } }

    /// The next lane with changes, of the own ones and of those that were left, in turn; and the stamp of its first change.
    private func nextLane(_ service: Service) throws -> (lane: Lane, stamp: Int64)? {
        let lanes = try service.store.read(OutboxTable.lanes).map {
            (lane: Lane(container: $0.container, number: $0.lane), stamp: $0.stamp)
        }
        return state.withLock { state in
            let present = Set(lanes.map(\.lane))
            state.others = state.others.filter { present.contains($0.key) }
            state.read = state.read.filter { present.contains($0.key) }
            state.failed = state.failed.filter { present.contains($0.key) }
            state.taken.formIntersection(present)
            let now = Deadline.now
            var found: [(lane: Lane, stamp: Int64)] = []
            for (lane, stamp) in lanes where state.failed[lane] != stamp {
                if lane.number == service.lane || state.taken.contains(lane) {
                    found.append((lane, stamp))
                } else if let seen = state.others[lane], seen.stamp == stamp {
                    if Double(now - seen.since) >= FanOut.patience * 1e9 {
                        state.taken.insert(lane)
                        found.append((lane, stamp))
                    }
                } else {
                    state.others[lane] = (stamp, now)
                }
            }
            // The lanes are in order.
            let next = found.first { next in state.last.map { $0 < next.lane } ?? true } ?? found.first
            state.last = next?.lane
            return next
        }
    }

    private struct Plan {
        var matches: [SubscriptionMatch] = []
        /// The changes that need no more work.
        var done: [(sequence: Int64, stamp: Int64)] = []
        /// A change of which some subscriptions were notified, and the last of these.
        var partly: (row: OutboxRow, reached: Int64)?
        /// A lane whose changes come first: a record was created there that was changed here.
        var blocking: Lane?
        /// Whether the lane has no changes.
        var isEmpty = false
    }

    private func run(
        _ lane: Lane,
        _ service: Service,
        until deadline: Deadline?,
        isEnding: Bool,
        _ betweenReadings: () throws -> Void,
        _ beforeWriting: () throws -> Void
    ) throws -> Bool {
        let first = lane
        var lane = first
        var read = state.withLock { $0.read[lane] ?? [] }
        var plan = Plan()
        // Lanes that block nothing any more: others have handled their changes, or they cannot be read.
        var passed: Set<Int64> = []
        // A record is created before it is changed, and so a chain of lanes that wait for each other ends; in a damaged store, here.
        for _ in 0..<Service.laneCount * Service.laneCount {
            do {
                plan = try service.store.read { db in try self.plan(lane, after: &read, passing: passed, service, db) }
            } catch let error where lane != first && FanOut.isLasting(error) {
                plan = Plan(isEmpty: true)
            }
            if plan.isEmpty && lane != first {
                passed.insert(lane.number)
                lane = first
            } else {
                guard let blocking = plan.blocking, plan.done.isEmpty, plan.matches.isEmpty else { break }
                lane = blocking
                try betweenReadings()
            }
            read = lane == first ? state.withLock { $0.read[first] ?? [] } : []
        }
        let isIdle = plan.done.isEmpty && plan.partly == nil
        if isIdle && read.isEmpty { return false }
        if plan.matches.isEmpty && plan.partly == nil && !isEnding {
            read += plan.done
            let waits = state.withLock { state in
                if !isIdle { state.foundAt = Deadline.now }
                state.read[lane] = read
                let isRecent = Double(Deadline.now - state.foundAt) < FanOut.pause * 1e9
                return read.count < FanOut.readLimit && isRecent
            }
            if waits || !isIdle && read.count < FanOut.readLimit { return true }
        } else {
            read += plan.done
        }
        try beforeWriting()
        try write(plan, read, in: lane, service, until: deadline)
        state.withLock { $0.read[lane] = nil }
        if !plan.matches.isEmpty { service.hub.stir() }
        return true
    }

    private func plan(
        _ lane: Lane,
        after read: inout [(sequence: Int64, stamp: Int64)],
        passing passed: Set<Int64>,
        _ service: Service,
        _ db: Connection
    ) throws -> Plan {
        let keys = try service.keys(ofContainer: lane.container, in: db)
        // A sequence is used again when all rows of the lane are gone. While the last row that was read is there, all others came later.
        if let last = read.last, try !OutboxTable.has(last, inLane: lane.number, in: lane.container, db) { read = [] }
        let (rows, all) = try OutboxTable.rows(
            ofLane: lane.number,
            in: lane.container,
            after: read.last?.sequence ?? .min,
            limit: FanOut.batchSize,
            keys,
            db
        )
        guard !all.isEmpty else { return Plan(isEmpty: read.isEmpty) }
        let hasOthers = try OutboxTable.hasRows(outsideLane: lane.number, in: lane.container, db)
        let matching = try SubscriptionMatching(service, container: lane.container, indexes, known, db)
        var plan = Plan()
        var candidates = 0
        var next = rows[...]
        for place in all {
            guard let row = next.first, row.sequence == place.sequence else {
                // A row of a deleted zone.
                plan.done.append(place)
                continue
            }
            next = next.dropFirst()
            if hasOthers, row.kind == .changed || row.kind == .deleted,
                let created = try OutboxTable.creation(of: row, db), !passed.contains(created)
            {
                plan.blocking = Lane(container: lane.container, number: created)
                break
            }
            let result = try matching.matches(of: row, limit: FanOut.notificationLimit - plan.matches.count)
            plan.matches += result.matches
            candidates += result.count + result.keyCount
            if let reached = result.reached {
                plan.partly = (row, reached)
                break
            }
            plan.done.append(place)
            let isLong = candidates >= SubscriptionMatching.candidateLimit
            if plan.matches.count >= FanOut.notificationLimit || isLong { break }
        }
        return plan
    }

    private func write(
        _ plan: Plan,
        _ read: [(sequence: Int64, stamp: Int64)],
        in lane: Lane,
        _ service: Service,
        until deadline: Deadline?
    ) throws {
        // A power cut may undo it, but then also the deletion of the changes, so that they are handled again. But if a server were
        // restarted, sessions could have received these notifications, and others would get their numbers.
        try service.store.write(isDurable: service.store.isOnServer, until: deadline) { db in
            if !plan.matches.isEmpty {
                // The keys of this transaction: they may have been rotated since the changes were read.
                let keys = try service.keys(ofContainer: lane.container, in: db)
                try NotificationWriting(in: lane.container, keys, db).write(plan.matches)
            }
            let count = try OutboxTable.delete(read, ofLane: lane.number, in: lane.container, db)
            guard count == read.count else { throw Stale() }
            if let partly = plan.partly, try !OutboxTable.note(reached: partly.reached, of: partly.row, db) {
                throw Stale()
            }
        }
    }
}

extension Service {
    package var fanOut: FanOut { part(FanOut.self) }
}
