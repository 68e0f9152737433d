package import KinfolkModel

/// The fields that every record has. The schema text may declare indexes for them.
package enum SystemField: Int, Sendable, Hashable, CaseIterable {
    case createTime = 0
    case createdBy = 1
    case changeTag = 2
    case modificationTime = 3
    case modifiedBy = 4
    case recordID = 5

    /// The name in the schema language.
    package var name: String {
        switch self {
        case .createTime: "___createTime"
        case .createdBy: "___createdBy"
        case .changeTag: "___etag"
        case .modificationTime: "___modTime"
        case .modifiedBy: "___modifiedBy"
        case .recordID: "___recordID"
        }
    }

    package var kind: FieldKind {
        switch self {
        case .createTime, .modificationTime: .value(.date)
        case .createdBy, .modifiedBy, .recordID: .value(.reference)
        case .changeTag: .value(.string)
        }
    }
}

/// The indexes that the schema text declares for the system fields of a record type. They are kept for CloudKit: Kinfolk's own indexes
/// of system fields do not depend on them.
package struct SystemIndexes: Sendable, Hashable {
    /// Three bits for each field.
    package private(set) var rawValue: Int64

    package init(rawValue: Int64 = 0) { self.rawValue = rawValue & (1 << 18 - 1) }

    package subscript(field: SystemField) -> FieldIndexes {
        get { FieldIndexes(rawValue: rawValue >> (3 * Int64(field.rawValue)) & 7) }
        set {
            let shift = 3 * Int64(field.rawValue)
            rawValue = rawValue & ~(7 << shift) | (newValue.rawValue & 7) << shift
        }
    }
}
