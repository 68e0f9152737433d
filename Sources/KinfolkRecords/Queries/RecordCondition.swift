package import KinfolkModel

/// The predicate of a query for one record type, to be tested on single records.
package struct RecordCondition: Sendable {
    private let condition: QueryCondition

    /// - Throws: ``KinfolkError/Code/invalidArgument`` with the position if the type has no such field, or a value has another type than its
    ///   field.
    package init(_ predicate: QueryPredicate, of type: TypeDefinition) throws(KinfolkError) {
        condition = try QueryBinding(type: type).condition(predicate.tree)
    }

    /// Whether a query with this predicate finds the record.
    package func holds(for subject: QuerySubject) -> Bool { condition.holds(for: subject) }

    /// Whether no record satisfies it.
    package var isImpossible: Bool { condition == .constant(false) }

    /// A field and its possible values: every record that satisfies the condition has one of them. Of several fields, the one with the fewest
    /// values; nil if the condition demands none.
    ///
    /// - Parameter limit: The most values.
    package func equality(limit: Int) -> (name: String, field: FieldDefinition, values: Set<IndexValue>)? {
        let parts = if case .all = condition.root { condition.children } else { [condition] }
        return parts.lazy.compactMap { part -> (name: String, field: FieldDefinition, values: Set<IndexValue>)? in
            guard case .equals(.field(let name, let field), let values)? = part.test, values.count <= limit else {
                return nil
            }
            return (name, field, values)
        }.min { $0.values.count < $1.values.count }
    }
}
