import Floors
import Kinfolk

/// A store with a large directory on a server, made once and kept for later runs. The product imports the people.
struct ServerPeopleStore {
    /// Raise this when the product's tables change. Stores with another number are made again.
    private static let layout = 2
    private static let searcher = "ada@example.net"

    let server: DatabaseServer
    let schema: String
    let key: String

    /// The store with this number of people. Makes it if no earlier run did.
    init(_ count: Int, _ server: DatabaseServer, _ setting: Setting) throws {
        self.server = server
        schema = "people_\(count)_layout_\(ServerPeopleStore.layout)"
        key = setting.stores.file("postgresql-\(schema).key")
        let floor = floor_server_connect(server.address, "public")
        defer { floor_server_close(floor) }
        // The key file is written last. Without it the store is made again: it was interrupted, or the cluster of a newer server is empty.
        let isThere = floor_server_count_rows(floor, "pg_namespace WHERE nspname = '\(schema)'") == 1
        guard !isThere || Machine.size(of: key) == nil else { return }
        Message.print("Making a store of \(Unit.grouped(count)) people (PostgreSQL) ...")
        let draft = key + ".draft"
        Folder.removeFile(draft)
        floor_server_run(floor, "DROP SCHEMA IF EXISTS \(schema) CASCADE")
        try make(count, draft, setting)
        floor_server_run(floor, "VACUUM ANALYZE")
        floor_server_run(floor, "CHECKPOINT")
        try Folder.move(draft, to: key)
    }

    private func make(_ count: Int, _ key: String, _ setting: Setting) throws {
        let service = try Service.open(server.store(schema), key: .file(key))
        let container = try service.createContainer(PeopleStore.container)
        try container.setPermitLimit(PermitLimit(capacity: .max, perHour: 0, unverifiedCapacity: .max))
        try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
            .addEmail(ServerPeopleStore.searcher, verified: true)
        let file = try PeopleFile.write(count, to: setting.scratch, consenting: true)
        let wording = ConsentWording("May others find you?", version: "1")
        var report = PeopleImport?.none
        let seconds = try Stopwatch.wall.time {
            report = try service.importPeople(fromFile: file, into: container, wording: wording)
        }
        guard report?.granted == count else { throw Failure("People were lost.") }
        Message.print("The import took \(Unit.seconds.text(seconds)).")
    }

    /// A session of the account that searches, in a separate service, and the account in the form that the floor needs.
    func session(of configuration: Configuration) throws -> (session: Session, account: [UInt8]) {
        let service = try configuration.open(server.store(schema), key: .file(key))
        let account = try service.account(email: EmailAddress(ServerPeopleStore.searcher))
        return (try PeopleStore.session(of: account, configuration), Hexadecimal.bytes("\(account.id)"))
    }

    func floor() -> OpaquePointer { floor_server_open(server.address, schema, key, PeopleStore.container) }
}
