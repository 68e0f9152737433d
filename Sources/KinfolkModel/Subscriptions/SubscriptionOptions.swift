/// When a query subscription makes a notification. The numbers are those of CloudKit.
public struct SubscriptionOptions: OptionSet, Sendable, Hashable {
    /// The same values as in C and in CloudKit.
    public let rawValue: Int32

    /// Options from their number.
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// When a record is created that satisfies the predicate.
    public static let firesOnRecordCreation = SubscriptionOptions(rawValue: 1)
    /// When a record is changed and then satisfies the predicate.
    public static let firesOnRecordUpdate = SubscriptionOptions(rawValue: 2)
    /// When a record is deleted that satisfied the predicate.
    public static let firesOnRecordDeletion = SubscriptionOptions(rawValue: 4)
    /// Only once: the first notification deletes the subscription.
    public static let firesOnce = SubscriptionOptions(rawValue: 8)

    package static let events: SubscriptionOptions = [
        .firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion,
    ]
}
