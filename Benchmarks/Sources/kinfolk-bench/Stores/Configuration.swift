import Kinfolk

/// A way to open a service, with what the contact book must reach in it.
struct Configuration: Sendable {
    let name: String
    let open: @Sendable (String) throws -> Service
    /// What SQLite keeps in memory of a store, of which the floor gets the same; 0 for its own default.
    let cacheKiB: Int32
    /// Times the floor, for so many people.
    let matchingGoal: @Sendable (Int) -> Double
    /// The same without the page cache of the operating system.
    let coldGoal: Double
    /// How much more a contact costs with 10,000,000 people than with 100,000.
    let growthGoal: Double
    /// Resident memory with a store of 1,000,000 people, in MB.
    let memoryGoal: Double

    /// Every contact is looked up in SQLite.
    static let plain = Configuration(
        name: "plain path",
        open: { try Service.open($0, existingOnly: true) },
        cacheKiB: 0,
        matchingGoal: { _ in 1.15 },
        coldGoal: 1.15,
        growthGoal: 2.2,
        memoryGoal: 24
    )

    static let all = [plain]

    static func named(_ name: String) throws -> Configuration {
        guard let configuration = all.first(where: { $0.name == name }) else { throw Failure("There is no \(name).") }
        return configuration
    }
}
