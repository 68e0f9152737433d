import Kinfolk

/// Steps that are about records.
extension StepGenerator {
    mutating func fetch() -> ModelStep {
        let access = access()
        return .fetch(access, (0..<(chance(2) ? 1 : below(6))).map { _ in key(access) }, keep: hand(access))
    }

    mutating func save() -> ModelStep {
        let access = access()
        return .save(access, draft(access), policy(), keep: hand(access))
    }

    mutating func delete() -> ModelStep {
        let access = access()
        return .delete(access, draft(access), withTag: chance(2))
    }

    mutating func batch() -> ModelStep {
        let access = access()
        let kinds = ModelStep.Kind.allCases
        let items = (0..<(chance(20) ? 40 : below(6))).map { _ in
            // Fewer deletions than saves, so that most records are there.
            ModelStep.Item(kind: kinds[below(chance(3) ? kinds.count : kinds.count - 2)], draft: draft(access))
        }
        return .batch(access, items, isAtomic: chance(2), keep: hand(access))
    }

    /// More records than may refer to one record with `deleteSelf`.
    mutating func fan() -> [ModelStep] {
        let access = ModelStep.Access(
            service: service(),
            actor: .person(slot: below(2)),
            environment: .production,
            scope: chance(8) ? .public : .private
        )
        let zone = zone(access.scope)
        let target = below(StepGenerator.names)
        let root = ModelStep.Draft(
            hand: nil,
            key: ModelStep.Key(name: .own(target), zone: zone),
            type: StepGenerator.types[target % StepGenerator.types.count],
            changes: []
        )
        let reference = ModelValue(.reference, to: target, .deleteSelf)
        let batches = [0, Database.maximumBatch].map { start in
            (start..<start + Database.maximumBatch).map { number in
                ModelStep.Draft(
                    hand: nil,
                    key: ModelStep.Key(name: .leaf(number), zone: zone),
                    type: StepGenerator.types[0],
                    changes: [ModelStep.Change(field: "a_\(FieldType.reference)", value: reference)]
                )
            }
        }
        func batch(_ kind: ModelStep.Kind, _ drafts: [ModelStep.Draft]) -> ModelStep {
            .batch(access, drafts.map { ModelStep.Item(kind: kind, draft: $0) }, isAtomic: false, keep: 0)
        }
        return [.saveZone(access, zone: zone), batch(.forceReplace, [root])] + batches.map { batch(.forceReplace, $0) }
            + [batch(.forceDelete, [root])]
    }

    /// Saves records that refer to each other, in any order.
    mutating func family() -> ModelStep {
        let access = access()
        let zone = zone(access.scope)
        let kinds: [ModelStep.Kind] = [.create, .forceUpdate, .forceReplace, .forceReplace]
        let items = (0..<2 + below(StepGenerator.names - 1)).map { number in
            let field = chance(2) ? FieldType.reference : .referenceList
            let action = chance(2) ? ReferenceAction.deleteSelf : ReferenceAction.allCases[below(3)]
            let value = ModelValue(field, to: chance(2) ? max(number - 1, 0) : below(StepGenerator.names), action)
            let draft = ModelStep.Draft(
                hand: nil,
                key: ModelStep.Key(name: .own(number), zone: zone),
                type: StepGenerator.types[number % StepGenerator.types.count],
                changes: number == 0 ? [change(access, zone)] : [ModelStep.Change(field: "a_\(field)", value: value)]
            )
            return ModelStep.Item(kind: kinds[below(kinds.count)], draft: draft)
        }
        return .batch(access, shuffled(items), isAtomic: chance(3), keep: hand(access))
    }

    mutating func draft(_ access: ModelStep.Access) -> ModelStep.Draft {
        var key = key(access)
        if case .person(let slot) = access.actor, case .user = key.name, !chance(4) {
            key = ModelStep.Key(name: .user(slot: slot), zone: nil)
        }
        // A name mostly has the same type.
        var type =
            switch key.name {
            case .own(let number), .generated(let number): StepGenerator.types[number % StepGenerator.types.count]
            case .leaf: StepGenerator.types[0]
            case .user: "Users"
            }
        if chance(40) { type = chance(5) ? "Users" : self.type() }
        return ModelStep.Draft(
            hand: chance(3) ? nil : hand(access),
            key: key,
            type: type,
            changes: (0..<below(5)).map { _ in change(access, key.zone) }
        )
    }

    /// A place for a record in hand: mostly one of those for the caller's database.
    mutating func hand(_ access: ModelStep.Access) -> Int {
        let place = chance(10) ? below(2 * (1 + StepGenerator.slots)) : place(access)
        return place * StepGenerator.hands + below(StepGenerator.hands)
    }

    mutating func change(_ access: ModelStep.Access, _ zone: Int?) -> ModelStep.Change {
        let field = chance(15) ? Record.parentKey : field()
        guard !chance(5) else { return ModelStep.Change(field: field, value: nil) }
        if field == Record.parentKey {
            return ModelStep.Change(field: field, value: value(.reference))
        }
        // Now and then a value of the wrong type, or a large one.
        let type = chance(30) ? anyType() : type(of: field)
        let isAsset = type == .asset || type == .assetList
        return ModelStep.Change(field: field, value: isAsset ? assets(type, access, zone) : value(type))
    }

    mutating func value(_ type: FieldType) -> ModelValue {
        let count = ModelValue.count(of: type)
        return ModelValue(type: type, number: chance(1_000) ? count : below(count))
    }

    mutating func key(_ access: ModelStep.Access) -> ModelStep.Key {
        let name = name()
        if case .user = name { return ModelStep.Key(name: name, zone: nil) }
        return ModelStep.Key(name: name, zone: zone(access.scope))
    }

    /// Most records of private databases are in one custom zone. The public database has none.
    mutating func zone(_ scope: DatabaseScope) -> Int? {
        switch scope {
        case .public: chance(40) ? 0 : nil
        case .private: [nil, nil, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2][below(12)]
        }
    }

    mutating func name() -> ModelStep.Name {
        switch below(20) {
        case ..<14: .own(below(StepGenerator.names))
        case ..<18: .generated(below(StepGenerator.names))
        default: .user(slot: slot())
        }
    }

    /// A field of each type, and some whose type is that of their first use.
    mutating func field() -> String {
        switch below(24) {
        case 0: "any\(below(4))"
        case ..<4: "a_\(FieldType.reference)"
        case ..<6: "a_\(FieldType.referenceList)"
        case ..<8: "a_\(FieldType.asset)"
        case 8: "a_\(FieldType.assetList)"
        default: "a_\(anyType())"
        }
    }

    mutating func type(of field: String) -> FieldType {
        FieldType.allCases.first { field == "a_\($0)" } ?? anyType()
    }
}
