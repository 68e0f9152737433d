import Kinfolk
import KinfolkModel
import KinfolkSubscriptions
import ServiceSupport
import TestSupport
import Testing

/// A subscription fires exactly when a query with its predicate finds the record: the state after a creation or an update, and the last state
/// before a deletion.
extension QueryEqualityTests {
    private static let subscriptionCount = Search.isLong ? 90 : 10

    private func subscribe(
        _ database: Database,
        _ records: [Record],
        seed: UInt64
    ) throws -> [(id: String, query: Query)] {
        var generator = try generator(records, seed: seed)
        return try (0..<QueryEqualityTests.subscriptionCount).map { number in
            let condition = generator.condition()
            let predicate = try QueryPredicate(condition.text, arguments: condition.arguments)
            let query = try Query("Thing", where: predicate)
            try database.save(
                Subscription(
                    query: query,
                    options: [.firesOnRecordCreation, .firesOnRecordUpdate, .firesOnRecordDeletion],
                    id: "\(number)"
                )
            )
            return ("\(number)", query)
        }
    }

    /// What a session is told of one change: the IDs of the subscriptions.
    private func told(_ session: Session, _ reason: SubscriptionNotification.Reason) throws -> Set<String> {
        store.service.makeNotifications()
        var ids: Set<String> = []
        while true {
            let page = try session.notifications(limit: 400)
            guard let last = page.last else { return ids }
            for one in page {
                #expect(one.reason == reason)
                if let id = one.subscriptionID { #expect(ids.insert(id).inserted) }
            }
            try session.acknowledge(last)
        }
    }

    private func compare(_ database: Database, with listener: Session, in zone: String, seed: UInt64) throws -> Int {
        var random = SeededGenerator(seed: seed)
        try fill([database], zone, &random)
        let records = try all(database, zone)
        let subscriptions = try subscribe(listener.database(database.scope), records, seed: seed)
        // Answers of queries for all records, before and after each round.
        func found() throws -> [String: Set<RecordID>] {
            Dictionary(
                uniqueKeysWithValues: try subscriptions.map { id, query in
                    (id, Set(try pages(database, query, zone, 400).map(\.id)))
                }
            )
        }
        var pairs = 0
        func expect(_ told: Set<String>, _ id: RecordID, _ found: [String: Set<RecordID>]) {
            let expected = Set(found.filter { $0.value.contains(id) }.keys)
            #expect(told == expected, "seed \(seed)")
            pairs += subscriptions.count
        }
        var created: [(id: RecordID, told: Set<String>)] = []
        var copies: [Record] = []
        for record in records {
            var copy = try Record(type: "Thing", id: RecordID(zone: zone))
            for key in record.keys { try copy.set(key, to: #require(record[key])) }
            copies.append(try database.save(copy))
            created.append((copies[copies.count - 1].id, try told(listener, .recordCreated)))
        }
        var answers = try found()
        for (id, told) in created { expect(told, id, answers) }
        var updated: [(id: RecordID, told: Set<String>)] = []
        for index in copies.indices {
            let other = records[(index + 1) % records.count]
            for key in copies[index].keys { try copies[index].remove(key) }
            for key in other.keys { try copies[index].set(key, to: #require(other[key])) }
            copies[index] = try database.save(copies[index])
            updated.append((copies[index].id, try told(listener, .recordUpdated)))
        }
        answers = try found()
        for (id, told) in updated { expect(told, id, answers) }
        for copy in copies {
            try database.delete(copy.id)
            expect(try told(listener, .recordDeleted), copy.id, answers)
        }
        return pairs
    }

    @Test func subscriptionsToAPublicDatabaseAgreeWithQueries() throws {
        try addFields()
        try container.applySchema(
            "DEFINE SCHEMA RECORD TYPE Thing (GRANT READ TO \"_world\", GRANT WRITE TO \"_icloud\", GRANT CREATE TO \"_icloud\");"
        )
        #expect(
            try compare(
                ada.publicDatabase,
                with: bob,
                in: RecordID.defaultZone,
                seed: UInt64.random(in: 0...UInt64.max)
            ) > 70 * 3 * QueryEqualityTests.subscriptionCount
        )
    }

    @Test(arguments: [RecordID.defaultZone, "First"]) func subscriptionsToAPrivateDatabaseAgreeWithQueries(
        zone: String
    ) throws {
        try addFields()
        let phone = try container.session(for: store.account(of: ada), device: "phone")
        if zone != RecordID.defaultZone { _ = try ada.privateDatabase.save(RecordZone(zone)) }
        #expect(
            try compare(ada.privateDatabase, with: phone, in: zone, seed: UInt64.random(in: 0...UInt64.max)) > 70 * 3
                * QueryEqualityTests.subscriptionCount
        )
    }
}
