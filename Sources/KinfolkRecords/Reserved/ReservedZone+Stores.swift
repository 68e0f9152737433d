import KinfolkAccounts
package import KinfolkCore
import KinfolkModel
package import KinfolkStorage

/// A reserved zone in all databases of a store.
extension ReservedZone {
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

    /// The first documents whose boolean field is true.
    package static func records(
        where field: String,
        in place: RecordPlace,
        limit: Int,
        _ db: Connection
    ) throws -> [RecordRow] {
        guard let definition = ReservedType.document.fields[field] else { return [] }
        var rows: [RecordRow] = []
        let scope = IndexScope(of: place)
        for value in IndexValue.all(of: .boolean(true)) {
            for tags in scope.tags where rows.count < limit {
                try IndexTable.forEachRow(
                    under: tags.value(value, ofField: definition.number),
                    type: ReservedType.document.number,
                    after: 0,
                    limit: limit,
                    in: scope,
                    db
                ) { row in
                    rows.append(row)
                    return rows.count < limit
                }
            }
        }
        return rows
    }
}
