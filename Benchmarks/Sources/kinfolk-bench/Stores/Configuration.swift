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

    /// Every contact is looked up in SQLite.
    static let plain = Configuration(
        name: "plain path",
        open: { try Service.open($0, existingOnly: true) },
        cacheKiB: 0,
        matchingGoal: { _ in 1.15 },
        coldGoal: 1.15,
        growthGoal: 2.2
    )

    static let all = [plain]
}
