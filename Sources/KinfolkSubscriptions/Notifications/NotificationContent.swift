package import KinfolkModel

/// What the store keeps sealed of a notification. What a record holds is read when the notification is delivered.
package struct NotificationContent: Sendable {
    package let kind: SubscriptionNotification.Kind
    package let subscriptionID: String
    package let scope: DatabaseScope
    /// A random number. After a power cut, another notification may get the number of one that was lost.
    package let stamp: Int64
    package var reason: SubscriptionNotification.Reason?
    /// The numbers of the record type, of the record, and of its zone.
    package var type: Int64 = 0
    package var number: Int64 = 0
    package var zone: Int64 = 0
    /// The name, creator and modifier of a deleted record.
    package var name: String?
    package var creator: UserRecordID?
    package var modifier: UserRecordID?
    /// The name of the zone of a zone notification, and of a deleted record.
    package var zoneName: String?
    /// The device whose session made the change.
    package var origin: RandomID?
    package var info = NotificationInfo()

    package init(
        kind: SubscriptionNotification.Kind,
        subscriptionID: String,
        scope: DatabaseScope,
        origin: RandomID?,
        info: NotificationInfo
    ) {
        (self.kind, self.subscriptionID, self.scope) = (kind, subscriptionID, scope)
        (self.origin, self.info) = (origin, info)
        stamp = Int64.random(in: 1...Int64.max)
    }

    package var bytes: [UInt8] {
        var fields = Fields()
        fields["kind"] = .int64(Int64(kind.rawValue))
        fields["subscription"] = .string(subscriptionID)
        fields["scope"] = .int64(Int64(scope.rawValue))
        fields["stamp"] = .int64(stamp)
        if let reason { fields["reason"] = .int64(Int64(reason.rawValue)) }
        if type != 0 { fields["type"] = .int64(type) }
        if number != 0 { fields["number"] = .int64(number) }
        if zone != 0 { fields["zone"] = .int64(zone) }
        if let name { fields["name"] = .string(name) }
        if let creator { fields["creator"] = .bytes(creator.value.bytes) }
        if let modifier { fields["modifier"] = .bytes(modifier.value.bytes) }
        if let zoneName { fields["zoneName"] = .string(zoneName) }
        if let origin { fields["origin"] = .bytes(origin.bytes) }
        info.encode(into: &fields)
        return FieldWriter(fields).bytes
    }

    package init(_ bytes: [UInt8]) throws {
        let fields = try FieldReader.fields(bytes)
        func number(_ name: String) -> Int64? { if case .int64(let value)? = fields[name] { value } else { nil } }
        func text(_ name: String) -> String? { if case .string(let value)? = fields[name] { value } else { nil } }
        func id(_ name: String) -> RandomID? {
            guard case .bytes(let value)? = fields[name] else { return nil }
            return value.withUnsafeBytes(RandomID.init(bytes:))
        }
        let kind =
            number("kind").flatMap { .init(rawValue: Int32(truncatingIfNeeded: $0)) } as SubscriptionNotification.Kind?
        let scope = number("scope").flatMap { DatabaseScope(rawValue: Int32(truncatingIfNeeded: $0)) }
        guard let kind, let scope, let subscriptionID = text("subscription"), let stamp = number("stamp") else {
            throw KinfolkError.damaged("A notification cannot be read.")
        }
        (self.kind, self.scope, self.subscriptionID, self.stamp) = (kind, scope, subscriptionID, stamp)
        reason = number("reason").flatMap { .init(rawValue: Int32(truncatingIfNeeded: $0)) }
        (type, self.number, zone) = (number("type") ?? 0, number("number") ?? 0, number("zone") ?? 0)
        (name, zoneName) = (text("name"), text("zoneName"))
        creator = id("creator").map(UserRecordID.init)
        modifier = id("modifier").map(UserRecordID.init)
        origin = id("origin")
        info = NotificationInfo(decoding: fields)
    }
}
