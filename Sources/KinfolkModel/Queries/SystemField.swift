/// The fields that every record has. Users cannot set them.
package enum SystemField: Int, Sendable, Hashable, CaseIterable {
    case createTime = 0
    case createdBy = 1
    case changeTag = 2
    case modificationTime = 3
    case modifiedBy = 4
    case recordID = 5

    /// The names of a field: as the properties of records are called here, and as CloudKit calls it.
    package struct Names: Sendable {
        package let swift: String
        let python: String
        let cloudKit: String
        package let webServices: String
        let schema: String

        package var all: [String] { [swift, python, cloudKit, webServices, schema] }
    }

    /// All names mean the field in predicates and sort descriptors, and no other field can get one of them. The properties `name` and
    /// `id` of a record are not among them: too many records have fields that are called so.
    package var names: Names {
        switch self {
        case .createTime: Names("createdAt", "created_at", "creationDate", "createdTimestamp", "___createTime")
        case .createdBy:
            Names("createdBy", "created_by", "creatorUserRecordID", "createdUserRecordName", "___createdBy")
        case .changeTag: Names("changeTag", "change_tag", "recordChangeTag", "recordChangeTag", "___etag")
        case .modificationTime:
            Names("modifiedAt", "modified_at", "modificationDate", "modifiedTimestamp", "___modTime")
        case .modifiedBy:
            Names("modifiedBy", "modified_by", "lastModifiedUserRecordID", "modifiedUserRecordName", "___modifiedBy")
        case .recordID: Names("recordName", "record_name", "recordID", "recordName", "___recordID")
        }
    }

    /// The name in the schema language.
    package var name: String { names.schema }

    private static let byName = Dictionary(
        allCases.flatMap { field in field.names.all.map { ($0, field) } },
        uniquingKeysWith: { first, _ in first }
    )

    /// The field with one of its names; nil if it is not the name of a system field.
    package init?(named name: String) {
        guard let field = SystemField.byName[name] else { return nil }
        self = field
    }

    /// Why the schema cannot get a field of this name, as the rest of a sentence; nil if it can. Schemas of earlier versions may have one:
    /// its values can be read and saved, but not queried.
    package static func reservation(of name: String) -> String? {
        SystemField(named: name).map { _ in "\(name) is the name of a system field, which every record has." }
    }
}

extension SystemField.Names {
    fileprivate init(_ swift: String, _ python: String, _ cloudKit: String, _ webServices: String, _ schema: String) {
        self.init(swift: swift, python: python, cloudKit: cloudKit, webServices: webServices, schema: schema)
    }
}
