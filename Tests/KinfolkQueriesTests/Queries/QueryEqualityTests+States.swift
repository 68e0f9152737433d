import Kinfolk
import KinfolkCore
import KinfolkModel
import KinfolkRecords
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// The answers are also the same without indexes, while indexes are built and removed, and while keys are rotated.
extension QueryEqualityTests {
    /// How many records a transaction changes here, so that there are several transactions.
    private static let part = 30
    /// How many queries are made in each state of the store.
    private static var queriesInState: Int { Search.isLong ? 2_000 : 1 }

    @Test(arguments: [DatabaseScope.public, .private]) func whileIndexesAndKeysChange(in scope: DatabaseScope) throws {
        store.service.indexBuilder.stop()
        try addFields()
        var seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let database = try filled(scope, &random)
        let records = try all(database, nil)
        #expect(records.count > 50)
        var matches = 0
        func expectEqual(_ indexed: String, _ records: [Record]) throws {
            seed &+= 1
            let queries = QueryEqualityTests.queriesInState
            matches += try compare(database, nil, with: records, indexed: indexed, seed: seed, queries: queries)
        }
        let first = try container.exportSchema()
        let second = swapped(first)

        // Half of the records have the entries of new indexes, and lack those of removed ones.
        try container.applySchema(second)
        try expectEqual("_n", records)
        try buildHalf()
        try expectEqual("_n", records)

        // The keys are rotated meanwhile.
        _ = try store.service.beginRotation(to: nil)
        while try store.service.rotateBatch() != nil {}
        var rotation = RecordRotation(store.service, container: container.number)
        let steps = try store.number("SELECT (SELECT count(*) FROM postings) + (SELECT count(*) FROM records)")
        let pause = steps / QueryEqualityTests.part / 3
        var step = 0
        while !rotation.isOver {
            rotation = try store.service.write { db in
                var next = rotation
                try next.renewBatch(db, limit: QueryEqualityTests.part)
                return next
            }
            step += 1
            guard step % max(pause, 1) == 0 else { continue }
            try expectEqual("_n", records)
            // A part of the records gets entries under the older key, and a part under the newer one.
            if try !container.indexBuilds().isEmpty { try buildPart() }
        }
        try container.buildIndexes()
        try expectEqual("_n", records)
        _ = try store.service.rotateKeys()
        try expectEqual("_n", records)

        try container.applySchema(withoutIndexes(second))
        try buildHalf()
        try expectEqual(QueryEqualityTests.noIndex, records)
        try container.buildIndexes()
        try expectEqual(QueryEqualityTests.noIndex, records)

        #expect(matches > 0)

        guard scope == .public else { return }
        // Now each user reads the own records only.
        let user = try bob.userRecordID()
        let own = records.filter { $0.createdBy == user }
        #expect(!own.isEmpty && own.count < records.count)
        try container.applySchema(first)
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Thing (GRANT READ, WRITE TO \"_creator\");")
        try expectEqual("_i", own)
        try buildHalf()
        try expectEqual("_i", own)
        try container.buildIndexes()
        try expectEqual("_i", own)
        #expect(try store.service.check().isSound)
    }

    /// A database with records, and other records beside them.
    private func filled(_ scope: DatabaseScope, _ random: inout SeededGenerator) throws -> Database {
        guard scope == .public else {
            _ = try ada.privateDatabase.save(RecordZone("First"))
            for zone in [RecordID.defaultZone, "First"] { try fill([ada.privateDatabase], zone, &random) }
            return ada.privateDatabase
        }
        try container.applySchema(
            "DEFINE SCHEMA RECORD TYPE Thing (GRANT READ TO \"_world\", GRANT CREATE, WRITE TO \"_icloud\");"
        )
        try fill([ada.publicDatabase, bob.publicDatabase], RecordID.defaultZone, &random)
        return bob.publicDatabase
    }

    /// The schema in which the fields with indexes have none, and the others have them.
    private func swapped(_ schema: String) -> String {
        schema.replacing("_i ", with: "_? ").replacing("_n ", with: "_i ").replacing("_? ", with: "_n ")
    }

    private func withoutIndexes(_ schema: String) -> String {
        schema.replacing(" QUERYABLE", with: "").replacing(" SORTABLE", with: "").replacing(" SEARCHABLE", with: "")
    }

    private func buildHalf() throws {
        while let build = try container.indexBuilds().first, build.done < build.total / 2 { try buildPart() }
        #expect(try !container.indexBuilds().isEmpty)
    }

    private func buildPart() throws {
        try store.service.write { db in
            let row = try #require(try IndexBuildTable.next(db))
            try IndexBuilding(row, store.service.keys(db), db, limit: QueryEqualityTests.part).run()
        }
    }
}
