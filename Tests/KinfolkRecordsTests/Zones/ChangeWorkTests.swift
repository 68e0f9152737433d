import Kinfolk
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// A page of changes costs as much as it holds, however large the zone is.
@Suite("Work of changes") struct ChangeWorkTests {
    private let store: TestService
    private let database: Database

    init() throws {
        store = try TestService()
        database = try store.session("Ada").privateDatabase
        try database.save(RecordZone("Notes"))
        try store.container.addField("value", type: .int64, to: "Note")
    }

    private func add(_ count: Int) throws {
        for _ in 0..<count / 400 {
            _ = try database.run((0..<400).map { _ in .create(try Record(type: "Note", id: RecordID(zone: "Notes"))) })
        }
    }

    /// The steps of the database engine for the changes after a token.
    private func work(after token: ServerChangeToken) throws -> Int {
        let (page, work) = try store.service.tracing { try database.changes(inZone: "Notes", since: token) }
        #expect(page.records.count == 1 && page.deleted.count == 1)
        return work.reduce(0) { $0 + $1.steps }
    }

    /// Of the work of a server nothing is known but its round trips.
    @Test(.enabled(if: TemporaryFolder.hasFiles)) func aPageDoesNotReadTheRestOfTheZone() throws {
        var steps: [Int] = []
        for count in [400, 2_000] {
            try add(count)
            for _ in 0..<count / 400 {
                let records = try database.changes(inZone: "Notes").records
                _ = try database.run(records.prefix(100).map { .forceDelete($0.id) })
            }
            var token: ServerChangeToken?
            while true {
                let page = try database.changes(inZone: "Notes", since: token)
                token = page.token
                guard page.moreComing else { break }
            }
            let saved = try database.save(Record(type: "Note", id: RecordID("new \(count)", zone: "Notes")))
            _ = try database.save(Record(type: "Note", id: RecordID("gone \(count)", zone: "Notes")))
            try database.delete(RecordID("gone \(count)", zone: "Notes"))
            #expect(saved.changeTag != nil)
            steps.append(try work(after: #require(token)))
        }
        #expect(steps[1] <= steps[0] + steps[0] / 10)
    }
}
