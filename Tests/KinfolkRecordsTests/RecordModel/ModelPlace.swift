import Kinfolk

/// A zone of a database.
struct ModelPlace: Hashable {
    /// A database: the public one of an environment, or the private one of an owner.
    struct Home: Hashable {
        let environment: ContainerEnvironment
        let owner: UserRecordID?
    }

    let home: Home
    let zone: String

    /// The zones have the names of their numbers; nil is the default zone.
    static func zoneName(_ number: Int?) -> String { number.map { "zone \($0)" } ?? RecordZone.defaultName }
}
