import Kinfolk

/// Steps that change the schema.
extension StepGenerator {
    mutating func addField() -> ModelStep {
        let (name, type) = (field(), type())
        let fieldType = self.type(of: name)
        let field = chance(2) ? ModelField(fieldType, of: type) : ModelField(fieldType, isQueryable: chance(2))
        return .addField(environment(), name, field, to: type, service: service())
    }

    mutating func declare() -> ModelStep {
        let name = field()
        let fieldType = chance(20) ? anyType() : type(of: name)
        let field = ModelField(fieldType, isQueryable: chance(2))
        return .declare(environment(), name, field, of: type(), service: service())
    }

    mutating func declareGrants() -> ModelStep {
        let type = chance(10) ? "Users" : type()
        var grants = RecordModel.standardGrants(of: type)
        switch below(3) {
        case 0: break
        case 1: grants[role()] = permissions()
        default:
            grants = [:]
            for _ in 0...below(4) { grants[chance(2) ? role() : systemRole()] = permissions() }
        }
        return .declareGrants(environment(), grants, on: type, service: service())
    }

    /// A person has a role for a while, and does with a record of another one what the role allows, or does not any more.
    mutating func turn() -> [ModelStep] {
        let (environment, role, name) = (environment(), role(), below(StepGenerator.names))
        let slots = shuffled(Array(0..<StepGenerator.slots))
        let accesses = slots.prefix(2).map { slot in
            ModelStep.Access(service: service(), actor: .person(slot: slot), environment: environment, scope: .public)
        }
        let type = StepGenerator.types[name % StepGenerator.types.count]
        let key = ModelStep.Key(name: .own(name), zone: nil)
        var grants = RecordModel.standardGrants(of: type)
        if chance(2) { grants["_world"] = nil }
        grants[role] = permissions()
        let (first, second) = (accesses[0], accesses[1])
        func draft(_ hand: Int?) -> ModelStep.Draft {
            ModelStep.Draft(hand: hand, key: key, type: type, changes: [change(first, nil)])
        }
        let hand = hand(first)
        func attempts() -> [ModelStep] {
            [
                .fetch(second, [key], keep: hand), .save(second, draft(chance(2) ? hand : nil), policy(), keep: hand),
                .listBackReferences(second, key, limit: 20),
            ] + (chance(3) ? [.delete(second, draft(hand), withTag: chance(2))] : [])
        }
        let declaration = ModelStep.declareGrants(environment, grants, on: type, service: service())
        // A role that is removed and made again has no members.
        let end: [ModelStep] =
            chance(3)
            ? [
                .removeRole(environment, role, service: service()), .createRole(environment, role, service: service()),
                declaration,
            ] : [.changeRole(environment, role, slot: slots[1], isGiven: false, service: service())]
        return [
            declaration, .save(first, draft(nil), .changedKeys, keep: hand),
            .changeRole(environment, role, slot: slots[1], isGiven: true, service: service()),
        ] + attempts() + end + attempts() + (chance(4) ? leave(slots[1]) : [])
    }

    /// Records of others keep nothing of a person who goes.
    private mutating func leave(_ slot: Int) -> [ModelStep] {
        [
            .erase(slot: slot, keepsPublicRecords: chance(2), service: service()), .check(service: service()),
            .join(slot: slot),
        ]
    }

    /// At least one.
    mutating func permissions() -> Set<ModelPermission> {
        let first = ModelPermission.allCases[below(ModelPermission.allCases.count)]
        return Set(ModelPermission.allCases.filter { _ in chance(2) } + [first])
    }
}
