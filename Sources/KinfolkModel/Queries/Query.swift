/// A question for records of one type: which ones, and in which order.
///
/// ```swift
/// let query = try Query("Note", where: QueryPredicate("title BEGINSWITH %@", .string("Gro")), sortedBy: [.descending("createdAt")])
/// ```
public struct Query: Sendable, Hashable {
    /// The record type.
    public let recordType: String

    /// What the records satisfy.
    public let predicate: QueryPredicate

    /// The order: by the first descriptor, among equal values by the second one, and so on.
    public let sortDescriptors: [QuerySortDescriptor]

    /// A query for records of a type.
    ///
    /// - Parameters:
    ///   - recordType: The record type. User records cannot be queried.
    ///   - predicate: What the records satisfy; all records of the type if it is left out.
    ///   - sortDescriptors: The order, with at most 8 descriptors. Without one the order is not specified.
    /// - Throws: ``KinfolkError/Code/invalidArgument`` if a name is malformed, the type is `Users`, or a system field cannot be compared or
    ///   ordered as the query says, ``KinfolkError/Code/limitExceeded`` if the predicate is too large, or there are too many sort descriptors.
    public init(
        _ recordType: String,
        where predicate: QueryPredicate = .all,
        sortedBy sortDescriptors: [QuerySortDescriptor] = []
    ) throws(KinfolkError) {
        try RecordType.validate(recordType)
        guard recordType != RecordType.users else {
            throw KinfolkError(.invalidArgument, "User records cannot be queried.")
        }
        try predicate.validate()
        guard sortDescriptors.count <= QueryLimits.sortDescriptors else {
            throw KinfolkError(.limitExceeded, "A query has at most \(QueryLimits.sortDescriptors) sort descriptors.")
        }
        for descriptor in sortDescriptors { try descriptor.validate() }
        self.recordType = recordType
        self.predicate = predicate
        self.sortDescriptors = sortDescriptors
    }
}

extension Query: Redacted {}
