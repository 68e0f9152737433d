import Kinfolk

/// A record of a custom zone that is deleted with the records that refer to it through `deleteSelf`.
enum CascadeWork {
    private static let size = 100_000
    private static let sources = 100

    static func measure(_ setting: Setting) throws -> [Section] {
        let runs = setting.isQuick ? 9 : 25
        let store = try RecordStore.ready(size, inZone: true, in: setting.stores)
            .copy(named: "cascade", in: setting.scratch)
        let database = try store.database()
        for run in 0...runs { try make(run, in: database) }
        let copy = try store.copy(named: "cascade-floor", in: setting.scratch)
        defer { for store in [store, copy] { store.remove(); store.folder.remove() } }
        let floor = try copy.floorZone()
        let deleting = try Pair(.wall, runs: runs) { run in
            guard try database.delete(root(run)).count == sources + 1 else {
                throw Failure("A record was not deleted.")
            }
        } floor: { run in
            guard floor.delete(try root(run)) == sources + 1 else {
                throw Failure("The floor did not delete a record.")
            }
        }
        let product = try store.floorZone()
        guard product.lastChange == floor.lastChange,
            ["records", "index_entries", "record_references", "tombstones"].allSatisfy({
                product.count($0) == floor.count($0)
            })
        else { throw Failure("The product and the floor have deleted different rows.") }
        let row = Row(
            "deleted with \(sources) sources, durable",
            deleting,
            in: .milliseconds,
            goal: .ratioAtMost(1.3)
        )
        return [Section(title: "A cascade among \(Unit.grouped(size)) records", rows: [row])]
    }

    private static func number(_ run: Int) -> Int { 20 * size + run * (sources + 1) }

    private static func root(_ run: Int) throws -> RecordID { try RecordStore.id(number(run), in: RecordStore.zone) }

    /// Saves the records of one run.
    private static func make(_ run: Int, in database: Database) throws {
        let reference = FieldValue.reference(try Reference(root(run), action: .deleteSelf))
        let operations = try (0...sources).map { index in
            var record = try RecordStore.record(number(run) + index, in: RecordStore.zone)
            if index > 0 { try record.set(RecordStore.target, to: reference) }
            return RecordOperation.create(record)
        }
        for outcome in try database.run(operations) { _ = try outcome.get() }
    }
}
