import Synchronization

/// Counts the memory that bodies of requests take, over all connections.
final class BodyMemory: Sendable {
    private let used = Atomic<Int>(0)
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes memory for bytes that arrived. Returns false, and takes nothing, if that exceeds the limit.
    func take(_ count: Int) -> Bool {
        let total = used.wrappingAdd(count, ordering: .relaxed).newValue
        guard total > limit else { return true }
        give(count)
        return false
    }

    func give(_ count: Int) { used.wrappingSubtract(count, ordering: .relaxed) }
}
