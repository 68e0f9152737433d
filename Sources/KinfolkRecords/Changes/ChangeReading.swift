import KinfolkAccounts
import KinfolkCore
import KinfolkCrypto
import KinfolkModel
import KinfolkStorage

/// Reads the changes of a private database and of its custom zones, in one transaction.
struct ChangeReading {
    private let access: RecordTransaction
    private let keys: KeyRing
    private let history: RandomID
    private let count: ChangeCountTable.Count
    private var db: Connection { access.db }

    /// Stands for the history of a store in which no zone was ever made.
    private static let noHistory = RandomID(tag: Tag())

    init(_ access: RecordTransaction) throws {
        self.access = access
        keys = try access.session.service.keys(access.db)
        history = try StoreHistory.value(access.db) ?? ChangeReading.noHistory
        count = try ChangeCountTable.count(of: access.place, access.db)
    }

    // MARK: Zones

    func changes(inZone name: String, since token: ServerChangeToken?, limit: Int) throws -> RecordZoneChanges {
        let page = try page(ofZone: name, since: token, limit: limit)
        return RecordZoneChanges(
            records: page.records,
            deleted: page.tombstones.map(\.record),
            token: page.token,
            moreComing: page.moreComing
        )
    }

    func changes(inReserved zone: ReservedZone, since token: ServerChangeToken?, limit: Int) throws -> ReservedChanges {
        let page = try page(ofZone: zone.name, since: token, limit: limit)
        return ReservedChanges(
            start: page.start,
            records: page.records,
            deleted: page.tombstones.map { ReservedChanges.Deletion(name: $0.record.id.name, device: $0.device) },
            token: page.token,
            moreComing: page.moreComing
        )
    }

    func presentToken(inReserved zone: ReservedZone) throws -> ServerChangeToken? {
        guard let zone = try ZoneTable.zone(named: zone.name, in: access.place, db) else { return nil }
        let position = ChangePosition(history: history, zone: zone.number, change: count.last, begin: count.last)
        return try position.token(of: access.place, keys)
    }

    private func page(ofZone name: String, since token: ServerChangeToken?, limit: Int) throws -> (
        start: Int64, records: [Record], tombstones: [TombstoneTable.Row], token: ServerChangeToken, moreComing: Bool
    ) {
        guard let zone = try ZoneTable.zone(named: name, in: access.place, db),
            let place = try access.place(ofZone: name)
        else { throw RecordTransaction.noZone }
        var position = try position(token, zone: zone.number, forgotten: zone.forgotten)
        let start = position.change
        // Deletions of records that the reader has never seen are left out.
        let deletionStart = max(start, position.begin)
        let ahead = limit + 1
        func records() throws -> [(change: Int64, size: Int)] {
            try RecordTable.changes(after: start, limit: ahead, in: place, db)
        }
        func deletions() throws -> [Int64] {
            try TombstoneTable.changes(after: deletionStart, limit: ahead, in: place, db)
        }
        try db.askAhead {
            _ = try records()
            _ = try deletions()
        }
        let page = ChangePage(records: try records(), deletions: try deletions(), limit: limit)
        let end = page.last ?? start
        func rows() throws -> [Record] {
            var records: [Record] = []
            try RecordTable.forEachRow(
                changedAfter: start,
                through: end,
                limit: ChangePage.maximumCount,
                in: place,
                db
            ) { records.append(try access.record($0, RecordID(valid: $0.content.name, zone: name))) }
            return records
        }
        func tombstones() throws -> [TombstoneTable.Row] {
            let limit = ChangePage.maximumCount + ChangePage.maximumDeletions
            return try TombstoneTable.all(after: deletionStart, through: end, limit: limit, in: place, db)
        }
        try db.askAhead {
            _ = try rows()
            _ = try tombstones()
        }
        let changed = try rows()
        let deleted = try tombstones()
        // The last page leads to the present, past the changes of other zones.
        position.change = page.moreComing ? end : count.last
        return (start, changed, deleted, try position.token(of: access.place, keys), page.moreComing)
    }

    // MARK: Databases

    func changes(since token: ServerChangeToken?) throws -> DatabaseChanges {
        var position = try position(token, zone: nil, forgotten: count.forgotten)
        let limit = Database.maximumZones
        let zones = try ZoneTable.all(of: access.place, db).filter { !ReservedZone.isReserved($0.name) }
        let removed = try RemovedZoneTable.all(
            of: access.place,
            after: max(position.change, position.begin),
            limit: limit + 1,
            db
        )
        let moreComing = removed.count > limit
        let end = moreComing ? removed[limit - 1].change : count.last
        let changed = zones.filter { $0.change > position.change && $0.change <= end }.sorted { $0.change < $1.change }
        let present = Set(zones.map(\.name))
        // A zone that was deleted twice is listed once.
        var listed: Set<String> = []
        let deleted = removed.filter {
            $0.change <= end && !present.contains($0.name) && listed.insert($0.name).inserted
        }
        position.change = end
        return DatabaseChanges(
            changed: changed.map { RecordZone(valid: $0.name) },
            deleted: deleted.map { RecordZone(valid: $0.name) },
            token: try position.token(of: access.place, keys),
            moreComing: moreComing
        )
    }

    // MARK: Tokens

    /// The position of a token, or the beginning.
    ///
    /// - Parameters:
    ///   - zone: The number of the zone; nil for a database.
    ///   - forgotten: The last change of which a deletion was purged.
    private func position(_ token: ServerChangeToken?, zone: Int64?, forgotten: Int64) throws -> ChangePosition {
        let beginning = ChangePosition(history: history, zone: zone, change: 0, begin: count.last)
        guard let token else { return beginning }
        let position = ChangePosition(token, of: access.place, keys)
        // A token from before the first zone: its reader has seen nothing, so it is like no token in every later history.
        if let position, position.history == ChangeReading.noHistory, position.zone == zone, position.change == 0 {
            return beginning
        }
        // A service that only reads may use a standby, which has not received the reader's last changes yet.
        if let position, position.history == history, position.change > count.last, access.session.service.isReadOnly {
            throw KinfolkError(
                .serviceUnavailable,
                "The store, which is open read-only, does not have the changes yet that this token has seen: try again later."
            )
        }
        guard let position, position.history == history,
            position.zone == zone, (0...count.last).contains(position.change),
            (0...count.last).contains(position.begin),
            max(position.change, position.begin) >= forgotten
        else {
            throw KinfolkError(
                .changeTokenExpired,
                "The server change token is too old, or was made for something else: fetch all changes again, without a token."
            )
        }
        return position
    }
}
