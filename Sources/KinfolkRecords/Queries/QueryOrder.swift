import KinfolkModel

/// The order of a query.
struct QueryOrder: Sendable, Hashable {
    enum Key: Sendable, Hashable {
        case attribute(QueryAttribute)
        case distance(field: String, from: Location)
    }

    struct Part: Sendable, Hashable {
        let key: Key
        let isAscending: Bool
    }

    /// Empty: the order of the records' numbers.
    let parts: [Part]

    /// - Throws: ``KinfolkError/Code/invalidArgument`` if the type has no such field, or its values have no order.
    init(_ descriptors: [QuerySortDescriptor], _ binding: QueryBinding) throws(KinfolkError) {
        var parts: [Part] = []
        do throws(QueryFault) {
            for descriptor in descriptors {
                parts.append(Part(key: try QueryOrder.key(descriptor, binding), isAscending: descriptor.isAscending))
            }
        } catch {
            throw error.error()
        }
        self.parts = parts
    }

    private static func key(_ descriptor: QuerySortDescriptor, _ binding: QueryBinding) throws(QueryFault) -> Key {
        switch descriptor.key {
        case .field(let field): return .attribute(try attribute(field, binding))
        case .distance(let field, let location):
            guard case .field(let name, let definition) = try binding.attribute(field),
                definition.type == .location
            else { throw QueryFault("the field \(field.name) holds no location.") }
            return .distance(field: name, from: location)
        }
    }

    init(ascending attribute: QueryAttribute) { parts = [Part(key: .attribute(attribute), isAscending: true)] }

    private static func attribute(_ field: QueryField, _ binding: QueryBinding) throws(QueryFault) -> QueryAttribute {
        let attribute = try binding.attribute(field)
        switch attribute.kind {
        case .string, .int64, .double, .boolean, .date: return attribute
        case .location:
            throw QueryFault("\(attribute.name) holds locations: order by their distance from one.")
        default: throw QueryFault("the values of \(attribute.name) have no order.")
        }
    }

    /// The place of a record.
    func position(of found: QueryFound) -> QueryPosition {
        let content = found.row.content
        let values = parts.map { part -> OrderValue? in
            switch part.key {
            case .attribute(let attribute): attribute.values(in: content).first.flatMap(OrderValue.init)
            case .distance(let field, let from):
                if case .location(let location)? = content.fields[field] {
                    OrderValue(.double(from.distance(from: location)))
                } else {
                    nil
                }
            }
        }
        return QueryPosition(values: values, tie: hasTie(values) ? content.tie : nil, number: found.number)
    }

    /// Whether records with these values are in the order of their random numbers, as in a SORTABLE index.
    private func hasTie(_ values: [OrderValue?]) -> Bool {
        guard case .attribute(.field)? = parts.first?.key else { return false }
        return values.first.flatMap(\.self) != nil
    }

    func isInOrder(_ left: QueryPosition, _ right: QueryPosition) -> Bool {
        for (part, (left, right)) in zip(parts, zip(left.values, right.values)) where left != right {
            return QueryOrder.isLess(left, right) == part.isAscending
        }
        let isLess = (left.tie ?? 0, left.number) < (right.tie ?? 0, right.number)
        let isEqual = (left.tie ?? 0, left.number) == (right.tie ?? 0, right.number)
        return !isEqual && isLess == (parts.first?.isAscending ?? true)
    }

    /// Records without a value come first.
    private static func isLess(_ left: OrderValue?, _ right: OrderValue?) -> Bool {
        guard let right else { return false }
        guard let left else { return true }
        return left < right
    }
}
