import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
public import KinfolkModel
public import KinfolkRecords
import KinfolkStorage

extension Database {
    /// The most subscriptions of a user in a database.
    public static let maximumSubscriptions = SubscriptionTable.limit

    /// Saves a subscription of the session's user, and replaces the one with the same ID.
    ///
    /// From now on the session is a device of the user, which receives notifications, if it was none before.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such record type, ``KinfolkError/Code/invalidArgument`` if it does not have
    ///   the fields of the predicate, if a value has another type than its field, or if a zone or a public database is meant that cannot be
    ///   subscribed to, ``KinfolkError/Code/permissionFailure`` if the session may read no records of the type,
    ///   ``KinfolkError/Code/zoneNotFound`` if there is no such zone, ``KinfolkError/Code/limitExceeded`` if the subscription is larger than
    ///   ``Subscription/maximumSize``, or if there would be more than ``maximumSubscriptions`` or too many devices,
    ///   ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func save(_ subscription: Subscription) throws(KinfolkError) {
        try subscription.info.validate()
        let service = session.container.service
        let isNew = try service.write { db in
            let user = try session.userInGoodStanding(db)
            let row = SubscriptionRow(
                number: Int64.random(in: 1...Int64.max),
                subscriber: user.record,
                account: user.account,
                subscription: subscription
            )
            guard row.content.count <= Subscription.maximumSize else {
                throw KinfolkError(.limitExceeded, "A subscription has at most \(Subscription.maximumSize) bytes.")
            }
            let database = try subscribedDatabase(of: user.record, db)
            let keys = try self.keys(of: subscription, user, in: database, db)
            let known = try SubscriptionTable.number(subscription.id, of: user.record, in: database, db)
            if known == nil {
                guard try SubscriptionTable.count(of: user.record, in: database, db) < SubscriptionTable.limit else {
                    throw KinfolkError(
                        .limitExceeded,
                        "A user has at most \(SubscriptionTable.limit) subscriptions in a database."
                    )
                }
            }
            try SubscriptionTable.save(row.with(number: known ?? row.number), keys: keys, in: database, db)
            try OutboxTable.noteReaders(of: database, db)
            return try DeviceTable.register(session, of: user.record, at: service.steadyClock(), db).isNew
        }
        service.hub.devices.noteRegistered(session.device, isNew: isNew, named: session.deviceName)
    }

    /// Deletes a subscription of the session's user, with its notifications that no device has acknowledged.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no subscription with this ID, ``KinfolkError/Code/notAuthenticated`` if the
    ///   session has no account in good standing.
    public func deleteSubscription(_ id: String) throws(KinfolkError) {
        try Subscription.validate(id: id)
        try session.container.service.write { db in
            let user = try session.userInGoodStanding(db)
            let database = try subscribedDatabase(of: user.record, db)
            guard let number = try SubscriptionTable.number(id, of: user.record, in: database, db) else {
                throw Database.noSubscription
            }
            try SubscriptionTable.delete(number, in: database.container, db)
            try NotificationTable.delete(of: number, for: user.record, in: database.container, db)
            // The readers' stamp changes, so that no service uses the keys that it knows.
            try OutboxTable.noteReaders(of: database, db)
            if try !SubscriptionTable.hasAny(in: database, db) { try OutboxTable.removeReaders(of: database, db) }
        }
    }

    /// The subscriptions of the session's user to this database, in the order of their IDs.
    ///
    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    public func subscriptions() throws(KinfolkError) -> [Subscription] {
        try session.container.service.read { db in
            let user = try session.userInGoodStanding(db)
            let database = try subscribedDatabase(of: user.record, db)
            return try SubscriptionTable.all(of: user.record, in: database, db).map(\.subscription)
                .sorted { $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) }
        }
    }

    /// The subscription of the session's user with this ID.
    ///
    /// - Throws: ``KinfolkError/Code/unknownItem`` if there is no such subscription, ``KinfolkError/Code/notAuthenticated`` if the session has
    ///   no account in good standing.
    public func subscription(_ id: String) throws(KinfolkError) -> Subscription {
        try Subscription.validate(id: id)
        return try session.container.service.read { db in
            let user = try session.userInGoodStanding(db)
            let database = try subscribedDatabase(of: user.record, db)
            guard let row = try SubscriptionTable.row(id, of: user.record, in: database, db) else {
                throw Database.noSubscription
            }
            return row.subscription
        }
    }

    // MARK: Checks

    private func subscribedDatabase(of user: UserRecordID, _ db: Connection) throws -> RecordPlace {
        let keys = try session.container.service.keys(ofContainer: session.container.number, in: db)
        return RecordPlace(ofPrivate: scope == .private ? user : nil, in: session.container.number, keys)
    }

    /// The keys of a subscription that the session may make.
    private func keys(
        of subscription: Subscription,
        _ user: Session.User,
        in database: RecordPlace,
        _ db: Connection
    ) throws -> Set<Tag> {
        guard subscription.type == .query || scope == .private else {
            throw KinfolkError(
                .invalidArgument,
                "A public database has query subscriptions only: it has no custom zones and no change tracking."
            )
        }
        if let zone = subscription.zone, zone != RecordZone.defaultName {
            guard scope == .private, try ZoneTable.place(named: zone, in: database, db) != nil else {
                throw KinfolkError(.zoneNotFound, "There is no such zone in this database.")
            }
        }
        guard let query = subscription.query else {
            return try SubscriptionKeys.keys(of: subscription, nil, database.tags[0])
        }
        let service = session.container.service
        let schema = try service.schemas.schema(of: session.container.number, service, db)
        guard let type = schema.types[query.recordType] else {
            throw KinfolkError(.unknownItem, "There is no such record type.")
        }
        let access: RecordAccess = scope == .private ? .ofOwner : RecordAccess(user, schema)
        guard access.reading(of: type) != .none else { throw RecordAccess.refusal }
        return try SubscriptionKeys.keys(of: subscription, type, database.tags[0])
    }

    private static var noSubscription: KinfolkError {
        KinfolkError(.unknownItem, "There is no subscription with this ID.")
    }
}

extension SubscriptionRow {
    fileprivate func with(number: Int64) -> SubscriptionRow {
        SubscriptionRow(number: number, subscriber: subscriber, account: account, subscription: subscription)
    }
}
