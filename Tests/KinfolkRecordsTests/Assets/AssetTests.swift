import Foundation
import KinfolkCrypto
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkRecords

struct AssetTests {
    private let test: TestService
    private let ada: Session
    private let database: Database

    init() throws {
        test = try TestService()
        ada = try test.session("Ada", emails: "ada@example.com")
        database = ada.privateDatabase
        try test.container.applySchema(
            """
            DEFINE SCHEMA
            RECORD TYPE Note (file ASSET, files LIST<ASSET>, title STRING);
            RECORD TYPE Album (title STRING);
            RECORD TYPE Photo (file ASSET, album REFERENCE);
            """
        )
    }

    private func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var generator = SeededGenerator(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
        return Array(bytes.prefix(count))
    }

    private func note(_ assets: Asset..., in database: Database? = nil, zone: String = RecordID.defaultZone) throws
        -> Record
    {
        var note = try Record(type: "Note", id: RecordID(zone: zone))
        if assets.count == 1 {
            try note.set("file", to: .asset(assets[0]))
        } else {
            try note.set("files", to: .assetList(assets))
        }
        return try (database ?? self.database).save(note)
    }

    /// How many assets and chunks are stored, when everything deleted has been removed.
    private func stored() throws -> [Int] {
        try Sweeper.sweep(test.service.store)
        return [try test.number("SELECT count(*) FROM assets"), try test.number("SELECT count(*) FROM asset_chunks")]
    }

    private func expectSound() throws {
        try Sweeper.sweep(test.service.store)
        #expect(try test.service.check().findings == [])
    }

    // MARK: Content

