/// A container in numbers, as of one moment. Nobody is named.
///
/// They are counted from what the store holds anyway, so who was erased is in none of them, those of earlier days included; only
/// the look-ups stay, and the activity, which is of all people together.
public struct ContainerStatistics: Hashable, Sendable {
    /// How many had opted in at the end of a day.
    public struct OptedIn: Hashable, Sendable {
        /// When the day began, in UTC.
        public let day: Timestamp
        /// How many people had opted in at its end.
        public let people: Int
    }

    /// What was asked on a day.
    public struct Activity: Hashable, Sendable {
        /// When the day began, in UTC.
        public let day: Timestamp
        /// How many discoveries were answered, of whatever kind.
        public let discoveries: Int
        /// How many were refused because permits were missing.
        public let refusals: Int
    }

    /// How many people have a user record ID here.
    public let people: Int
    /// How many of them let themselves be found.
    public let granted: Int
    /// How many of them do not want to be found.
    public let denied: Int
    /// How many can be found now: granted, and not suspended.
    public let discoverable: Int
    /// How many of the people are suspended.
    public let suspended: Int

    /// How many have asked about new contacts so lately that their permits have not all grown back.
    public let peopleWhoAsked: Int
    /// How many permits those lack to be full. Those that a service holds ready for a person, 255 at most, count as spent, and
    /// so do those that were lost with a process that did not close its service.
    public let permitsSpent: Int
    /// How many would be refused a discovery of one new contact now.
    public let peopleWithoutPermits: Int

    /// How many blocks people have made.
    public let blocksByPeople: Int
    /// How many blocks the operator has made.
    public let blocksByOperator: Int
    /// How many look-ups of whose a user record ID is the audit log has for this container.
    public let accountLookups: Int

    /// What was asked on each of the last 400 days on which something was, in order. At least so much: what other services have
    /// not written yet is missing, and so is what a process had not when it ended without closing its service.
    public let activity: [Activity]

    /// How many had opted in at the end of each day on which that changed, in order.
    public let optedIn: [OptedIn]

    /// How many of the people were never asked whether they may be found.
    public var undetermined: Int { max(0, people - granted - denied) }
}
