import KinfolkModel

/// Who may do what with the records of one type in the public database.
package struct Grants: Sendable, Hashable {
    package struct Permissions: OptionSet, Sendable, Hashable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        package static let read = Permissions(rawValue: 1)
        package static let create = Permissions(rawValue: 2)
        package static let write = Permissions(rawValue: 4)
        package static let all: Permissions = [.read, .create, .write]

        /// Each permission with its name in the schema language, in CloudKit's order.
        package static let names: [(permission: Permissions, name: String)] = [
            (.write, "WRITE"), (.create, "CREATE"), (.read, "READ"),
        ]

        /// The names of the permissions.
        package var names: [String] { Permissions.names.filter { contains($0.permission) }.map(\.name) }
    }

    /// The roles that every container has: everybody, signed-in users, and the creator of a record.
    package static let systemRoles: Set<String> = ["_creator", "_icloud", "_world"]

    /// The permissions of each role. Never empty.
    package var permissions: [String: Permissions]

    package init(_ permissions: [String: Permissions]) { self.permissions = permissions }

    /// The grants of a record type for which none were declared.
    package static func standard(for type: String) -> Grants {
        var permissions: [String: Permissions] = ["_creator": .write, "_world": .read]
        if type != RecordType.users { permissions["_icloud"] = .create }
        return Grants(permissions)
    }

    /// Whether some callers may read records only because they created them.
    package var areReadByCreatorOnly: Bool {
        func mayRead(_ role: String) -> Bool { permissions[role]?.contains(.read) == true }
        return mayRead("_creator") && !mayRead("_world") && !mayRead("_icloud")
    }

    /// The roles, in CloudKit's order: those of the system first.
    package var roles: [String] {
        // The names of system roles begin with "_", and those of others with a letter.
        let names = permissions.keys.sorted()
        return names.filter(Grants.systemRoles.contains) + names.filter { !Grants.systemRoles.contains($0) }
    }
}
