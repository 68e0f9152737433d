import Kinfolk

/// A custom zone with many records, like those of ``RecordWork``: its changes read, and records saved in it.
enum ZoneWork {
    private static let size = 100_000
    private static let changes = 1_000
    /// How many records are changed together.
    private static let batch = 200

    static func measure(_ setting: Setting) throws -> [Section] {
        let store = try RecordStore.ready(size, inZone: true, in: setting.stores)
            .copy(named: "zone-\(size)", in: setting.scratch)
        defer {
            store.remove()
            store.folder.remove()
        }
        let database = try store.database()
        let floor = try store.floorZone()
        let zone = RecordStore.zone
        var (token, isBehind): (ServerChangeToken?, Bool) = (nil, true)
        while isBehind {
            let page = try database.changes(inZone: zone, since: token)
            (token, isBehind) = (page.token, page.moreComing)
        }
        var rows: [Row] = []
        for isScattered in [false, true] {
            let change = floor.lastChange
            let numbers = isScattered ? scattered() : Array(size..<size + changes)
            for first in stride(from: 0, to: changes, by: batch) {
                let outcomes = try database.run(
                    numbers[first..<first + batch].map { .forceReplace(try RecordStore.record($0, in: zone)) }
                )
                for outcome in outcomes { _ = try outcome.get() }
            }
            let (names, next) = try changed(since: token, database)
            guard floor.changes(after: change, page: Database.maximumBatch, limit: changes) == changes,
                names == floor.names(changes), names.count == changes
            else { throw Failure("The product and the floor have different changes.") }
            let reading = try Pair(.processor, runs: setting.runs, repeats: 4) { _ in
                var (since, isBehind) = (token, true)
                while isBehind {
                    let page = try database.changes(inZone: zone, since: since)
                    (since, isBehind) = (page.token, page.moreComing)
                }
            } floor: { _ in
                _ = floor.changes(after: change, page: Database.maximumBatch, limit: changes)
            }
            let name = "1,000 changes after a token, " + (isScattered ? "scattered" : "in stored order")
            rows.append(Row(name, reading, in: .milliseconds, goal: .ratioAtMost(1.3)))
            token = next
        }
        var number = 10 * size
        let saving = try Pair(.wall, runs: setting.isQuick ? 9 : 25, repeats: 50) { _ in
            _ = try database.save(RecordStore.record(number, in: zone))
            number += 1
        } floor: { _ in
            _ = try database.save(RecordStore.record(number))
            number += 1
        }
        rows.append(Row("saved, durable; floor: default zone", saving, in: .microseconds, goal: .ratioAtMost(1.15)))
        return [Section(title: "A custom zone of \(Unit.grouped(size)) records", rows: rows)]
    }

    /// Numbers of records all over the zone, each once.
    private static func scattered() -> [Int] { (0..<changes).map { ($0 * 736_879 + 17) % size } }

    /// The names of the records that were changed after a token, and the next token.
    private static func changed(
        since token: ServerChangeToken?,
        _ database: Database
    ) throws -> ([String], ServerChangeToken?) {
        var (since, isBehind, names): (_, _, [String]) = (token, true, [])
        while isBehind {
            let page = try database.changes(inZone: RecordStore.zone, since: since)
            names += page.records.map(\.id.name)
            (since, isBehind) = (page.token, page.moreComing)
        }
        return (names, since)
    }
}
