import Kinfolk
import ServiceSupport
import TestSupport
import Testing

/// Several threads and services save records at the same time.
@Suite("Concurrent records") struct RecordConcurrencyTests {
    private static let people = 4
    private static let rounds = 5

    private let store: TestService
    private let accounts: [Account]
    private let services: [Service]

    init() throws {
        let store = try TestService()
        self.store = store
        accounts = try (0..<RecordConcurrencyTests.people).map { try store.account("Person \($0)") }
        services = [store.service, try store.reopened()]
    }

    private func session(_ person: Int, _ service: Service) throws -> Session {
        try service.container(store.container.name, environment: .development)
            .session(for: service.account(accounts[person].id))
    }

    private func record(_ type: String, _ name: String, _ value: Int) throws -> Record {
        var record = try Record(type: type, id: RecordID(name))
        try record.set("value", to: .int64(Int64(value)))
        return record
    }

    /// Two threads for each person write the same private records. All of them add types and fields, and make public records.
    @Test func batchesOfAllAreSavedWithWhatIsDerivedFromThem() throws {
        _ = try session(0, services[0])
        try onThreads(2 * RecordConcurrencyTests.people) { thread in
            let session = try session(
                thread % RecordConcurrencyTests.people,
                services[thread / RecordConcurrencyTests.people]
            )
            for round in 0..<RecordConcurrencyTests.rounds {
                let saved = try session.privateDatabase.run(
                    (0..<6).map { .forceReplace(try record("Type\($0 % 3)", "shared \($0)", thread)) },
                    atomically: true
                )
                #expect(saved.allSatisfy { (try? $0.get()) != nil })
                let made = try session.publicDatabase.run(
                    (0..<4).map { .create(try record("Type\(round)", "\(thread) \(round) \($0)", thread)) }
                )
                #expect(made.allSatisfy { (try? $0.get()) != nil })
            }
        }
        for service in services {
            for person in 0..<RecordConcurrencyTests.people {
                let session = try session(person, service)
                let ids = try (0..<6).map { try RecordID("shared \($0)") }
                // An atomic batch replaces all of another one.
                let values = try session.privateDatabase.fetch(ids).map { try $0.get()["value"] }
                #expect(Set(values).count == 1)
            }
            for thread in 0..<2 * RecordConcurrencyTests.people {
                for round in 0..<RecordConcurrencyTests.rounds {
                    let ids = try (0..<4).map { try RecordID("\(thread) \(round) \($0)") }
                    let records = try session(0, service).publicDatabase.fetch(ids).map { try $0.get() }
                    #expect(records.allSatisfy { $0.type == "Type\(round)" && $0["value"] == .int64(Int64(thread)) })
                }
            }
        }
        #expect(try store.service.check().findings == [])
        #expect(try store.number("SELECT count(DISTINCT number) FROM records") == 24 + 160)
    }
}
