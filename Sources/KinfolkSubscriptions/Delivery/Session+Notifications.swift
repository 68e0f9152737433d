public import KinfolkAccounts
import KinfolkCore
public import KinfolkModel
import KinfolkStorage
import KinfolkThreads

extension Session {
    /// The most notifications of one call.
    public static let maximumNotifications = 400

    /// The notifications that the session's device has not acknowledged, the oldest first.
    ///
    /// ```swift
    /// for notification in try session.notifications(waitingFor: 10) {
    ///     update(notification)
    ///     try session.acknowledge(notification)
    /// }
    /// ```
    ///
    /// A notification tells of a record as it is now: of one that is gone or that the session may not read any more, it tells nothing. If no
    /// notifications wait, those of the next changes can be waited for. A session without a device's name receives those since it first asked
    /// for notifications or saved a subscription.
    ///
    /// - Parameters:
    ///   - limit: The most notifications, 1 to ``maximumNotifications``. There are fewer if their fields have more than 2 MB.
    ///   - seconds: How long to wait if there are none.
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing, ``KinfolkError/Code/invalidArgument``
    ///   for another limit, ``KinfolkError/Code/limitExceeded`` if the user has too many devices,
    ///   ``KinfolkError/Code/permissionFailure`` if the service is open read-only and would have to wait or to note the device.
    public func notifications(
        limit: Int = 100,
        waitingFor seconds: Double = 0
    ) throws(KinfolkError) -> [SubscriptionNotification] {
        guard (1...Session.maximumNotifications).contains(limit) else {
            throw KinfolkError(.invalidArgument, "A call returns 1 to \(Session.maximumNotifications) notifications.")
        }
        guard seconds <= 0 || !service.isReadOnly else { throw KinfolkError(StorageError(.readOnly)) }
        let deadline = Deadline(in: seconds)
        while true {
            let (found, last, isBehind) = try waitingNotifications(limit: limit)
            if !service.isReadOnly { service.hub.keep(self) }
            // What was left out is for another device, or is gone.
            if found.isEmpty && isBehind { service.hub.acknowledge(last, by: self) }
            // Another service may have left changes, and ended.
            if found.isEmpty { try? service.fanOut.startIfNeeded(service) }
            if !found.isEmpty || deadline.hasPassed { return found }
            // Wakes when there is more, and then reads it again, so that nothing is returned that may not be read then.
            let hasCome = Lock(false)
            let key = try service.hub.watch(self, after: last, ended: { hasCome.withLock { $0 = true } }) { _, _ in
                hasCome.withLock { $0 = true }
                return false
            }
            let isThere: Void? = hasCome.withLock(when: { $0 }, until: deadline) { _ in }
            service.hub.end(key)
            if isThere == nil { return [] }
        }
    }

    /// The notifications that wait, the last number that was read, and whether the device has not acknowledged all up to it.
    func waitingNotifications(
        limit: Int
    ) throws(KinfolkError) -> (found: [SubscriptionNotification], last: Int64, isBehind: Bool) {
        let isRegistered = try service.read { db in try NotificationReading(self, db).acknowledged() != nil }
        if !isRegistered {
            let (acknowledged, isLost) = try registerDevice()
            guard isLost else { return ([], acknowledged, false) }
        }
        let (isLost, unwritten) = (service.hub.devices.isLost(device), service.hub.unwritten(by: self))
        let (found, last, isBehind) = try service.read { db in
            let reading = try NotificationReading(self, db)
            let acknowledged = max(try reading.acknowledged() ?? 0, unwritten)
            var last = acknowledged
            let count = try reading.count()
            var found: [SubscriptionNotification] = []
            if isLost || last < count.forgotten {
                last = max(last, count.forgotten)
                found.append(try reading.dropped(through: last))
            }
            while found.count < limit, !reading.isFull {
                let page = try reading.next(after: last, limit: limit)
                for one in page where found.count < limit {
                    if one.origin != device, let notification = one.notification { found.append(notification) }
                    last = one.number
                }
                if page.count < limit { break }
            }
            return (found, last, last > acknowledged)
        }
        if isLost, let dropped = found.first { service.hub.devices.noteLossTold(device, by: dropped.sequence) }
        return (found, last, isBehind)
    }

