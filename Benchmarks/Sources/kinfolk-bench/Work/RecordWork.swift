import Floors
import Kinfolk

/// Records of a private database, with 8 fields of 400 bytes, four of them QUERYABLE: fetched, saved, changed, and saved in batches.
enum RecordWork {
    private static let callers = 16
    private static let batch = 200

    static func measure(_ setting: Setting) throws -> [Section] {
        let sizes = setting.isQuick ? [100_000] : [100_000, 1_000_000]
        let works = try sizes.map { try Work($0, setting) }
        defer { for work in works { work.remove() } }
        var sections = try works.map { work in
            Section(title: "Records among \(Unit.grouped(work.size))", rows: try work.rows(setting))
        }
        if let small = works.first, let large = works.last, small.size < large.size {
            sections.append(Section(title: "Records, growth", rows: try growth(small, large, setting)))
        }
        return sections
    }

    /// The factor by which work takes longer among many records, compared with the floor's factor. Both sizes are measured by turns.
    private static func growth(_ small: Work, _ large: Work, _ setting: Setting) throws -> [Row] {
        func row(
            _ name: String,
            _ stopwatch: Stopwatch,
            repeats: Int,
            product: (Work) throws -> Void,
            floor: (Work) throws -> Void
        ) throws -> Row {
            let runs = setting.runs
            let ofProduct = try Pair(stopwatch, runs: runs, repeats: repeats) { _ in
                try product(large)
            } floor: { _ in
                try product(small)
            }
            let ofFloor = try Pair(stopwatch, runs: runs, repeats: repeats) { _ in
                try floor(large)
            } floor: { _ in
                try floor(small)
            }
            return Row(
                name: name,
                value: ofProduct.ratio,
                unit: .times,
                floor: ofFloor.ratio,
                ratio: ofProduct.ratio / ofFloor.ratio,
                goal: .ratioAtMost(1.15)
            )
        }
        return [
            try row("fetched, 10^5 to 10^6", .processor, repeats: 200) {
                try $0.fetch()
            } floor: {
                $0.floorFetch()
            },
            try row("saved, durable, 10^5 to 10^6", .wall, repeats: 20) {
                try $0.saveNew()
            } floor: {
                $0.floorSaveNew(1, group: 1)
            },
        ]
    }

    /// A store of the product and a copy of it for the floor. Each has its own changes.
    private final class Work {
        let size: Int
        private let stores: [RecordStore]
        private let database: Database
        private let floor: FloorRecords
        private var random: UInt64 = 42
        private var saved: Int
        private var savedByFloor: Int

        init(_ size: Int, _ setting: Setting) throws {
            self.size = size
            let store = try RecordStore.ready(size, in: setting.stores)
            stores = try ["product", "floor"].map { try store.copy(named: "\($0)-\(size)", in: setting.scratch) }
            database = try stores[0].database()
            floor = try stores[1].floor()
            (saved, savedByFloor) = (size, size)
        }

        func remove() { for store in stores { store.remove(); store.folder.remove() } }

        func rows(_ setting: Setting) throws -> [Row] {
            let fetching = try Pair(.processor, runs: setting.runs, repeats: 400) { _ in
                try fetch()
            } floor: { _ in
                floorFetch()
            }
            let runs = setting.isQuick ? 9 : 25
            let saving = try Pair(.wall, runs: runs, repeats: 50) { _ in
                try saveNew()
            } floor: { _ in
                floorSaveNew(1, group: 1)
            }
            let together = try Pair(.wall, runs: runs) { _ in
                try saveTogether()
            } floor: { _ in
                floorSaveNew(callers * 10, group: callers)
            }
            var fetched: [Record] = []
            let changing = try Pair(.wall, runs: runs, repeats: 50) { _ in
                // A caller has fetched a record before. The floor reads it in the transaction that changes it.
                while fetched.count < 50 { fetched.append(try database.fetch(RecordStore.id(next()))) }
            } product: { _ in
                try change(fetched.removeLast())
            } floor: { _ in
                floorChange()
            }
            let batches = try Pair(.wall, runs: runs, repeats: 2) { _ in
                try saveBatch()
            } floor: { _ in
                floorSaveNew(batch, group: batch)
            }
            return [
                Row("fetched by ID", fetching, in: .microseconds, goal: .ratioAtMost(1.4)),
                Row("saved, new, durable", saving, in: .microseconds, goal: .ratioAtMost(1 / 0.85)),
                Row(
                    "saved, new, durable, 16 callers",
                    together.divided(by: callers * 10),
                    in: .microseconds,
                    goal: .ratioAtMost(1 / 0.8)
                ),
                Row("one field changed, durable", changing, in: .microseconds, goal: .ratioAtMost(1 / 0.85)),
                Row(
                    "batch of 200 new, per record",
                    batches.divided(by: batch),
                    in: .microseconds,
                    goal: .ratioAtMost(1 / 0.8)
                ),
            ]
        }

        // MARK: The product

        func fetch() throws { _ = try database.fetch(RecordStore.id(next())) }

        func saveNew() throws { _ = try database.save(RecordStore.record(takeNew(1))) }

        private func saveTogether() throws {
            let first = takeNew(callers * 10)
            let database = database
            _ = try Threads.time(callers) { caller in
                for number in 0..<10 { _ = try database.save(RecordStore.record(first + caller * 10 + number)) }
            }
        }

        private func change(_ record: Record) throws {
            var record = record
            try record.set("order", to: .int64(Int64(truncatingIfNeeded: random >> 2)))
            _ = try database.save(record, policy: .changedKeys)
        }

        private func saveBatch() throws {
            let first = takeNew(batch)
            let outcomes = try database.run((0..<batch).map { .create(try RecordStore.record(first + $0)) })
            for outcome in outcomes { _ = try outcome.get() }
        }

        private func takeNew(_ count: Int) -> Int {
            defer { saved += count }
            return saved
        }

        // MARK: The floor

        func floorFetch() { _ = floor.fetch(next()) }

        func floorSaveNew(_ count: Int, group: Int) {
            floor.insert(savedByFloor, count, group: group)
            savedByFloor += count
        }

        private func floorChange() { floor.change(next(), order: Int64(truncatingIfNeeded: random >> 2)) }

        /// The number of a random record.
        private func next() -> Int {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(random >> 33) % size
        }
    }
}
