import Glibc
import Kinfolk

/// A store with some users, of whom each has a custom zone: in a file or on a server, for several processes.
struct OneZoneStore {
    static let writers = 6
    /// Two users more: those whose zones the other processes write.
    private static let users = writers + 2

    /// A path, or the address of a schema.
    let address: String
    let key: String

    /// Makes the store.
    func make() throws {
        let service = try Service.open(address, key: .file(key))
        let container = try service.createContainer(PeopleStore.container)
        try RecordStore.declareFields(in: container)
        for _ in 0..<OneZoneStore.users {
            let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
            _ = try container.session(for: account).privateDatabase.save(RecordZone(RecordStore.zone))
        }
    }

    /// The private databases of all users, in a separate service.
    func databases() throws -> [Database] {
        let service = try Service.open(address, key: .file(key), existingOnly: true)
        let container = try service.container(PeopleStore.container)
        return try service.accounts(limit: OneZoneStore.users).map { try container.session(for: $0).privateDatabase }
    }

    /// Saves records in the zone of a user until there is a file of a name, and prints how many it has saved. Runs in a process of its
    /// own.
    ///
    /// - Parameter start: A file that is made after the first save.
    func write(asUser user: Int, notingStartIn start: String, until end: String) throws {
        let database = try databases()[user]
        var count = 0
        while access(end, F_OK) != 0 {
            try save(count, in: database)
            count += 1
            if count == 1 { _ = try File(start) }
        }
        print(count)
    }

    /// Saves a new record in the zone of a user.
    func save(_ number: Int, in database: Database) throws {
        _ = try database.save(RecordStore.record(number, as: RecordID(zone: RecordStore.zone)))
    }
}
