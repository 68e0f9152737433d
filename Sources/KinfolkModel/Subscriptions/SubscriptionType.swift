/// What a subscription, or a notification of it, is about. The numbers are those of CloudKit.
public enum SubscriptionType: Int32, Sendable, Hashable {
    /// Records that satisfy a predicate.
    case query = 1
    /// A custom zone.
    case recordZone = 2
    /// A private database.
    case database = 3
}
