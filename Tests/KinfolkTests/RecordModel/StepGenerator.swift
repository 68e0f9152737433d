import Kinfolk
import TestSupport

/// Random steps, the same for the same seed.
struct StepGenerator {
    static let slots = 5
    static let services = 2
    private static let names = 6
    private static let zones = 3
    /// How many records are held of each database.
    private static let hands = 4
    private static let types = ["Note", "Task", "Photo"]
    private static let checkInterval = 250

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func steps(_ count: Int) -> [ModelStep] {
        var steps = (0..<StepGenerator.slots - 1).map { ModelStep.join(slot: $0) }
        // In production, private databases add no fields.
        for type in StepGenerator.types {
            steps += FieldType.allCases.map {
                .addField(.production, "a_\($0)", ModelField($0, of: type), to: type, service: 0)
            }
        }
        for slot in 0..<StepGenerator.slots - 1 {
            for environment in ContainerEnvironment.allCases {
                let access = ModelStep.Access(
                    service: service(),
                    actor: .person(slot: slot),
                    environment: environment,
                    scope: .private
                )
                steps += [.saveZone(access, zone: 0), .saveZone(access, zone: 1)]
            }
        }
        while steps.count < count {
            steps.append(steps.count % StepGenerator.checkInterval == 0 ? .check(service: service()) : step())
        }
        return steps + [.check(service: 0)]
    }

    private mutating func step() -> ModelStep {
        switch below(1_000) {
        case ..<150: fetch()
        case ..<400: save()
        case ..<440: delete()
        case ..<720: batch()
        case ..<740: .saveZone(privateAccess(), zone: chance(10) ? nil : below(StepGenerator.zones))
        case ..<746: .deleteZone(privateAccess(), zone: chance(10) ? nil : below(StepGenerator.zones))
        case ..<752: .listZones(access())
        case ..<830: pull()
        case ..<850: pullZones()
        case ..<866: addField()
        case ..<880: declare()
        case ..<886: .removeField(environment(), field(), from: type(), service: service())
        case 886: .deploy(environment(), service: service())
        case ..<915: .join(slot: slot())
        case ..<920: .setSuspended(slot: slot(), true)
        case ..<945: .setSuspended(slot: slot(), false)
        case ..<950: .block(slot: slot(), other: slot())
        case ..<955: .erase(slot: slot(), keepsPublicRecords: chance(2), service: service())
        case ..<963: .export(slot: slot(), service: service())
        case ..<966: .beginRotation(isLeaked: chance(4), service: service())
        case ..<972: .stepRotation(of: [.production, .development, nil][below(3)], service: service())
        case ..<975: .finishRotation(service: service())
        case ..<980: .reopen(service: service())
        default: .wait(seconds: below(30_000))
        }
    }

    private mutating func addField() -> ModelStep {
        let (name, type) = (field(), type())
        let fieldType = self.type(of: name)
        let field = chance(2) ? ModelField(fieldType, of: type) : ModelField(fieldType, isQueryable: chance(2))
        return .addField(environment(), name, field, to: type, service: service())
    }

    private mutating func declare() -> ModelStep {
        let name = field()
        let fieldType = chance(20) ? anyType() : type(of: name)
        let field = ModelField(fieldType, isQueryable: chance(2))
        return .declare(environment(), name, field, of: type(), service: service())
    }

    private mutating func access() -> ModelStep.Access {
        let actor: ModelStep.Actor =
            switch below(20) {
            case 0: .anonymous
            case 1: .erased(slot: slot())
            // The first slots write most, so that records are changed again by their creators.
            default: .person(slot: chance(2) ? slot() : below(2))
            }
        return ModelStep.Access(
            service: service(),
            actor: actor,
            environment: environment(),
            scope: chance(2) ? .public : .private
        )
    }

    private mutating func fetch() -> ModelStep {
        let access = access()
        return .fetch(access, (0..<(chance(2) ? 1 : below(6))).map { _ in key(access) }, keep: hand(access))
    }

    private mutating func save() -> ModelStep {
        let access = access()
        return .save(access, draft(access), policy(), keep: hand(access))
    }

    private mutating func delete() -> ModelStep {
        let access = access()
        return .delete(access, draft(access), withTag: chance(2))
    }

    private mutating func batch() -> ModelStep {
        let access = access()
        let kinds = ModelStep.Kind.allCases
        let items = (0..<(chance(20) ? 40 : below(6))).map { _ in
            // Fewer deletions than saves, so that most records are there.
            ModelStep.Item(kind: kinds[below(chance(3) ? kinds.count : kinds.count - 2)], draft: draft(access))
        }
        return .batch(access, items, isAtomic: chance(2), keep: hand(access))
    }

