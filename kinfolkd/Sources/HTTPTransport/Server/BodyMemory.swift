import Synchronization

/// Counts the memory that bodies of requests and answers take, over all connections.
///
/// Nobody can take all of it with bodies: strangers together get an eighth, one network of them a quarter of that, and one proved caller a
/// quarter of all.
final class BodyMemory: Sendable {
    /// For whom memory counts.
    enum Holder: Hashable {
        /// Somebody in this network who is not proved yet.
        case stranger(network: String)
        case caller(String)
        /// What waits until a client reads it.
        case answer
    }

    private struct State: ~Copyable {
        var used = 0
        var ofStrangers = 0
        var holders: [Holder: Int] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes memory. Returns false, and takes nothing, if that exceeds a limit.
    func take(_ count: Int, for holder: Holder) -> Bool {
        state.withLock { state in
            let own = state.holders[holder, default: 0] + count
            guard state.used + count <= limit, own <= share(of: holder) else { return false }
            if case .stranger = holder {
                guard state.ofStrangers + count <= limit / 8 else { return false }
                state.ofStrangers += count
            }
            state.used += count
            state.holders[holder] = own
            return true
        }
    }

    func give(_ count: Int, of holder: Holder) {
        state.withLock { state in
            state.used -= count
            if case .stranger = holder { state.ofStrangers -= count }
            let rest = state.holders[holder, default: 0] - count
            state.holders[holder] = rest > 0 ? rest : nil
        }
    }

    private func share(of holder: Holder) -> Int {
        switch holder {
        // Programs on this machine, and a proxy that does not name its clients, are no network.
        case .stranger(""): limit / 8
        case .stranger: limit / 32
        case .caller: limit / 4
        case .answer: limit
        }
    }
}
