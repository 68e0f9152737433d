import Floors
import Glibc
import Kinfolk

/// A store with many records in the private database of one user, or in the public one, made once and kept for later runs.
///
/// The product makes the store, its schema and the first record. The floor makes the others like that one.
struct RecordStore {
    /// Raise this when the product's tables change. Stores with another number are made again.
    private static let layout = 9
    static let type = "Note"

    let folder: Folder
    let count: Int
    /// Whether the records are in the public database.
    var isPublic = false
    var path: String { folder.file("kinfolk.db") }
    private var key: String { folder.file("kinfolk.key") }

    /// The store with this number of records. Makes it if no earlier run did.
    ///
    /// - Parameters:
    ///   - inZone: Whether the records are in the custom zone ``zone``. The product saves them then.
    ///   - isSorted: Whether the field `order` is SORTABLE too.
    ///   - isPublic: Whether the records are in the public database. They are sorted then.
    static func ready(
        _ count: Int,
        inZone: Bool = false,
        isSorted: Bool = false,
        isPublic: Bool = false,
        in stores: Folder
    ) throws -> RecordStore {
        let kind = isPublic ? "public" : isSorted ? "sorted" : inZone ? "zone" : "records"
        var store = try ready(kind, count, in: stores) { draft in
            var draft = draft
            draft.isPublic = isPublic
            try inZone ? draft.makeZone() : draft.make(isSorted: isSorted || isPublic)
        }
        store.isPublic = isPublic
        return store
    }

    /// The store of a kind with this number of records. Makes it if no earlier run did.
    static func ready(
        _ kind: String,
        _ count: Int,
        in stores: Folder,
        make: (RecordStore) throws -> Void
    ) throws -> RecordStore {
        let path = stores.file("\(kind)-\(count)-layout-\(layout)")
        let store = RecordStore(folder: Folder(existing: path), count: count)
        guard Machine.size(of: store.path) == nil else { return store }
        Message.print("Making a store of \(Unit.grouped(count)) records (\(kind)) ...")
        let draft = RecordStore(folder: try Folder(path + ".draft"), count: count)
        draft.remove()
        try make(draft)
        try Folder.move(draft.folder.path, to: path)
        return store
    }

    /// A copy for one run, which changes it.
    func copy(named name: String, in scratch: Folder) throws -> RecordStore {
        try copy(to: Folder(scratch.file(name)))
    }

    func copy(to folder: Folder) -> RecordStore {
        let copy = RecordStore(folder: folder, count: count, isPublic: isPublic)
        floor_copy_store(path, key, copy.path, copy.key)
        return copy
    }

    /// Removes the files, but not the folder.
    func remove() { for name in [path, path + "-wal", path + "-shm", key] { unlink(name) } }

    /// Makes a store with the schema of the records and one user.
    private func makeEmpty(isSorted: Bool = false) throws -> Database {
        let service = try Service.open(path)
        let container = try service.createContainer(PeopleStore.container)
        if isSorted {
            try container.addField("order", type: .int64, indexes: [.queryable, .sortable], to: RecordStore.type)
        }
        try RecordStore.declareFields(in: container, except: isSorted ? ["order"] : [])
        let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        return database(of: try container.session(for: account))
    }

    private func database(of session: Session) -> Database {
        isPublic ? session.publicDatabase : session.privateDatabase
    }

    static func declareFields(in container: Container, except known: Set<String> = []) throws {
        let record = try RecordStore.record(0)
        for name in record.keys where !known.contains(name) {
            if let value = record[name] { try container.addField(name, type: value.type, to: RecordStore.type) }
        }
        try container.addField(RecordStore.target, type: .reference, to: RecordStore.type)
    }

    private func makeZone() throws {
        let database = try makeEmpty()
        _ = try database.save(RecordZone(RecordStore.zone))
        let batch = 400
        for first in stride(from: 0, to: count, by: batch) {
            let outcomes = try database.run(
                (first..<min(first + batch, count)).map { .create(try RecordStore.record($0, in: RecordStore.zone)) }
            )
            for outcome in outcomes { _ = try outcome.get() }
        }
    }

