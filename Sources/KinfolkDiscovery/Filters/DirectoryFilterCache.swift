import KinfolkCore
package import KinfolkStorage
import KinfolkThreads

/// The filters of a service: one for each large container in which books are searched, created in the background.
package final class DirectoryFilterCache: Sendable {
    private struct State {
        var filters: [Int64: DirectoryFilter] = [:]
        /// The containers whose filter must be created, or must add many rows.
        var wanted: [Int64] = []
        /// For each container without a filter: the number of rows up to which it is not worth checking again.
        var refusedUntil: [Int64: Int64] = [:]
        var isWorking = false
        var isStopped = false

        var byteCount: Int { filters.values.reduce(0) { $0 + $1.byteCount } }
    }

    /// How many new rows a search adds without the background thread: this takes about a millisecond.
    private static let fewRows: Int64 = 1_000
    /// How many rows are read at once in the background.
    private static let batchSize: Int64 = 10_000

    private let store: Store
    private let limit: Int
    private let minimumPeople: Int
    private let fork = Fork.generation
    private let state = Lock(State())

    /// - Parameters:
    ///   - limit: How many bytes all filters may take.
    ///   - minimumPeople: The number of people below which there is no filter, because reading the store costs little.
    package init(store: Store, limit: Int, minimumPeople: Int) {
        self.store = store
        self.limit = limit
        self.minimumPeople = minimumPeople
    }

    /// A filter that has all rows that the transaction sees; nil if there is no such filter now.
    package func filter(of container: Int64, _ db: Connection) throws -> DirectoryFilter? {
        guard limit > 0 else { return nil }
        let progress = try DirectoryLaneTable.progress(of: container, db)
        // Every person in the directory has taken at least one sequence number.
        guard progress.total >= Int64(minimumPeople) else { return nil }
        let known = state.withLock { $0.filters[container] }
        guard let known, !known.isFull, known.history == db.history,
            progress.total - known.progress.total <= DirectoryFilterCache.fewRows
        else {
            want(container, at: progress.total)
            return nil
        }
        return try known.catchUp(to: progress, ofState: progress, in: container, db) ? known : nil
    }

    func hasFilter(of container: Int64) -> Bool { state.withLock { $0.filters[container] != nil } }

    /// Frees the filter of a container that was deleted.
    package func forget(_ container: Int64) {
        state.withLock { state in
            state.filters[container] = nil
            state.refusedUntil[container] = nil
        }
    }

    /// Waits until no filter is being created, and prevents the creation of others.
    package func stop() {
        // A forked child has no thread to wait for.
        guard fork == Fork.generation else { return }
        state.withLock { $0.isStopped = true }
        _ = state.withLock(when: { !$0.isWorking }, until: .never) { _ in }
    }

    // MARK: In the background

    private func want(_ container: Int64, at rows: Int64) {
        let needsThread = state.withLock { state in
            guard !state.isStopped, !state.wanted.contains(container), rows > state.refusedUntil[container] ?? 0
            else { return false }
            state.wanted.append(container)
            defer { state.isWorking = true }
            return !state.isWorking
        }
        guard needsThread, !Thread.start({ [self] in work() }) else { return }
        // Without a thread there is no filter; everything else still works.
        state.withLock { state in
            state.isWorking = false
            state.wanted = []
        }
    }

    private func work() {
        while true {
            let next = state.withLock { state in
                state.isWorking = !state.isStopped && !state.wanted.isEmpty
                return state.isWorking ? state.wanted.first : nil
            }
            guard let next else { return }
            // If the store cannot be read now, the next search that wants the filter tries again.
            try? bringUpToDate(next)
            state.withLock { _ = $0.wanted.removeFirst() }
        }
    }

    /// Each read is short, because a long one would keep the log from being emptied.
    private func bringUpToDate(_ container: Int64) throws {
        let known = state.withLock { $0.filters[container] }
        let filter: DirectoryFilter
        if let known, !known.isFull, try store.read(\.history) == known.history {
            filter = known
        } else {
            // Released first, so that two filters are never in memory.
            state.withLock { $0.filters[container] = nil }
            guard let new = try makeFilter(for: container) else { return }
            filter = new
        }
        var isCurrent = false
        var stride = DirectoryFilterCache.batchSize
        while !isCurrent {
            let before = filter.count
            let step = try store.read { db in
                // In another history, its rows may belong to other people. The next search requests a new filter.
                guard db.history == filter.history else { return nil as Bool? }
                let progress = try DirectoryLaneTable.progress(of: container, db)
                let next = filter.progress.advanced(by: stride, to: progress)
                _ = try filter.catchUp(to: next, ofState: progress, in: container, db)
                return next.total >= progress.total
            }
            guard let step else { return }
            isCurrent = step
            stride = DirectoryFilterCache.next(
                stride,
                from: DirectoryFilterCache.batchSize,
                after: filter.count - before
            )
        }
        state.withLock { $0.filters[container] = filter }
    }

    /// An empty filter with room for all rows and a quarter more. Nil if the filter is not worthwhile or does not fit.
    private func makeFilter(for container: Int64) throws -> DirectoryFilter? {
        let history = try store.read(\.history)
        let (rows, ever) = try countRows(of: container)
        let room = rows + rows / 4
        let others = state.withLock(\.byteCount)
        guard rows >= minimumPeople, others + DirectoryFilter.byteCount(room: room) <= limit else {
            // Checked again when enough rows may have come, or a part of them may be gone.
            state.withLock { $0.refusedUntil[container] = ever + Int64(max(minimumPeople, rows / 4)) }
            return nil
        }
        return DirectoryFilter(room: room, history: history)
    }

    /// How many sequence numbers to read next. The number grows while no rows are found: ranges without rows may be long, and in
    /// a store that was edited without the key, far too long to read in small steps.
    private static func next(_ stride: Int64, from first: Int64, after count: Int) -> Int64 {
        count > 0 ? first : min(2 * stride, DirectoryProgress.maximumCount)
    }

    /// The approximate numbers of rows now and ever: other processes may change some meanwhile.
    private func countRows(of container: Int64) throws -> (rows: Int, ever: Int64) {
        var (rows, counted, stride) = (0, DirectoryProgress(), 10 * DirectoryFilterCache.batchSize)
        while true {
            let step = try store.read { db in
                let progress = try DirectoryLaneTable.progress(of: container, db)
                let next = counted.advanced(by: stride, to: progress)
                let counts = try next.ranges(after: counted).map {
                    try DirectoryTagTable.count(in: container, after: $0.first, through: $0.last, db)
                }
                return (count: counts.reduce(0, +), next: next, isLast: next.total >= progress.total)
            }
            rows += step.count
            counted = step.next
            stride = DirectoryFilterCache.next(stride, from: 10 * DirectoryFilterCache.batchSize, after: step.count)
            if step.isLast { return (rows, counted.total) }
        }
    }
}

extension DirectoryFilterCache: ServicePart {}

extension Service {
    package var filters: DirectoryFilterCache { part(DirectoryFilterCache.self) }
}
