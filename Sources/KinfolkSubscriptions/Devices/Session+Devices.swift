public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage

extension Session {
    /// The devices that receive notifications of the session's user: those with a name in the order of their names, and then sessions
    /// without one, which are forgotten when they have not asked for notifications for a day.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func devices() throws(KinfolkError) -> [Device] {
        try service.read { db in
            let user = try userInGoodStanding(db)
            let keys = try service.keys(ofContainer: container.number, in: db)
            return try DeviceTable.all(of: user.record, keys, in: container.number, db).map {
                Device(id: $0.id, name: $0.name, isCurrent: $0.id == device)
            }
        }
    }

    /// Forgets a device with the notifications that wait for it. If a session uses it still, it is made again when it next asks for
    /// notifications.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such device, ``KinfolkError/Code/notAuthenticated`` if the session has no
    ///   account in good standing.
    public func removeDevice(named name: String) throws(KinfolkError) {
        try Device.validate(name: name)
        try service.write { db in
            let user = try userInGoodStanding(db)
            let keys = try service.keys(ofContainer: container.number, in: db)
            guard let id = try DeviceTable.id(named: name, of: user.record, keys, in: container.number, db),
                try DeviceTable.delete(id, of: user.record, in: container.number, db)
            else { throw KinfolkError(.unknownItem, "There is no device with this name.") }
            try NotificationTable.deleteAcknowledged(by: user.record, in: container.number, db)
            // A number without a notification makes those who wait look, and find that their device is gone.
            if let count = try NotificationCountTable.count(for: user.record, in: container.number, db),
                count.last < .max
            {
                let next = NotificationCountTable.Count(last: count.last + 1, forgotten: count.forgotten)
                try NotificationCountTable.set(next, for: user.record, in: container.number, db)
            }
            try db.signal()
        }
        service.hub.stir()
    }
}
