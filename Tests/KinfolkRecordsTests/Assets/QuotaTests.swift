import Foundation
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkRecords

struct QuotaTests {
    private let test: TestService
    private let ada: Session
    private let grace: Session

    init() throws {
        test = try TestService()
        ada = try test.session("Ada", emails: "ada@example.com")
        grace = try test.session("Grace", emails: "grace@example.com")
        try test.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (file ASSET, content BYTES);")
    }

    private func note(_ bytes: Int, name: String? = nil, zone: String = RecordID.defaultZone) throws -> Record {
        var note = try Record(type: "Note", id: name.map { try RecordID($0, zone: zone) } ?? RecordID(zone: zone))
        try note.set("content", to: .bytes([UInt8](repeating: 7, count: bytes)))
        return note
    }

    private func expectExceeded(_ body: () throws -> Void, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(throws: KinfolkError(.quotaExceeded, ""), sourceLocation: sourceLocation) { try body() }
    }

    private func expectSound() throws {
        try Sweeper.sweep(test.service.store)
        #expect(try test.service.check().findings == [])
    }

    @Test func withoutASettingOnlyTheSizeOfAnAssetIsLimited() throws {
        for quota in [Quota.user, .publicDatabase, .creator] { #expect(try test.container.quota(quota) == nil) }
        #expect(try test.container.quota(.asset) == 250_000_000)
        for quota in Quota.allCases {
            #expect(throws: KinfolkError(.invalidArgument, "")) { try test.container.setQuota(quota, to: -1) }
            for bytes in [nil, 0, 1, 5_000, Int.max] {
                try test.container.setQuota(quota, to: bytes)
                let expected = bytes == .max ? nil : bytes
                #expect(try test.container.quota(quota) == expected)
                #expect(try test.reopened().container("com.example.notes").quota(quota) == expected)
            }
            try test.container.setQuota(quota, to: nil)
        }
        #expect(try test.container.quota(.asset) == nil)
        try test.container.setQuota(.asset, to: 250_000_000)
    }

    @Test func aPrivateDatabaseHasAtMostItsQuota() throws {
        try test.container.setQuota(.user, to: 5_000)
        let database = ada.privateDatabase
        var first = try database.save(note(2_000, name: "first"))
        expectExceeded { _ = try database.save(note(3_000, name: "second")) }
        #expect(throws: KinfolkError(.unknownItem, "")) { try database.fetch(RecordID("second")) }
        // A zone is a part of the same database.
        try database.save(RecordZone("Notes"))
        _ = try database.save(note(1_000, zone: "Notes"))
        expectExceeded { _ = try database.save(note(2_000, zone: "Notes")) }
        expectExceeded { _ = try database.upload([UInt8](repeating: 1, count: 4_000)) }
        // Another user has another quota.
        _ = try grace.privateDatabase.save(note(4_000))
        // A smaller record and a deletion are always possible.
        try test.container.setQuota(.user, to: 100)
        try first.set("content", to: .bytes([1]))
        first = try database.save(first)
        try first.set("content", to: .bytes([UInt8](repeating: 1, count: 2_000)))
        expectExceeded { _ = try database.save(first) }
        try database.delete(first.id)
        try database.deleteZone("Notes")
        #expect(try ada.storageUse().privateBytes == 0)
        try expectSound()
    }

    @Test func deletingMakesRoom() throws {
        try test.container.setQuota(.user, to: 20_000)
        let database = ada.privateDatabase
        let asset = try database.upload([UInt8](repeating: 1, count: 9_000))
        var record = try note(0)
        try record.set("file", to: .asset(asset))
        record = try database.save(record)
        expectExceeded { _ = try database.upload([UInt8](repeating: 1, count: 9_000)) }
        #expect(try test.number("SELECT count(*) FROM assets") == 1)
        try database.delete(record.id)
        _ = try database.upload([UInt8](repeating: 1, count: 9_000))
        try expectSound()
    }

    enum Way: CaseIterable { case upload, file, save, batch, atomicBatch }

    private func fill(_ way: Way) throws {
        let database = ada.privateDatabase
        switch way {
        case .upload: _ = try database.upload([UInt8](repeating: 1, count: 900_000))
        case .file:
            let path = test.folder.file("file")
            try Data(count: 900_000).write(to: URL(fileURLWithPath: path))
            _ = try database.upload(file: path)
        case .save: _ = try database.save(note(900_000))
        case .batch, .atomicBatch:
            let operations = try [RecordOperation.create(note(900_000)), .create(note(1))]
            for result in try database.run(operations, atomically: way == .atomicBatch) { _ = try result.get() }
        }
    }

    /// As long as no write succeeds, nothing else would make the service look for expired uploads.
    @Test(arguments: Way.allCases) func expiredUploadsTakeNoRoom(way: Way) throws {
        try test.container.setQuota(.user, to: 1_500_000)
        try ada.privateDatabase.beginUpload().write([UInt8](repeating: 1, count: 1_500_000))
        expectExceeded { try fill(way) }
        test.clock.advance(seconds: 90_000)
        try fill(way)
        #expect(try ada.storageUse().privateBytes < 1_000_000)
        try expectSound()
    }

    /// As in a damaged index, in which a row is found and not deleted.
    @Test(.enabled(if: TemporaryFolder.hasFiles), arguments: Way.allCases)
    func uploadsThatCannotBeDeletedKeepNoCallInACycle(way: Way) throws {
        try test.container.setQuota(.user, to: 1_500_000)
        _ = try ada.privateDatabase.save(note(900_000))
        _ = try grace.privateDatabase.upload([1])
        try test.change("CREATE TRIGGER stay BEFORE DELETE ON assets BEGIN SELECT RAISE(IGNORE); END")
        test.clock.advance(seconds: 90_000)
        expectExceeded { try fill(way) }
    }

    @Test func anUploadThatExceedsItsQuotaLeavesNothing() throws {
        try test.container.setQuota(.user, to: 2_000_000)
        let upload = try ada.privateDatabase.beginUpload()
        expectExceeded { try upload.write([UInt8](repeating: 1, count: 3_000_000)) }
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try upload.finish() }
        try Sweeper.sweep(test.service.store)
        #expect(try test.number("SELECT count(*) FROM asset_chunks") == 0)
        #expect(try ada.storageUse().privateBytes == 0)
    }

