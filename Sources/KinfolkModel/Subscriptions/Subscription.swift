/// A stored question whose answers come as notifications: about records that satisfy a predicate, about a zone, or about a database.
///
/// ```swift
/// let query = try Query("Message", where: QueryPredicate("room = %@", .string("garden")))
/// var subscription = try Subscription(query: query, options: .firesOnRecordCreation, id: "garden")
/// subscription.info.desiredKeys = ["text"]
/// try session.publicDatabase.save(subscription)
/// ```
///
/// It belongs to the user who saved it, in one database, and to all devices of that user.
public struct Subscription: Sendable, Hashable {
    /// The most bytes of an encoded subscription: of its predicate with the arguments, and of the texts for notifications.
    public static let maximumSize = 16_384

    /// The subscription ID: 1 to 255 printable ASCII characters, unique among the user's subscriptions of a database.
    public let id: String

    /// What it is about.
    public var type: SubscriptionType {
        switch subject {
        case .query: .query
        case .zone: .recordZone
        case .database: .database
        }
    }

    package enum Subject: Sendable, Hashable {
        case query(Query, zone: String?, SubscriptionOptions)
        case zone(String)
        case database
    }

    package let subject: Subject

    /// What the notifications are to tell.
    public var info = NotificationInfo()

    /// The record type and the predicate of a query subscription; nil for the others.
    public var query: Query? { if case .query(let query, _, _) = subject { query } else { nil } }

    /// The name of the zone; nil if the subscription is about all zones of its database.
    public var zone: String? {
        switch subject {
        case .query(_, let zone, _): zone
        case .zone(let zone): zone
        case .database: nil
        }
    }

    /// When a query subscription makes a notification; empty for the others.
    public var options: SubscriptionOptions { if case .query(_, _, let options) = subject { options } else { [] } }

    /// A subscription to the records that satisfy a query.
    ///
    /// The predicate is tested on the state in which the service finds the record after the change, which may be that of a later change. For a
    /// deletion it is tested on the last state of the record.
    ///
    /// - Parameters:
    ///   - query: The record type and the predicate. It has no sort descriptors.
    ///   - zone: The name of the zone whose records are meant; nil for all zones of the database.
    ///   - options: The changes that make a notification, at least one, and whether only the first one does.
    ///   - id: The subscription ID; a new random UUID if it is left out. A subscription with the same ID is replaced.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the ID or the name of the zone is malformed, if the query has sort descriptors, or
    ///   if the options name no change.
    public init(
        query: Query,
        inZone zone: String? = nil,
        options: SubscriptionOptions,
        id: String? = nil
    ) throws(KinfolkError) {
        if let zone { try ZoneName.validate(zone) }
        guard query.sortDescriptors.isEmpty else {
            throw KinfolkError(.invalidArgument, "A subscription has no order: leave the sort descriptors out.")
        }
        guard !options.isDisjoint(with: .events), options.isSubset(of: SubscriptionOptions.events.union(.firesOnce))
        else {
            throw KinfolkError(
                .invalidArgument,
                "A query subscription fires on the creation, the update or the deletion of records, or on several of them."
            )
        }
        try self.init(.query(query, zone: zone, options), id: id)
    }

    /// A subscription to all changes of a custom zone.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a name is malformed, or the zone is the default zone.
    public init(zone: String, id: String? = nil) throws(KinfolkError) {
        try ZoneName.validate(custom: zone)
        try self.init(.zone(zone), id: id)
    }

    /// A subscription to all changes of a private database.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the ID is malformed.
    public init(databaseWithID id: String? = nil) throws(KinfolkError) { try self.init(.database, id: id) }

    private init(_ subject: Subject, id: String?) throws(KinfolkError) {
        if let id { try Subscription.validate(id: id) }
        self.init(valid: subject, id: id ?? RecordID().name)
    }

    package init(valid subject: Subject, id: String) { (self.subject, self.id) = (subject, id) }

    package static func validate(id: String) throws(KinfolkError) {
        guard (1...255).contains(id.utf8.count), id.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
            throw KinfolkError(.invalidArgument, "A subscription ID has 1 to 255 printable ASCII characters.")
        }
    }
}

extension Subscription: Redacted {}
