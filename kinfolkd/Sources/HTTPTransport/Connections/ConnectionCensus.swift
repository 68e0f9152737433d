import NIOConcurrencyHelpers

/// Counts the connections, in all and by the network that they come from.
final class ConnectionCensus: Sendable {
    enum Admission {
        case admitted
        /// The server has too many connections.
        case full
        /// The client has too many connections.
        case tooMany
        /// Too many connections are being refused to answer this one.
        case unanswered
    }

    private struct Counts {
        var total = 0
        var refused = 0
        var byNetwork: [NetworkAddress: Int] = [:]

        mutating func refuse(_ admission: Admission) -> Admission {
            guard refused < ConnectionCensus.refusals else { return .unanswered }
            refused += 1
            return admission
        }
    }

    private let counts = NIOLockedValueBox(Counts())
    private let limit: Int
    private let limitPerAddress: Int
    /// Connections that are being refused also take a file each, until their clients have read the answer.
    static let refusals = 100

    init(limit: Int, limitPerAddress: Int) {
        self.limit = limit
        self.limitPerAddress = limitPerAddress
    }

    var total: Int { counts.withLockedValue(\.total) }

    /// - Parameter network: Nil for connections that count only in the total.
    func enter(_ network: NetworkAddress?) -> Admission {
        counts.withLockedValue { counts in
            guard counts.total < limit else { return counts.refuse(.full) }
            if let network {
                let count = counts.byNetwork[network, default: 0]
                guard count < limitPerAddress else { return counts.refuse(.tooMany) }
                counts.byNetwork[network] = count + 1
            }
            counts.total += 1
            return .admitted
        }
    }

    /// - Parameters:
    ///   - admission: What ``enter(_:)`` has returned for the connection.
    ///   - network: What ``enter(_:)`` was given.
    func leave(_ admission: Admission, _ network: NetworkAddress?) {
        counts.withLockedValue { counts in
            guard admission == .admitted else {
                if admission != .unanswered { counts.refused -= 1 }
                return
            }
            counts.total -= 1
            guard let network, let count = counts.byNetwork[network] else { return }
            counts.byNetwork[network] = count > 1 ? count - 1 : nil
        }
    }
}
