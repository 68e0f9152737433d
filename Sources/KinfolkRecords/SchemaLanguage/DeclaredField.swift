import KinfolkModel

/// A field as a schema text declares it.
struct DeclaredField: Sendable {
    let name: String
    let kind: FieldType
    let options: FieldDefinition.Options
    /// Nil if it is not from a text.
    let position: SchemaPosition?

    /// The type and the indexes in the schema language.
    var declaration: String {
        let indexes = options.indexes
        return indexes.isEmpty ? typeName : "\(typeName) \(indexes)"
    }

    /// The type in the schema language.
    var typeName: String { kind.typeName(isEncrypted: options.contains(.encrypted)) }

    /// Why the field cannot have these indexes; nil if it can.
    static func refusal(of index: FieldIndexes, for kind: FieldType, isEncrypted: Bool) -> String? {
        guard !index.isEmpty else { return nil }
        guard !isEncrypted else { return "an ENCRYPTED field has no index." }
        switch kind.element {
        case .asset: return "an ASSET has no index."
        case let type:
            if index.contains(.sortable), kind.isList || type == .bytes {
                return "a field of the type \(kind.typeName()) cannot be SORTABLE."
            }
            if index.contains(.searchable), type != .string {
                return "only a STRING or LIST<STRING> can be SEARCHABLE."
            }
            return nil
        }
    }
}

extension FieldType {
    /// The name of the type in the schema language.
    func typeName(isEncrypted: Bool = false) -> String {
        let name = isEncrypted ? "ENCRYPTED \(element.keyword)" : element.keyword
        return isList ? "LIST<\(name)>" : name
    }

    /// The keyword of a type that is not a list, with the mark of a boolean.
    private var keyword: String {
        switch self {
        case .boolean: "INT64 /* \(SchemaScanner.booleanMark) */"
        default: FieldType.keywords.first { $0.type == self }?.keyword ?? ""
        }
    }

    /// The types of values with their keywords.
    static let keywords: [(keyword: String, type: FieldType)] = [
        ("ASSET", .asset), ("BYTES", .bytes), ("DOUBLE", .double), ("INT64", .int64), ("LOCATION", .location),
        ("REFERENCE", .reference),
        ("STRING", .string), ("TIMESTAMP", .date),
    ]
}
