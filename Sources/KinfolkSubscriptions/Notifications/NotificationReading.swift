import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// Reads the notifications of a user, with what the records hold now, in one transaction.
struct NotificationReading {
    /// A notification for the devices of the user.
    struct Found {
        let number: Int64
        /// The device that made the change, and is not notified.
        let origin: RandomID?
        /// Nil if there is nothing to deliver any more: the record is gone, or may not be read now.
        let notification: SubscriptionNotification?
    }

    /// The most bytes of fields that one reading collects, besides its first notification.
    static let maximumSize = 2_000_000

    private let session: Session
    private let user: Session.User
    private let keys: KeyRing
    private let containerKeys: ContainerKeys
    private let history: RandomID
    private let db: Connection
    private let cache = Cache()

    private final class Cache {
        var access: RecordAccess?
        var schema: ContainerSchema?
        var places: [Int64: RecordPlace?] = [:]
        var size = 0
    }

    private var container: Int64 { session.container.number }

    /// - Throws: ``KinfolkError/Code/notAuthenticated`` if the session has no account in good standing.
    init(_ session: Session, _ db: Connection) throws {
        self.session = session
        self.db = db
        user = try session.userInGoodStanding(db)
        keys = try session.service.keys(db)
        containerKeys = try session.service.keys(ofContainer: session.container.number, in: db)
        history = try StoreHistory.value(db) ?? RandomID(tag: Tag())
    }

    /// Whether the reading has collected so much that it ends.
    var isFull: Bool { cache.size >= NotificationReading.maximumSize }

    /// The last notification that the session's device has acknowledged; nil if the device is not registered.
    func acknowledged() throws -> Int64? {
        try DeviceTable.acknowledged(by: session.device, of: user.record, in: container, db)
    }

    /// The registered devices of the user.
    func devices() throws -> Set<RandomID> { try DeviceTable.ids(of: user.record, in: container, db) }

    func count() throws -> NotificationCountTable.Count {
        try NotificationCountTable.count(for: user.record, in: container, db)
            ?? NotificationCountTable.Count(last: 0, forgotten: 0)
    }

    /// The next notifications, in order.
    func next(after last: Int64, limit: Int) throws -> [Found] {
        var found: [Found] = []
        let rows = try NotificationTable.rows(
            for: user.record,
            after: last,
            limit: limit,
            in: container,
            containerKeys,
            db
        )
        for row in rows where !isFull {
            let notification = try row.content.flatMap { content in try self.notification(content, number: row.number) }
            found.append(Found(number: row.number, origin: row.content?.origin, notification: notification))
        }
        return found
    }

    /// The notification that some were dropped.
    func dropped(through number: Int64) throws -> SubscriptionNotification {
        SubscriptionNotification(id: try id(number, stamp: 0), sequence: number, kind: .dropped)
    }

    private func id(_ number: Int64, stamp: Int64) throws -> NotificationID {
        try NotificationPosition(history: history, number: number, stamp: stamp).id(
            for: user.record,
            in: container,
            keys
        )
    }

    private func notification(_ content: NotificationContent, number: Int64) throws -> SubscriptionNotification? {
        guard content.kind == .query else {
            return SubscriptionNotification(
                id: try id(number, stamp: content.stamp),
                sequence: number,
                kind: content.kind,
                subscriptionID: content.subscriptionID,
                scope: content.scope,
                zone: content.zoneName,
                info: content.info
            )
        }
        guard let reason = content.reason, let type = try schema().type(content.type) else { return nil }
        let access = try access(content.scope)
        if reason == .recordDeleted {
            guard let name = content.name, let zone = content.zoneName,
                access.mayRead(recordOf: type, createdBy: content.creator)
            else { return nil }
            return try notification(content, number, type, RecordID(valid: name, zone: zone), Fields())
        }
        guard let place = try place(content.scope, zone: content.zone),
            let row = try readable(content.number, in: place), row.type == content.type, try access.mayRead(row)
        else { return nil }
        let id = RecordID(valid: row.content.name, zone: place.zoneName)
        return try notification(content, number, type, id, row.content.fields)
    }

    /// The record with a number; nil if it is gone, or was edited without the key.
    private func readable(_ number: Int64, in place: RecordPlace) throws -> RecordRow? {
        do { return try RecordTable.row(number: number, in: place, db) } catch let error
            where KinfolkError(error).code == .storeCorrupt
        {
            return nil
        }
    }

    private func notification(
        _ content: NotificationContent,
        _ number: Int64,
        _ type: TypeDefinition,
        _ record: RecordID,
        _ fields: Fields
    ) throws -> SubscriptionNotification {
        var info = content.info
        func texts(_ keys: [String]) -> [String] {
            let texts = keys.map { (fields[$0]?.notificationText ?? "").cut(to: NotificationInfo.maximumArgument) }
            cache.size += texts.reduce(0) { $0 + $1.utf8.count }
            return texts
        }
        info.alertLocalizationArgs = texts(info.alertLocalizationArgs)
        info.titleLocalizationArgs = texts(info.titleLocalizationArgs)
        info.subtitleLocalizationArgs = texts(info.subtitleLocalizationArgs)
        var desired: [String: FieldValue] = [:]
        for key in info.desiredKeys {
            guard let value = fields[key] else { continue }
            desired[key] = value
            cache.size += value.size
        }
        return SubscriptionNotification(
            id: try id(number, stamp: content.stamp),
            sequence: number,
            kind: .query,
            subscriptionID: content.subscriptionID,
            scope: content.scope,
            reason: content.reason,
            recordID: record,
            recordType: type.name,
            zone: record.zone,
            fields: desired,
            info: info
        )
    }

    // MARK: What is looked up once

    private func schema() throws -> ContainerSchema {
        if let schema = cache.schema { return schema }
        let schema = try session.service.schemas.schema(of: container, session.service, db)
        cache.schema = schema
        return schema
    }

    private func access(_ scope: DatabaseScope) throws -> RecordAccess {
        guard scope == .public else { return .ofOwner }
        if let access = cache.access { return access }
        let access = try RecordAccess(user, schema())
        cache.access = access
        return access
    }

    private func place(_ scope: DatabaseScope, zone: Int64) throws -> RecordPlace? {
        let database = RecordPlace(ofPrivate: scope == .private ? user.record : nil, in: container, containerKeys)
        guard zone != 0 else { return database }
        if let known = cache.places[zone] { return known }
        let place = try ZoneTable.place(number: zone, in: database, db)
        cache.places[zone] = .some(place)
        return place
    }
}

extension String {
    /// The first characters, of at most so many bytes.
    fileprivate func cut(to count: Int) -> String {
        guard utf8.count > count else { return self }
        return String(decoding: utf8.prefix(count), as: UTF8.self).trimmingDamage
    }

    /// Without the replacement of a character that was cut in its middle.
    private var trimmingDamage: String { last == "\u{fffd}" ? String(dropLast()) : self }
}

extension FieldValue {
    /// The value of a field in a localized text; empty for values that have no usual text.
    fileprivate var notificationText: String {
        switch self {
        case .string(let value): value
        case .int64(let value): String(value)
        case .double(let value): value.description
        case .boolean(let value): value ? "true" : "false"
        case .date(let value): value.description
        default: ""
        }
    }
}
