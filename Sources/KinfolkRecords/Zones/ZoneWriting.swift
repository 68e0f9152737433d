import KinfolkAccounts
import KinfolkCore
import KinfolkModel
import KinfolkStorage

/// Makes and deletes custom zones, in one write transaction.
struct ZoneWriting {
    private let access: RecordTransaction
    private let count: ChangeCountTable.Count
    private var place: RecordPlace { access.place }
    private var db: Connection { access.db }

    init(_ session: Session, _ db: Connection) throws {
        // Who may read a private database may also write to it.
        access = try RecordTransaction(reading: session, .private, db)
        count = try ChangeCountTable.count(of: access.place, db)
    }

    /// Makes a zone, unless there is one with this name.
    func save(_ zone: RecordZone) throws {
        guard try ZoneTable.zone(named: zone.name, in: place, db) == nil else { return }
        try requireRoom(for: zone)
        try StoreHistory.begin(db)
        try ZoneTable.insert(zone.name, number: count.last + 1, in: place, db)
        try ChangeCountTable.note(last: count.last + 1, of: place, db)
        try note(zone.name, count.last + 1)
    }

    /// Reserved zones do not count.
    private func requireRoom(for zone: RecordZone) throws {
        guard !ReservedZone.isReserved(zone.name), try ZoneTable.count(in: place, db) >= Database.maximumZones else {
            return
        }
        let reserved = try ReservedZone.all.count { try ZoneTable.zone(named: $0.name, in: place, db) != nil }
        guard try ZoneTable.count(in: place, db) - reserved < Database.maximumZones else {
            throw KinfolkError(.limitExceeded, "A database has at most \(Database.maximumZones) custom zones.")
        }
    }

    /// Deletes a zone: its key, and the count of its bytes. The rows of its records are removed afterwards.
    func delete(_ name: String) throws {
        guard let zone = try ZoneTable.zone(named: name, in: place, db) else { throw RecordTransaction.noZone }
        let now = access.session.service.clock()
        let forgotten = try RemovedZoneTable.purge(keeping: Int(ChangePage.keptDeletions), in: place, db)
        let change = count.last + 1
        try ZoneTable.delete(zone.number, in: place, db)
        try ByteCountTable.delete(zone: zone.number, in: place, db)
        try RemovedZoneTable.insert(zone, change: change, at: now, in: place, db)
        try ChangeCountTable.note(last: change, of: place, db)
        if let forgotten { try ChangeCountTable.note(forgotten: forgotten, of: place, db) }
        try note(name, zone.number)
    }

    private func note(_ name: String, _ number: Int64) throws {
        let change = ZoneChange(database: place, name: name, number: number, device: access.session.device)
        try access.session.service.updateIndexes(after: change, db)
    }
}
