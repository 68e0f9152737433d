import KinfolkAccounts
import KinfolkModel

/// Counts about a container at one time, without data about individual people.
///
/// The numbers are counted from the data that the store holds. So erased people are not included, not even for earlier days. Only
/// the look-ups remain, and the activity, which is counted for all people together.
public struct ContainerStatistics: Hashable, Sendable {
    /// How many people had opted in at the end of a day.
    public struct OptedIn: Hashable, Sendable {
        /// When the day began, in UTC.
        public let day: Timestamp
        /// How many people had opted in at its end.
        public let people: Int
    }

    /// The requests of a day.
    public struct Activity: Hashable, Sendable {
        /// When the day began, in UTC.
        public let day: Timestamp
        /// How many discoveries, of all kinds, were answered.
        public let discoveries: Int
        /// How many discoveries were refused because of missing permits.
        public let refusals: Int
    }

    /// How many people have a user record ID here.
    public let people: Int
    /// How many of them have granted discoverability.
    public let granted: Int
    /// How many of them have denied discoverability.
    public let denied: Int
    /// How many can be found now: granted, and not suspended.
    public let discoverable: Int
    /// How many of the people are suspended.
    public let suspended: Int

    /// How many people have asked about new contacts so recently that they have not regained all their permits.
    public let peopleWhoAsked: Int
    /// How many permits these people have spent and that have not accrued again. Leased permits count as spent until the lease
    /// is settled or lapses.
    public let permitsSpent: Int
    /// How many people would now be refused a discovery of one new contact.
    public let peopleWithoutPermits: Int

    /// How many blocks people have made.
    public let blocksByPeople: Int
    /// How many blocks the operator has made.
    public let blocksByOperator: Int
    /// How many look-ups of accounts by user record ID the audit log has for this container.
    public let accountLookups: Int

    /// How many bytes the private databases have: what the quota of each user limits.
    public let privateBytes: Int
    /// How many bytes the public database has.
    public let publicBytes: Int
    /// How many assets records have.
    public let assets: Int
    /// How many bytes these assets have. They are among those of the databases.
    public let assetBytes: Int

    /// The requests of the last 400 days, without days that had none, in order. The numbers are minimums: what other services
    /// have not written yet is missing, and so is what a process had not written when it ended without closing its service.
    public let activity: [Activity]

    /// How many people had opted in at the end of each day on which the number changed, in order. Of a person who decided more than
    /// 50 times, only the last decisions count.
    public let optedIn: [OptedIn]

    /// How many of the people have not decided whether they may be found.
    public var undetermined: Int { max(0, people - granted - denied) }
}
