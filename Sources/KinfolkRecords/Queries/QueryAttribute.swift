import KinfolkModel

/// What a condition or an order of a query looks at in a record.
enum QueryAttribute: Sendable, Hashable {
    case field(name: String, FieldDefinition)
    case createdAt
    case modifiedAt

    /// The name, for error messages and explanations.
    var name: String {
        switch self {
        case .field(let name, _): name
        case .createdAt: QueryField.system(.createTime).name
        case .modifiedAt: QueryField.system(.modificationTime).name
        }
    }

    var kind: FieldType {
        switch self {
        case .field(_, let field): field.type
        case .createdAt, .modifiedAt: .date
        }
    }

    /// The values of a record: the elements of a list, or one value, or none.
    func values(in content: RecordContent) -> [FieldValue] {
        switch self {
        case .field(let name, _): content.fields[name].map { $0.elements ?? [$0] } ?? []
        case .createdAt: [.date(content.createdAt)]
        case .modifiedAt: [.date(content.modifiedAt)]
        }
    }

    func isMissing(in content: RecordContent) -> Bool {
        if case .field(let name, _) = self { content.fields[name] == nil } else { false }
    }
}
