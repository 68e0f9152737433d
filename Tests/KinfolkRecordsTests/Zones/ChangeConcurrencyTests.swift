import KinfolkCore
import KinfolkModel
import KinfolkStorage
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkRecords

/// Several threads and services write to one zone while readers follow its changes.
@Suite("Concurrent changes") struct ChangeConcurrencyTests {
    private static let writers = 4
    private static let rounds = 12
    private static let names = 6

    private let store: TestService
    private let account: Account
    private let services: [Service]

    init() throws {
        store = try TestService()
        account = try store.account("Ada")
        services = [store.service, try store.reopened()]
        try database(store.service).save(RecordZone("Notes"))
        try store.container.addField("value", type: .int64, to: "Note")
    }

    private func database(_ service: Service) throws -> Database {
        try service.container(store.container.name).session(for: service.account(account.id)).privateDatabase
    }

    private func note(_ name: String, _ value: Int) throws -> Record {
        var note = try Record(type: "Note", id: RecordID(name, zone: "Notes"))
        try note.set("value", to: .int64(Int64(value)))
        return note
    }

    /// What a reader knows of a zone.
    private struct Copy {
        var values: [String: Int64] = [:]
        var tags: [String: String] = [:]
        var token: ServerChangeToken?

        /// Reads the next page. Returns whether there are more.
        mutating func follow(_ database: Database) throws -> Bool {
            let page = try database.changes(inZone: "Notes", since: token, limit: 5)
            for record in page.records {
                // No state is returned twice.
                #expect(tags[record.id.name] == nil || tags[record.id.name] != record.changeTag)
                tags[record.id.name] = record.changeTag
                if case .int64(let value)? = record["value"] { values[record.id.name] = value }
            }
            for deleted in page.deleted {
                (values[deleted.id.name], tags[deleted.id.name]) = (nil, nil)
            }
            token = page.token
            return page.moreComing
        }
    }

    /// Each batch writes one value to all records of its writer, or deletes all of them.
    @Test(arguments: [false, true]) func aReaderSeesTheLastStateOfAllAndNoHalfOfABatch(rotates: Bool) throws {
        let left = Lock(ChangeConcurrencyTests.writers)
        let copies = Lock<[Copy]>([])
        try onThreads(ChangeConcurrencyTests.writers + 2) { thread in
            let database = try self.database(services[thread % 2])
            guard thread < ChangeConcurrencyTests.writers else {
                var copy = Copy()
                while left.withLock({ $0 }) > 0 {
                    while try copy.follow(database) {}
                    for writer in 0..<ChangeConcurrencyTests.writers {
                        let values = (0..<ChangeConcurrencyTests.names).map { copy.values["\(writer) \($0)"] }
                        #expect(Set(values).count == 1)
                    }
                }
                while try copy.follow(database) {}
                copies.withLock { $0.append(copy) }
                return
            }
            defer { left.withLock { $0 -= 1 } }
            for round in 0..<ChangeConcurrencyTests.rounds {
                let names = (0..<ChangeConcurrencyTests.names).map { "\(thread) \($0)" }
                let operations: [RecordOperation] = try names.map { name in
                    try round % 4 == 3
                        ? .forceDelete(RecordID(name, zone: "Notes")) : .forceReplace(note(name, round))
                }
                for result in try database.run(operations, atomically: true) { _ = try result.get() }
                if rotates && thread == 0 && round == 4 { _ = try services[0].rotateKeys() }
            }
        }
        let database = try self.database(store.service)
        for copy in copies.withLock({ $0 }) {
            for writer in 0..<ChangeConcurrencyTests.writers {
                for name in (0..<ChangeConcurrencyTests.names).map({ "\(writer) \($0)" }) {
                    let saved = try? database.fetch(RecordID(name, zone: "Notes"))
                    #expect(copy.tags[name] == saved?.changeTag)
                }
            }
        }
        #expect(try store.service.check().isSound)
    }

    /// The first writer has its number and is not committed. If the second one could commit a higher number meanwhile, a reader would
    /// go on from that number, and never see the change of the first one.
    @Test func aNumberThatIsNotCommittedYetIsNotPassedOver() throws {
        let (hasNumber, mayCommit) = (Flag(), Flag())
        let seen = Lock<[String]>([])
        try onThreads(3) { thread in
            let database = try self.database(services[thread % 2])
            switch thread {
            case 0:
                // Whatever fails, the others must end.
                defer { hasNumber.set() }
                let request = try RecordRequest(note("slow", 1), .allKeys, in: database.home)
                let numbers = try store.service.recordNumbers.take(1, of: store.service)
                try store.service.write { db in
                    try RecordWriting.with([request], database.session, .private, numbers: numbers, db) { writing in
                        _ = try writing.run(request)
                    }
                    // On a server, this sends what was written.
                    _ = try db.first("SELECT count(*) FROM change_counts") { $0.integer(0) }
                    hasNumber.set()
                    mayCommit.wait()
                }
            case 1:
                hasNumber.wait()
                _ = try database.save(note("fast", 1))
            default:
                defer { mayCommit.set() }
                hasNumber.wait()
                var token: ServerChangeToken?
                func follow() throws {
                    let page = try database.changes(inZone: "Notes", since: token)
                    seen.withLock { $0 += page.records.map(\.id.name) }
                    token = page.token
                }
                for _ in 0..<50 { try follow() }
                mayCommit.set()
                while seen.withLock({ Set($0).count }) < 2, try !isOver(database) { try follow() }
                try follow()
            }
        }
        #expect(seen.withLock { $0.sorted() } == ["fast", "slow"])
    }

    private func isOver(_ database: Database) throws -> Bool {
        try database.changes(inZone: "Notes").records.count == 2
    }
}
