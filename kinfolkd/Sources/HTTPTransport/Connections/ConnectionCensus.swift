import NIOConcurrencyHelpers

/// Counts the connections, in all and by the network that they come from.
final class ConnectionCensus: Sendable {
    enum Admission {
        case admitted
        /// The server has too many connections.
        case full
        /// The client has too many connections.
        case tooMany
    }

    private struct Counts {
        var total = 0
        var byNetwork: [NetworkAddress: Int] = [:]
    }

    private let counts = NIOLockedValueBox(Counts())
    private let limit: Int
    private let limitPerAddress: Int

    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    var total: Int { counts.withLockedValue(\.total) }

    /// - Parameter network: Nil for connections that count only in the total.
    func enter(_ network: NetworkAddress?) -> Admission {
        counts.withLockedValue { counts in
            guard counts.total < limit else { return .full }
            if let network {
                let count = counts.byNetwork[network, default: 0]
                guard count < limitPerAddress else { return .tooMany }
                counts.byNetwork[network] = count + 1
            }
            counts.total += 1
            return .admitted
        }
    }

    func leave(_ network: NetworkAddress?) {
        counts.withLockedValue { counts in
            counts.total -= 1
            guard let network, let count = counts.byNetwork[network] else { return }
            counts.byNetwork[network] = count > 1 ? count - 1 : nil
        }
    }
}
