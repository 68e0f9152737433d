package import KinfolkCrypto
package import KinfolkModel

/// A tag under which a record is found, with the scope of the tag.
package struct IndexEntry: Hashable, Comparable, Sendable {
    package let scope: IndexScope.Key
    package let tag: Tag

    package init(scope: IndexScope.Key, tag: Tag) {
        self.scope = scope
        self.tag = tag
    }

    package static func < (left: IndexEntry, right: IndexEntry) -> Bool {
        left.scope == right.scope ? left.tag < right.tag : left.scope < right.scope
    }

    /// The entries of a record: for the values of its QUERYABLE fields, for SORTABLE fields without a value, and, in the public
    /// database, for its creator and for another user who changed it last.
    ///
    /// - Parameters:
    ///   - type: The record type; nil if the schema lost it.
    ///   - presence: Which of them are meant while indexes are built and removed.
    ///   - epoch: Under which of the container's keys the tags are.
    package static func all(
        of content: RecordContent,
        _ type: TypeDefinition?,
        _ presence: IndexPresence,
        epoch: Int = 0,
        in place: RecordPlace
    ) -> Set<IndexEntry> {
        var found: Set<IndexEntry> = []
        let whole = IndexScope(of: place)
        // By it, the erasure of that user finds the record.
        if place.database == .public, let modifier = content.modifier, modifier != content.creator {
            found.insert(IndexEntry(scope: whole.key, tag: whole.tags[epoch].modifier(modifier)))
        }
        // User records are never queried.
        guard let type, type.number != 0 else { return found }
        if place.database == .public, let creator = content.creator {
            found.insert(IndexEntry(scope: whole.key, tag: whole.tags[epoch].creator(creator)))
            found.insert(IndexEntry(scope: whole.key, tag: whole.tags[epoch].creator(creator, ofType: type.number)))
        }
        for scope in IndexScope.all(of: content, type, presence, in: place) {
            let tags = scope.tags[epoch]
            func add(_ tag: Tag) { found.insert(IndexEntry(scope: scope.key, tag: tag)) }
            if scope.isOfCreator { add(tags.type(type.number)) }
            for (name, value) in content.fields {
                guard let field = type.fields[name], field.has(.queryable, presence) else { continue }
                IndexValue.forEach(of: value) { add(tags.value($0, ofField: field.number)) }
            }
            // Locations have no order, also if they are declared SORTABLE.
            for (name, field) in type.fields
            where field.has(.sortable, presence) && field.type != .location
                && content.fields[name].flatMap(OrderValue.init) == nil
            {
                add(tags.missing(field.number))
            }
        }
        return found
    }
}
