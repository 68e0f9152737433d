/// A condition that records satisfy or not, as in `NSPredicate`.
///
/// It is made from a text with arguments, or from fields and values. Both make the same:
///
/// ```swift
/// let predicate = try QueryPredicate("start > %@ AND name = %@", .date(.now), .string("Meeting"))
/// let typed = QueryKey("start") > .date(.now) && QueryKey("name") == .string("Meeting")
/// ```
///
/// A predicate is nested at most 64 deep, has at most 1,000 comparisons and values of lists together, of which a distance counts as 20, and
/// its values have at most 1 MB. What is wrong with a predicate made from fields and values is thrown by ``Query/init(_:where:sortedBy:)``.
public struct QueryPredicate: Sendable, Hashable {
    /// The condition. ``QueryPredicate/validate()`` must have succeeded.
    package let tree: Tree
    private let extent: QueryExtent
    /// What is wrong with it; the tree then means nothing.
    private let fault: QueryFault?

    /// A predicate that all records satisfy: `TRUEPREDICATE`.
    public static let all = QueryPredicate(.constant(true))

    /// A predicate that no record satisfies: `FALSEPREDICATE`.
    public static let none = QueryPredicate(.constant(false))

    /// The text of a record's SEARCHABLE fields contains all words of a text, in any order and in any of the fields. It is
    /// `self CONTAINS 'text'`.
    public static func words(_ text: String) -> QueryPredicate { words(text, at: PredicatePosition()) }

    static func words(_ text: String, at position: PredicatePosition) -> QueryPredicate {
        QueryPredicate(.test(.words(text, position)), bytes: text.utf8.count)
    }

    /// The condition that holds if all of these hold.
    public static func and(_ predicates: some Sequence<QueryPredicate>) -> QueryPredicate {
        joining(Array(predicates), Tree.all)
    }

    /// The condition that holds if one of these holds.
    public static func or(_ predicates: some Sequence<QueryPredicate>) -> QueryPredicate {
        joining(Array(predicates), Tree.any)
    }

    /// The condition that holds if the other one does not.
    public static prefix func ! (predicate: QueryPredicate) -> QueryPredicate {
        guard predicate.fault == nil else { return predicate }
        return QueryPredicate(!predicate.tree, predicate.extent)
    }

    /// The condition that holds if both hold.
    public static func && (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate { and([left, right]) }

    /// The condition that holds if one of the two holds, or both.
    public static func || (left: QueryPredicate, right: QueryPredicate) -> QueryPredicate { or([left, right]) }

    /// - Throws: ``KinfolkError/Code/invalidArgument`` or ``KinfolkError/Code/limitExceeded`` with what is wrong.
    package func validate() throws(KinfolkError) {
        if let fault { throw fault.error() }
    }

    /// - Throws: ``QueryFault``: what is wrong.
    func checked() throws(QueryFault) -> QueryPredicate {
        if let fault { throw fault }
        return self
    }
}

extension QueryPredicate {
    /// A predicate without others in it.
    init(_ tree: Tree, terms: Int = 1, bytes: Int = 0) { self.init(tree, QueryExtent(terms: terms, bytes: bytes)) }

    /// A predicate of a checked part, or of what is wrong with it.
    init(_ part: () throws(QueryFault) -> QueryPredicate) {
        do throws(QueryFault) { self = try part() } catch { self.init(error) }
    }

    private init(_ fault: QueryFault) {
        tree = .constant(false)
        extent = QueryExtent()
        self.fault = fault
    }

    /// Too large a tree is not kept.
    private init(_ tree: Tree, _ extent: QueryExtent) {
        do throws(QueryFault) {
            try extent.validate()
            try QueryExtent.validate(depth: tree.depth)
            self.tree = tree
            self.extent = extent
            fault = nil
        } catch {
            self.tree = .constant(false)
            self.extent = QueryExtent()
            fault = error
        }
    }

    /// Joins predicates.
    private static func joining(_ predicates: [QueryPredicate], _ join: ([Tree]) -> Tree) -> QueryPredicate {
        if let fault = predicates.lazy.compactMap(\.fault).first { return QueryPredicate(fault) }
        if predicates.count == 1, let only = predicates.first { return only }
        let extent = predicates.isEmpty ? QueryExtent() : QueryExtent.joining(predicates.map(\.extent))
        guard extent.terms <= QueryLimits.terms else { return QueryPredicate(.constant(false), extent) }
        let tree = join(predicates.map(\.tree))
        ReadingSteps.take(tree.nodes.count)
        return QueryPredicate(tree, extent)
    }
}

extension QueryPredicate: Redacted {
    /// How many comparisons and values of lists it has.
    public var description: String { "QueryPredicate(\(extent.terms) \(extent.terms == 1 ? "term" : "terms"))" }
}
