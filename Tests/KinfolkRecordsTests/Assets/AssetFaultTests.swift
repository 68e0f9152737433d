import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkRecords

/// Assets whose rows were edited without the key, of which a server lost a part, or that a caller may not read.
struct AssetFaultTests {
    private let test: TestService
    private let ada: Session
    private let database: Database

    init() throws {
        test = try TestService()
        ada = try test.session("Ada", emails: "ada@example.com")
        database = ada.privateDatabase
        try test.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note (file ASSET, files LIST<ASSET>, title STRING);
            RECORD TYPE Form (
                file ASSET, title STRING, GRANT READ TO "_creator", GRANT CREATE TO "_icloud", GRANT WRITE TO Editor
            );
            """
        )
    }

    private func note(_ asset: Asset, type: String = "Note", in database: Database? = nil) throws -> Record {
        var note = try Record(type: type)
        try note.set("file", to: .asset(asset))
        return try (database ?? self.database).save(note)
    }

    @Test(arguments: [Int64.min, .max])
    func editedCountsOfBytesStopNoDeletion(bytes: Int64) throws {
        try test.container.setQuota(.user, to: 1_000_000)
        let record = try note(database.upload([1, 2, 3]))
        try test.change("UPDATE assets SET bytes = $1", .integer(bytes))
        try test.change("UPDATE record_bytes SET bytes = $1, allowance = $1", .integer(bytes))
        _ = try? database.save(Record(type: "Note"))
        try database.delete(record.id)
        try test.service.recountBytes()
        #expect(try test.service.check().isSound)
    }

    @Test func aReaderNeedsARecordWhoseContentNamesTheAsset() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try ada.publicDatabase.upload([1, 2, 3])
        _ = try note(asset, type: "Form", in: ada.publicDatabase)
        let own = try grace.publicDatabase.save(Record(type: "Note"))
        try test.change(
            """
            INSERT INTO record_references SELECT container_id, owner, zone, target, kind,
            (SELECT max(number) FROM records) FROM record_references WHERE kind = 3
            """
        )
        #expect(try test.number("SELECT count(*) FROM record_references WHERE kind = 3") == 2)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try grace.publicDatabase.reader(of: asset) }
        _ = own
    }

    @Test func aRecordWithAnAssetIsSavedByACallerWhoMayNotReadIt() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        try test.container.grantRole("Editor", to: test.account(of: grace))
        let asset = try ada.publicDatabase.upload([1, 2, 3])
        let form = try note(asset, type: "Form", in: ada.publicDatabase)
        var change = try Record(type: "Form", id: form.id)
        try change.set("title", to: .string("Read"))
        let saved = try grace.publicDatabase.save(change, policy: .changedKeys)
        #expect(saved.keys == ["title"])
        #expect(try ada.publicDatabase.fetch(form.id)["file"] == .asset(asset))
        // Sending an asset that the caller did not upload is refused, also if the record has it.
        try change.set("file", to: .asset(asset))
        #expect(throws: KinfolkError(.assetNotAvailable, "")) {
            try grace.publicDatabase.save(change, policy: .changedKeys)
        }
    }

    @Test func assetsWithOneNumberAreDeletedAndErased() throws {
        let records = try (0..<3).map { try note(database.upload([UInt8($0)])) }
        try test.change("UPDATE assets SET number = 7")
        try database.delete(records[0].id)
        try database.delete(records[1].id)
        _ = try note(database.upload([1]))
        try test.change("UPDATE assets SET number = 7")
        _ = try test.account(of: ada).erase()
        #expect(try test.number("SELECT count(*) FROM assets") == 0)
    }

    @Test func aDamagedUploadStopsNoOtherFromExpiring() throws {
        let named = try database.upload([1])
        _ = try note(named)
        let damaged = try database.upload([2])
        try test.change("UPDATE assets SET sealed_asset = $1 WHERE id = $2", .bytes([1]), .id(damaged.id))
        _ = try database.upload([3])
        // A record names this one, whatever its row says.
        try test.change("UPDATE assets SET expires_at = 1 WHERE id = $1", .id(named.id))
        #expect(try !test.service.check().isSound)
        test.clock.advance(seconds: 90_000)
        try AssetExpiry.run(test.service)
        #expect(try test.number("SELECT count(*) FROM assets") == 1)
        #expect(try database.reader(of: named).read(at: 0, count: 1) == [1])
    }

    enum Damage: CaseIterable { case zone, owner, id }

    @Test(arguments: Damage.allCases) func uploadsThatCannotBeFoundStopNoOtherFromExpiring(damage: Damage) throws {
        try database.save(RecordZone("Notes"))
        // More than are deleted at once.
        for _ in 0..<(damage == .zone ? 101 : 1) { _ = try database.upload([1], zone: "Notes") }
        test.clock.advance(seconds: 1)
        let other = try database.upload([2])
        switch damage {
        case .zone: try test.change("UPDATE zones SET sealed_zone = $1", .bytes([1]))
        case .owner: try test.change("UPDATE assets SET owner = $1 WHERE id <> $2", .bytes([1]), .id(other.id))
        case .id: try test.change("UPDATE assets SET id = $1 WHERE id <> $2", .bytes([1]), .id(other.id))
        }
        test.clock.advance(seconds: 90_000)
        try AssetExpiry.run(test.service)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try database.reader(of: other) }
    }

    @Test func aPersonLeavesAlsoIfTheIDOfAnAssetWasEdited() throws {
        _ = try ada.publicDatabase.upload([1])
        try test.change("UPDATE assets SET id = $1", .bytes([1]))
        _ = try test.account(of: ada).erase()
        #expect(try test.number("SELECT count(*) FROM assets") == 0)
        try Sweeper.sweep(test.service.store)
        #expect(try test.number("SELECT count(*) FROM asset_chunks") == 0)
    }

    @Test func anUploadOfWhichAServerLostAPieceIsNotCompleted() throws {
        let upload = try database.beginUpload()
        try upload.write([UInt8](repeating: 1, count: 1_200_000))
        let before = try test.number("SELECT bytes FROM assets")
        try upload.write([UInt8](repeating: 1, count: 1_200_000))
        // As after a crash of a server that had not written the second piece to its log.
        try test.change("UPDATE assets SET bytes = $1", .integer(Int64(before)))
        try test.change("DELETE FROM asset_chunks WHERE chunk >= 4")
        #expect(throws: KinfolkError(.serviceUnavailable, "")) {
            try upload.write([UInt8](repeating: 1, count: 1_200_000))
            _ = try upload.finish()
        }
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try upload.finish() }
    }

    /// As after the crash of a server whose standby had not received the first piece.
    @Test func anUploadThatAServerLostCanBeRepeated() throws {
        let upload = try database.beginUpload()
        try upload.write([UInt8](repeating: 1, count: 1_200_000))
        try test.change("DELETE FROM asset_chunks")
        try test.change("DELETE FROM assets")
        #expect(throws: KinfolkError(.serviceUnavailable, "")) { try upload.finish() }
    }

    @Test func theCheckFindsAssetsThatAreMarkedAsDeleted() throws {
        _ = try note(database.upload([1]))
        try test.change("INSERT INTO removed_assets SELECT container_id, number FROM assets")
        let findings = try test.service.check().findings
        #expect(findings.contains { $0.table == "removed_assets" || $0.table == "asset_chunks" })
    }
}