    /// Registers the session's device, from now on.
    ///
    /// - Returns: The last notification that it has acknowledged, and whether it is to be told that it was forgotten.
    func registerDevice() throws(KinfolkError) -> (acknowledged: Int64, isLost: Bool) {
        let (acknowledged, isNew) = try service.write { db in
            let user = try userInGoodStanding(db)
            return try DeviceTable.register(self, of: user.record, at: service.steadyClock(), db)
        }
        service.hub.devices.noteRegistered(device, isNew: isNew, named: deviceName)
        return (acknowledged, service.hub.devices.isLost(device))
    }

    /// Says that the device has handled a notification and all before it, so that they are not delivered to it again.
    public func acknowledge(_ notification: SubscriptionNotification) throws(KinfolkError) {
        try acknowledge(through: notification.id)
    }

    /// Says that the device has handled the notification with this ID and all before it.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the ID is of another user or container, ``KinfolkError/Code/changeTokenExpired`` if it
    ///   is from before the store was restored, ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func acknowledge(through id: NotificationID) throws(KinfolkError) {
        let position = try service.write(isDurable: false) { db in
            let user = try userInGoodStanding(db)
            let keys = try service.keys(db)
            guard let position = NotificationPosition(id, for: user.record, in: container.number, keys) else {
                throw KinfolkError(
                    .invalidArgument,
                    "The ID of a notification belongs to another user, or is not valid."
                )
            }
            let count = try NotificationCountTable.count(for: user.record, in: container.number, db)
            // The number is 0 if the first thing that the device was told is that some were dropped.
            guard position.history == (try StoreHistory.value(db)), let count, position.number >= 0,
                position.number <= count.last
            else {
                throw KinfolkError(.changeTokenExpired, "The notification is from before the store was restored.")
            }
            // One that was made again after a power cut has another number. This one is delivered again.
            let containerKeys = try service.keys(ofContainer: container.number, in: db)
            let stamp = try NotificationTable.stamp(
                position.number,
                for: user.record,
                in: container.number,
                containerKeys,
                db
            )
            guard position.stamp == 0 || stamp == nil || stamp == position.stamp else { return position }
            try DeviceTable.note(
                [(device, position.number)],
                of: user.record,
                in: container.number,
                at: service.steadyClock(),
                db
            )
            try NotificationTable.deleteAcknowledged(by: user.record, in: container.number, db)
            return position
        }
        service.hub.devices.noteAcknowledged(position.number, isDropped: position.stamp == 0, by: device)
    }

    /// Calls `handler` for each notification, on a thread of the service, one after the other, for as long as the observation lives.
    ///
    /// It begins with the notifications that wait. A slow handler delays those of other sessions of the process.
    ///
    /// - Parameter handler: Returns whether the notification was handled, and so is acknowledged with all before it. Otherwise it is delivered
    ///   again, after a second at the earliest.
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing,
    ///   ``KinfolkError/Code/limitExceeded`` if the user has too many devices, ``KinfolkError/Code/permissionFailure`` if the service is open
    ///   read-only.
    public func onNotification(
        _ handler: @escaping @Sendable (SubscriptionNotification) -> Bool
    ) throws(KinfolkError) -> StoreObservation {
        try observe { notification, acknowledge in
            guard handler(notification) else { return false }
            acknowledge(notification)
            return true
        }
    }

    /// Delivers all notifications that wait, and those that come, to a receiver, which acknowledges them, then or later.
    ///
    /// - Parameter ended: Called when the service closes.
    package func observe(
        ended: @escaping @Sendable () -> Void = {},
        _ receive:
            @escaping @Sendable (SubscriptionNotification, _ acknowledge: (SubscriptionNotification) -> Void) -> Bool
    ) throws(KinfolkError) -> StoreObservation {
        guard !service.isReadOnly else { throw KinfolkError(StorageError(.readOnly)) }
        let (acknowledged, isLost) = try registerDevice()
        let dropped =
            isLost ? try service.read { db in try NotificationReading(self, db).dropped(through: acknowledged) } : nil
        let observation = StoreObservation(hub: service.hub)
        let start = max(acknowledged, service.hub.unwritten(by: self))
        let hub = service.hub
        let key = try hub.watch(self, after: start, first: dropped, ended: ended) { [self] notification, key in
            receive(notification) { hub.acknowledge($0, by: self, of: key) }
        }
        observation.begin(key)
        return observation
    }
}
