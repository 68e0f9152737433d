package import KinfolkModel

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
