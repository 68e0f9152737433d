import Kinfolk

/// Custom zones and their changes.
extension RecordModel {
    /// The zones of a database: the default one, and the others in the order in which they were made.
    func zones(_ scope: DatabaseScope, of caller: Caller) throws(ModelFailure) -> [String] {
        let custom = try databases[home(scope, of: caller)]?.zones ?? [:]
        return [RecordZone.defaultName] + custom.sorted { $0.value.number < $1.value.number }.map(\.key)
    }

    mutating func saveZone(_ name: String, _ scope: DatabaseScope, of caller: Caller) throws(ModelFailure) {
        guard name != RecordZone.defaultName, scope == .private else { throw ModelFailure(.invalidArgument) }
        let home = try home(scope, of: caller)
        var database = databases[home] ?? ModelDatabase()
        guard database.zones[name] == nil else { return }
        database.lastChange += 1
        database.zones[name] = ModelZone(number: database.lastChange, change: database.lastChange)
        databases[home] = database
        hasHistory = true
    }

    mutating func deleteZone(_ name: String, _ scope: DatabaseScope, of caller: Caller) throws(ModelFailure) {
        guard name != RecordZone.defaultName, scope == .private else { throw ModelFailure(.invalidArgument) }
        let home = try home(scope, of: caller)
        guard var database = databases[home], database.zones.removeValue(forKey: name) != nil else {
            throw ModelFailure(.zoneNotFound)
        }
        database.lastChange += 1
        database.deletions.append((name, database.lastChange))
        databases[home] = database
        records[ModelPlace(home: home, zone: name)] = nil
        assets[ModelPlace(home: home, zone: name)] = nil
    }

    // MARK: Changes

    /// All changes of a zone after a position.
    func changes(
        inZone name: String,
        since position: ModelPosition?,
        limit: Int,
        _ scope: DatabaseScope,
        of caller: Caller
    ) throws(ModelFailure) -> ModelChanges {
        guard name != RecordZone.defaultName, (1...Database.maximumBatch).contains(limit) else {
            throw ModelFailure(.invalidArgument)
        }
        guard scope == .private else { throw ModelFailure(.zoneNotFound) }
        let home = try home(scope, of: caller)
        guard let zone = databases[home]?.zones[name] else { throw ModelFailure(.zoneNotFound) }
        let start = try self.position(position, of: home, zone: zone.number)
        var groups: [Int: ModelChanges.Group] = [:]
        for record in (records[ModelPlace(home: home, zone: name)] ?? [:]).values where record.change > start.change {
            groups[record.change, default: .init(change: record.change)].records[record.name] = record
        }
        for (name, deletion) in zone.deletions where deletion.change > max(start.change, start.begin) {
            groups[deletion.change, default: .init(change: deletion.change)].deletions[name] = deletion.type
        }
        return ModelChanges(
            start: start,
            groups: groups.values.sorted { $0.change < $1.change },
            last: databases[home]?.lastChange ?? 0
        )
    }

    /// The zones that changed after a position, with their last changes, and those that were deleted.
    func changes(
        since position: ModelPosition?,
        _ scope: DatabaseScope,
        of caller: Caller
    ) throws(ModelFailure) -> (changed: [String: Int], deleted: [String], end: ModelPosition) {
        guard scope == .private else { throw ModelFailure(.invalidArgument) }
        let home = try home(scope, of: caller)
        var position = try self.position(position, of: home, zone: nil)
        let database = databases[home] ?? ModelDatabase()
        let changed = database.zones.mapValues(\.change).filter { $0.value > position.change }
        var deleted: [String] = []
        for (zone, change) in database.deletions where change > max(position.change, position.begin) {
            if database.zones[zone] == nil, !deleted.contains(zone) { deleted.append(zone) }
        }
        position.change = database.lastChange
        return (changed, deleted, position)
    }

    /// Where a reader is who has a token, or none.
    private func position(
        _ position: ModelPosition?,
        of home: ModelPlace.Home,
        zone: Int?
    ) throws(ModelFailure) -> ModelPosition {
        let last = databases[home]?.lastChange ?? 0
        let beginning = ModelPosition(
            home: home,
            zone: zone,
            change: 0,
            begin: last,
            leaks: leaks,
            isInHistory: hasHistory
        )
        guard let position else { return beginning }
        guard position.home == home, position.zone == zone, position.leaks == leaks else {
            throw ModelFailure(.changeTokenExpired)
        }
        return position.isInHistory || !hasHistory ? position : beginning
    }
}
