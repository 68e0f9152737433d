/// By what the records of a query are ordered.
///
/// Records without a value come first in ascending order, and last in descending order.
public struct QuerySortDescriptor: Sendable, Hashable {
    package enum Key: Sendable, Hashable {
        case field(QueryField)
        case distance(QueryField, from: Location)
    }

    package let key: Key
    package let isAscending: Bool

    /// By a field, from the least value to the greatest.
    public static func ascending(_ field: String) -> QuerySortDescriptor {
        QuerySortDescriptor(key: .field(QueryField(field)), isAscending: true)
    }

    /// By a field, from the greatest value to the least.
    public static func descending(_ field: String) -> QuerySortDescriptor {
        QuerySortDescriptor(key: .field(QueryField(field)), isAscending: false)
    }

    /// By the distance of a field's location from another one, from the nearest to the farthest.
    public static func distance(_ field: String, from location: Location) -> QuerySortDescriptor {
        QuerySortDescriptor(key: .distance(QueryField(field), from: location), isAscending: true)
    }

    /// By a field, whose name a text has: in descending order after `-`, as in `-createdAt`, and else in ascending order.
    ///
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is malformed, or records cannot be ordered by the field.
    public init(_ text: String) throws(KinfolkError) {
        let isDescending = text.unicodeScalars.first == "-"
        let name = isDescending ? String(text.unicodeScalars.dropFirst()) : text
        self.init(key: .field(QueryField(name)), isAscending: !isDescending)
        try validate()
    }

    private init(key: Key, isAscending: Bool) { (self.key, self.isAscending) = (key, isAscending) }

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the name is malformed, or records cannot be ordered by the field.
    func validate() throws(KinfolkError) {
        do throws(QueryFault) {
            switch key {
            case .field(.system(.createTime)), .field(.system(.modificationTime)): break
            case .field(.system): throw QueryFault("of the system fields, records are only ordered by the two times.")
            case .distance(.system, from: _): throw QueryFault("this field holds no location.")
            case .field(let field), .distance(let field, from: _): try field.validate()
            }
        } catch { throw error.error() }
    }
}

extension QuerySortDescriptor: Redacted {}
