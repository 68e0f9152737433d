import Kinfolk
import KinfolkJSON

/// A notification as it is shown: on one line.
struct NotificationView {
    private let notification: SubscriptionNotification

    init(_ notification: SubscriptionNotification) { self.notification = notification }

    /// The line for people. It is cut on a narrow terminal.
    func line(on terminal: Terminal) -> String {
        let text = VisibleText(parts.joined(separator: "  "))
        return (terminal.width.map { text.cut(to: $0) } ?? text).text + "\n"
    }

    private var parts: [String] {
        switch notification.kind {
        case .dropped: return ["dropped: some notifications are lost; fetch again what you show"]
        case .database: return ["changed", "the private database", subscription] + alert
        case .recordZone: return ["changed", "zone \(notification.zone ?? "")", subscription] + alert
        case .query:
            let fields = notification.fields.sorted { $0.key < $1.key }.map { "\($0)=\($1.shown)" }
            let zone = notification.zone.map { $0 == RecordZone.defaultName ? [] : ["zone \($0)"] } ?? []
            return [reason, notification.recordType ?? "", notification.recordID?.name ?? ""] + zone + [subscription]
                + alert + fields
        }
    }

    private var subscription: String { "(\(notification.subscriptionID ?? ""))" }

    private var alert: [String] {
        let info = notification.info
        return [info.title, info.subtitle, info.alertBody].filter { !$0.isEmpty }
    }

    private var reason: String {
        switch notification.reason {
        case .recordCreated?: "created"
        case .recordUpdated?: "updated"
        case .recordDeleted?: "deleted"
        case nil: ""
        }
    }

    private var kind: String {
        switch notification.kind {
        case .query: "query"
        case .recordZone: "zone"
        case .database: "database"
        case .dropped: "dropped"
        }
    }

    var json: JSON {
        var members: [(String, JSON)] = [
            ("id", .string(Hexadecimal.text(notification.id.bytes))), ("kind", .string(kind)),
        ]
        guard notification.kind != .dropped else { return .object(members) }
        members += [
            ("subscription_id", notification.subscriptionID.map(JSON.string) ?? .null),
            ("database", .string("\(notification.scope)")),
        ]
        if notification.kind == .query {
            let fields = notification.fields.sorted { $0.key < $1.key }
            members += [
                ("reason", .string(reason)), ("record_type", notification.recordType.map(JSON.string) ?? .null),
                ("name", notification.recordID.map { .string($0.name) } ?? .null),
                ("fields", .object(fields.map { ($0, ["type": .string($1.type.name), "value": $1.json]) })),
            ]
        }
        if let zone = notification.zone { members.append(("zone", .string(zone))) }
        members.append(("info", NotificationInfoView(notification.info).json))
        return .object(members)
    }
}
