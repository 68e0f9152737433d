import Kinfolk
import KinfolkThreads

/// Accounts that were made for a sign-in and whose address nobody has proved yet. After some time they are erased.
final class Newcomers: Sendable {
    /// How many seconds a person has to prove the address.
    private static let patience = 3_600.0

    private let alarms: Alarms
    private let workers: WorkerPool

    init(_ alarms: Alarms, _ workers: WorkerPool) { (self.alarms, self.workers) = (alarms, workers) }

    func expect(_ account: Account) {
        _ = alarms.after(Newcomers.patience) { [workers] in
            workers.run {
                guard let emails = try? account.emails(), !emails.contains(where: \.isVerified) else { return }
                _ = try? account.erase()
            }
        }
    }
}
