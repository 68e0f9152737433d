/// What became of a file of people: how many accounts were made, and who was skipped and why.
public struct PeopleImport: Sendable {
    /// How many rows were read, below the header.
    public internal(set) var rows = 0

    /// How many accounts were made. Each is in one of the next three counts too.
    public internal(set) var created = 0

    /// How many of them may be found.
    public internal(set) var granted = 0

    /// How many of them may not, because they said so.
    public internal(set) var denied = 0

    /// How many of them have not decided.
    public internal(set) var undetermined = 0

    /// How many rows, or addresses of rows, could not be used.
    public internal(set) var skippedCount = 0

    /// The first 1,000 of those, in the order of the file.
    public internal(set) var skipped: [Skip] = []

    /// A row, or an address of one, that was not used.
    public struct Skip: Sendable, Hashable {
        /// The line where the row begins, from 1, as a text editor counts.
        public let line: Int

        /// Why it was not used.
        public let reason: PersonSkipReason
    }

    /// The most skips that are listed.
    public static let maximumListedSkips = 1_000

    /// How far an import has come.
    public struct Progress: Sendable {
        /// How many rows were dealt with.
        public let rows: Int

        /// What share of the file was dealt with, 0 to 1; nil if its length is not known.
        public let share: Double?

        /// How many accounts are in the store for good.
        public let created: Int
    }
}

extension PeopleImport {
    /// - Parameter skips: The first of them at least, of as many as are listed.
    mutating func skip(_ skips: [Skip], count: Int) {
        skippedCount += count
        skipped += skips.prefix(PeopleImport.maximumListedSkips - skipped.count)
    }

    mutating func count(created discoverability: Discoverability) {
        created += 1
        switch discoverability {
        case .granted: granted += 1
        case .denied: denied += 1
        case .undetermined: undetermined += 1
        }
    }
}
