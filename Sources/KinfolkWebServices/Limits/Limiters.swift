import Kinfolk

/// The limits of a running service.
final class Limiters: Sendable {
    private let network: RateLimiter
    private let application: RateLimiter
    private let person: RateLimiter
    private let mails: RateLimiter
    let tries: RateLimiter

    init(_ limits: RequestLimits) {
        network = RateLimiter(limits.network)
        application = RateLimiter(limits.application)
        person = RateLimiter(limits.person)
        mails = RateLimiter(limits.mails, shareOfSite: 4)
        tries = RateLimiter(limits.tries, shareOfSite: 4)
    }

    /// Counts a request of a client, before anything else is done for it.
    func countRequest(of head: WebRequest.Head) throws(WebError) {
        guard let client = Network(head.client), let seconds = network.take(client) else { return }
        throw Limiters.refusal(seconds, "There are too many requests from your network.")
    }

    /// The same, as whether there is room for it.
    func hasRoom(for head: WebRequest.Head) -> Bool { (try? countRequest(of: head)) != nil }

    /// Counts a request of a known caller.
    func countRequest(of caller: Caller) throws(WebError) {
        if let seconds = application.take(caller.applicationKey) {
            throw Limiters.refusal(seconds, "There are too many requests with this API token or server key.")
        }
        if caller.kind == .person, let user = caller.user, let seconds = person.take(user.description) {
            throw Limiters.refusal(seconds, "There are too many requests of this user.")
        }
    }

    /// Counts a mail that a network asks for. In how many minutes it may ask for another; nil for now.
    func countMail(for head: WebRequest.Head) -> Int? {
        guard let network = Network(head.client), let seconds = mails.take(network) else { return nil }
        return Int((seconds / 60).rounded(.up))
    }

    static func refusal(_ seconds: Double, _ reason: String) -> WebError {
        WebError(.throttled, reason, retryAfter: seconds)
    }
}
