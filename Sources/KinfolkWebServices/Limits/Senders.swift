import Kinfolk
import KinfolkThreads

/// Finds out from the head of a request whose turn it takes, without looking anything up in the store. Only who has proved before who it is counts
/// as somebody: otherwise each invented token would be a caller with turns of its own.
final class Senders: Sendable {
    private static let limit = 10_000

    /// The accounts, or the server keys, to which web auth tokens and key IDs belonged when they were checked, by hashes.
    private let known = Lock<[Int: String]>([:])

    func sender(of head: WebRequest.Head) -> FairWorkers.Sender {
        let network = Network(head.client)
        return FairWorkers.Sender(network: network?.site ?? network?.key ?? "", caller: caller(of: head))
    }

    private func caller(of head: WebRequest.Head) -> FairWorkers.Sender.Caller {
        if AssetRequest.isPath(head.path) || CourierRequest.isPath(head.path) { return .files }
        guard !SignInRequest.isPath(head.path), let key = Senders.key(head),
            let caller = known.withLock({ $0[key] })
        else { return .stranger }
        return .known(caller)
    }

    private static func key(_ head: WebRequest.Head) -> Int? {
        switch try? Credentials(head) {
        case .token(_, let token?)?: token.hashValue
        case .signature(let signature)?: signature.keyID.hashValue
        default: nil
        }
    }

    /// Notes who has proved to be who, unless it is known.
    func note(_ caller: Caller, of head: WebRequest.Head, _ sender: FairWorkers.Sender) {
        if case .known = sender.caller, caller.renewedToken == nil { return }
        guard let account = caller.session.account, let key = Senders.key(head) else { return }
        let keys = [key] + (caller.renewedToken.map { [$0.hashValue] } ?? [])
        known.withLock { known in
            if known.count >= Senders.limit { known.removeAll(keepingCapacity: true) }
            for key in keys { known[key] = account.description }
        }
    }
}
