package import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Forgets sessions without a name that have not asked for notifications for a long time.
package enum DeviceExpiry {
    package static func run(_ service: Service) throws {
        guard !service.isReadOnly else { return }
        let now = service.steadyClock()
        guard try service.store.read({ try DeviceTable.hasExpired(at: now, $0) }) else { return }
        try service.store.write { db in
            let owners = try DeviceTable.deleteExpired(at: now, db)
            var known: Set<[UInt8]> = []
            for (container, owner) in owners where known.insert(owner).inserted {
                guard let user = owner.withUnsafeBytes(RandomID.init(bytes:)) else { continue }
                try NotificationTable.deleteAcknowledged(by: UserRecordID(user), in: container, db)
            }
        }
    }
}
