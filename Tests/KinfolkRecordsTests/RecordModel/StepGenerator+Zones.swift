import Kinfolk

/// Steps of readers.
extension StepGenerator {
    /// A reader gets one page, or a few.
    mutating func pulls() -> [ModelStep] {
        let access = privateAccess()
        let zone = chance(20) ? nil : [0, 0, 0, 0, 0, 0, 1, 2][below(8)]
        // Most readers follow one zone.
        var reader = place(access) * (StepGenerator.zones + 2) + (zone.map { $0 + 1 } ?? 0)
        if chance(20) { reader = below(2 * (1 + StepGenerator.slots) * (StepGenerator.zones + 2)) }
        let pull = ModelStep.pull(access, zone: zone, reader: 2 * reader + (chance(6) ? 1 : 0), limit: limit())
        return Array(repeating: pull, count: 1 + below(3))
    }

    mutating func pullZones() -> ModelStep {
        let access = privateAccess()
        var reader = place(access) * (StepGenerator.zones + 2) + StepGenerator.zones + 1
        if chance(20) { reader = below(2 * (1 + StepGenerator.slots) * (StepGenerator.zones + 2)) }
        return .pullZones(access, reader: 2 * reader + (chance(6) ? 1 : 0))
    }

    /// How many changes are on a page.
    mutating func limit() -> Int { [1, 2, 5, 20, Database.maximumBatch, below(402)][below(6)] }

    mutating func privateAccess() -> ModelStep.Access {
        let access = access()
        guard !chance(20) else { return access }
        return ModelStep.Access(
            service: access.service,
            actor: access.actor,
            environment: access.environment,
            scope: .private
        )
    }
}