    @Test func aFileThatDoesNotFitIsRefusedBeforeAPieceIsWritten() throws {
        let path = test.folder.file("file")
        try Data(count: 3_000_000).write(to: URL(fileURLWithPath: path))
        try test.container.setQuota(.user, to: 2_900_000)
        let (_, work) = test.service.store.tracing {
            expectExceeded { _ = try ada.privateDatabase.upload(file: path) }
        }
        #expect(!work.contains { $0.sql.hasPrefix("INSERT") })
        try test.container.setQuota(.user, to: 3_010_000)
        #expect(try ada.privateDatabase.upload(file: path).size == 3_000_000)
        expectExceeded { _ = try ada.privateDatabase.upload(file: path) }
    }

    @Test func anAssetHasAtMostItsLimit() throws {
        try test.container.setQuota(.asset, to: 1_000_000)
        let database = ada.privateDatabase
        #expect(try database.upload([UInt8](repeating: 1, count: 1_000_000)).size == 1_000_000)
        for count in [1_000_001, 3_000_000] {
            #expect(throws: KinfolkError(.limitExceeded, "")) {
                try database.upload([UInt8](repeating: 1, count: count))
            }
        }
        let upload = try database.beginUpload()
        try upload.write([UInt8](repeating: 1, count: 1_000_000))
        #expect(throws: KinfolkError(.limitExceeded, "")) {
            try upload.write([1])
            _ = try upload.finish()
        }
        try expectSound()
    }

    @Test func eachCreatorAndThePublicDatabaseHaveQuotas() throws {
        try test.container.setQuota(.creator, to: 5_000)
        try test.container.setQuota(.publicDatabase, to: 8_000)
        let first = try ada.publicDatabase.save(note(2_000))
        expectExceeded { _ = try ada.publicDatabase.save(note(3_000)) }
        let second = try grace.publicDatabase.save(note(3_000))
        expectExceeded { _ = try grace.publicDatabase.save(note(2_500)) }
        // Neither error says what others have stored.
        let error = #expect(throws: KinfolkError.self) { try grace.publicDatabase.save(note(4_000)) }
        #expect(error?.reason.contains { $0.isNumber } == false)
        #expect(try ada.storageUse().publicBytes > 2_000 && ada.storageUse().publicQuota == 5_000)
        try ada.publicDatabase.delete(first.id)
        try grace.publicDatabase.delete(second.id)
        _ = try grace.publicDatabase.save(note(4_000))
        try expectSound()
    }

    @Test func anItemOfABatchFailsAlone() throws {
        try test.container.setQuota(.user, to: 5_000)
        let database = ada.privateDatabase
        let results = try database.run([.create(note(1_000)), .create(note(9_000)), .create(note(1_000))])
        #expect(results.map { (try? $0.get()) != nil } == [true, false, true])
        #expect(throws: KinfolkError(.quotaExceeded, "")) { try results[1].get() }
        let atomic = try database.run([.create(note(1_000)), .create(note(9_000))], atomically: true)
        #expect(throws: KinfolkError(.batchRequestFailed, "")) { try atomic[0].get() }
        #expect(throws: KinfolkError(.quotaExceeded, "")) { try atomic[1].get() }
        // The items before it count.
        let many = try database.run((0..<5).map { _ in .create(try note(500)) })
        #expect(many.count { (try? $0.get()) != nil } < 5)
        #expect(try ada.storageUse().privateBytes <= 5_000)
        try expectSound()
    }

    @Test func servicesThatDeleteWhatOthersAddedShareOneLimit() throws {
        let limit = 60_000
        try test.container.setQuota(.publicDatabase, to: limit)
        let services = try (0..<4).map { _ in try test.reopened() }
        let databases = try services.map { service in
            try service.container("com.example.notes").session(for: service.account(#require(ada.account)))
                .publicDatabase
        }
        var generator = SeededGenerator(seed: 7)
        var names: [RecordID] = []
        var (refused, saved) = (0, 0)
        for _ in 0..<400 {
            let database = try #require(databases.randomElement(using: &generator))
            if Int.random(in: 0..<3, using: &generator) == 0, !names.isEmpty {
                try database.delete(names.remove(at: .random(in: 0..<names.count, using: &generator)))
            } else {
                let record = try note(.random(in: 1...4_000, using: &generator))
                let before = try test.number("SELECT CAST(sum(bytes) AS BIGINT) FROM record_bytes WHERE kind = 0")
                switch Result(catching: { try database.save(record) }) {
                case .success(let record):
                    names.append(record.id)
                    saved += 1
                case .failure(let error):
                    refused += 1
                    #expect(error as? KinfolkError == KinfolkError(.quotaExceeded, ""))
                    // No service is refused while there is room.
                    #expect(before + 4_200 > limit)
                }
            }
            #expect(try test.number("SELECT CAST(sum(bytes) AS BIGINT) FROM record_bytes WHERE kind = 0") <= limit)
        }
        #expect(refused > 20 && saved > 20)
        try expectSound()
    }

    @Test func manyWritersNeverExceedALimit() throws {
        let limit = 100_000
        try test.container.setQuota(.publicDatabase, to: limit)
        try test.container.setQuota(.user, to: limit)
        let services = try (0..<4).map { _ in try test.reopened() }
        let sessions = try services.map { service in
            try service.container("com.example.notes").session(for: service.account(#require(ada.account)))
        }
        try onThreads(8) { thread in
            let session = sessions[thread % sessions.count]
            let database = thread < 4 ? session.publicDatabase : session.privateDatabase
            var kept: [RecordID] = []
            for round in 0..<30 {
                do {
                    kept.append(try database.save(note(2_000 + 37 * round)).id)
                } catch let error as KinfolkError where error.code == .quotaExceeded {
                    if let last = kept.popLast() { try database.delete(last) }
                }
            }
        }
        let (shared, own) = (
            try test.number("SELECT CAST(sum(bytes) AS BIGINT) FROM record_bytes WHERE kind = 0 AND length(owner) = 0"),
            try ada.storageUse().privateBytes
        )
        #expect(shared <= limit && own <= limit && shared > limit / 2 && own > limit / 2)
        try expectSound()
    }

    @Test func withinTheAllowancesWritersReadOnlyTheirLane() throws {
        try test.container.setQuota(.publicDatabase, to: 1_000_000_000)
        _ = try ada.publicDatabase.save(note(100))
        let (_, work) = try test.service.store.tracing { _ = try ada.publicDatabase.save(note(100)) }
        #expect(work.contains { $0.sql.contains("AND lane = ") })
        #expect(!work.contains { $0.sql.contains("SELECT lane, bytes, allowance") && !$0.sql.contains("AND lane = ") })
    }

    @Test func aLowerLimitTakesTheAllowances() throws {
        try test.container.setQuota(.publicDatabase, to: 1_000_000)
        _ = try ada.publicDatabase.save(note(100))
        #expect(try test.number("SELECT max(allowance) FROM record_bytes") > 1_000)
        try test.container.setQuota(.publicDatabase, to: 1_000)
        expectExceeded { _ = try ada.publicDatabase.save(note(900)) }
        try test.container.setQuota(.publicDatabase, to: nil)
        _ = try ada.publicDatabase.save(note(9_000))
    }

    @Test func anEditedQuotaIsNoticed() throws {
        try test.container.setQuota(.user, to: 5_000)
        for change: StaticString in [
            "UPDATE container_limits SET quota_of_user = 50000", "UPDATE container_limits SET quota_of_user = NULL",
        ] {
            try test.change(change)
            #expect(throws: KinfolkError(.storeCorrupt, "")) { try test.container.quota(.user) }
            #expect(throws: KinfolkError(.storeCorrupt, "")) {
                let service = try test.reopened()
                let session = try service.container("com.example.notes").session(
                    for: service.account(#require(ada.account))
                )
                _ = try session.privateDatabase.save(note(1))
            }
            #expect(try !test.service.check().isSound)
        }
    }

    @Test func anyNumberOfEditedLanesEndsNoProcess() throws {
        try test.container.setQuota(.publicDatabase, to: 1_000_000)
        for lane in 100..<900 {
            try test.change(
                """
                INSERT INTO record_bytes (container_id, owner, zone, kind, lane, bytes, allowance)
                VALUES ($1, $2, 0, 0, $3, 18014398509481984, 0)
                """,
                .integer(test.container.number),
                .bytes([]),
                .integer(Int64(lane))
            )
        }
        expectExceeded { _ = try ada.publicDatabase.save(note(1)) }
    }

    @Test func wrongCountsAreFoundAndCorrected() throws {
        _ = try ada.publicDatabase.save(note(1_000))
        _ = try grace.publicDatabase.save(note(1_000))
        try ada.privateDatabase.save(RecordZone("Notes"))
        var record = try note(10, zone: "Notes")
        try record.set("file", to: .asset(ada.privateDatabase.upload([1, 2, 3], zone: "Notes")))
        _ = try ada.privateDatabase.save(record)
        let right = try ada.storageUse()
        for change: StaticString in [
            "UPDATE record_bytes SET bytes = bytes + 1 WHERE kind = 0",
            "UPDATE record_bytes SET bytes = 0 WHERE kind = 1",
            "DELETE FROM record_bytes", "UPDATE assets SET bytes = bytes + 7",
        ] {
            try test.change(change)
            let findings = try test.service.check().findings
            #expect(!findings.isEmpty && findings.allSatisfy { $0.kind == .miscounted })
            try test.service.recountBytes()
            try expectSound()
            #expect(try ada.storageUse() == right)
        }
    }

    @Test func whatAnErasedCreatorLeavesIsCountedForNoUser() throws {
        try test.container.setQuota(.creator, to: 50_000)
        let asset = try ada.publicDatabase.upload([UInt8](repeating: 1, count: 5_000))
        var record = try note(10)
        try record.set("file", to: .asset(asset))
        _ = try ada.publicDatabase.save(record)
        _ = try test.account(of: ada).erase(keepsPublicRecords: true)
        #expect(
            try test.number(
                """
                SELECT count(*) FROM record_bytes WHERE kind = 1 AND bytes <> 0
                AND EXISTS (SELECT 1 FROM users u WHERE u.record_id = record_bytes.owner)
                """
            ) == 0
        )
        try expectSound()
    }

    @Test func statisticsShowWhatIsStored() throws {
        let asset = try ada.privateDatabase.upload([UInt8](repeating: 1, count: 5_000))
        var record = try note(10)
        try record.set("file", to: .asset(asset))
        _ = try ada.privateDatabase.save(record)
        _ = try grace.publicDatabase.save(note(1_000))
        let statistics = try test.container.statistics()
        #expect(statistics.assets == 1 && statistics.assetBytes > 8_000)
        #expect(try statistics.privateBytes == ada.storageUse().privateBytes)
        #expect(try statistics.publicBytes == grace.storageUse().publicBytes)
        #expect(throws: KinfolkError(.notAuthenticated, "")) { try test.container.anonymousSession().storageUse() }
    }
}
