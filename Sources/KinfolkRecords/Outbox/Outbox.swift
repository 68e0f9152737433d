package import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// What a service knows of the rows that it has written to the outbox, so that it looks for them soon after a save, and not after every
/// other write.
package final class Outbox: ServicePart {
    private struct State {
        /// Rows of transactions whose outcome is not known.
        var counts: [ChangeCount] = []
        var writtenAt: UInt64?
    }

    /// For how many nanoseconds after a row each write may be the end of the row's transaction.
    private static let window: UInt64 = 60_000_000_000
    /// The most counts that are kept: on a server, those of lost transactions stay unknown.
    private static let countLimit = 100_000

    private let state = Lock(State())
    private let fork = Fork.generation

    package init() {}

    func note(_ count: ChangeCount?) {
        guard let count, fork == Fork.generation else { return }
        state.withLock { state in
            if state.counts.count >= Outbox.countLimit { state.counts = [] }
            state.counts.append(count)
        }
    }

    /// Whether the write that has just ended may have left rows. Those of a transaction that runs at the same time are seen after its own end.
    package var mayHaveRows: Bool {
        guard fork == Fork.generation else { return false }
        return state.withLock { state in
            if !state.counts.isEmpty {
                if state.counts.contains(where: { $0.value > 0 }) { state.writtenAt = Deadline.now }
                state.counts.removeAll(where: \.isKnown)
            }
            return state.writtenAt.map { Deadline.now - $0 < Outbox.window } ?? false
        }
    }
}

extension Service {
    package var outbox: Outbox { part(Outbox.self) }
}
