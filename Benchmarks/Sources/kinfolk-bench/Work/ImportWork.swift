import Floors
import Glibc
import Kinfolk

/// An import of people with addresses, who all agreed to be found. The floor writes the same rows into another file, which the
/// product has made empty, 10,000 people at a time.
enum ImportWork {
    private static let wording = ConsentWording("May others find you?", version: "1")

    static func measure(_ setting: Setting) throws -> [Section] {
        let count = setting.isQuick ? 20_000 : 1_000_000
        let file = try PeopleFile.write(count, to: setting.scratch, consenting: true)
        var (products, floors): ([Double], [Double]) = ([], [])
        for _ in 0..<(setting.isQuick ? 3 : 1) {
            let stores = try (EmptyStore("product", setting), EmptyStore("floor", setting))
            let times = try importInTurn(file, stores.0, stores.1)
            try verify(stores.0, stores.1, count)
            for store in [stores.0, stores.1] { store.remove() }
            products.append(times.product)
            floors.append(times.floor)
        }
        let row = Row("\(Unit.grouped(count)) people", Pair(products, floors), in: .seconds, goal: .ratioAtMost(1.5))
        return [Section(title: "Import from CSV", rows: [row])]
    }

    /// After each batch of the product, the floor writes a batch of the same size. The product's clock is stopped meanwhile.
    private static func importInTurn(
        _ file: String,
        _ product: EmptyStore,
        _ copy: EmptyStore
    ) throws -> (product: Double, floor: Double) {
        let service = try Service.open(product.path)
        let container = try service.container(PeopleStore.container)
        let store = floor_store_open(copy.path, copy.key, PeopleStore.container, 0)
        defer { floor_store_close(store) }
        let floor = floor_import_begin(store, file)
        defer { floor_import_end(floor) }
        var written = 0
        var timeOfFloor = 0.0
        func catchUp(with rows: Int) {
            timeOfFloor += Stopwatch.wall.time {
                while written + Int(FLOOR_IMPORT_GROUP) <= rows { written += floor_import_next(floor) }
            }
        }
        let timeOfBoth = try Stopwatch.wall.time {
            let report = try service.importPeople(fromFile: file, into: container, wording: wording) { progress in
                catchUp(with: progress.rows)
            }
            catchUp(with: report.granted)
        }
        return (timeOfBoth - timeOfFloor, timeOfFloor)
    }

    /// Ends the run unless both stores have the same numbers of rows, and a person is found in each.
    private static func verify(_ product: EmptyStore, _ copy: EmptyStore, _ count: Int) throws {
        for table in ["accounts", "emails", "verified_emails", "users", "consents", "directory", "identities"] {
            guard try product.rows(table) == count, try copy.rows(table) == count else {
                throw Failure("The floor did not write the same rows of \(table).")
            }
        }
        let address = PeopleFile.address(count / 2)
        let service = try Service.open(product.path)
        guard let caller = try service.accounts(limit: 1).first else { throw Failure("There is nobody.") }
        let session = try service.container(PeopleStore.container).session(for: caller)
        let name = try session.discover(EmailAddress(address))?.name
        // The floor authenticates no rows, so the product would refuse its store.
        let floor = floor_store_open(copy.path, copy.key, PeopleStore.container, 0)
        defer { floor_store_close(floor) }
        var identity = floor_identity()
        guard name?.givenName == "Given\(count / 2)", floor_look_up(floor, address, address.utf8.count, &identity),
            identity.fullName == name.map({ $0.givenName + $0.familyName })
        else { throw Failure("The floor did not write the same people.") }
    }
}

extension ImportWork {
    /// A store with an empty container.
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
