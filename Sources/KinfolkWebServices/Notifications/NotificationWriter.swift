import Kinfolk
import KinfolkCrypto
import KinfolkJSON

/// Writes notifications in the form in which Apple's push service delivers those of CloudKit.
struct NotificationWriter {
    let container: String
    let user: UserRecordID?

    private static let reasons: [SubscriptionNotification.Reason: Int64] = [
        .recordCreated: 1, .recordUpdated: 2, .recordDeleted: 3,
    ]

    /// The ID as texts hold it.
    static func id(_ id: NotificationID) -> String { Base64.text(id.bytes, urlSafe: true) }

    /// The notification with this text as its ID; nil if it is none.
    static func id(_ text: String) -> NotificationID? {
        Base64.bytes(text, urlSafe: true).flatMap { try? NotificationID(bytes: $0) }
    }

    func json(_ notification: SubscriptionNotification) -> JSON {
        var members: [(String, JSON)] = [
            ("nid", .string(NotificationWriter.id(notification.id))), ("cid", .string(container)),
        ]
        switch notification.kind {
        case .query: members.append(("qry", .object(query(notification))))
        case .recordZone: members.append(("fet", .object(place(notification))))
        case .database: members.append(("met", .object(place(notification))))
        case .dropped: members.append(("dropped", .boolean(true)))
        }
        return .object([("aps", aps(notification.info)), ("ck", .object(members))])
    }

    /// The subscription, the database and the zone.
    private func place(_ notification: SubscriptionNotification) -> [(String, JSON)] {
        var members: [(String, JSON)] = []
        if let id = notification.subscriptionID { members.append(("sid", .string(id))) }
        members.append(("dbs", .integer(notification.scope == .public ? 0 : 1)))
        if let zone = notification.zone ?? notification.recordID?.zone {
            members.append(("zid", .string(zone)))
            if notification.scope == .private, let user { members.append(("zoid", .text(user))) }
        }
        return members
    }

    private func query(_ notification: SubscriptionNotification) -> [(String, JSON)] {
        var members = place(notification)
        if let id = notification.recordID { members.append(("rid", .string(id.name))) }
        if let reason = notification.reason.flatMap({ NotificationWriter.reasons[$0] }) {
            members.append(("fo", .integer(reason)))
        }
        guard !notification.fields.isEmpty else { return members }
        let zones = ZoneReader(user: user, scope: notification.scope)
        let records = RecordWriter(zones: zones, downloadURL: { _ in nil })
        let fields = notification.fields.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        members.append(("af", .object(fields.map { ($0.key, records.field($0.value)) })))
        return members
    }

    private func aps(_ info: NotificationInfo) -> JSON {
        var members: [(String, JSON)] = []
        var alert: [(String, JSON)] = []
        for (name, text) in [
            ("body", info.alertBody), ("loc-key", info.alertLocalizationKey), ("title", info.title),
            ("title-loc-key", info.titleLocalizationKey), ("subtitle", info.subtitle),
            ("subtitle-loc-key", info.subtitleLocalizationKey), ("action-loc-key", info.alertActionLocalizationKey),
            ("launch-image", info.alertLaunchImage),
        ] where !text.isEmpty { alert.append((name, .string(text))) }
        for (name, texts) in [
            ("loc-args", info.alertLocalizationArgs), ("title-loc-args", info.titleLocalizationArgs),
            ("subtitle-loc-args", info.subtitleLocalizationArgs),
        ] where !texts.isEmpty { alert.append((name, .array(texts.map(JSON.string)))) }
        if !alert.isEmpty { members.append(("alert", .object(alert))) }
        if !info.soundName.isEmpty { members.append(("sound", .string(info.soundName))) }
        if !info.category.isEmpty { members.append(("category", .string(info.category))) }
        if info.shouldBadge { members.append(("badge", .integer(1))) }
        if info.shouldSendContentAvailable { members.append(("content-available", .integer(1))) }
        if info.shouldSendMutableContent { members.append(("mutable-content", .integer(1))) }
        return .object(members)
    }
}
