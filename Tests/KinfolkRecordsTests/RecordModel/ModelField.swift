import Kinfolk

/// A field of a record type.
struct ModelField: Hashable {
    let type: FieldType
    var isQueryable: Bool

    init(_ type: FieldType, isQueryable: Bool) { (self.type, self.isQueryable) = (type, isQueryable) }

    /// A field that is added without a word about its indexes.
    init(_ type: FieldType, of recordType: String) {
        switch type {
        case .string, .int64, .double, .bytes, .date, .reference: isQueryable = recordType != "Users"
        default: isQueryable = false
        }
        self.type = type
    }

    /// Assets have no index.
    var mayHaveItsIndex: Bool { !isQueryable || type != .asset && type != .assetList }

    /// The declaration of the field in the schema language.
    var text: String {
        let element =
            switch FieldType(rawValue: type.rawValue & 0xf) ?? type {
            case .boolean: "INT64 /* kinfolk: boolean */"
            case .date: "TIMESTAMP"
            case let element: "\(element)".uppercased()
            }
        let name = type.rawValue > 16 ? "LIST<\(element)>" : element
        return isQueryable ? "\(name) QUERYABLE" : name
    }
}
