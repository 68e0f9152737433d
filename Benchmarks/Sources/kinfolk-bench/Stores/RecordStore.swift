import Floors
import Glibc
import Kinfolk

/// A store with many records in the private database of one user, made once and kept for later runs.
///
/// The product makes the store, its schema and the first record. The floor makes the others like that one.
struct RecordStore {
    /// Raise this when the product's tables change. Stores with another number are made again.
    private static let layout = 2
    static let type = "Note"

    let folder: Folder
    let count: Int
    var path: String { folder.file("kinfolk.db") }
    private var key: String { folder.file("kinfolk.key") }

    /// The store with this number of records. Makes it if no earlier run did.
    static func ready(_ count: Int, in stores: Folder) throws -> RecordStore {
        let path = stores.file("records-\(count)-layout-\(layout)")
        let store = RecordStore(folder: Folder(existing: path), count: count)
        guard Machine.size(of: store.path) == nil else { return store }
        Message.print("Making a store of \(Unit.grouped(count)) records ...")
        let draft = RecordStore(folder: try Folder(path + ".draft"), count: count)
        draft.remove()
        try draft.make()
        try Folder.move(draft.folder.path, to: path)
        return store
    }

    /// A copy for one run, which changes it.
    func copy(named name: String, in scratch: Folder) throws -> RecordStore {
        let copy = RecordStore(folder: try Folder(scratch.file(name)), count: count)
        floor_copy_store(path, key, copy.path, copy.key)
        return copy
    }

    /// Removes the files, but not the folder.
    func remove() { for name in [path, path + "-wal", path + "-shm", key] { unlink(name) } }

    private func make() throws {
        let service = try Service.open(path)
        let container = try service.createContainer(PeopleStore.container)
        let record = try RecordStore.record(0)
        for name in record.keys {
            if let value = record[name] { try container.addField(name, type: value.type, to: RecordStore.type) }
        }
        let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        let database = try container.session(for: account).privateDatabase
        _ = try database.save(record)
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

    /// The private database of the store's user, in a separate service.
    func database() throws -> Database {
        let service = try Service.open(path, existingOnly: true)
        guard let account = try service.accounts(limit: 1).first else { throw Failure("The store has no account.") }
        return try service.container(PeopleStore.container).session(for: account).privateDatabase
    }

    func floor() throws -> FloorRecords {
        let user = try database().session.userRecordID()
        return FloorRecords(
            floor_store_open(path, key, PeopleStore.container, Int32(MemoryLimits.standard.pageCache / 1_024)),
            Hexadecimal.bytes("\(user)".dropFirst().description)
        )
    }

    // MARK: Records

    static func id(_ number: Int) throws -> RecordID { try RecordID(name(number)) }

    private static func name(_ number: Int) -> String { "record-\(padded(number))" }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The record with this number: 8 fields of about 400 bytes, of which four are QUERYABLE. The floor makes the same.
    static func record(_ number: Int) throws -> Record {
        let permuted = 1_000_000
        let place = number / permuted * permuted + number % permuted * 736_879 % permuted
        var record = try Record(type: type, id: id(number))
        try record.set("group", to: .string("group-\(padded(place / 20))"))
        try record.set("team", to: .string("team-\(padded(place / 50))"))
        try record.set("kind", to: .string("kind-\(padded(place % 100))"))
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

/// The floor's connection to a ``RecordStore``.
final class FloorRecords {
    private let store: OpaquePointer
    private let records: OpaquePointer

    init(_ store: OpaquePointer, _ owner: [UInt8]) {
        self.store = store
        records = floor_records_open(store, owner, RecordStore.type)
    }

    deinit {
        floor_records_close(records)
        floor_store_close(store)
    }

    func fetch(_ number: Int) -> Int { floor_records_fetch(records, number) }
    func insert(_ first: Int, _ count: Int, group: Int) { floor_records_insert(records, first, count, group) }
    func change(_ number: Int, order: Int64) { floor_records_change(records, number, order) }
    func fill(_ first: Int, _ count: Int) { floor_records_fill(records, first, count) }
}
