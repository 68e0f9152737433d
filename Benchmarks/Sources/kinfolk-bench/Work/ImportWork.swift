import Floors
import Glibc
import Kinfolk

/// An import of people with addresses, all of whom agreed to be found. The floor writes the same rows into a file of its own,
/// which the product made empty.
enum ImportWork {
    private static let wording = ConsentWording("May others find you?", version: "1")

    static func measure(_ setting: Setting) throws -> [Section] {
        let count = setting.isQuick ? 20_000 : 1_000_000
        let file = try PeopleFile.write(count, to: setting.scratch, consenting: true)
        var (products, floors): ([Double], [Double]) = ([], [])
        for _ in 0..<(setting.isQuick ? 3 : 1) {
            let product = try EmptyStore("product", setting)
            let service = try Service.open(product.path)
            let container = try service.container(PeopleStore.container)
            products.append(
                try Stopwatch.wall.time {
                    let report = try service.importPeople(fromFile: file, into: container, wording: wording)
                    guard report.granted == count else { throw Failure("People were lost.") }
                }
            )
            let copy = try EmptyStore("floor", setting)
            let floor = floor_store_open(copy.path, copy.key, PeopleStore.container, 0)
            floors.append(
                try Stopwatch.wall.time {
                    guard floor_import_people(floor, file) == count else { throw Failure("The floor lost people.") }
                }
            )
            floor_store_close(floor)
            try verify(product, copy, count)
            for store in [product, copy] { store.remove() }
        }
        let row = Row("\(Unit.grouped(count)) people", Pair(products, floors), in: .seconds, goal: .ratioAtMost(1.5))
        return [Section(title: "Import from CSV", rows: [row])]
    }

    /// Ends the run unless both stores have as many rows, and somebody is found in each.
    private static func verify(_ product: EmptyStore, _ copy: EmptyStore, _ count: Int) throws {
        for table in ["accounts", "emails", "verified_emails", "users", "consents", "directory", "identities"] {
            guard try product.rows(table) == count, try copy.rows(table) == count else {
                throw Failure("The floor does not write the same \(table).")
            }
        }
        let names = try [product, copy].map { store in
            let service = try Service.open(store.path)
            guard let caller = try service.accounts(limit: 1).first else { throw Failure("There is nobody.") }
            let session = try service.container(PeopleStore.container).session(for: caller)
            return try session.discover(EmailAddress(PeopleFile.address(count / 2)))?.name
        }
        guard names[0]?.givenName == "Given\(count / 2)", names[0] == names[1] else {
            throw Failure("The floor does not write the same people.")
        }
    }
}

extension ImportWork {
    /// A store with a container and nothing in it.
    private struct EmptyStore {
        let path: String
        let key: String

        init(_ name: String, _ setting: Setting) throws {
            path = setting.scratch.file(name + ".db")
            key = setting.scratch.file(name + ".key")
            _ = try Service.open(path).createContainer(PeopleStore.container)
        }

        func rows(_ table: String) throws -> Int {
            let floor = floor_store_open(path, key, PeopleStore.container, 0)
            defer { floor_store_close(floor) }
            return Int(floor_count_rows(floor, table))
        }

        func remove() { for name in [path, path + "-wal", path + "-shm", key] { unlink(name) } }
    }
}
