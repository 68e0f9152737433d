/// A field that a predicate compares.
///
/// ```swift
/// let open = QueryKey("isDone") == .boolean(false) && QueryKey("due") < .date(.now)
/// let tagged = QueryKey("tags").any.begins(with: "home")
/// let near = QueryKey("place").distance(from: here) < 10_000
/// ```
///
/// The system fields have the names `recordName`, `createdAt`, `modifiedAt`, `createdBy` and `modifiedBy`, and those that CloudKit gives them.
public struct QueryKey: Sendable, Hashable {
    private let field: QueryField
    private let isAny: Bool

    /// The field with a name.
    public init(_ name: String) { self.init(QueryField(name), isAny: false) }

    private init(_ field: QueryField, isAny: Bool) { (self.field, self.isAny) = (field, isAny) }

    /// The elements of the field, which is a list: a comparison holds if it holds for one of them.
    public var any: QueryKey { QueryKey(field, isAny: true) }

    /// The field has this value. Texts are compared without regard to case. With nil, the field has no value.
    public static func == (key: QueryKey, value: FieldValue?) -> QueryPredicate { key.compare(.equal(value)) }

    /// The exact opposite of `==`: it also holds if the field has no value, and another one than nil is given.
    public static func != (key: QueryKey, value: FieldValue?) -> QueryPredicate { key.compare(.notEqual(value)) }

    /// The field has a value before this one.
    public static func < (key: QueryKey, value: FieldValue) -> QueryPredicate { key.compare(.less(value)) }

    /// The field has this value, or one before it.
    public static func <= (key: QueryKey, value: FieldValue) -> QueryPredicate { key.compare(.lessOrEqual(value)) }

    /// The field has a value after this one.
    public static func > (key: QueryKey, value: FieldValue) -> QueryPredicate { key.compare(.greater(value)) }

    /// The field has this value, or one after it.
    public static func >= (key: QueryKey, value: FieldValue) -> QueryPredicate { key.compare(.greaterOrEqual(value)) }

    /// The field has one of the two values, or one between them.
    public func isBetween(_ first: FieldValue, _ last: FieldValue) -> QueryPredicate { compare(.between(first, last)) }

    /// The field has one of these values.
    public func isIn(_ values: [FieldValue]) -> QueryPredicate { compare(.isIn(values)) }

    /// The field is a list with this element, or a text with this part. Case matters in a part, and not in an element.
    public func contains(_ value: FieldValue) -> QueryPredicate { compare(.contains(value)) }

    /// The text begins in this way. Case matters.
    public func begins(with text: String) -> QueryPredicate { compare(.beginsWith(text)) }

    /// The distance of the field's location from another one, to be compared with metres.
    public func distance(from location: Location) -> QueryDistance { QueryDistance(field: field, from: location) }

    private func compare(_ operation: QueryPredicate.Operation) -> QueryPredicate {
        QueryPredicate { () throws(QueryFault) in
            try QueryPredicate.comparison(field, isAny: isAny, operation)
        }
    }
}

extension QueryKey: Redacted {}
