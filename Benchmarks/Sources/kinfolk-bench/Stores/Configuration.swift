import Kinfolk

/// A way to open a service, with the goals of the contact book for it.
struct Configuration: Sendable {
    let name: String
    let memory: MemoryLimits
    /// The size of SQLite's page cache. The floor gets the same.
    var cacheKiB: Int32 { Int32(memory.pageCache / 1_024) }
    var isFiltered: Bool { memory.directoryFilters > 0 }
    /// The most times that a book may take longer than the floor, by number of people.
    let matchingGoal: @Sendable (Int) -> Double
    /// The same without the operating system's page cache.
    let coldGoal: Double
    /// The factor by which a contact may take longer with 10,000,000 people than with 100,000.
    let growthGoal: Double
    /// Resident memory with a store of 1,000,000 people, in MB.
    let memoryGoal: Double

    /// Every contact is looked up in SQLite.
    static let plain = Configuration(
        name: "plain path",
        memory: MemoryLimits(directoryFilters: 0),
        matchingGoal: { _ in 1.15 },
        coldGoal: 1.15,
        growthGoal: 2.2,
        memoryGoal: 24
    )

    /// The default configuration of a service.
    static let standard = Configuration(
        name: "directory filter",
        memory: .standard,
        matchingGoal: { $0 >= 10_000_000 ? 0.45 : 0.6 },
        coldGoal: 0.2,
        growthGoal: 1.3,
        memoryGoal: 24
    )

    static let large = Configuration(
        name: "filter, 64 MiB cache",
        memory: MemoryLimits(pageCache: 64 << 20),
        matchingGoal: { $0 >= 10_000_000 ? 0.45 : 0.6 },
        coldGoal: 0.2,
        growthGoal: 1.3,
        memoryGoal: 90
    )

    static let largePlain = Configuration(
        name: "plain path, 64 MiB cache",
        memory: MemoryLimits(pageCache: 64 << 20, directoryFilters: 0),
        matchingGoal: { _ in 1.15 },
        coldGoal: 1.15,
        growthGoal: 2.2,
        memoryGoal: 90
    )

    static let all = [plain, standard, largePlain, large]

    func open(_ path: String, key: KeySource = .besideStore) throws -> Service {
        try Service.open(path, key: key, existingOnly: true, memory: memory)
    }

    static func named(_ name: String) throws -> Configuration {
        guard let configuration = all.first(where: { $0.name == name }) else { throw Failure("There is no \(name).") }
        return configuration
    }
}