    private mutating func pull() -> ModelStep {
        let access = privateAccess()
        let zone = chance(12) ? nil : [0, 0, 0, 1, 2][below(5)]
        // Most readers follow one zone.
        var reader = place(access) * (StepGenerator.zones + 2) + (zone.map { $0 + 1 } ?? 0)
        if chance(15) { reader = below(2 * (1 + StepGenerator.slots) * (StepGenerator.zones + 2)) }
        return .pull(access, zone: zone, reader: 2 * reader + below(2), limit: limit())
    }

    private mutating func pullZones() -> ModelStep {
        let access = privateAccess()
        var reader = place(access) * (StepGenerator.zones + 2) + StepGenerator.zones + 1
        if chance(15) { reader = below(2 * (1 + StepGenerator.slots) * (StepGenerator.zones + 2)) }
        return .pullZones(access, reader: 2 * reader + below(2))
    }

    /// How many changes are on a page.
    private mutating func limit() -> Int { [1, 2, 5, 20, Database.maximumBatch, below(402)][below(6)] }

    private mutating func privateAccess() -> ModelStep.Access {
        let access = access()
        guard !chance(20) else { return access }
        return ModelStep.Access(
            service: access.service,
            actor: access.actor,
            environment: access.environment,
            scope: .private
        )
    }

    private mutating func draft(_ access: ModelStep.Access) -> ModelStep.Draft {
        var key = key(access)
        if case .person(let slot) = access.actor, case .user = key.name, !chance(4) {
            key = ModelStep.Key(name: .user(slot: slot), zone: nil)
        }
        // A name mostly has the same type.
        var type =
            switch key.name {
            case .own(let number), .generated(let number): StepGenerator.types[number % StepGenerator.types.count]
            case .user: "Users"
            }
        if chance(40) { type = chance(5) ? "Users" : self.type() }
        return ModelStep.Draft(
            hand: chance(3) ? nil : hand(access),
            key: key,
            type: type,
            changes: (0..<below(5)).map { _ in change() }
        )
    }

    /// A place for a record in hand: mostly one of those for the caller's database.
    private mutating func hand(_ access: ModelStep.Access) -> Int {
        let place = chance(10) ? below(2 * (1 + StepGenerator.slots)) : place(access)
        return place * StepGenerator.hands + below(StepGenerator.hands)
    }

    /// The number of the caller's database.
    private func place(_ access: ModelStep.Access) -> Int {
        var place = 0
        if access.scope == .private, case .person(let slot) = access.actor { place = 1 + slot }
        if access.environment == .development { place += 1 + StepGenerator.slots }
        return place
    }

    private mutating func change() -> ModelStep.Change {
        let field = field()
        guard !chance(5) else { return ModelStep.Change(field: field, value: nil) }
        // Now and then a value of the wrong type, or a large one.
        let type = chance(30) ? anyType() : type(of: field)
        let number = chance(1_000) ? ModelValue.count : below(ModelValue.count)
        return ModelStep.Change(field: field, value: ModelValue(type: type, number: number))
    }

    private mutating func key(_ access: ModelStep.Access) -> ModelStep.Key {
        let name = name()
        if case .user = name { return ModelStep.Key(name: name, zone: nil) }
        return ModelStep.Key(name: name, zone: zone(access.scope))
    }

    /// Most records of private databases are in one custom zone. The public database has none.
    private mutating func zone(_ scope: DatabaseScope) -> Int? {
        switch scope {
        case .public: chance(40) ? 0 : nil
        case .private: [nil, nil, 0, 0, 0, 0, 0, 0, 1, 2][below(10)]
        }
    }

    private mutating func name() -> ModelStep.Name {
        switch below(10) {
        case ..<5: .own(below(StepGenerator.names))
        case ..<8: .generated(below(StepGenerator.names))
        default: .user(slot: slot())
        }
    }

    /// A field of each type, and some whose type is that of their first use.
    private mutating func field() -> String { chance(6) ? "any\(below(4))" : "a_\(anyType())" }

    private mutating func type(of field: String) -> FieldType {
        FieldType.allCases.first { field == "a_\($0)" } ?? anyType()
    }

    private mutating func anyType() -> FieldType { FieldType.allCases[below(FieldType.allCases.count)] }
    private mutating func type() -> String { StepGenerator.types[below(StepGenerator.types.count)] }
    private mutating func policy() -> SavePolicy { SavePolicy.allCases[below(SavePolicy.allCases.count)] }
    private mutating func environment() -> ContainerEnvironment { chance(3) ? .development : .production }
    private mutating func slot() -> Int { below(StepGenerator.slots) }
    private mutating func service() -> Int { below(StepGenerator.services) }
    private mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
    private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
