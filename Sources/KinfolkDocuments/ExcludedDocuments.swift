import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage

/// The documents that their users leave out of backups.
enum ExcludedDocuments {
    /// How many are deleted in one transaction.
    private static let batchSize = 100

    /// Whether a store has documents.
    static func hasDocuments(_ service: Service, _ db: Connection) throws -> Bool {
        var isAny = false
        try ReservedZone.documents.forEachPlace(of: service, db) { _ in
            isAny = true
            return false
        }
        return isAny
    }

    /// Deletes them from a backup, with their contents.
    static func delete(from backup: Store, of service: Service) throws {
        let places = try backup.read { db in
            var places: [RecordPlace] = []
            try ReservedZone.documents.forEachPlace(of: service, db) { place in
                if try !excluded(in: place, limit: 1, db).isEmpty { places.append(place) }
                return true
            }
            return places
        }
        for place in places {
            var isOver = false
            while !isOver {
                isOver = try backup.write { db in
                    let rows = try excluded(in: place, limit: batchSize, db)
                    let storage = RecordStorage(service, db)
                    for row in rows { try storage.delete(row, ReservedType.document, in: place) }
                    try storage.finish()
                    return rows.count < batchSize
                }
            }
        }
        try Sweeper.sweep(backup)
    }

    /// The first documents of a zone that are left out.
    private static func excluded(in place: RecordPlace, limit: Int, _ db: Connection) throws -> [RecordRow] {
        let rows = try ReservedZone.rows(
            of: ReservedType.document,
            with: ReservedType.isExcluded,
            .boolean(true),
            limit: limit,
            in: place,
            db
        )
        guard rows.allSatisfy({ $0.content.fields[ReservedType.isExcluded] == .boolean(true) }) else {
            throw DocumentPlaces.misplaced
        }
        return rows
    }
}
