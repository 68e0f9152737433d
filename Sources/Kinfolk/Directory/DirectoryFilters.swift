import KinfolkStorage
import KinfolkThreads

/// The filters of a service: one for each container that is large and in which books are searched, made in the background.
final class DirectoryFilters: Sendable {
    private struct State {
        /// Nil once the service is gone: its files are closed when it is freed, and not when a thread lets go.
        var store: Store?
        var filters: [Int64: DirectoryFilter] = [:]
        /// The containers whose filter is to be made, or to catch up with many rows.
        var wanted: [Int64] = []
        /// Up to how many rows it is not worth looking again whether a container should have a filter.
        var refusedUntil: [Int64: Int64] = [:]
        var isWorking = false
        var isStopped = false

        var byteCount: Int { filters.values.reduce(0) { $0 + $1.byteCount } }
    }

    /// How many newcomers a search takes in by itself: it takes about a millisecond.
    private static let fewRows: Int64 = 1_000
    /// How many are read at once in the background.
    private static let batchSize: Int64 = 10_000

    private let limit: Int
    private let minimumPeople: Int
    private let fork = Fork.generation
    private let state: Lock<State>

    /// - Parameters:
    ///   - limit: How many bytes all filters may take.
    ///   - minimumPeople: Where fewer can be found, looking at the store costs little.
    init(store: Store, limit: Int, minimumPeople: Int) {
        state = Lock(State(store: store))
        self.limit = limit
        self.minimumPeople = minimumPeople
    }

    /// A filter that has all rows that the transaction sees; nil if there is none, or none yet.
    func filter(of container: Int64, _ db: Connection) throws -> DirectoryFilter? {
        guard limit > 0 else { return nil }
        let progress = try DirectoryLaneTable.progress(of: container, db)
        // Everybody who is there took a sequence at least.
        guard progress.total >= Int64(minimumPeople) else { return nil }
        let known = state.withLock { $0.filters[container] }
        guard let known, !known.isFull, known.history == db.history,
            progress.total - known.progress.total <= DirectoryFilters.fewRows
        else {
            want(container, at: progress.total)
            return nil
        }
        return try known.catchUp(to: progress, ofState: progress, in: container, db) ? known : nil
    }

    func hasFilter(of container: Int64) -> Bool { state.withLock { $0.filters[container] != nil } }

    /// Frees the filter of a container that was deleted.
    func forget(_ container: Int64) {
        state.withLock { state in
            state.filters[container] = nil
            state.refusedUntil[container] = nil
        }
    }

    /// Waits until nothing is made any more. No filter is made afterwards.
    func stop() {
        // In a forked child there is no thread to wait for.
        guard fork == Fork.generation else { return }
        state.withLock { $0.isStopped = true }
        _ = state.withLock(when: { !$0.isWorking }, until: .never) { $0.store = nil }
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
        // Without a thread there is no filter, and nothing else is wrong.
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
            // A store that cannot be read now is read again when the next search wants the filter.
            try? bringUpToDate(next)
            state.withLock { _ = $0.wanted.removeFirst() }
        }
    }

    /// Reads the store, unless the service is going. Small steps: a long look would keep the log from being emptied.
    private func read<Result>(_ body: (Connection) throws -> Result) throws -> Result? {
        guard let store = state.withLock({ $0.isStopped ? nil : $0.store }) else { return nil }
        return try store.read(body)
    }

    private func bringUpToDate(_ container: Int64) throws {
        let known = state.withLock { $0.filters[container] }
        let filter: DirectoryFilter
        if let known, !known.isFull, try read(\.history) == known.history {
            filter = known
        } else {
            // Given up first, so that two are never in memory.
            state.withLock { $0.filters[container] = nil }
            guard let new = try makeFilter(for: container) else { return }
            filter = new
        }
        var isCurrent = false
        var stride = DirectoryFilters.batchSize
        while !isCurrent {
            let before = filter.count
            let step = try read { db in
                // In another history its rows may be others'. The next search has a new one made.
                guard db.history == filter.history else { return nil as Bool? }
                let progress = try DirectoryLaneTable.progress(of: container, db)
                let next = filter.progress.advanced(by: stride, to: progress)
                _ = try filter.catchUp(to: next, ofState: progress, in: container, db)
                return next.total >= progress.total
            }
            guard let step, let step else { return }
            isCurrent = step
            stride = DirectoryFilters.next(stride, from: DirectoryFilters.batchSize, after: filter.count - before)
        }
        state.withLock { $0.filters[container] = filter }
    }

    /// An empty filter with room for everybody, and a quarter more. Nil if it is not worth it, or would not fit.
    private func makeFilter(for container: Int64) throws -> DirectoryFilter? {
        guard let history = try read(\.history), let (rows, ever) = try countRows(of: container) else { return nil }
        let room = rows + rows / 4
        let others = state.withLock(\.byteCount)
        guard rows >= minimumPeople, others + DirectoryFilter.byteCount(room: room) <= limit else {
            // Looked at again when there may be so many, or a part of them gone.
            state.withLock { $0.refusedUntil[container] = ever + Int64(max(minimumPeople, rows / 4)) }
            return nil
        }
        return DirectoryFilter(room: room, history: history)
    }

    /// How many sequences to look at next. Where nobody is left they may be many: of a store that was written from outside, far
    /// more than could be looked at one by one.
    private static func next(_ stride: Int64, from first: Int64, after count: Int) -> Int64 {
        count > 0 ? first : min(2 * stride, DirectoryProgress.maximumCount)
    }

    /// About how many rows there are, and ever were: others may change some meanwhile.
    private func countRows(of container: Int64) throws -> (rows: Int, ever: Int64)? {
        var (rows, counted, stride) = (0, DirectoryProgress(), 10 * DirectoryFilters.batchSize)
        while true {
            let step = try read { db in
                let progress = try DirectoryLaneTable.progress(of: container, db)
                let next = counted.advanced(by: stride, to: progress)
                let counts = try next.ranges(after: counted).map {
                    try DirectoryTable.count(in: container, after: $0.first, through: $0.last, db)
                }
                return (count: counts.reduce(0, +), next: next, isLast: next.total >= progress.total)
            }
            guard let step else { return nil }
            rows += step.count
            counted = step.next
            stride = DirectoryFilters.next(stride, from: 10 * DirectoryFilters.batchSize, after: step.count)
            if step.isLast { return (rows, counted.total) }
        }
    }
}
