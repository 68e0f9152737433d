import Kinfolk

/// Saves and deletes records.
extension RecordModel {
    /// Runs one call that changes one record.
    mutating func run(_ request: ModelRequest, _ scope: DatabaseScope, by caller: Caller) throws(ModelFailure)
        -> ModelRecord?
    {
        try request.check(Origin(environment: caller.environment, scope: scope, user: caller.user))
        call = ModelCall()
        defer { deleteDroppedAssets() }
        return try attempt(request, scope, by: caller)
    }

    mutating func attempt(
        _ request: ModelRequest,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> ModelRecord? {
        let user = try requireGoodStanding(caller)
        let home = try home(scope, of: caller)
        guard let place = place(request.draft.key.zone, in: home) else { throw ModelFailure(.zoneNotFound) }
        call.upcoming.remove(request.draft.key)
        if request.isDeletion {
            try delete(request, in: place, by: caller)
            return nil
        }
        return try save(request, in: place, by: caller, user)
    }

    private mutating func save(
        _ request: ModelRequest,
        in place: ModelPlace,
        by caller: Caller,
        _ user: UserRecordID
    ) throws(ModelFailure) -> ModelRecord {
        let draft = request.draft
        let present = record(draft.key.name, in: place)
        try requirePermission(for: request, present, in: place, by: caller)
        try requireUnchanged(present, request, in: place, by: caller)
        var saved = ModelRecord(
            type: draft.type,
            name: draft.key.name,
            zone: draft.key.zone,
            number: present?.number ?? 0,
            tag: lastTag + 1,
            creator: present == nil ? user : present?.creator,
            modifier: user,
            createdAt: present?.createdAt ?? now,
            modifiedAt: now,
            fields: present?.fields ?? [:],
            parent: present?.parent
        )
        if let names = request.names {
            for name in names where name != Record.parentKey { saved.fields[name] = draft.fields[name] }
            if names.contains(Record.parentKey) { saved.parent = draft.parent }
        } else {
            (saved.fields, saved.parent) = (draft.fields, draft.parent)
        }
        guard saved.size <= Record.maximumSize, call.bytes + saved.size <= Database.maximumBatchSize else {
            throw ModelFailure(.limitExceeded)
        }
        try requireAssets(of: request, present, in: place, by: caller, user)
        let upcoming = try requireTargets(
            of: saved,
            before: present,
            { request.names?.contains($0) != false },
            in: place,
            by: caller
        )
        saved = saved.counted
        try requireRoom(for: saved.bytes - (present?.bytes ?? 0), createdBy: saved.creator, in: place)
        guard present == nil || present?.type == draft.type else { throw ModelFailure(.invalidArgument) }
        let written = draft.fields.filter { request.names?.contains($0.key) != false }.mapValues(\.type)
        let mayGrow = caller.environment == .development || place.home.owner == nil && !isFixed
        try grow(draft.type, by: written, mayGrow, in: caller.environment)
        lastTag += 1
        if saved.number == 0 {
            lastNumber += 1
            saved.number = lastNumber
        }
        call.bytes += saved.size
        call.conditions += upcoming.map { .exists($0, of: draft.key) }
        put(saved, in: place)
        if let present, !permissions(for: present, in: place, by: caller).contains(.read) {
            return RecordModel.sent(draft, as: saved)
        }
        return saved
    }

    /// What a caller who may write a record but not read it is told of a saved record: what was sent.
    private static func sent(_ draft: ModelDraft, as saved: ModelRecord) -> ModelRecord {
        ModelRecord(
            type: saved.type,
            name: saved.name,
            zone: saved.zone,
            tag: saved.tag,
            modifier: saved.modifier,
            createdAt: saved.modifiedAt,
            modifiedAt: saved.modifiedAt,
            fields: draft.fields,
            parent: draft.parent
        )
    }

    private mutating func delete(
        _ request: ModelRequest,
        in place: ModelPlace,
        by caller: Caller
    ) throws(ModelFailure) {
        let key = request.draft.key
        guard (try? UserRecordID(key.name)) == nil else { throw ModelFailure(.permissionFailure) }
        guard let present = record(key.name, in: place), !isHidden(present, in: place, from: caller) else {
            // It may have been deleted with another record of the batch.
            let gone = call.deleted.last { $0.zone == key.zone && $0.name == key.name }
            if let gone, permissions(for: gone, in: place, by: caller).contains(.write) {
                return try requireUnchanged(gone, request, in: place, by: caller)
            }
            guard !request.needsRecord else { throw ModelFailure(.unknownItem) }
            return
        }
        guard permissions(for: present, in: place, by: caller).contains(.write) else {
            throw ModelFailure(.permissionFailure)
        }
        try requireUnchanged(present, request, in: place, by: caller)
        try deleteWithSources(present, in: place)
    }

    // MARK: Records and their changes

    /// Saves a record. In a custom zone this is a change.
    mutating func put(_ record: ModelRecord, in place: ModelPlace) {
        var record = record
        record.change = change(in: place)
        noteAssets(from: records[place]?[record.name]?.assets ?? [], to: record.assets, in: place)
        records[place, default: [:]][record.name] = record
        databases[place.home]?.zones[place.zone]?.deletions[record.name] = nil
    }

    /// Deletes a record. In a custom zone this is a change.
    mutating func remove(_ record: ModelRecord, from place: ModelPlace) {
        records[place]?[record.name] = nil
        noteAssets(from: record.assets, to: [], in: place)
        call.deleted.append(record)
        let deletion = ModelZone.Deletion(type: record.type, change: change(in: place))
        databases[place.home]?.zones[place.zone]?.deletions[record.name] = deletion
    }

    /// The number of a change in a zone: the same for all changes of a call in one database.
    private mutating func change(in place: ModelPlace) -> Int {
        guard var database = databases[place.home], database.zones[place.zone] != nil else { return 0 }
        let number = call.changes[place.home] ?? database.lastChange + 1
        call.changes[place.home] = number
        database.lastChange = number
        database.zones[place.zone]?.change = number
        databases[place.home] = database
        return number
    }
}
