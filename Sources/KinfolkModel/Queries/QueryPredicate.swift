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
    package let node: Node
    private let extent: QueryExtent
    /// What is wrong with it; the node then means nothing.
    private let fault: QueryFault?

    /// A predicate that all records satisfy: `TRUEPREDICATE`.
    public static let all = QueryPredicate(.constant(true))

    /// A predicate that no record satisfies: `FALSEPREDICATE`.
    public static let none = QueryPredicate(.constant(false))

    /// The text of a record's SEARCHABLE fields contains all words of a text, in any order and in any of the fields. It is
    /// `self CONTAINS 'text'`.
    public static func words(_ text: String) -> QueryPredicate { words(text, at: PredicatePosition()) }

    static func words(_ text: String, at position: PredicatePosition) -> QueryPredicate {
        QueryPredicate(.words(text, position), bytes: text.utf8.count)
    }

    /// The condition that holds if all of these hold.
    public static func and(_ predicates: some Sequence<QueryPredicate>) -> QueryPredicate {
        joining(Array(predicates), .all, Node.and) { if case .and(let nodes) = $0 { nodes } else { nil } }
    }

    /// The condition that holds if one of these holds.
    public static func or(_ predicates: some Sequence<QueryPredicate>) -> QueryPredicate {
        joining(Array(predicates), .none, Node.or) { if case .or(let nodes) = $0 { nodes } else { nil } }
    }

    /// The condition that holds if the other one does not.
    public static prefix func ! (predicate: QueryPredicate) -> QueryPredicate {
        guard predicate.fault == nil else { return predicate }
        var extent = predicate.extent
        if case .not(let node) = predicate.node {
            extent.depth -= 1
            return QueryPredicate(node, extent)
        }
        extent.depth += 1
        return QueryPredicate(.not(predicate.node), extent)
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
    init(_ node: Node, terms: Int = 1, bytes: Int = 0) { self.init(node, QueryExtent(terms: terms, bytes: bytes)) }

    /// A predicate of a checked part, or of what is wrong with it.
    init(_ part: () throws(QueryFault) -> QueryPredicate) {
        do throws(QueryFault) { self = try part() } catch { self.init(error) }
    }

    private init(_ fault: QueryFault) {
        node = .constant(false)
        extent = QueryExtent()
        self.fault = fault
    }

    /// Too large a tree is not kept: whatever walks it calls itself for each level.
    private init(_ node: Node, _ extent: QueryExtent) {
        do throws(QueryFault) {
            try extent.validate()
            self.node = node
            self.extent = extent
            fault = nil
        } catch {
            self.node = .constant(false)
            self.extent = QueryExtent()
            fault = error
        }
    }

    /// Joins predicates. Those that are joined in the same way already are taken apart, so that a chain is one node.
    private static func joining(
        _ predicates: [QueryPredicate],
        _ empty: QueryPredicate,
        _ join: ([Node]) -> Node,
        _ parts: (Node) -> [Node]?
    ) -> QueryPredicate {
        if let fault = predicates.lazy.compactMap(\.fault).first { return QueryPredicate(fault) }
        guard let first = predicates.first else { return empty }
        guard predicates.count > 1 else { return first }
        var extent = QueryExtent.joining(
            predicates.map { predicate in
                var extent = predicate.extent
                if parts(predicate.node) != nil { extent.depth -= 1 }
                return extent
            }
        )
        extent.depth += 1
        guard extent.terms <= QueryLimits.terms else { return QueryPredicate(.constant(false), extent) }
        let nodes = predicates.flatMap { parts($0.node) ?? [$0.node] }
        ReadingSteps.take(nodes.count)
        return QueryPredicate(join(nodes), extent)
    }
}

extension QueryPredicate: Redacted {
    /// How many comparisons and values of lists it has.
    public var description: String { "QueryPredicate(\(extent.terms) \(extent.terms == 1 ? "term" : "terms"))" }
}
