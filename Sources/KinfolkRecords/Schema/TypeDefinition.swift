import KinfolkCore

/// A record type and its fields.
package struct TypeDefinition: Sendable, Hashable {
    /// The number of the type in its container; never given again. 0 for `Users`.
    package let number: Int64
    package let name: String
    package var fields: [String: FieldDefinition] = [:]
    package var systemIndexes = SystemIndexes()
    /// Nil for the grants that a type has if none are declared.
    package var declaredGrants: Grants?

    package var grants: Grants { declaredGrants ?? .standard(for: name) }

    /// What the authentication code of the type covers: the name, by which callers mean the type, and who may do what.
    func message(in container: Int64) -> [UInt8] {
        var encoding = RowEncoding("record_types", capacity: 128)
        encoding.append(container)
        encoding.append(number)
        encoding.append(Array(name.utf8))
        let declared = declaredGrants?.permissions ?? [:]
        encoding.append(declared.count)
        for role in declared.keys.sorted() {
            encoding.append(Array(role.utf8))
            encoding.append(declared[role]?.rawValue ?? 0)
        }
        return encoding.bytes
    }
}
