import Kinfolk

/// What the service does now and then without a request, so that a process that was killed leaves nothing behind: it erases accounts that
/// were made for a sign-in and whose address nobody has proved, and mails the notices of claims.
final class Housekeeping: Sendable {
    private static let period = 600.0

    /// How many seconds a new person has to prove the address.
    static let patience = 3_600.0

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
        try? forgetSignIns(services.service)
        try? ClaimNotices.mailAll(services, .english)
    }

    private static func forgetSignIns(_ service: Service) throws(KinfolkError) {
        while case let expired = try service.expiredSignIns(), !expired.isEmpty {
            for (signIn, id) in expired {
                if let account = try account(id, service), try isOfNobody(account) { _ = try account.erase() }
                try service.forgetSignIn(signIn, of: id)
            }
        }
    }

    private static func account(_ id: AccountID, _ service: Service) throws(KinfolkError) -> Account? {
        do throws(KinfolkError) { return try service.account(id) } catch  where error.code == .unknownItem {
            return nil
        }
    }

    /// Whether nobody can sign in to an account, and it has nothing in any container.
    private static func isOfNobody(_ account: Account) throws(KinfolkError) -> Bool {
        guard try account.identities().isEmpty, try !account.emails().contains(where: \.isVerified) else {
            return false
        }
        return try account.service.read { db in
            try AccountRows.verified(account.id, account.service, db)?.users.isEmpty ?? false
        }
    }
}
