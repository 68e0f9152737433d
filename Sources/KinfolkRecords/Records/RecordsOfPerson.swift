package import KinfolkCore
package import KinfolkModel
package import KinfolkStorage

/// All records of a person in a container, for the export: the two user records, the records of the private database, and those that
/// the person created in the public one.
package struct RecordsOfPerson {
    private let user: UserRecordID
    private let container: Int64
    private let service: Service
    private let keys: ContainerKeys

    package init(_ user: UserRecordID, in container: Int64, _ service: Service, _ db: Connection) throws {
        self.user = user
        self.container = container
        self.service = service
        keys = try service.keys(ofContainer: container, in: db)
    }

    /// The custom zones of the private database.
    package func zones(_ db: Connection) throws -> [RecordZone] {
        let database = RecordPlace(ofPrivate: user, in: container, keys)
        return try ZoneTable.all(of: database, db).filter { !ReservedZone.isReserved($0.name) }
            .map { RecordZone(valid: $0.name) }
    }

    package func all(_ db: Connection) throws -> [Record] {
        let shared = RecordPlace(ofPrivate: nil, in: container, keys)
        let own = RecordPlace(ofPrivate: user, in: container, keys)
        var records: [Record] = []
        for place in [shared, own] {
            let saved = try RecordTable.row(RecordID(user), in: place, db)
            guard let row = try saved ?? UserRecordRule.unsaved(user, in: container, service, db) else { continue }
            records.append(try record(row, in: place, db))
        }
        for number in try RecordTable.numbers(createdBy: user, in: shared, db) {
            guard let row = try RecordTable.row(number: number, in: shared, db) else { continue }
            records.append(try record(row, in: shared, db))
        }
        let zones = ZonePlaces(in: container, keys, db)
        for (number, zone) in try RecordTable.numbers(ownedBy: user, in: container, db) {
            guard let place = try zones.place(owner: own.owner, zone: zone),
                let row = try RecordTable.row(number: number, in: place, db)
            else { continue }
            records.append(try record(row, in: place, db))
        }
        return records
    }

    private func record(_ row: RecordRow, in place: RecordPlace, _ db: Connection) throws -> Record {
        let type = try service.schemas.name(ofType: row.type, in: container, service, db)
        return row.content.record(
            type: type,
            id: RecordID(valid: row.content.name, zone: place.zoneName),
            changeTag: row.changeTag,
            in: place
        )
    }
}
