import Kinfolk

/// Saves and deletes records.
extension RecordModel {
    /// Runs one call that changes one record.
    mutating func run(_ request: ModelRequest, _ scope: DatabaseScope, by caller: Caller) throws(ModelFailure)
        -> ModelRecord?
    {
        try request.check(Origin(environment: caller.environment, scope: scope, user: caller.user))
        call = ModelCall()
        return try attempt(request, scope, by: caller)
    }

    mutating func attempt(
        _ request: ModelRequest,
        _ scope: DatabaseScope,
        by caller: Caller
    ) throws(ModelFailure) -> ModelRecord? {
        let user = try requireGoodStanding(caller)
        let home = try home(scope, of: caller)
        let draft = request.draft
        guard let place = place(draft.zone, in: home) else { throw ModelFailure(.zoneNotFound) }
        let present = record(draft.name, in: place)
        let named = try? UserRecordID(draft.name)
        if request.isDeletion, named != nil { throw ModelFailure(.permissionFailure) }
        if request.isDeletion, present == nil, request.expects == .anything { return nil }
        if let named {
            guard present != nil else { throw ModelFailure(.unknownItem) }
            guard named == user else { throw ModelFailure(.permissionFailure) }
        }
        if let present {
            let isStale =
                request.expects == .missing || request.expects == .unchanged && request.tag != present.tag
            if home.owner == nil, present.creator != user, request.expects != .missing {
                throw ModelFailure(.permissionFailure)
            }
            if isStale { throw ModelFailure(.serverRecordChanged, server: present) }
        } else if request.expects == .unchanged || request.expects == .present {
            throw ModelFailure(.unknownItem)
        }
        guard !request.isDeletion else {
            remove(draft.name, from: place)
            return nil
        }
        var fields = present?.fields ?? [:]
        if let names = request.names {
            for name in names { fields[name] = draft.fields[name] }
        } else {
            fields = draft.fields
        }
        let size = ModelRecord.size(fields)
        guard size <= Record.maximumSize, call.bytes + size <= Database.maximumBatchSize else {
            throw ModelFailure(.limitExceeded)
        }
        guard present == nil || present?.type == draft.type else { throw ModelFailure(.invalidArgument) }
        let written = draft.fields.filter { request.names?.contains($0.key) != false }.mapValues(\.type)
        let mayGrow = home.environment == .development || home.owner == nil && !isFixed
        try grow(draft.type, by: written, mayGrow, in: home.environment)
        call.bytes += size
        lastTag += 1
        let saved = ModelRecord(
            type: draft.type,
            name: draft.name,
            zone: draft.zone,
            tag: lastTag,
            creator: present == nil ? user : present?.creator,
            modifier: user,
            createdAt: present?.createdAt ?? now,
            modifiedAt: now,
            fields: fields
        )
        put(saved, in: place)
        return saved
    }

    // MARK: Records and their changes

    /// Saves a record. In a custom zone this is a change.
    mutating func put(_ record: ModelRecord, in place: ModelPlace) {
        var record = record
        record.change = change(in: place)
        records[place, default: [:]][record.name] = record
        databases[place.home]?.zones[place.zone]?.deletions[record.name] = nil
    }

    /// Deletes a record. In a custom zone this is a change.
    mutating func remove(_ name: String, from place: ModelPlace) {
        guard let record = records[place]?.removeValue(forKey: name) else { return }
        let change = change(in: place)
        let deletion = ModelZone.Deletion(type: record.type, change: change)
        databases[place.home]?.zones[place.zone]?.deletions[name] = deletion
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
