/// One change of a schema.
public struct SchemaChange: Sendable, Hashable {
    /// What changes.
    public enum Kind: Int32, Sendable, CaseIterable {
        /// A role is created.
        case addRole = 1
        /// A role is removed.
        case removeRole = 2
        /// A record type is added.
        case addRecordType = 3
        /// A record type is removed, with all its records.
        case removeRecordType = 4
        /// A field is added to a record type.
        case addField = 5
        /// A field is removed from a record type, with its values.
        case removeField = 6
        /// A field gets an index, also for the records that exist.
        case addIndex = 7
        /// A field loses an index.
        case removeIndex = 8
        /// A role gets permissions for the records of a type.
        case addGrant = 9
        /// A role loses permissions for the records of a type.
        case removeGrant = 10
    }

    /// What changes.
    public let kind: Kind
    /// The record type; nil for a role.
    public let recordType: String?
    /// The field or the role; nil for a record type.
    public let name: String?
    /// In the schema language: the type of a new field with its indexes, the indexes, or the permissions; nil for other changes.
    public let detail: String?

    init(_ kind: Kind, recordType: String? = nil, name: String? = nil, detail: String? = nil) {
        self.kind = kind
        self.recordType = recordType
        self.name = name
        self.detail = detail
    }
}

extension SchemaChange: CustomStringConvertible {
    /// The change as one line for people: `Add the field title to Note: STRING QUERYABLE`.
    public var description: String {
        let (type, name, detail) = (recordType ?? "", name ?? "", detail ?? "")
        return switch kind {
        case .addRole: "Create the role \(name)"
        case .removeRole: "Remove the role \(name)"
        case .addRecordType: "Add the record type \(type)"
        case .removeRecordType: "Remove the record type \(type), with all its records"
        case .addField: "Add the field \(name) to \(type): \(detail)"
        case .removeField: "Remove the field \(name) from \(type), with its values"
        case .addIndex: "Index the field \(name) of \(type): \(detail)"
        case .removeIndex: "Remove an index of the field \(name) of \(type): \(detail)"
        case .addGrant: "Grant to \(name) on \(type): \(detail)"
        case .removeGrant: "Revoke from \(name) on \(type): \(detail)"
        }
    }
}
