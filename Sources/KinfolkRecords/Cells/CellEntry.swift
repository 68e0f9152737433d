package import KinfolkModel

/// A cell in which a record is, with the exact place.
package struct CellEntry: Hashable, Sendable {
    /// Where it is found.
    package let index: IndexEntry
    package let point: Location

    /// The entries of a record: for each QUERYABLE field with a location, one of each level, in each scope of the record.
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
    ) -> Set<CellEntry> {
        // User records are never queried.
        guard let type, type.number != 0 else { return [] }
        var points: [(field: Int64, point: Location)] = []
        for (name, value) in content.fields {
            guard case .location(let point) = value, let field = type.fields[name], field.has(.queryable, presence)
            else { continue }
            points.append((field.number, point))
        }
        guard !points.isEmpty else { return [] }
        var found: Set<CellEntry> = []
        for scope in IndexScope.all(of: content, type, presence, in: place) {
            let tags = scope.tags[epoch]
            for (field, point) in points {
                for level in CellLevel.all {
                    let tag = tags.cell(level.cell(of: point), ofField: field)
                    found.insert(CellEntry(index: IndexEntry(scope: scope.key, tag: tag), point: point))
                }
            }
        }
        return found
    }
}
