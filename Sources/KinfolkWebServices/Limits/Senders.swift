import Kinfolk
import KinfolkThreads

/// Finds out from the head of a request whose turn it takes. Nothing is looked up in the store: what a head says is not proved yet.
final class Senders: Sendable {
    private static let limit = 10_000

    /// The users to whom web auth tokens belonged when they were checked, by hashes of the tokens. Otherwise a person with many sessions would
    /// have as many turns.
    private let users = Lock<[Int: String]>([:])

    func sender(of head: WebRequest.Head) -> FairWorkers.Sender {
        let network = Network(head.client)
        return FairWorkers.Sender(network: network?.site ?? network?.key ?? "", caller: caller(of: head))
    }

    private func caller(of head: WebRequest.Head) -> FairWorkers.Sender.Caller {
        if AssetRequest.isPath(head.path) || CourierRequest.isPath(head.path) { return .files }
        switch try? Credentials(head) {
        case .token(_, let token?)?:
            let hash = token.hashValue
            return .known(users.withLock { $0[hash] } ?? String(hash))
        case .signature(let signature)?: return .known(signature.keyID)
        default: return .stranger
        }
    }

    /// Notes who has proved to be who.
    func note(_ caller: Caller, of head: WebRequest.Head) {
        guard caller.kind == .person, let user = caller.user, case .token(_, let token?)? = try? Credentials(head)
        else {
            return
        }
        users.withLock { users in
            if users.count >= Senders.limit { users.removeAll(keepingCapacity: true) }
            users[token.hashValue] = user.description
        }
    }
}