    private func make(isSorted: Bool) throws {
        let database = try makeEmpty(isSorted: isSorted)
        _ = try database.save(RecordStore.record(0))
        let floor = try floor()
        floor.fill(1, count - 1)
        for number in [1, count / 2, count - 1] {
            let (made, expected) = (try database.fetch(RecordStore.id(number)), try RecordStore.record(number))
            guard floor.fetch(number) > 0, made.keys == expected.keys,
                made.keys.allSatisfy({ made[$0] == expected[$0] })
            else {
                throw Failure("The product and the floor have different records.")
            }
        }
    }

    /// The database with the records, as the store's user has it, in a separate service.
    ///
    /// - Parameter withAssets: Whether it takes files of any size.
    func database(withAssets: Bool = false) throws -> Database {
        let service = try Service.open(path, existingOnly: true)
        guard let account = try service.accounts(limit: 1).first else { throw Failure("The store has no account.") }
        let container = try service.container(PeopleStore.container)
        if withAssets { try container.setQuota(.asset, to: nil) }
        return database(of: try container.session(for: account))
    }

    func floorAssets() -> FloorAssets { FloorAssets(openFloor()) }

    func floorDocuments() throws -> FloorDocuments { FloorDocuments(openFloor(), try user()) }

    func floor() throws -> FloorRecords { FloorRecords(openFloor(), isPublic ? nil : try user()) }

    func floorZone() throws -> FloorZone { FloorZone(openFloor(), try user()) }

    /// - Parameter memory: The floor gets the same page cache as the product.
    func openFloor(_ memory: MemoryLimits = .standard) -> OpaquePointer {
        floor_store_open(path, key, PeopleStore.container, Int32(memory.pageCache / 1_024))
    }

    /// The user record ID of the store's user.
    func user() throws -> [UInt8] {
        Hexadecimal.bytes("\(try database().session.userRecordID())".dropFirst().description)
    }

    // MARK: Records

    /// A field in which few records have a reference. Its name comes after those of ``record(_:in:as:)``.
    static let target = "within"

    /// The name of the custom zone.
    static let zone = "Notes"

    static func id(_ number: Int, in zone: String = RecordID.defaultZone) throws -> RecordID {
        try RecordID(name(number), zone: zone)
    }

    private static func name(_ number: Int) -> String { "record-\(padded(number))" }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The record with this number: 8 fields of about 400 bytes, of which four are QUERYABLE. The floor makes the same.
    ///
    /// - Parameter id: Another ID than that of this number.
    static func record(_ number: Int, in zone: String = RecordID.defaultZone, as id: RecordID? = nil) throws -> Record {
        let permuted = 1_000_000
        let place = number / permuted * permuted + number % permuted * 736_879 % permuted
        var record = try Record(type: type, id: id ?? self.id(number, in: zone))
        try record.set("group", to: .string("group-\(padded(place / 20))"))
        try record.set("team", to: .string("team-\(padded(place / 50))"))
        try record.set("kind", to: .string("kind-\(padded((place / 50 * 2 + place % 2) % 100))"))
        try record.set("order", to: .int64(order(number)))
        try record.set("isDone", to: .boolean(true))
        try record.set("home", to: .location(Location(latitude: 51.5, longitude: -0.1)))
        try record.set("tags", to: .stringList(["chess", "mathematics"]))
        try record.set("lines", to: .stringList([String(repeating: "Buy flour and eggs. ", count: 11)]))
        return record
    }

    /// The value of the field `order` that the record with this number has at first.
    static func order(_ number: Int) -> Int64 {
        1 << 40 | Int64(truncatingIfNeeded: UInt64(number) &* 2_654_435_761 % (1 << 32))
    }
}
