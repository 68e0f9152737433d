/// All changes of a zone after a position.
struct ModelChanges {
    /// What one call changed.
    struct Group {
        let change: Int
        var records: [String: ModelRecord] = [:]
        /// The names and types of deleted records.
        var deletions: [String: String] = [:]

        var count: Int { records.count + deletions.count }
        var size: Int { records.values.reduce(0) { $0 + $1.size } }
    }

    /// Where the reader was.
    let start: ModelPosition
    /// In the order of the changes.
    let groups: [Group]
    /// The last change of the database.
    let last: Int
}
