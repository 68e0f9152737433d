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
                if try !ReservedZone.records(where: ReservedType.isExcluded, in: place, limit: 1, db).isEmpty {
                    places.append(place)
                }
                return true
            }
            return places
        }
        for place in places {
            var isOver = false
            while !isOver {
                isOver = try backup.write { db in
                    let rows = try ReservedZone.records(
                        where: ReservedType.isExcluded,
                        in: place,
                        limit: batchSize,
                        db
                    )
                    let storage = RecordStorage(service, db)
                    for row in rows { try storage.delete(row, ReservedType.document, in: place) }
                    try storage.finish()
                    return rows.count < batchSize
                }
            }
        }
        try Sweeper.sweep(backup)
    }
}