    @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 262_143, 262_144, 262_145, 524_288, 1_048_576, 1_048_577, 2_500_000])
    func aFileIsReadAsItWasWritten(size: Int) throws {
        let content = bytes(size)
        let upload = try database.beginUpload()
        var rest = content[...]
        var piece = 1
        while !rest.isEmpty {
            try upload.write(Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
            piece = piece % 700_000 * 7 + 1
        }
        let asset = try upload.finish()
        #expect(asset.size == size && upload.size == size)
        let saved = try note(asset)
        guard case .asset(let fetched)? = try database.fetch(saved.id)["file"] else {
            Issue.record("The record has no asset.")
            return
        }
        #expect(fetched == asset)
        var digest = [UInt8](repeating: 0, count: 32)
        content.withUnsafeBytes { content in digest.withUnsafeMutableBytes { SHA256.hash(content, into: $0) } }
        #expect(fetched.sha256 == digest)
        let reader = try database.reader(of: fetched)
        #expect(try reader.read(at: 0, count: size + 10) == content)
        for offset in [0, 1, size / 2, size - 1, size, size + 1, 262_143, 262_144, .max] where offset >= 0 {
            let expected = Array(content.dropFirst(min(offset, size)).prefix(300_000))
            #expect(try reader.read(at: offset, count: 300_000) == expected)
            #expect(try reader.read(at: offset, count: 3) == Array(expected.prefix(3)))
        }
        try expectSound()
    }

    @Test func equalFilesInPiecesOfAnySizeHaveEqualHashes() throws {
        let content = bytes(700_001)
        let whole = try database.upload(content)
        let upload = try database.beginUpload()
        for byte in stride(from: 0, to: content.count, by: 1_001) {
            try upload.write(Array(content[byte..<min(byte + 1_001, content.count)]))
        }
        #expect(try upload.finish().sha256 == whole.sha256)
    }

    @Test func anOffsetIsNotNegative() throws {
        let asset = try database.upload([1, 2, 3])
        _ = try note(asset)
        let reader = try database.reader(of: asset)
        #expect(throws: KinfolkError(.invalidArgument, "")) { try reader.read(at: -1, count: 1) }
        #expect(throws: KinfolkError(.invalidArgument, "")) { try reader.read(at: 0, count: -1) }
    }

    @Test func filesOfTheDiskAreAddedAndSaved() throws {
        let content = bytes(1_300_000)
        let (source, target) = (test.folder.file("source"), test.folder.file("target"))
        try Data(content).write(to: URL(fileURLWithPath: source))
        var progress: [Int] = []
        let asset = try database.upload(file: source) { (done, total) throws(KinfolkError) in
            #expect(total == content.count)
            progress.append(done)
        }
        #expect(progress.last == content.count && progress == progress.sorted())
        _ = try note(asset)
        try database.save(asset, to: target)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: target))) == content)
        // A file that exists is replaced.
        try Data([1]).write(to: URL(fileURLWithPath: target))
        try database.save(asset, to: target)
        #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: target))) == content)
    }

    @Test func onlyRegularFilesAreAdded() throws {
        for path in ["/dev/zero", "/dev/null", "/", test.folder.path] {
            #expect(throws: KinfolkError(.invalidArgument, "")) { try database.upload(file: path) }
        }
        for path in ["", "a\0b"] {
            #expect(throws: KinfolkError(.invalidArgument, "")) { try database.upload(file: path) }
        }
        #expect(throws: KinfolkError(.assetFileNotFound, "")) { try database.upload(file: test.folder.file("none")) }
        let asset = try database.upload([1])
        for path in ["/dev/null", "/", "", test.folder.path] {
            #expect(throws: KinfolkError(.invalidArgument, "")) { try database.save(asset, to: path) }
        }
        #expect(throws: KinfolkError(.assetFileNotFound, "")) {
            try database.save(asset, to: test.folder.file("none/file"))
        }
    }

    @Test func aFileThatChangesWhileItIsReadIsRefused() throws {
        for change in ["shorter", "longer"] {
            let path = test.folder.file(change)
            try Data(bytes(3_000_000)).write(to: URL(fileURLWithPath: path))
            #expect(throws: KinfolkError(.assetFileModified, "")) {
                try database.upload(file: path) { (done, _) throws(KinfolkError) in
                    guard done == 1_048_576 else { return }
                    try? Data(bytes(change == "shorter" ? 2_000_000 : 4_000_000)).write(to: URL(fileURLWithPath: path))
                }
            }
        }
        #expect(try stored() == [0, 0])
    }

    @Test func aProgressFunctionEndsAnUploadAndASave() throws {
        let path = test.folder.file("source")
        try Data(bytes(3_000_000)).write(to: URL(fileURLWithPath: path))
        #expect(throws: KinfolkError.cancelled) {
            try database.upload(file: path) { (_, _) throws(KinfolkError) in throw .cancelled }
        }
        #expect(try stored() == [0, 0])
        let asset = try database.upload(file: path)
        let target = test.folder.file("target")
        #expect(throws: KinfolkError.cancelled) {
            try database.save(asset, to: target) { (_, _) throws(KinfolkError) in throw .cancelled }
        }
        #expect(try test.folder.names().allSatisfy { !$0.hasPrefix("target") })
    }

    // MARK: Lifetime

    @Test func anAssetIsDeletedWithTheLastRecordThatNamesIt() throws {
        let asset = try database.upload(bytes(600_000))
        let (first, second) = (try note(asset), try note(asset, asset))
        #expect(try stored() == [1, 3])
        try database.delete(first.id)
        #expect(try database.reader(of: asset).read(at: 5, count: 1).count == 1)
        #expect(try stored() == [1, 3])
        var changed = second
        try changed.set("files", to: .assetList([]))
        _ = try database.save(changed)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try database.reader(of: asset) }
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try note(asset) }
        #expect(try stored() == [0, 0])
        try expectSound()
    }

    @Test func aReplacedAssetIsDeleted() throws {
        let (first, second) = (try database.upload(bytes(10)), try database.upload(bytes(20)))
        var record = try note(first)
        let reader = try database.reader(of: first)
        try record.set("file", to: .asset(second))
        record = try database.save(record)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try reader.read(at: 0, count: 1) }
        #expect(try stored() == [1, 1])
        try record.remove("file")
        _ = try database.save(record)
        #expect(try stored() == [0, 0])
        try expectSound()
    }

    @Test func oneRecordOfABatchMayTakeTheAssetOfAnother() throws {
        let asset = try database.upload(bytes(10))
        let first = try note(asset)
        var second = try Record(type: "Note")
        try second.set("file", to: .asset(asset))
        let results = try database.run(
            [.delete(first.id, changeTag: first.changeTag), .create(second)],
            atomically: true
        )
        for result in results { _ = try result.get() }
        #expect(try database.reader(of: asset).read(at: 0, count: 10).count == 10)
        #expect(try stored() == [1, 1])
        try expectSound()
    }

    @Test func aCascadeDeletesAssets() throws {
        let parent = try database.save(Record(type: "Album"))
        var photo = try Record(type: "Photo")
        try photo.set("album", to: .reference(Reference(parent, action: .deleteSelf)))
        try photo.set("file", to: .asset(database.upload(bytes(10))))
        _ = try database.save(photo)
        try database.delete(parent.id)
        #expect(try stored() == [0, 0])
        try expectSound()
    }

    @Test func anUploadThatNoRecordNamesIsDeletedAfterADay() throws {
        let unfinished = try database.beginUpload()
        try unfinished.write(bytes(1_500_000))
        let (named, unnamed) = (try database.upload(bytes(10)), try database.upload(bytes(20)))
        _ = try note(named)
        test.clock.advance(seconds: 86_399)
        try AssetExpiry.run(test.service)
        #expect(try stored()[0] == 3)
        #expect(try database.reader(of: unnamed).read(at: 0, count: 20) == bytes(20))
        test.clock.advance(seconds: 2)
        try AssetExpiry.run(test.service)
        #expect(try stored() == [1, 1])
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try note(unnamed) }
        #expect(throws: KinfolkError(.assetNotAvailable, "")) {
            try unfinished.write(bytes(2_000_000))
            _ = try unfinished.finish()
        }
        try expectSound()
    }

    /// If the date is set forward, uploads that are in use must not expire; if it is set back, others must.
    @Test func uploadsExpireByTheClockThatNobodySets() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("kinfolk.db")
        let first = try Service.open(path)
        try first.write { db in try SteadyClock.set(1, first.keys(db), db) }
        let service = try Service.open(path)
        let session = try service.createContainer("com.example.notes").session(for: service.createAccount())
        _ = try session.privateDatabase.upload([1])
        let expiresAt = try service.read { db in
            try db.first("SELECT expires_at FROM assets") { Timestamp(microseconds: $0.integer(0)) }
        }
        let rest = try #require(expiresAt).seconds(since: service.steadyClock())
        #expect(rest <= 86_400 && rest > 0)
    }

    @Test func aCancelledUploadIsDeletedAtOnce() throws {
        let upload = try database.beginUpload()
        try upload.write(bytes(1_500_000))
        #expect(try stored()[0] == 1)
        upload.cancel()
        #expect(try stored() == [0, 0])
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try upload.finish() }
        #expect(try ada.storageUse().privateBytes == 0)
    }

    @Test(arguments: DatabaseScope.allCases) func aSuspensionDeletesAnUploadThatItEnds(scope: DatabaseScope) throws {
        let account = try test.account(of: ada)
        let upload = try ada.database(scope).beginUpload()
        try upload.write(bytes(1_500_000))
        try account.suspend()
        #expect(throws: KinfolkError(.notAuthenticated, "")) { try upload.write(bytes(2_500_000)) }
        try account.resume()
        let use = try ada.storageUse()
        #expect(use.privateBytes == 0 && use.publicBytes == 0)
        #expect(try stored() == [0, 0])
        try expectSound()
    }

    @Test func anUnfinishedUploadCannotBeNamed() throws {
        let upload = try database.beginUpload()
        try upload.write(bytes(1_500_000))
        let id = try #require(
            try test.service.read { db in
                try db.first("SELECT id FROM assets") { $0.withBytes(0, RandomID.init(bytes:)) }
            }
                ?? nil
        )
        let forged = Asset(
            id: id,
            zone: RecordID.defaultZone,
            size: 1_500_000,
            sha256: [UInt8](repeating: 0, count: 32)
        )
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try note(forged) }
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try database.reader(of: forged) }
    }

    // MARK: Zones

    @Test func anAssetBelongsToItsZone() throws {
        try database.save(RecordZone("Notes"))
        let asset = try database.upload(bytes(10), zone: "Notes")
        #expect(throws: KinfolkError(.invalidArgument, "")) { try note(asset) }
        _ = try note(asset, zone: "Notes")
        #expect(try database.reader(of: asset).read(at: 0, count: 10) == bytes(10))
        try database.deleteZone("Notes")
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try database.reader(of: asset) }
        #expect(try stored() == [0, 0])
        #expect(throws: KinfolkError(.zoneNotFound, "")) { try database.upload(bytes(10), zone: "Notes") }
        #expect(throws: KinfolkError(.invalidArgument, "")) { try ada.publicDatabase.beginUpload(zone: "Notes") }
        try expectSound()
    }

    // MARK: Others

    @Test func nobodyUsesTheAssetsOfAnotherDatabase() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try database.upload(bytes(10))
        _ = try note(asset)
        for other in [grace.privateDatabase, grace.publicDatabase, ada.publicDatabase] {
            #expect(throws: KinfolkError(.assetNotAvailable, "")) { try other.reader(of: asset) }
            #expect(throws: KinfolkError(.assetNotAvailable, "")) { try note(asset, in: other) }
        }
        let other = try test.service.createContainer("com.example.chess").session(for: test.account(of: ada))
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try other.privateDatabase.reader(of: asset) }
        #expect(throws: KinfolkError(.notAuthenticated, "")) {
            try test.container.anonymousSession().publicDatabase.upload([1])
        }
    }

    @Test func inThePublicDatabaseOnlyTheUploaderNamesAnAsset() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try ada.publicDatabase.upload(bytes(10))
        // Nobody else reads what no record names.
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try grace.publicDatabase.reader(of: asset) }
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try note(asset, in: grace.publicDatabase) }
        let saved = try note(asset, in: ada.publicDatabase)
        #expect(try grace.publicDatabase.reader(of: asset).read(at: 0, count: 10) == bytes(10))
        #expect(try test.container.anonymousSession().publicDatabase.reader(of: asset).asset == asset)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try note(asset, in: grace.publicDatabase) }
        try ada.publicDatabase.delete(saved.id)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try grace.publicDatabase.reader(of: asset) }
        try expectSound()
    }

    @Test func anAssetIsReadableAsLongAsOneOfItsRecordsIs() throws {
        try test.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Draft (file ASSET, title STRING, GRANT READ, WRITE TO "_creator", GRANT READ, WRITE TO Editor, GRANT CREATE TO "_icloud");
            RECORD TYPE Page (file ASSET, GRANT READ TO "_world", GRANT CREATE TO "_icloud", GRANT WRITE TO "_creator");
            """
        )
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try ada.publicDatabase.upload(bytes(10))
        var draft = try Record(type: "Draft")
        try draft.set("file", to: .asset(asset))
        draft = try ada.publicDatabase.save(draft)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try grace.publicDatabase.reader(of: asset) }
        var page = try Record(type: "Page")
        try page.set("file", to: .asset(asset))
        page = try ada.publicDatabase.save(page)
        let reader = try grace.publicDatabase.reader(of: asset)
        try ada.publicDatabase.delete(page.id)
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try reader.read(at: 0, count: 1) }
        // A role gives and takes the right at once.
        try test.container.grantRole("Editor", to: test.account(of: grace))
        #expect(try reader.read(at: 0, count: 10) == bytes(10))
        // An editor who saves the record leaves its asset in it.
        var edited = try grace.publicDatabase.fetch(draft.id)
        try edited.set("title", to: .string("Draft"))
        _ = try grace.publicDatabase.save(edited)
        try test.container.revokeRole("Editor", from: test.account(of: grace))
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try reader.read(at: 0, count: 1) }
        try expectSound()
    }

    @Test func inADeployedSchemaOnlyCallersWhoMayWriteARecordWithFilesUpload() throws {
        let container = try test.service.createContainer("com.example.pages")
        try container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note (title STRING);
            RECORD TYPE Page (file ASSET, GRANT READ TO "_world", GRANT CREATE, WRITE TO Editor);
            """
        )
        let account = try test.account(of: ada)
        let database = try container.session(for: account).publicDatabase
        // Anybody may add a type, until the schema is deployed.
        _ = try database.upload([1])
        try test.service.write { db in try db.execute("UPDATE schemas SET is_fixed = 1, stamp = stamp + 1") }
        for size in [1, 2_000_000] {
            #expect(throws: KinfolkError(.permissionFailure, "")) { try database.upload(bytes(size)) }
        }
        try container.grantRole("Editor", to: account)
        let asset = try database.upload([1])
        var page = try Record(type: "Page")
        try page.set("file", to: .asset(asset))
        _ = try database.save(page)
    }

    @Test func aCreatorWhoMayOnlyWriteUploads() throws {
        try test.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Note (file ASSET, files LIST<ASSET>, title STRING, GRANT CREATE TO Editor);
            RECORD TYPE Album (title STRING);
            RECORD TYPE Photo (file ASSET, album REFERENCE, GRANT CREATE TO Editor, GRANT WRITE TO "_creator");
            """
        )
        let account = try test.account(of: ada)
        let database = ada.publicDatabase
        try test.container.grantRole("Editor", to: account)
        var photo = try database.save(Record(type: "Photo"))
        _ = try database.save(Record(type: "Album"))
        try test.container.revokeRole("Editor", from: account)
        try test.service.write { db in try db.execute("UPDATE schemas SET is_fixed = 1, stamp = stamp + 1") }
        try photo.set("file", to: .asset(database.upload([1])))
        photo = try database.save(photo)
        // The account has no other record to which it could give a file.
        try database.delete(photo.id)
        #expect(throws: KinfolkError(.permissionFailure, "")) { try database.upload([1]) }
    }

    @Test func inADeployedSchemaWhoMayWriteOnlyOwnRecordsUploadsIfThereAreAny() throws {
        let container = try test.service.createContainer("com.example.pages")
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Page (file ASSET); RECORD TYPE Users (file ASSET);")
        let grace = try test.session("Grace", emails: "grace@example.com")
        let (author, other) = (
            try container.session(for: test.account(of: ada)).publicDatabase,
            try container.session(for: test.account(of: grace)).publicDatabase
        )
        var page = try author.save(Record(type: "Page"))
        try container.applySchema(
            """
            DEFINE SCHEMA RECORD TYPE Page (GRANT READ TO "_world", GRANT WRITE TO "_creator");
            RECORD TYPE Users (GRANT READ TO "_world");
            """
        )
        try test.service.write { db in try db.execute("UPDATE schemas SET is_fixed = 1, stamp = stamp + 1") }
        try page.set("file", to: .asset(author.upload([1])))
        page = try author.save(page)
        // A user record exists, but the grants let nobody write it.
        #expect(throws: KinfolkError(.permissionFailure, "")) { try other.upload([1]) }
        try author.delete(page.id)
        #expect(throws: KinfolkError(.permissionFailure, "")) { try author.upload([1]) }
        try container.applySchema("DEFINE SCHEMA RECORD TYPE Users (GRANT WRITE TO \"_creator\");")
        _ = try other.upload([1])
    }

    @Test func readersWithoutRightsOpenNoRecords() throws {
        try test.container.applySchema(
            """
            DEFINE SCHEMA CREATE ROLE Editor;
            RECORD TYPE Draft (file ASSET, GRANT READ TO Editor, GRANT CREATE TO "_icloud");
            """
        )
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try ada.publicDatabase.upload(bytes(10))
        for _ in 0..<50 {
            var draft = try Record(type: "Draft")
            try draft.set("file", to: .asset(asset))
            _ = try ada.publicDatabase.save(draft)
        }
        let (_, work) = test.service.store.tracing {
            #expect(throws: KinfolkError(.assetNotAvailable, "")) { try grace.publicDatabase.reader(of: asset) }
        }
        #expect(!work.contains { $0.sql.contains("sealed_fields") })
    }

    @Test func aDamagedRecordLeavesAnAssetToTheOthers() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try ada.publicDatabase.upload(bytes(10))
        let first = try note(asset, in: ada.publicDatabase)
        _ = try note(asset, in: ada.publicDatabase)
        try test.change(
            "UPDATE records SET sealed_fields = substr(sealed_fields, 1, 60) WHERE number = (SELECT min(number) FROM records WHERE type <> 0)"
        )
        #expect(throws: KinfolkError(.storeCorrupt, "")) { try grace.publicDatabase.fetch(first.id) }
        #expect(try grace.publicDatabase.reader(of: asset).read(at: 0, count: 10) == bytes(10))
    }

    // MARK: Damage

    @Test(arguments: [
        "UPDATE asset_chunks SET chunk = 9 - chunk WHERE chunk IN (4, 5)",
        "DELETE FROM asset_chunks WHERE chunk = 2",
        "DELETE FROM asset_chunks WHERE chunk = (SELECT max(chunk) FROM asset_chunks)",
        "UPDATE asset_chunks SET sealed_chunk = (SELECT c.sealed_chunk FROM asset_chunks c WHERE c.chunk = 1 AND c.asset = asset_chunks.asset) WHERE chunk = 2",
        "UPDATE asset_chunks SET sealed_chunk = (SELECT c.sealed_chunk FROM asset_chunks c WHERE c.chunk = 2 AND c.asset <> asset_chunks.asset) WHERE chunk = 2 AND asset = (SELECT min(asset) FROM asset_chunks)",
        "UPDATE asset_chunks SET sealed_chunk = substr(sealed_chunk, 1, 4136) WHERE chunk = (SELECT max(chunk) FROM asset_chunks)",
        "UPDATE asset_chunks SET sealed_chunk = substr(sealed_chunk, 1, 10) WHERE chunk = 1",
    ])
    func aChangedFileIsNotRead(change: String) throws {
        let assets = try [1, 2].map { try database.upload(bytes(2_000_000, seed: $0)) }
        _ = try note(assets[0], assets[1])
        let numbers = try test.service.read { db in
            try db.all("SELECT count(*) FROM asset_chunks") { $0.integer(0) }
        }
        #expect(numbers == [16])
        try test.service.write { db in
            // Two chunks change places through a free one.
            if change.contains("9 - chunk") {
                try db.execute("UPDATE asset_chunks SET chunk = 99 WHERE chunk = 4")
                try db.execute("UPDATE asset_chunks SET chunk = 4 WHERE chunk = 5")
                try db.execute("UPDATE asset_chunks SET chunk = 5 WHERE chunk = 99")
            } else {
                try db.execute(composed: change, [])
            }
        }
        for asset in assets[..<1] {
            #expect(throws: KinfolkError(.storeCorrupt, "")) {
                try database.reader(of: asset).read(at: 0, count: 2_000_000)
            }
            let path = test.folder.file("target")
            #expect(throws: KinfolkError(.storeCorrupt, "")) { try database.save(asset, to: path) }
        }
        #expect(try !test.service.check().isSound)
        #expect(try test.folder.names().allSatisfy { !$0.hasPrefix("target") })
    }

    @Test func theKeyOfAnotherAssetOpensNothing() throws {
        let assets = try [1, 2].map { try database.upload(bytes(1_000, seed: $0)) }
        _ = try note(assets[0], assets[1])
        try test.change("UPDATE assets SET sealed_asset = (SELECT a.sealed_asset FROM assets a ORDER BY a.id LIMIT 1)")
        let read = assets.map { asset in
            Result { try database.reader(of: asset).read(at: 0, count: 1_000) }
        }
        #expect(read.filter { (try? $0.get()) != nil }.count == 1)
        #expect(try !test.service.check().isSound)
    }

    // MARK: Rotation

    @Test func aRotationSealsKeysAgainAndLeavesChunks() throws {
        try database.save(RecordZone("Notes"))
        let assets = [
            try database.upload(bytes(600_000)), try database.upload(bytes(600_000), zone: "Notes"),
            try ada.publicDatabase.upload(bytes(600_000)),
        ]
        _ = try note(assets[0])
        _ = try note(assets[1], zone: "Notes")
        _ = try note(assets[2], in: ada.publicDatabase)
        func column(_ sql: StaticString) throws -> [[UInt8]] {
            try test.service.read { db in try db.all(sql) { $0.bytes(0) } }
        }
        let (keys, chunks) = (
            try column("SELECT sealed_asset FROM assets ORDER BY number"),
            try column("SELECT sealed_chunk FROM asset_chunks ORDER BY asset, chunk")
        )
        let reader = try database.reader(of: assets[0])
        _ = try test.service.rotateKeys()
        #expect(try column("SELECT sealed_chunk FROM asset_chunks ORDER BY asset, chunk") == chunks)
        let after = try column("SELECT sealed_asset FROM assets ORDER BY number")
        for (before, after) in zip(keys, after) { #expect(before != after) }
        #expect(try reader.read(at: 300_000, count: 300_000) == Array(bytes(600_000)[300_000...]))
        #expect(try database.reader(of: assets[1]).read(at: 0, count: 600_000) == bytes(600_000))
        #expect(try ada.publicDatabase.reader(of: assets[2]).read(at: 0, count: 600_000) == bytes(600_000))
        // The uploader is still known.
        _ = try note(assets[2], in: ada.publicDatabase)
        try expectSound()
    }

    @Test func anUploadContinuesThroughARotation() throws {
        let upload = try database.beginUpload()
        let content = bytes(3_000_000)
        try upload.write(Array(content[..<1_500_000]))
        _ = try test.service.rotateKeys()
        try upload.write(Array(content[1_500_000...]))
        let asset = try upload.finish()
        _ = try note(asset)
        #expect(try database.reader(of: asset).read(at: 0, count: 3_000_000) == content)
        try expectSound()
    }

    // MARK: Erasure

    @Test func anErasureDeletesAllAssetsOfAPerson() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        try database.save(RecordZone("Notes"))
        _ = try note(database.upload(bytes(600_000)))
        _ = try note(database.upload(bytes(600_000), zone: "Notes"), zone: "Notes")
        let asset = try ada.publicDatabase.upload(bytes(600_000))
        _ = try note(asset, in: ada.publicDatabase)
        _ = try ada.publicDatabase.upload(bytes(10))
        _ = try database.upload(bytes(10))
        let other = try grace.publicDatabase.upload(bytes(20))
        _ = try note(other, in: grace.publicDatabase)
        _ = try test.account(of: ada).erase()
        #expect(throws: KinfolkError(.assetNotAvailable, "")) { try grace.publicDatabase.reader(of: asset) }
        #expect(try grace.publicDatabase.reader(of: other).read(at: 0, count: 20) == bytes(20))
        #expect(try stored() == [1, 1])
        try expectSound()
    }

    @Test func recordsThatStayKeepTheirAssetsWithoutTheUploader() throws {
        let grace = try test.session("Grace", emails: "grace@example.com")
        let asset = try ada.publicDatabase.upload(bytes(10))
        let saved = try note(asset, in: ada.publicDatabase)
        _ = try test.account(of: ada).erase(keepsPublicRecords: true)
        #expect(try grace.publicDatabase.reader(of: asset).read(at: 0, count: 10) == bytes(10))
        #expect(try grace.publicDatabase.fetch(saved.id)["file"] == .asset(asset))
        #expect(try test.number("SELECT count(*) FROM assets WHERE length(creator_tag) > 0") == 0)
        try expectSound()
    }

    @Test func aDeletedContainerHasNoAssets() throws {
        _ = try note(database.upload(bytes(600_000)))
        try test.service.deleteContainer("com.example.notes")
        #expect(try stored() == [0, 0])
        try expectSound()
    }
}
