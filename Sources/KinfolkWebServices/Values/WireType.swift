import Kinfolk

/// The names of field types in the protocol. It has no booleans: they are INT64, with the values 0 and 1.
enum WireType {
    private static let names: [FieldType: String] = [
        .string: "STRING", .int64: "INT64", .double: "DOUBLE", .boolean: "INT64", .bytes: "BYTES", .date: "TIMESTAMP",
        .location: "LOCATION", .reference: "REFERENCE", .asset: "ASSETID",
    ]

    private static let types: [String: FieldType] = {
        var types: [String: FieldType] = ["ASSET": .asset, "ASSET_LIST": .assetList]
        for (type, name) in names where type != .boolean {
            types[name] = type
            types[name + "_LIST"] = type.list
        }
        return types
    }()

    private static let shown: [FieldType: String] = Dictionary(
        uniqueKeysWithValues: FieldType.allCases.map { type in
            (type, (names[type.element] ?? "") + (type.isList ? "_LIST" : ""))
        }
    )

    /// The name of a type: `STRING_LIST`.
    static func name(of type: FieldType) -> String { shown[type] ?? "" }

    /// The type that a client means by a name.
    ///
    /// - Parameter declared: The type of the field in the schema; nil if it has no such field.
    static func type(_ name: String, declared: FieldType?) throws(WebError) -> FieldType {
        guard let type = types[name] else {
            throw .malformed("type", "the name of a type: STRING, INT64, STRING_LIST and so on")
        }
        switch (type, declared) {
        case (.int64, .boolean), (.int64List, .booleanList): return declared ?? type
        default: return type
        }
    }
}
