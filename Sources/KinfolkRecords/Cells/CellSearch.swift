import KinfolkCrypto
package import KinfolkModel
package import KinfolkStorage

/// The search of an index of locations for the records near a place, in one scope.
package struct CellSearch {
    package struct Match: Sendable, Hashable {
        package let number: Int64
        /// In metres.
        package let distance: Double
    }

    private let metres: Double
    private let centre: Location
    private let isInclusive: Bool
    private let scope: IndexScope
    /// Those of the cells, under each of the container's keys.
    private let tags: [Tag]

    /// Nil if the circle is too large for the largest cells. The index is then of no use.
    ///
    /// - Parameters:
    ///   - metres: The largest distance. Nothing is nearer than a negative one, or NaN.
    ///   - isInclusive: Whether that distance itself counts.
    ///   - field: The number of the field.
    package init?(
        within metres: Double,
        of centre: Location,
        isInclusive: Bool,
        field: Int64,
        in scope: IndexScope
    ) {
        self.metres = metres
        self.centre = centre
        self.isInclusive = isInclusive
        self.scope = scope
        guard let cover = CellCover(within: metres.isNaN ? -1 : metres, of: centre) else { return nil }
        tags = scope.tags.flatMap { tags in cover.cells.map { tags.cell($0, ofField: field) } }
    }

    /// How many cells are read.
    package var cellCount: Int { tags.count }

    /// How many entries ``run(_:)`` would open: exactly, or at least `limit`.
    package func count(atMost limit: Int, _ db: Connection) throws -> Int {
        try CellTable.count(tags, atMost: limit, in: scope, db)
    }

    /// The records within the distance, in no particular order, and how many entries were opened to find them.
    package func run(_ db: Connection) throws -> (matches: [Match], candidates: Int) {
        var (matches, candidates): ([Match], Int) = ([], 0)
        try CellTable.forEach(tags, in: scope, db) { number, point in
            candidates += 1
            let distance = point.distance(from: centre)
            if distance < metres || isInclusive && distance == metres {
                matches.append(Match(number: number, distance: distance))
            }
        }
        return (matches, candidates)
    }
}
