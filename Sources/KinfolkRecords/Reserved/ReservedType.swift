import KinfolkModel

/// The record types of reserved zones. They are the same in all containers, and in no schema: their numbers are negative, and their names
/// are not those of other types.
package enum ReservedType {
    /// A key with its value.
    package static let keyValue = TypeDefinition(number: -1, name: "_KeyValue")

    /// A document with its versions. It is found by the field ``path``, and by each folder that it is in.
    package static let document = TypeDefinition(
        number: -2,
        name: "_Document",
        fields: [
            path: FieldDefinition(number: -1, type: .bytes, options: .queryable),
            folders: FieldDefinition(number: -2, type: .bytesList, options: .queryable),
            isExcluded: FieldDefinition(number: -3, type: .boolean, options: .queryable),
        ]
    )

    /// The fields of a document by which it is found: the SHA-256 of its path, those of the paths of its folders, and whether it is left
    /// out of backups.
    package static let path = "pathHash"
    package static let folders = "folderHashes"
    package static let isExcluded = "isExcluded"

    private static let all = [keyValue, document]

    static func type(_ number: Int64) -> TypeDefinition? { all.first { $0.number == number } }

    static func type(named name: String) -> TypeDefinition? { all.first { $0.name == name } }
}
