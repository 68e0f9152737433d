import Kinfolk

/// Fetches, saves and deletes records.
extension ModelRun {
    func id(_ key: ModelStep.Key, _ environment: ContainerEnvironment) throws -> RecordID {
        let zone = ModelPlace.zoneName(key.zone)
        switch key.name {
        case .own(let number): return try RecordID("name \(number)", zone: zone)
        case .leaf(let number): return try RecordID("leaf \(number)", zone: zone)
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
            held = (record, ModelDraft(type: record.type, key: ModelKey(zone: record.id.zone, name: record.id.name)))
        }
        for change in step.changes.compactMap(withAssets) {
            let isDone = (try? set(change, in: &held.record)) != nil
            if isDone != held.draft.change(change.field, to: change.value) { throw Different(what: "\(change)") }
        }
        return held
    }

    /// A change with the assets that are held now. Nil if the only one is not held.
    private func withAssets(_ change: ModelStep.Change) -> ModelStep.Change? {
        guard let value = change.value, [.asset, .assetList].contains(value.type) else { return change }
        let held = value.hands.compactMap { assets[$0] }
        guard value.type == .assetList || !held.isEmpty else { return nil }
        let heldValue = ModelValue(type: value.type, number: value.number, assets: held)
        return ModelStep.Change(field: change.field, value: heldValue)
    }

    func set(_ change: ModelStep.Change, in record: inout Record) throws {
        let value = change.value?.value(in: record.id.zone)
        if change.field == Record.parentKey {
            try record.setParent(value?.references.first?.target)
        } else if let value {
            try record.set(change.field, to: value)
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
        let found = call { try database.delete(record.id, changeTag: withTag ? record.changeTag : nil) }
        let expected = expect { () throws(ModelFailure) in try self.model.run(request, access.scope, by: caller) }
        try compare(found.map { _ in nil }, expected, access, keep: nil)
        guard case .success(let deleted) = found else { return }
        try compare(deleted, access, caller)
        // Only a caller who may not read it is not told of it.
        guard let first = deleted.first, deleted.contains(where: { $0.id == record.id }), first.id != record.id else {
            return
        }
        throw Different(what: "the record that was deleted is not the first one")
    }

    /// Compares the records that a call says it deleted.
    private func compare(
        _ deleted: [DeletedRecord],
        _ access: ModelStep.Access,
        _ caller: RecordModel.Caller
    ) throws {
        let home = ModelPlace.Home(
            environment: access.environment,
            owner: access.scope == .private ? caller.user : nil
        )
        let expected = model.call.deleted.filter { record in
            let place = ModelPlace(home: home, zone: record.zone)
            return model.permissions(for: record, in: place, by: caller).contains(.read)
        }
        let (names, others) = (
            deleted.map { "\($0.id.zone)/\($0.id.name) \($0.type)" }.sorted(),
            expected.map { "\($0.zone)/\($0.name) \($0.type)" }.sorted()
        )
        if names != others { throw Different(what: "\(names) were deleted, expected \(others)") }
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
        let found = call { try database.run(operations, atomically: isAtomic) }
        let expected = expect { () throws(ModelFailure) in
            try self.model.run(requests, atomically: isAtomic, access.scope, by: caller)
        }
        try compare(found.map { Array($0) }, expected, access, keep: hand)
        if case .success(let results) = found { try compare(results.deleted, access, caller) }
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
