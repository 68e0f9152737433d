import Kinfolk

/// A key-value store of 1,000 keys, compared with a custom zone of 1,000 records with as many bytes.
enum KeyValueWork {
    private static let keys = 1_000

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try RecordStore.ready(100_000, in: setting.stores).copy(named: "keyvalue", in: setting.scratch)
        defer { store.remove(); store.folder.remove() }
        let database = try store.database()
        let settings = database.session.keyValueStore()
        let zone = try database.save(RecordZone("Settings")).name
        try database.session.container.addField("value", type: .bytes, to: "Setting")
        try database.session.container.addField("device", type: .bytes, to: "Setting")
        func value(_ number: Int) -> [UInt8] { Array("value \(number)".utf8) }
        func record(_ number: Int) throws -> Record {
            var record = try Record(type: "Setting", id: RecordID("key-\(number % keys)", zone: zone))
            try record.set("value", to: .bytes(value(number)))
            try record.set("device", to: .bytes([UInt8](repeating: 1, count: 16)))
            return record
        }
        for number in 0..<keys {
            try settings.set(.bytes(value(number)), forKey: "key-\(number)")
            _ = try database.save(record(number), policy: .allKeys)
        }
        var number = 0
        let saving = try Pair(.wall, runs: setting.isQuick ? 9 : 25, repeats: 50) { _ in
            try settings.set(.bytes(value(number)), forKey: "key-\(number % keys)")
            number += 7
        } floor: { _ in
            _ = try database.save(record(number), policy: .allKeys)
            number += 7
        }
        return [
            Section(
                title: "A key-value store of \(Unit.grouped(keys)) keys",
                rows: [
                    Row(
                        "set, durable; floor: a record saved in a zone",
                        saving,
                        in: .microseconds,
                        goal: .ratioAtMost(1.1)
                    ),
                    try synchronizing(store, setting, settings, record, database, zone),
                ]
            )
        ]
    }

    /// All keys changed, and then synchronised to another device; the floor reads as many changes of records.
    private static func synchronizing(
        _ store: RecordStore,
        _ setting: Setting,
        _ settings: KeyValueStore,
        _ record: (Int) throws -> Record,
        _ database: Database,
        _ zone: String
    ) throws -> Row {
        let reader = try store.database()
        let other = reader.session.keyValueStore()
        _ = try other.synchronize()
        var start: ServerChangeToken?
        repeat {
            let page = try reader.changes(inZone: zone, since: start)
            start = page.token
            if !page.moreComing { break }
        } while true
        for number in 0..<keys { _ = try database.save(record(number + keys), policy: .allKeys) }
        var isProduct = true
        let reading = try Pair(.processor, runs: setting.isQuick ? 7 : 15) { _ in
            if isProduct { for key in 0..<keys { try settings.set(.int64(Int64(key)), forKey: "key-\(key)") } }
            isProduct.toggle()
        } product: { _ in
            let found = try other.synchronize().reduce(0) { $0 + $1.keys.count }
            guard found == keys else { throw Failure("\(found) keys were synchronised.") }
        } floor: { _ in
            var (since, isBehind, found) = (start, true, 0)
            while isBehind {
                let page = try reader.changes(inZone: zone, since: since)
                found += page.records.count
                (since, isBehind) = (page.token, page.moreComing)
            }
            guard found == keys else { throw Failure("\(found) changes were read.") }
        }
        return Row(
            "1,000 keys synchronised; floor: 1,000 changes",
            reading,
            in: .milliseconds,
            goal: .ratioAtMost(1.3)
        )
    }
}
