import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads

/// What devices have acknowledged, until it is written.
final class Acknowledgements: Sendable {
    private let pending = Lock<[Recipient: [RandomID: Int64]]>([:])

    func note(_ number: Int64, by device: RandomID, of recipient: Recipient) {
        pending.withLock { pending in
            let known = pending[recipient]?[device] ?? 0
            pending[recipient, default: [:]][device] = max(known, number)
        }
    }

    /// The last number that a device has acknowledged and that is not written yet; 0 if there is none.
    func unwritten(by device: RandomID, of recipient: Recipient) -> Int64 {
        pending.withLock { $0[recipient]?[device] } ?? 0
    }

    func forget(by device: RandomID, of recipient: Recipient) {
        pending.withLock { _ = $0[recipient]?.removeValue(forKey: device) }
    }

    /// Writes everything. What cannot be written stays: its notifications are delivered again at another time.
    func write(_ service: Service, until deadline: Deadline?) {
        let all = pending.withLock { $0 }
        guard !all.isEmpty, !service.isReadOnly else { return }
        let now = service.steadyClock()
        for (recipient, devices) in all {
            func write() throws {
                try service.store.write(isDurable: false, until: deadline) { db in
                    // Nothing is kept of a container that was deleted.
                    try service.keys(db).requireInUse(recipient.container)
                    let count = try NotificationCountTable.count(for: recipient.record, in: recipient.container, db)
                    let last = count?.last ?? 0
                    try DeviceTable.note(
                        devices.lazy.map { ($0.key, min($0.value, last)) },
                        of: recipient.record,
                        in: recipient.container,
                        at: now,
                        db
                    )
                    try NotificationTable.deleteAcknowledged(by: recipient.record, in: recipient.container, db)
                }
            }
            // An error of another kind would come again.
            do { try write() } catch is StorageError { continue } catch {}
            // Only now, so that what is being written is not delivered again.
            pending.withLock { pending in
                for (device, number) in devices where pending[recipient]?[device] == number {
                    pending[recipient]?[device] = nil
                }
                if pending[recipient]?.isEmpty == true { pending[recipient] = nil }
            }
        }
    }
}
