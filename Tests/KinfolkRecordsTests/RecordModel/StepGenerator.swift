import Kinfolk
import TestSupport

/// Random steps, the same for the same seed.
struct StepGenerator {
    static let slots = 5
    static let services = 2
    static let names = 6
    static let zones = 3
    /// How many records are held of each database.
    static let hands = 4
    static let types = ["Note", "Task", "Photo"]
    static let roles = ["Editor", "Reader"]
    static let checkInterval = 250
    static let fanInterval = 900

    private var random: SeededGenerator
    /// Who calls most now.
    private var focus: ModelStep.Access?
    /// The last places for assets that were used.
    var album: [HeldAsset] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func steps(_ count: Int) -> [ModelStep] {
        var steps = (0..<StepGenerator.slots - 1).map { ModelStep.join(slot: $0) }
        for environment in ContainerEnvironment.allCases {
            steps += StepGenerator.roles.map { .createRole(environment, $0, service: 0) }
        }
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
        var (nextCheck, nextFan) = (StepGenerator.checkInterval, 2 * StepGenerator.checkInterval)
        while steps.count < count {
            if steps.count >= nextCheck {
                steps.append(.check(service: service()))
                nextCheck += StepGenerator.checkInterval
            } else if steps.count >= nextFan {
                steps += fan()
                nextFan += StepGenerator.fanInterval
            } else {
                steps += next()
            }
        }
        return steps + [.check(service: 0)]
    }

    /// One step, or some that belong together.
    private mutating func next() -> [ModelStep] {
        if chance(15) { focus = anyAccess() }
        return switch below(1_000) {
        case ..<12: turn()
        case ..<80: pulls()
        case ..<130: upload()
        case ..<142: squeeze()
        case ..<152: exhibit()
        case ..<155: closure()
        case ..<200: [asset()]
        default: [step()]
        }
    }

    private mutating func step() -> ModelStep {
        switch below(1_000) {
        case ..<120: fetch()
        case ..<370: save()
        case ..<378: declareGrants()
        case ..<390: .changeRole(environment(), role(), slot: slot(), isGiven: true, service: service())
        case ..<396: .changeRole(environment(), role(), slot: slot(), isGiven: false, service: service())
        case ..<398: .createRole(environment(), role(), service: service())
        case ..<400: .removeRole(environment(), role(), service: service())
        case ..<460: delete()
        case ..<680: batch()
        case ..<760: family()
        case ..<785: .saveZone(privateAccess(), zone: chance(10) ? nil : below(StepGenerator.zones))
        case ..<792: .deleteZone(privateAccess(), zone: chance(10) ? nil : below(StepGenerator.zones))
        case ..<798: .listZones(access())
        case ..<825: .listBackReferences(access(), key(access()), limit: limit())
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
        // Long enough for a service to look whether something has expired.
        default: .wait(seconds: 60 + below(30_000))
        }
    }

    /// For some time most calls are those of one person in one database, so that they build on each other.
    mutating func access() -> ModelStep.Access {
        guard let focus, !chance(4) else { return anyAccess() }
        return ModelStep.Access(
            service: service(),
            actor: focus.actor,
            environment: focus.environment,
            scope: focus.scope
        )
    }

    mutating func anyAccess() -> ModelStep.Access {
        let actor: ModelStep.Actor =
            switch below(20) {
            case 0: .anonymous
            case 1: .erased(slot: slot())
            // The first slots write most, so that records are changed again by their creators.
            default: .person(slot: chance(3) ? slot() : below(2))
            }
        return ModelStep.Access(
            service: service(),
            actor: actor,
            environment: environment(),
            scope: chance(2) ? .public : .private
        )
    }

    /// The number of the caller's database.
    func place(_ access: ModelStep.Access) -> Int {
        var place = 0
        if access.scope == .private, case .person(let slot) = access.actor { place = 1 + slot }
        if access.environment == .development { place += 1 + StepGenerator.slots }
        return place
    }

    mutating func anyType() -> FieldType { FieldType.allCases[below(FieldType.allCases.count)] }
    mutating func type() -> String { StepGenerator.types[below(StepGenerator.types.count)] }
    mutating func role() -> String { StepGenerator.roles[below(StepGenerator.roles.count)] }
    mutating func systemRole() -> String { ["_world", "_icloud", "_creator"][below(3)] }
    mutating func policy() -> SavePolicy { SavePolicy.allCases[below(SavePolicy.allCases.count)] }
    mutating func environment() -> ContainerEnvironment { chance(4) ? .development : .production }
    mutating func slot() -> Int { below(StepGenerator.slots) }
    mutating func service() -> Int { below(StepGenerator.services) }
    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] { elements.shuffled(using: &random) }
    mutating func chance(_ one: Int) -> Bool { below(one) == 0 }
    mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
}
