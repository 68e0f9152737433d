import KinfolkAccounts
package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// A reserved zone in the databases of a store.
extension ReservedZone {
    /// The number of its last change in a database; 0 if nothing was written to it.
    package func lastChange(in database: RecordPlace, _ db: Connection) throws -> Int64 {
        try ZoneTable.zone(named: name, in: database, db)?.change ?? 0
    }

    /// How many zones are read at once.
    private static let pageSize = 1_000

    /// Calls `body` with the zone of each database that has it, until it returns false. Zones that cannot be read are left out.
    package func forEachPlace(
        of service: Service,
        _ db: Connection,
        _ body: (RecordPlace) throws -> Bool
    ) throws {
        for container in try ContainerTable.all(db).map(\.number) {
            guard let keys = try? service.keys(ofContainer: container, in: db) else { continue }
            var start: RowPosition? = RowPosition(owner: [], number: -1)
            while let after = start {
                let page = try ZoneTable.positions(in: container, after: after, limit: ReservedZone.pageSize, db)
                for position in page {
                    guard let database = try? RecordPlace(ofOwner: position.owner, in: container, keys),
                        database.tags.contains(where: { $0.zone(name) == position.tag }),
                        let place = try? ZoneTable.place(number: position.number, in: database, db),
                        place.zoneName == name
                    else { continue }
                    guard try body(place) else { return }
                }
                start =
                    page.count == ReservedZone.pageSize
                    ? page.last.map { RowPosition(owner: $0.owner, number: $0.number) } : nil
            }
        }
    }

    /// The first records with a value in a QUERYABLE field. The rows of an index are not authenticated: the caller compares the values.
    package static func rows(
        of type: TypeDefinition,
        with field: String,
        _ value: FieldValue,
        limit: Int,
        in place: RecordPlace,
        _ db: Connection
    ) throws -> [RecordRow] {
        guard let definition = type.fields[field] else { return [] }
        var found: [RecordRow] = []
        let scope = IndexScope(of: place)
        for value in IndexValue.all(of: value) {
            // While keys are rotated, a record has its entries under the older or under the newer ones.
            for tags in scope.tags where found.count < limit {
                let tag = tags.value(value, ofField: definition.number)
                try IndexTable.forEachRow(under: tag, type: type.number, after: 0, limit: limit, in: scope, db) { row in
                    found.append(row)
                    return found.count < limit
                }
            }
        }
        return found
    }
}
