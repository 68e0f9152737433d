import KinfolkStorage
import TestSupport
import Testing

@Suite struct TracingTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try CounterStore.open(folder.store("store.db"))
    }

    @Test func statementsOfReadsAndWritesAreTracedWithTheirSteps() throws {
        _ = try store.count("a")
        let (_, work) = try store.tracing {
            try store.countUp("a")
            _ = try store.count("a")
        }
        let statements = work.map { String($0.sql.prefix(5)) }.filter { !["PRAGM", "ROUND"].contains($0) }
        #expect(statements == ["BEGIN", "SELEC", "INSER", "COMMI", "BEGIN", "SELEC", "COMMI"])
        #expect(work.allSatisfy { $0.steps > 0 })
    }

    @Test func moreWorkIsMoreSteps() throws {
        func steps(for rows: Int) throws -> Int {
            try store.write { db in
                try db.execute("DELETE FROM log")
                for entry in 0..<rows { try db.execute("INSERT INTO log VALUES (0, $1)", .integer(Int64(entry))) }
            }
            let (_, work) = try store.tracing {
                try store.read { db in try db.all("SELECT entry FROM log") { $0.integer(0) } }
            }
            return work.map(\.steps).reduce(0, +)
        }
        let (few, many) = (try steps(for: 3), try steps(for: 300))
        #expect(many >= few + 297)
        #expect(try steps(for: 3) == few)
    }

    @Test func nothingIsTracedAfterwards() throws {
        _ = try store.tracing { try store.countUp("a") }
        try store.countUp("a")
        let (_, work) = store.tracing {}
        #expect(work.isEmpty)
    }
}
