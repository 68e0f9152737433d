import KinfolkModel

/// The result of importing a file of people: how many accounts were created, and which rows were skipped and why.
public struct PeopleImport: Sendable {
    /// How many rows below the header were read.
    public internal(set) var rows = 0

    /// How many accounts were created. Each is also counted in one of the next three properties.
    public internal(set) var created = 0

    /// How many of the created accounts may be found.
    public internal(set) var granted = 0

    /// How many of the created accounts may not be found, because the person refused.
    public internal(set) var denied = 0

    /// How many of the created accounts have not decided.
    public internal(set) var undetermined = 0

    /// How many rows, or addresses of rows, could not be used.
    public internal(set) var skippedCount = 0

    /// The headings of columns that were not understood, in the order of the file. The import reads nothing of these columns.
    package internal(set) var ignoredColumns: [String] = []

    /// The first 1,000 skips, in the order of the file.
    public internal(set) var skipped: [Skip] = []

    /// A row, or an address in a row, that was not used.
    public struct Skip: Sendable, Hashable {
        /// The line where the row begins, counted from 1 as in a text editor.
        public let line: Int

        /// Why it was not used.
        public let reason: PersonSkipReason
    }

    /// The maximum number of skips that are listed.
    public static let maximumListedSkips = 1_000

    /// The progress of an import.
    public struct Progress: Sendable {
        /// How many rows were processed.
        public let rows: Int

        /// The share of the file that was processed, from 0 to 1; nil if its length is not known.
        public let share: Double?

        /// How many accounts have been committed to the store.
        public let created: Int
    }
}

extension PeopleImport {
    /// - Parameter skips: The skips in order. The list may be shorter than `count` if it has as many as a report lists.
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
