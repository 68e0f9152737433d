package import KinfolkCore
import KinfolkModel

extension Component {
    /// Accounts, containers and sessions.
    package static let accounts = Component(
        parts: { context in [AccountWatcher(store: context.store), LimitLeases(), Activity()] },
        daily: [
            { service, db in try AddressHistory.expire(at: service.steadyClock(), db) },
            { service, db in try Claims(service, db).expire() },
            { service, db in
                try VerificationTable.deleteIssued(before: service.steadyClock().adding(seconds: -MailBudget.day), db)
            },
        ]
    )
}
