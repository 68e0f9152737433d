package import KinfolkModel

/// A field of a record type.
package struct FieldDefinition: Sendable, Hashable {
    /// How the values of a field are kept besides the record.
    package struct Options: OptionSet, Sendable, Hashable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// Records can be found by a value.
        package static let queryable = Options(rawValue: 1)
        /// Records can be put in the order of the values, and found by a range of them.
        package static let sortable = Options(rawValue: 2)
        /// Records can be found by a word of a text.
        package static let searchable = Options(rawValue: 4)
        /// No index may be declared.
        package static let encrypted = Options(rawValue: 8)

        package var indexes: FieldIndexes { FieldIndexes(rawValue: rawValue & 7) }

        package init(_ indexes: FieldIndexes) { rawValue = indexes.rawValue & 7 }
    }

    /// The number of the field in its container; never given again.
    package let number: Int64
    package let type: FieldKind
    package let options: Options

    /// The options of a field that a save adds.
    package static func options(ofNew type: FieldType, in recordType: String) -> Options {
        let isScalar = type.rawValue < FieldType.stringList.rawValue
        return isScalar && type != .boolean && type != .location && recordType != RecordType.users ? .queryable : []
    }
}
