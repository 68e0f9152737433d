import Kinfolk

/// Fetches, saves and deletes records.
extension ModelRun {
    func id(_ key: ModelStep.Key, _ environment: ContainerEnvironment) throws -> RecordID {
        let zone = ModelPlace.zoneName(key.zone)
        switch key.name {
        case .own(let number): return try RecordID("name \(number)", zone: zone)
        case .generated(let number):
            let id = generated[number] ?? RecordID()
            generated[number] = id
            return try RecordID(id.name, zone: zone)
        case .user(let slot):
            let nobody = try UserRecordID("_" + String(repeating: "0", count: 32))
            return RecordID((people[slot] ?? erased[slot])?.ids[environment] ?? nobody)
        }
    }

    /// The record that a step names, with its changes.
    func draft(_ step: ModelStep.Draft, _ environment: ContainerEnvironment) throws -> (
        record: Record, draft: ModelDraft
    ) {
        var held: (record: Record, draft: ModelDraft)
        if let hand = step.hand.flatMap({ hands[$0] }) {
            held = hand
        } else {
            let record = try Record(type: step.type, id: id(step.key, environment))
            held = (record, ModelDraft(type: record.type, name: record.id.name, zone: record.id.zone))
        }
        for change in step.changes {
            let isDone = (try? set(change, in: &held.record)) != nil
            if isDone != held.draft.change(change.field, to: change.value) { throw Different(what: "\(change)") }
        }
        return held
    }

    func set(_ change: ModelStep.Change, in record: inout Record) throws {
        if let value = change.value {
            try record.set(change.field, to: value.value)
        } else {
            try record.remove(change.field)
        }
    }

    func fetch(_ keys: [ModelStep.Key], _ access: ModelStep.Access, keep hand: Int) throws {
        guard let (database, caller) = try caller(access) else { return }
        let ids = try keys.map { try id($0, access.environment) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.fetch(ids, access.scope, by: caller)
        }
        if ids.count == 1 {
            let one: Result<ModelRecord?, ModelFailure> = expected.flatMap { $0[0] }
            try compare(call { try database.fetch(ids[0]) }, one, access, keep: hand)
        } else {
            let found = call {
                try database.fetch(ids).map { outcome in outcome.map { Optional($0) } }
            }
            try compare(found, expected, access, keep: hand)
        }
    }

    func save(_ step: ModelStep.Draft, _ policy: SavePolicy, _ access: ModelStep.Access, keep hand: Int) throws {
        guard let (database, caller) = try caller(access) else { return }
        let (record, draft) = try draft(step, access.environment)
        try compare(
            call { try database.save(record, policy: policy) },
            expect { () throws(ModelFailure) in
                try self.model.run(ModelRequest(draft, policy), access.scope, by: caller)
            },
            access,
            keep: hand
        )
    }

    func delete(_ step: ModelStep.Draft, _ withTag: Bool, _ access: ModelStep.Access) throws {
        guard let (database, caller) = try caller(access) else { return }
        let (record, draft) = try draft(step, access.environment)
        let request = ModelRequest(deleting: draft, withTag: withTag)
        try compare(
            call { () -> Record? in
                try database.delete(record.id, changeTag: withTag ? record.changeTag : nil)
                return nil
            },
            expect { () throws(ModelFailure) in try self.model.run(request, access.scope, by: caller) },
            access,
            keep: nil
        )
    }

    func run(_ items: [ModelStep.Item], _ isAtomic: Bool, _ access: ModelStep.Access, keep hand: Int) throws {
        guard let (database, caller) = try caller(access) else { return }
        var operations: [RecordOperation] = []
        var requests: [ModelRequest] = []
        for item in items {
            let (record, draft) = try draft(item.draft, access.environment)
            // Most batches have each record once.
            if operations.contains(where: { $0.id == record.id }), operations.count % 8 != 7 { continue }
            operations.append(item.operation(on: record))
            requests.append(ModelRequest(item.kind, draft))
        }
        try compare(
            call { try Array(database.run(operations, atomically: isAtomic)) },
            expect { () throws(ModelFailure) in
                try self.model.run(requests, atomically: isAtomic, access.scope, by: caller)
            },
            access,
            keep: hand
        )
    }
}

extension ModelStep.Item {
    func operation(on record: Record) -> RecordOperation {
        switch kind {
        case .create: .create(record)
        case .update: .update(record)
        case .forceUpdate: .forceUpdate(record)
        case .replace: .replace(record)
        case .forceReplace: .forceReplace(record)
        case .delete: .delete(record.id, changeTag: record.changeTag)
        case .forceDelete: .forceDelete(record.id)
        }
    }
}
