/// A message that a subscription has made, or that some were dropped.
public struct SubscriptionNotification: Sendable {
    /// What a notification reports. The numbers of the first three are those of ``SubscriptionType``.
    public enum Kind: Int32, Sendable, Hashable {
        /// A record that satisfies the predicate of a query subscription was created, changed or deleted.
        case query = 1
        /// Records of a zone, or the zone itself, were changed.
        case recordZone = 2
        /// Records of a database were changed.
        case database = 3
        /// Notifications were dropped before this device received them, because there were too many newer ones, or because the device was
        /// away for too long. Fetch what the application shows again.
        case dropped = 4
    }

    /// What happened to the record. The numbers are those of CloudKit.
    public enum Reason: Int32, Sendable, Hashable {
        /// The record was created.
        case recordCreated = 1
        /// The record was changed.
        case recordUpdated = 2
        /// The record was deleted.
        case recordDeleted = 3
    }

    /// The ID, by which the notification is acknowledged.
    public let id: NotificationID
    /// What it reports.
    public let kind: Kind
    /// The ID of the subscription; nil if notifications were dropped.
    public let subscriptionID: String?
    /// The database of the subscription.
    public let scope: DatabaseScope
    /// What happened to the record of a query notification; nil for the others.
    public let reason: Reason?
    /// The record of a query notification; nil for the others.
    public let recordID: RecordID?
    /// The record type of a query notification; nil for the others.
    public let recordType: String?
    /// The zone of a zone notification and of a query notification; nil for the others.
    public let zone: String?
    /// The desired fields of the record that have a value, as they are now. Empty for a deleted record.
    public let fields: [String: FieldValue]
    /// What the subscription wanted the notification to tell.
    public let info: NotificationInfo
    /// The number in the store's order of the user's notifications. It is not shown: it would count those of others.
    package let sequence: Int64

    package init(
        id: NotificationID,
        sequence: Int64,
        kind: Kind,
        subscriptionID: String? = nil,
        scope: DatabaseScope = .private,
        reason: Reason? = nil,
        recordID: RecordID? = nil,
        recordType: String? = nil,
        zone: String? = nil,
        fields: [String: FieldValue] = [:],
        info: NotificationInfo = NotificationInfo()
    ) {
        (self.id, self.sequence, self.kind) = (id, sequence, kind)
        (self.subscriptionID, self.scope, self.reason) = (subscriptionID, scope, reason)
        (self.recordID, self.recordType, self.zone) = (recordID, recordType, zone)
        (self.fields, self.info) = (fields, info)
    }
}

extension SubscriptionNotification: Redacted {}
