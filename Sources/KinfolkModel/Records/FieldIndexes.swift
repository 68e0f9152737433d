/// The indexes of a field, with the names that CloudKit gives them.
public struct FieldIndexes: OptionSet, Sendable, Hashable {
    /// One bit for each index.
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Records can be found by a value of the field, without regard to the case of a text. The store keeps a keyed hash of each value:
    /// a stolen store shows which records have the same value, and how often it occurs.
    public static let queryable = FieldIndexes(rawValue: 1)
    /// Records can be put in the order of the field, and found by a range of values. A stolen store shows the order.
    public static let sortable = FieldIndexes(rawValue: 2)
    /// Records can be found by a word of a text. This version keeps the declaration, and does not make the index yet.
    public static let searchable = FieldIndexes(rawValue: 4)
}

extension FieldIndexes: CustomStringConvertible {
    /// The indexes as Apple's schema language names them: `QUERYABLE SORTABLE`.
    public var description: String {
        let names: [(FieldIndexes, String)] = [
            (.queryable, "QUERYABLE"), (.sortable, "SORTABLE"), (.searchable, "SEARCHABLE"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
    }
}
