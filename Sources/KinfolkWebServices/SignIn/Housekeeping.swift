import Kinfolk

/// What the service does now and then without a request, so that a process that was killed leaves nothing behind: it mails the notices of
/// claims.
final class Housekeeping: Sendable {
    private static let period = 600.0

    /// Begins, and goes on as long as the service is used.
    static func start(_ services: WebServices) {
        _ = services.alarms.after(period) { [weak services] in
            guard let services else { return }
            services.postman.run { run(services) }
            start(services)
        }
    }

    static func run(_ services: WebServices) {
        guard !services.service.isReadOnly else { return }
        // The store may be away: then the next time does it.
        try? ClaimNotices.mailAll(services, .english)
    }
}
