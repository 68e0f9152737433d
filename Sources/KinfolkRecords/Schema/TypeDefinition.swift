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

    /// Whether the public records of each creator have entries of their own: all of them if the grants need that, and else some may
    /// have.
    package var hasCreatorEntries = false

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

// MARK: Indexes that are being built and removed

extension TypeDefinition {
    /// Whether public records have entries, or may have them, in the scope of their creator too.
    package func hasCreatorScope(_ presence: IndexPresence) -> Bool {
        let isNeeded = grants.areReadByCreatorOnly
        return switch presence {
        case .certain: isNeeded && hasCreatorEntries
        case .wanted: isNeeded
        case .possible: isNeeded || hasCreatorEntries
        }
    }

    /// Whether all records have the entries of the declared indexes, and no others.
    package var isSettled: Bool {
        hasCreatorEntries == grants.areReadByCreatorOnly && fields.values.allSatisfy(\.isSettled)
    }

    /// Declares grants.
    mutating func declare(_ new: Grants?) {
        let before = grants.areReadByCreatorOnly
        declaredGrants = new
        // The same rule as for the indexes of a field: what is added has to be built, and what is removed may have entries left.
        if grants.areReadByCreatorOnly != before { hasCreatorEntries = before }
    }

    /// The type as it is while all its indexes are being built.
    var withoutCompleteIndexes: TypeDefinition {
        var type = self
        type.fields = fields.mapValues(\.withoutCompleteIndexes)
        return type
    }

    /// Notes that no record has other entries than those of the declared indexes.
    mutating func settle() {
        hasCreatorEntries = grants.areReadByCreatorOnly
        for name in fields.keys { fields[name]?.settle() }
    }
}
