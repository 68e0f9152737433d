import Floors
import Kinfolk

/// A store with many records in the private database of one user, which are found by their words and by their places. It is made once
/// and kept for later runs.
///
/// The product makes the schema, the first record and the SEARCHABLE index, the floor the other records and entries.
struct SearchStore {
    /// Two words that some records have both.
    struct Pair {
        let few: String
        let many: String

        /// - Parameter number: The pairs are numbered from 0.
        init(_ number: Int) {
            (few, many) = (SearchStore.word("x", number), SearchStore.word("y", number))
        }
    }

    static let type = "Report"
    /// How many words there are of which each record has one.
    static let vocabulary = Int(FLOOR_SEARCH_VOCABULARY)
    /// Enough for all pages of the store.
    private static let memory = MemoryLimits(pageCache: 512 << 20)

    static func sizes(_ setting: Setting) -> [Int] { setting.isQuick ? [100_000] : [100_000, 1_000_000] }

    let store: RecordStore
    var count: Int { store.count }
    var pairCount: Int { count / Int(FLOOR_SEARCH_PAIR) }

    /// The store with this number of records, at least 100,000. Makes it if no earlier run did.
    static func ready(_ count: Int, in stores: Folder) throws -> SearchStore {
        SearchStore(store: try RecordStore.ready("search", count, in: stores) { try make($0) })
    }

    func floor() throws -> FloorSearches { FloorSearches(store.openFloor(), try store.user(), count: count) }

    /// A point, all around which are records.
    func centre(_ number: Int) throws -> Location {
        // Towards the middle, which is 50 degrees north and 9 east.
        let (latitude, longitude) = SearchStore.point(number, count)
        return try Location(latitude: 50 + (latitude - 50) * 0.9, longitude: 9 + (longitude - 9) * 0.9)
    }

    // MARK: Records

    /// - Parameter text: Another text than that of this number.
    static func record(_ number: Int, of count: Int) throws -> Record {
        var record = try Record(type: type, id: RecordStore.id(number))
        let point = point(number, count)
        try record.set("text", to: .string(text(number, count)))
        try record.set("home", to: .location(Location(latitude: point.latitude, longitude: point.longitude)))
        try record.set("lines", to: .stringList([String(repeating: "Buy flour and eggs. ", count: 14)]))
        return record
    }

    static func word(_ letter: String, _ number: Int) -> String {
        let digits = String(number)
        return letter + String(repeating: "0", count: 5 - digits.count) + digits
    }

    /// The words of a record with this number, separated by spaces.
    static func text(_ number: Int, _ count: Int) -> String {
        var text = [CChar](repeating: 0, count: Int(FLOOR_SEARCH_TEXT))
        floor_search_text(number, count, &text)
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    private static func point(_ number: Int, _ count: Int) -> (latitude: Double, longitude: Double) {
        var point = [0.0, 0.0]
        floor_search_point(number, count, &point)
        return (point[0], point[1])
    }

    private static func make(_ store: RecordStore) throws {
        let service = try Service.open(store.path, memory: memory)
        let container = try service.createContainer(PeopleStore.container)
        try container.addField("text", type: .string, indexes: [], to: type)
        try container.addField("home", type: .location, indexes: [.queryable], to: type)
        try container.addField("lines", type: .stringList, indexes: [], to: type)
        try container.addField("words", type: .stringList, indexes: [.queryable], to: type)
        let account = try service.createAccount(name: PersonName(givenName: "Ada", familyName: "Example"))
        let database = try container.session(for: account).privateDatabase
        _ = try database.save(record(0, of: store.count))
        FloorSearches(store.openFloor(memory), try store.user(), count: store.count).fill()
        for number in [1, store.count / 2, store.count - 1] {
            let (made, expected) = (try database.fetch(RecordStore.id(number)), try record(number, of: store.count))
            guard made.keys == expected.keys, made.keys.allSatisfy({ made[$0] == expected[$0] }) else {
                throw Failure("The product and the floor have different records.")
            }
        }
        _ = try container.applySchema("DEFINE SCHEMA RECORD TYPE \(type) (text STRING SEARCHABLE);")
        try container.buildIndexes()
    }
}
