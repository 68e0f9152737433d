import Foundation
import Kinfolk
import KinfolkModel
import KinfolkStorage
import KinfolkSubscriptions
import KinfolkThreads
import ServiceSupport
import TestSupport
import Testing

/// Processes that write records, make notifications and receive them are killed again and again. Nothing is lost, and each record keeps its
/// order.
@Suite("Notifications of killed processes") struct KilledProcessTests {
    private static let device = "watch"
    private static let kills = 40

    private let store: TestService
    private let reader: Account
    private let writer: Account

    init() throws {
        store = try TestService()
        reader = try store.account("Ada")
        writer = try store.account("Bob")
        try store.container.addField("version", type: .int64, to: "Message")
        _ = try store.container.session(for: writer)
        var subscription = try Subscription(
            query: Query("Message"),
            options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion],
            id: "all"
        )
        subscription.info.desiredKeys = ["version"]
        try store.container.session(for: reader, device: KilledProcessTests.device).publicDatabase.save(subscription)
        store.service.fanOut.stop()
    }

    /// What the processes wrote: a thread reads it, so that no pipe gets full.
    private final class Lines: Sendable {
        let all = Lock<[String]>([])
        private let running = Lock(0)

        func read(_ probe: Probe) {
            running.withLock { $0 += 1 }
            let started = Thread.start { [self] in
                while let line = probe.line() { all.withLock { $0.append(line) } }
                running.withLock { $0 -= 1 }
            }
            if !started { Issue.record("A thread could not be started.") }
        }

        /// All lines, when all processes have ended.
        func finished() -> [[Substring]] {
            _ = running.withLock(when: { $0 == 0 }, until: Deadline(in: 60)) { _ in }
            return all.withLock { $0.map { $0.split(separator: " ") } }
        }
    }

    private enum Role: CaseIterable { case writer, otherWriter, watcher, fanOut, otherFanOut }

    @Test func nothingIsLostAndEachRecordKeepsItsOrder() throws {
        let (written, received) = (Lines(), Lines())
        var writers = 0
        func start(_ role: Role) throws -> Probe {
            let probe: Probe
            switch role {
            case .writer, .otherWriter:
                writers += 1
                probe = try Probe("write-messages", store.path, writer.id.description, "w\(writers)")
                written.read(probe)
            case .watcher:
                probe = try Probe("receive-messages", store.path, reader.id.description, KilledProcessTests.device)
                received.read(probe)
            case .fanOut, .otherFanOut: probe = try Probe("fan-out", store.path)
            }
            return probe
        }
        var probes: [Role: Probe] = [:]
        for role in Role.allCases { probes[role] = try start(role) }
        for _ in 0..<KilledProcessTests.kills {
            Thread.sleep(seconds: .random(in: 0.05...0.4))
            let role = Role.allCases.randomElement() ?? .watcher
            probes[role]?.kill()
            probes[role] = try start(role)
        }
        for role in Role.allCases where role != .watcher { probes[role]?.kill() }
        probes[.watcher]?.kill()
        let changes = written.finished()
        #expect(changes.allSatisfy { $0.count == 2 }, "\(changes.first { $0.count != 2 } ?? [])")
        var notifications = received.finished()
        try drain(into: &notifications)
        try check(changes, notifications)
    }

    /// Receives what is left.
    private func drain(into found: inout [[Substring]]) throws {
        let service = try store.reopened()
        let deadline = Deadline(in: 60)
        while try service.read({ db in try db.first("SELECT count(*) FROM outbox") { $0.integer(0) } ?? 0 }) > 0 {
            try #require(!deadline.hasPassed, "The outbox is not emptied.")
            try service.fanOut.startIfNeeded(service)
            Thread.sleep(seconds: 0.05)
        }
        let session = try service.container("com.example.notes")
            .session(for: service.account(reader.id), device: KilledProcessTests.device)
        while true {
            let page = try session.notifications(limit: 400)
            guard let last = page.last else { break }
            for one in page {
                let version = if case .int64(let version)? = one.fields["version"] { version } else { 0 as Int64 }
                found.append(
                    "\(one.reason?.rawValue ?? 0) \(one.recordID?.name ?? "dropped") \(version)".split(separator: " ")
                )
            }
            try session.acknowledge(last)
        }
        #expect(try store.service.check().isSound)
        #expect(try store.number("SELECT count(*) FROM outbox") == 0)
        #expect(try store.number("SELECT count(*) FROM notifications") == 0)
    }

    private func check(_ changes: [[Substring]], _ notifications: [[Substring]]) throws {
        #expect(!notifications.contains { $0.count != 3 || $0[1] == "dropped" })
        var reasons: [Substring: [SubscriptionNotification.Reason]] = [:]
        var versions: [Substring: Int] = [:]
        for one in notifications where one.count == 3 {
            let reason = try #require(Int32(one[0]).flatMap(SubscriptionNotification.Reason.init))
            reasons[one[1], default: []].append(reason)
            guard reason != .recordDeleted, let version = Int(one[2]) else { continue }
            #expect(version >= versions[one[1]] ?? 0, "\(one[1]) goes back to an older state")
            versions[one[1]] = version
        }
        let changed = Dictionary(grouping: changes, by: { $0[1] }).mapValues { $0.map { $0[0] } }
        let database = try store.container.session(for: writer).publicDatabase
        var present: Set<String> = []
        var cursor: QueryCursor?
        repeat {
            let page = try database.query(Query("Message"), limit: 400, after: cursor)
            present.formUnion(page.records.map(\.id.name))
            cursor = page.cursor
        } while cursor != nil
        #expect(present.count > 20, "The writers had no time.")
        for name in present {
            let told = reasons[Substring(name)] ?? []
            #expect(told.contains(.recordCreated), "\(name) was created, and that was not told")
            #expect(told.first != .recordUpdated && !told.contains(.recordDeleted), "\(name): \(told)")
            if changed[Substring(name)]?.contains("updated") == true {
                #expect(told.contains(.recordUpdated), "\(name) was changed, and that was not told")
            }
        }
        for (name, done) in changed where done.contains("deleted") {
            let told = reasons[name] ?? []
            #expect(told.contains(.recordDeleted), "\(name) was deleted, and that was not told")
            let afterDeletion = told.drop { $0 != .recordDeleted }
            #expect(afterDeletion.allSatisfy { $0 == .recordDeleted }, "\(name): \(told)")
        }
    }
}
