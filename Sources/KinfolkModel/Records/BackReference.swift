/// A record that refers to another one, as its target sees it.
public struct BackReference: Hashable, Sendable {
    /// How a record refers to its target.
    public enum Kind: Int32, Sendable, CaseIterable {
        /// The target is its parent.
        case parent = 0
        /// A field refers to the target with the action `deleteSelf`.
        case deleteSelf = 1
        /// A field refers to the target with the action `validate`.
        case validate = 2
    }

    /// The record that refers.
    public let source: RecordID

    /// The record type of the source.
    public let type: String

    /// How the source refers to the target. A source that refers in two ways is listed twice.
    public let kind: Kind

    /// The internal number of the source, after which the next page begins.
    package let number: Int64

    package init(source: RecordID, type: String, kind: Kind, number: Int64) {
        self.source = source
        self.type = type
        self.kind = kind
        self.number = number
    }
}

extension BackReference: Redacted {
    /// The kind.
    public var description: String { "BackReference(\(kind))" }
}
