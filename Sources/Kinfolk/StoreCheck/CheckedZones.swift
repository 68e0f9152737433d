import KinfolkCore
import KinfolkRecords
import KinfolkStorage

/// The zones of the rows that a check reads.
final class CheckedZones {
    private let check: StoreChecker
    private var places: [Int64: ZonePlaces] = [:]

    init(_ check: StoreChecker) { self.check = check }

    /// The zone of a row; nil if the zone was deleted, or the keys of its container cannot be opened, which is reported separately.
    func place(of row: CheckedRow) throws -> RecordPlace? {
        let container = try row.integer("container_id")
        if let known = places[container] { return try place(of: row, known) }
        guard let keys = try check.keys(of: container) else { return nil }
        let new = ZonePlaces(in: container, keys, check.db)
        places[container] = new
        return try place(of: row, new)
    }

    private func place(of row: CheckedRow, _ places: ZonePlaces) throws -> RecordPlace? {
        try places.place(owner: row.bytes("owner"), zone: row.integer("zone"))
    }

    /// How many rows of a table belong to deleted zones, and are being removed.
    func rowsToRemove(in table: String) throws -> Int {
        try RemovedZoneTable.unswept(check.db) == nil ? 0 : StoreCheckTable.rowsToRemove(in: table, check.db)
    }
}

extension StoreChecker {
    /// Opens all zones, the tombstones of deleted records, and what the outbox keeps of them. The rules of the tables compare the numbers of their changes.
    func checkZones() throws {
        let zones = CheckedZones(self)
        try forEachRow(of: "zones") { row in
            guard let keys = try keys(of: row.integer("container_id")) else { return }
            let database = try RecordPlace(ofOwner: row.bytes("owner"), in: row.integer("container_id"), keys)
            _ = try row.bytes("sealed_zone").withUnsafeBytes { sealed in
                try ZoneTable.zone(
                    sealed,
                    number: row.integer("zone"),
                    row.tag("name_tag"),
                    change: row.integer("change"),
                    deletions: row.integer("deletions"),
                    forgotten: row.integer("forgotten"),
                    in: database
                )
            }
        }
        try forEachRow(of: "tombstones") { row in
            guard let place = try zones.place(of: row) else { return }
            let deleted = try row.bytes("sealed_id").withUnsafeBytes { sealed in
                try TombstoneTable.open(sealed, deletion: row.integer("deletion"), row.tag("name_tag"), in: place)
            }
            // A record that was made again has no tombstone.
            if try RecordTable.row(deleted.record.id, in: place, db) != nil { found(.unexpected, in: "tombstones") }
        }
        try forEachRow(of: "outbox") { row in
            guard let place = try zones.place(of: row), try !row.isNull("sealed_before") else { return }
            try OutboxTable.check(
                row.bytes("sealed_before"),
                of: row.integer("number"),
                kind: row.integer("kind"),
                type: row.integer("type"),
                in: place
            )
        }
    }
}
