import Synchronization

/// Counts the memory that bodies of requests and answers take, over all connections.
///
/// Nobody can take all of it. Each kind of holder has a part, and each single one a part of that.
final class BodyMemory: Sendable {
    /// For whom memory counts.
    enum Holder: Hashable {
        /// Somebody of this site who is not proved yet.
        case stranger(network: String)
        /// The same with a form of at most ``form`` bytes: people sign in with them.
        case form(network: String)
        case caller(String)
        /// What waits until a client reads it.
        case answer

        /// The part of the memory that all of its kind may take, and the part of that for this one, as divisors.
        var shares: (kind: Int, own: Int) {
            switch self {
            // Programs on this machine, and a proxy that does not name its clients, are no site.
            case .stranger(""): (8, 8)
            case .stranger: (8, 32)
            case .form(""): (32, 32)
            case .form: (32, 128)
            case .caller: (3, 4)
            case .answer: (2, 2)
            }
        }

        var kind: Int {
            switch self {
            case .stranger: 0
            case .form: 1
            case .caller: 2
            case .answer: 3
            }
        }
    }

    /// The largest form, in bytes.
    static let form = 16_384

    private struct State: ~Copyable {
        var kinds = [0, 0, 0, 0]
        var holders: [Holder: Int] = [:]
    }

    private let state = Mutex(State())
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Takes memory. Returns false, and takes nothing, if that exceeds a limit.
    func take(_ count: Int, for holder: Holder) -> Bool {
        let shares = holder.shares
        return state.withLock { state in
            let own = state.holders[holder, default: 0] + count
            let all = state.kinds[holder.kind] + count
            guard all <= limit / shares.kind, own <= limit / shares.own else { return false }
            state.kinds[holder.kind] = all
            state.holders[holder] = own
            return true
        }
    }

    func give(_ count: Int, of holder: Holder) {
        guard count > 0 else { return }
        state.withLock { state in
            state.kinds[holder.kind] -= count
            let rest = state.holders[holder, default: 0] - count
            state.holders[holder] = rest > 0 ? rest : nil
        }
    }
}
