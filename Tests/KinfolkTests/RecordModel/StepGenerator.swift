import Kinfolk
import TestSupport

/// Random steps, the same for the same seed.
struct StepGenerator {
    static let slots = 5
    static let services = 2
    private static let names = 9
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
        while steps.count < count {
            steps.append(steps.count % StepGenerator.checkInterval == 0 ? .check(service: service()) : step())
        }
        return steps + [.check(service: 0)]
    }

    private mutating func step() -> ModelStep {
        switch below(1_000) {
        case ..<200: fetch()
        case ..<500: save()
        case ..<540: delete()
        case ..<850: batch()
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
        return .fetch(access, (0..<(chance(2) ? 1 : below(6))).map { _ in name() }, keep: hand(access))
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

    private mutating func draft(_ access: ModelStep.Access) -> ModelStep.Draft {
        var name = name()
        if case .person(let slot) = access.actor, case .user = name, !chance(4) { name = .user(slot: slot) }
        // A name mostly has the same type.
        var type =
            switch name {
            case .own(let number), .generated(let number): StepGenerator.types[number % StepGenerator.types.count]
            case .user: "Users"
            }
        if chance(40) { type = chance(5) ? "Users" : self.type() }
        return ModelStep.Draft(
            hand: chance(3) ? nil : hand(access),
            name: name,
            type: type,
            changes: (0..<below(5)).map { _ in change() }
        )
    }

    /// A place for a record in hand: mostly one of those for the caller's database.
    private mutating func hand(_ access: ModelStep.Access) -> Int {
        var place = 0
        if access.scope == .private, case .person(let slot) = access.actor { place = 1 + slot }
        if access.environment == .development { place += 1 + StepGenerator.slots }
        if chance(10) { place = below(2 * (1 + StepGenerator.slots)) }
        return place * StepGenerator.hands + below(StepGenerator.hands)
    }

    private mutating func change() -> ModelStep.Change {
        let field = field()
        guard !chance(5) else { return ModelStep.Change(field: field, value: nil) }
        // Now and then a value of the wrong type, or a large one.
        let type = chance(30) ? anyType() : type(of: field)
        let number = chance(1_000) ? ModelValue.count : below(ModelValue.count)
        return ModelStep.Change(field: field, value: ModelValue(type: type, number: number))
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
