/// Where a part of a predicate is in its text. All positions are equal, because predicates are equal if they mean the same.
package struct PredicatePosition: Sendable, Hashable {
    /// In Unicode scalars from 1; nil without a text.
    package let character: Int?

    package init(_ character: Int? = nil) { self.character = character }

    package static func == (left: PredicatePosition, right: PredicatePosition) -> Bool { true }

    package func hash(into hasher: inout Hasher) {}
}
