import Kinfolk
import KinfolkModel
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

/// Documents are created, found, saved, moved and deleted.
@Suite("Documents") struct DocumentTests {
    private let store: TestService
    private let ada: Session
    private let phone: Documents
    private let tablet: Documents

    init() throws {
        store = try TestService()
        ada = try store.session("Ada")
        let account = try store.account(of: ada)
        phone = try store.container.session(for: account, device: "phone").documents
        tablet = try store.container.session(for: account, device: "tablet").documents
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func aDocumentIsCreatedFoundSavedAndDeleted() throws {
        let created = try phone.create("notes/test.txt", contents: text("Hello"))
        #expect(created.path == "notes/test.txt" && created.name == "test.txt" && created.folder == "notes")
        #expect(created.current.size == 5 && created.current.device == "phone" && created.versions.count == 1)
        let opened = try tablet.document(at: "notes/test.txt")
        #expect(try opened == created && tablet.document(id: created.id) == created)
        #expect(try tablet.contents(of: opened) == text("Hello"))
        store.clock.advance(seconds: 10)
        let saved = try tablet.save(opened, contents: text("Hello again"))
        #expect(saved.id == created.id && saved.conflicts.isEmpty && saved.olderVersions == [created.current])
        #expect(
            saved.current.device == "tablet" && saved.createdAt == created.createdAt
                && saved.modifiedAt > created.modifiedAt
        )
        #expect(try phone.contents(of: phone.document(at: "notes/test.txt")) == text("Hello again"))
        #expect(try phone.contents(of: saved, saved.olderVersions[0]) == text("Hello"))
        expect(.serverRecordChanged) { try phone.delete(created) }
        try phone.delete(saved)
        expect(.unknownItem) { try phone.document(at: "notes/test.txt") }
        expect(.unknownItem) { try tablet.document(id: created.id) }
        expect(.unknownItem) { try tablet.save(saved, contents: text("Lost?")) }
        expect(.unknownItem) { try tablet.delete(saved) }
        expect(.unknownItem) { try tablet.move(saved, to: "a") }
        expect(.assetNotAvailable) { try tablet.contents(of: saved) }
        #expect(try phone.search().isEmpty)
        #expect(try store.number("SELECT count(*) FROM assets") == 0)
        #expect(try store.service.check().isSound)
    }

    @Test(arguments: [0, 1, 65_536, 65_537, 300_000, 3_000_000]) func contentsOfAnySizeAreKept(size: Int) throws {
        let contents = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let document = try phone.create("file", contents: contents)
        #expect(try tablet.contents(of: document) == contents && document.current.size == size)
        let saved = try phone.save(document, contents: contents.reversed())
        #expect(try tablet.contents(of: saved) == contents.reversed())
        #expect(try store.number("SELECT count(*) FROM assets WHERE expires_at <> 0") == 0)
        #expect(try store.service.check().isSound)
    }

    @Test func aDocumentIsWrittenInPiecesAndToAFile() throws {
        let upload = try phone.beginUpload()
        for _ in 0..<10 { try upload.write([UInt8](repeating: 7, count: 100_000)) }
        let document = try phone.create("file", upload)
        #expect(document.current.size == 1_000_000)
        expect(.assetNotAvailable) { try upload.write([1]) }
        expect(.assetNotAvailable) { try phone.save(document, upload) }
        let path = store.folder.path + "/copy"
        try phone.write(document, to: path)
        let again = try phone.beginUpload()
        try again.add(file: path)
        #expect(try phone.save(document, again).current.sha256 == document.current.sha256)
        // The upload of another session, or for records.
        let others = try store.session("Bob").documents.beginUpload()
        try others.write([1])
        expect(.invalidArgument) { try phone.create("other", others) }
        expect(.invalidArgument) { try phone.create("other", ada.privateDatabase.beginUpload()) }
    }

    // MARK: Conflicts

    @Test func twoDevicesSaveAtOnce() throws {
        let base = try phone.create("test.txt", contents: text("base"))
        let first = try phone.save(base, contents: text("phone"))
        let both = try tablet.save(base, contents: text("tablet"))
        #expect(both.current == first.current && both.conflicts.map(\.device) == ["tablet"])
        #expect(
            try phone.contents(of: both) == text("phone")
                && phone.contents(of: both, both.conflicts[0]) == text("tablet")
        )
        #expect(try phone.document(at: "test.txt") == both)
        expect(.serverRecordChanged) { try phone.resolve(base, keeping: base.current) }
        // The phone has not seen the conflict: it stays, and so does the document.
        #expect(try phone.resolve(first, keeping: first.current).conflicts == both.conflicts)
        expect(.serverRecordChanged) { try phone.delete(first) }
        // By the other one.
        let resolved = try phone.resolve(both, keeping: both.conflicts[0])
        #expect(try resolved.conflicts.isEmpty && phone.contents(of: resolved) == text("tablet"))
        #expect(
            try resolved.olderVersions.map { try phone.contents(of: resolved, $0) } == [text("phone"), text("base")]
        )
        #expect(try store.service.check().isSound)
    }

    @Test func conflictsAreResolvedByTheCurrentVersionOrByAThird() throws {
        let base = try phone.create("test.txt", contents: text("base"))
        let first = try phone.save(base, contents: text("phone"))
        let both = try tablet.save(base, contents: text("tablet"))
        let kept = try tablet.resolve(both, keeping: both.current)
        #expect(kept.current == first.current && kept.conflicts.isEmpty)
        #expect(try kept.olderVersions.map { try phone.contents(of: kept, $0) } == [text("tablet"), text("base")])
        let more = try tablet.save(base, contents: text("late"))
        #expect(more.conflicts.count == 1)
        let merged = try phone.resolve(more, contents: text("merged"))
        #expect(try merged.conflicts.isEmpty && phone.contents(of: merged) == text("merged"))
        #expect(
            try merged.olderVersions.map { try phone.contents(of: merged, $0) }
                == [text("phone"), text("late"), text("tablet"), text("base")]
        )
        #expect(try phone.resolve(merged, keeping: more.conflicts[0]).current.asset == more.conflicts[0].asset)
    }

    @Test func aConflictThatCameMeanwhileStays() throws {
        let base = try phone.create("test.txt", contents: text("base"))
        _ = try phone.save(base, contents: text("1"))
        let two = try tablet.save(base, contents: text("2"))
        let three = try tablet.save(base, contents: text("3"))
        let resolved = try phone.resolve(two, contents: text("merged"))
        #expect(resolved.conflicts == [three.conflicts[1]])
        #expect(try phone.contents(of: resolved, resolved.conflicts[0]) == text("3"))
    }

    @Test func conflictsAreLimitedAndNoneIsLost() throws {
        let base = try phone.create("test.txt", contents: text("base"))
        _ = try phone.save(base, contents: text("current"))
        for number in 0..<Documents.maximumConflicts { _ = try tablet.save(base, contents: text("\(number)")) }
        expect(.limitExceeded) { try tablet.save(base, contents: text("another")) }
        let document = try phone.document(at: "test.txt")
        #expect(try document.conflicts.map { try phone.contents(of: document, $0) } == (0..<100).map { text("\($0)") })
        #expect(try store.number("SELECT count(*) FROM assets") == 102)
        let resolved = try phone.resolve(document, keeping: document.conflicts[0])
        #expect(try phone.contents(of: resolved) == text("0"))
        // No version is lost by that.
        let older = try resolved.olderVersions.map { try phone.contents(of: resolved, $0) }
        #expect(older == [text("current")] + (1..<100).reversed().map { text("\($0)") } + [text("base")])
        #expect(try store.number("SELECT count(*) FROM assets") == 102)
        let next = try phone.save(resolved, contents: text("next"))
        #expect(next.olderVersions.count == Documents.keptVersions)
        #expect(try store.number("SELECT count(*) FROM assets") == 11)
    }

    @Test func savesAfterAConflictGoOnWithTheOwnVersion() throws {
        let base = try phone.create("test.txt", contents: text("base"))
        _ = try phone.save(base, contents: text("phone"))
        let first = try tablet.save(base, contents: text("tablet 1"))
        let second = try tablet.save(first, contents: text("tablet 2"))
        #expect(try phone.contents(of: second) == text("phone"))
        #expect(try second.conflicts.map { try phone.contents(of: second, $0) } == [text("tablet 2")])
        #expect(
            try second.olderVersions.map { try phone.contents(of: second, $0) } == [text("tablet 1"), text("base")]
        )
        let resolved = try phone.resolve(second, keeping: second.conflicts[0])
        // The tablet has not seen that.
        let third = try tablet.save(second, contents: text("tablet 3"))
        #expect(third.current == resolved.current && third.conflicts.count == 1)
    }

    @Test func aMoveOfAnOldCopyDoesNotHideAConflict() throws {
        let old = try phone.create("a", contents: text("base"))
        let saved = try tablet.save(old, contents: text("tablet"))
        let moved = try phone.setExcludedFromBackup(true, phone.move(old, to: "b"))
        #expect(moved.current == saved.current && moved.path == "b")
        let next = try phone.save(moved, contents: text("phone"))
        #expect(next.current == saved.current)
        #expect(try next.conflicts.map { try phone.contents(of: next, $0) } == [text("phone")])
    }

    @Test func anIndexOfAnEditedStoreLeadsToNoOtherDocument() throws {
        _ = try phone.create("a", contents: text("a"))
        _ = try phone.create("b", contents: text("b"))
        _ = try phone.setExcludedFromBackup(true, phone.create("c", contents: text("c")))
        try store.change(
            """
            UPDATE index_entries SET number = (SELECT max(number) FROM records WHERE type = -2)
            WHERE tag IN (SELECT tag FROM index_entries GROUP BY tag HAVING count(*) = 1)
            """
        )
        expect(.storeCorrupt) { try phone.document(at: "a") }
        expect(.storeCorrupt) { try phone.create("b", contents: text("b")) }
        #expect(try !store.service.check().isSound)
    }

    @Test func anUploadIsOverAfterAFailure() throws {
        let upload = try phone.beginUpload()
        try upload.write([UInt8](repeating: 1, count: 2_000_000))
        expect(.invalidArgument) { try phone.create("../a", upload) }
        expect(.assetNotAvailable) { try upload.write([1]) }
        #expect(try store.number("SELECT count(*) FROM assets") == 0)
        let other = try phone.beginUpload()
        expect(.invalidArgument) { try other.finish() }
    }

    // MARK: Versions

    @Test func theLastVersionsAreKeptAndRestored() throws {
        var document = try phone.create("test.txt", contents: text("0"))
        for number in 1...12 { document = try phone.save(document, contents: text("\(number)")) }
        #expect(
            try document.olderVersions.map { try phone.contents(of: document, $0) }
                == (2...11).reversed().map { text("\($0)") }
        )
        #expect(try store.number("SELECT count(*) FROM assets") == 11)
        let oldest = document.olderVersions[9]
        let restored = try tablet.restore(document, oldest)
        #expect(try tablet.contents(of: restored) == text("2") && restored.current.id != oldest.id)
        #expect(restored.current.device == "tablet" && restored.olderVersions.count == 10)
        #expect(try tablet.contents(of: restored, restored.olderVersions[0]) == text("12"))
        expect(.serverRecordChanged) { try phone.restore(document, oldest) }
        expect(.unknownItem) { try phone.restore(restored, oldest) }
        #expect(try store.service.check().isSound)
    }

    // MARK: Paths

    @Test(
        arguments: Search.some([
            "", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "a\0b", "a\nb", "a\u{7f}", "a\u{85}b",
            String(repeating: "a", count: 256), String(repeating: "é", count: 128),
            String(repeating: "a/", count: 32) + "a",
            String(repeating: "abcdefg/", count: 511) + "abcdefgh",
        ])
    )
    func aWrongPathIsRefused(path: String) throws {
        expect(.invalidArgument) { try phone.create(path, contents: []) }
        expect(.invalidArgument) { try phone.document(at: path) }
        let document = try phone.create("right", contents: [])
        expect(.invalidArgument) { try phone.move(document, to: path) }
        var search = DocumentSearch()
        search.folder = path
        expect(.invalidArgument) { try phone.search(search) }
        #expect(try store.number("SELECT count(*) FROM assets") == 1)
    }

    @Test func namesThatLookTheSameAreDifferentDocuments() throws {
        let names = [
            "a", "A", "é", "e\u{301}", "a ", " a", "...", "a\u{200b}", "ﬁ", "fi", "日本", "-r", "*", "?", "%", "_", "\\",
        ]
        for name in names { _ = try phone.create(name, contents: text(name)) }
        for name in names { #expect(try tablet.contents(of: tablet.document(at: name)) == text(name)) }
        #expect(try tablet.search().count == names.count)
        for name in names { try tablet.delete(tablet.document(at: name)) }
        #expect(try tablet.search().isEmpty)
    }

    @Test func longPathsAreAccepted() throws {
        let deep = String(repeating: "a/", count: 31) + "a"
        let long = [250, 251, 250, 251].map { String(repeating: "x", count: $0) }.joined(separator: "/")
        for path in [deep, String(long.prefix(1_005)), String(repeating: "é", count: 127)] {
            _ = try phone.create(path, contents: text("x"))
            #expect(try tablet.document(at: path).path == path)
        }
    }

    @Test func aPathIsThatOfOneDocumentOrOfAFolder() throws {
        let first = try phone.create("a/b/c", contents: [])
        expect(.conflict) { try tablet.create("a/b/c", contents: [1]) }
        expect(.conflict) { try tablet.create("a/b", contents: [1]) }
        expect(.conflict) { try tablet.create("a", contents: [1]) }
        expect(.conflict) { try tablet.create("a/b/c/d", contents: [1]) }
        let second = try tablet.create("a/b/d", contents: [1])
        expect(.conflict) { try tablet.move(second, to: "a/b/c") }
        expect(.conflict) { try tablet.move(second, to: "a/b") }
        expect(.conflict) { try tablet.move(second, to: "a/b/c/d") }
        #expect(try tablet.move(second, to: "a/b/d") == second)
        // It leaves the folder that becomes its path, or goes below its own path.
        try tablet.delete(first)
        let moved = try tablet.move(second, to: "a/b")
        #expect(moved.id == second.id && moved.path == "a/b" && moved.current == second.current)
        #expect(try tablet.move(moved, to: "a/b/c").path == "a/b/c")
        expect(.unknownItem) { try tablet.document(at: "a/b") }
        #expect(try store.number("SELECT count(*) FROM assets WHERE expires_at <> 0") == 0)
    }

    @Test func aMoveKeepsVersionsAndConflicts() throws {
        let base = try phone.create("a", contents: text("base"))
        _ = try phone.save(base, contents: text("phone"))
        let both = try tablet.save(base, contents: text("tablet"))
        let moved = try phone.move(phone.document(at: "a"), to: "b")
        #expect(moved.versions == both.versions)
        #expect(try phone.save(moved, contents: text("next")).conflicts == both.conflicts)
    }

    // MARK: Searching

    private func paths(_ change: (inout DocumentSearch) -> Void = { _ in }) throws -> [String] {
        var search = DocumentSearch()
        change(&search)
        return try tablet.search(search).map(\.path)
    }

    @Test func documentsAreFoundByNameFolderAndDate() throws {
        let all = ["a.txt", "b.txt", "notes/a.txt", "notes/old/ab.md", "notes2/a.txt", "x*y"]
        for path in all {
            _ = try phone.create(path, contents: text(path))
            store.clock.advance(seconds: 60)
        }
        #expect(try paths() == all)
        #expect(try paths { $0.name = "*.txt" } == ["a.txt", "b.txt", "notes/a.txt", "notes2/a.txt"])
        #expect(try paths { $0.name = "a?.md" } == ["notes/old/ab.md"])
        #expect(
            try paths {
                $0.name = "?.txt"; $0.folder = "notes"
            } == ["notes/a.txt"]
        )
        #expect(try paths { $0.folder = "notes" } == ["notes/a.txt", "notes/old/ab.md"])
        #expect(
            try paths {
                $0.folder = "notes"; $0.isShallow = true
            } == ["notes/a.txt"]
        )
        #expect(try paths { $0.isShallow = true } == ["a.txt", "b.txt", "x*y"])
        #expect(try paths { $0.namePrefix = "a" } == ["a.txt", "notes/a.txt", "notes/old/ab.md", "notes2/a.txt"])
        #expect(try paths { $0.namePrefix = "x*" } == ["x*y"])
        #expect(try paths { $0.folder = "none" } == [])
        let middle = try tablet.document(at: "notes/a.txt").modifiedAt
        #expect(try paths { $0.modifiedSince = middle } == Array(all[2...]))
        #expect(try paths { $0.modifiedBefore = middle } == Array(all[..<2]))
        #expect(try paths { $0.hasConflicts = true } == [])
        #expect(try store.session("Bob").documents.search().isEmpty)
    }

    @Test(
        arguments: Search.some([
            ("", "", true), ("", "a", false), ("*", "", true), ("**", "abc", true), ("a*c", "abbbc", true),
            ("a*c", "ac", true),
            ("a*c", "acb", false), ("?", "é", true), ("?", "", false), ("a*b*c", "a-b-b-c", true), ("*a", "ba", true),
            ("*a*", "bab", true), ("a?c", "abc", true), ("a?c", "ac", false), ("ab", "a", false), ("A", "a", false),
            (String(repeating: "*a", count: 100), String(repeating: "a", count: 99) + "b", false),
        ])
    )
    func aPatternMatches(pattern: String, name: String, matches: Bool) throws {
        guard !name.isEmpty else { return }
        _ = try phone.create("f/" + name, contents: [])
        #expect(try paths { $0.name = pattern } == (matches ? ["f/" + name] : []))
    }

    // MARK: Export and backup

    @Test func anExcludedDocumentIsNotInTheExport() throws {
        let kept = try phone.create("kept", contents: text("the kept contents"))
        let left = try phone.setExcludedFromBackup(true, phone.create("left", contents: text("the other contents")))
        #expect(left.isExcludedFromBackup && left.versions.count == 1)
        var archive: [UInt8] = []
        try ada.exportArchive { archive += $0 }
        let all = String(decoding: archive, as: UTF8.self)
        #expect(all.contains("the kept contents") && !all.contains("the other contents"))
        #expect(all.contains("\"left\"") && !all.contains("_Document") && !all.contains("folderHashes"))
        #expect(try phone.setExcludedFromBackup(false, left).isExcludedFromBackup == false)
        _ = kept
    }

    @Test(.enabled(if: TemporaryFolder.hasFiles)) func anExcludedDocumentIsNotInABackup() throws {
        let kept = try phone.create("kept", contents: text("kept"))
        let left = try phone.setExcludedFromBackup(
            true,
            phone.create("left", contents: [UInt8](repeating: 1, count: 300_000))
        )
        let chunks = try store.number("SELECT count(*) FROM asset_chunks")
        let path = store.folder.file("backup.db")
        try store.service.backUp(to: path)
        #expect(try phone.document(at: "left") == left && store.number("SELECT count(*) FROM asset_chunks") == chunks)
        #expect(try store.folder.names().filter { $0.hasPrefix("backup") } == ["backup.db"])
        let backup = try Service.open(path, key: .file(store.folder.file("kinfolk.key")), existingOnly: true)
        let documents = try backup.container("com.example.notes").session(
            for: backup.account(store.account(of: ada).id)
        ).documents
        #expect(try documents.search() == [kept])
        expect(.unknownItem) { try documents.document(id: left.id) }
        let left2 = try backup.store.read { db in
            try db.first("SELECT count(*) FROM asset_chunks") { Int($0.integer(0)) }
        }
        #expect(left2 == 1)
        #expect(try backup.check().isSound)
    }

    @Test func erasureRemovesTheDocuments() throws {
        let document = try phone.create("a/b", contents: text("x"))
        _ = try phone.save(document, contents: text("y"))
        _ = try store.account(of: ada).erase()
        try store.service.sweep { _ in }
        for table in ["records", "assets", "asset_chunks", "index_entries", "zones"] {
            let count = try store.service.read { db in
                try db.using(composed: "SELECT count(*) FROM \(table)", []) { try $0.step() ? $0.integer(0) : -1 }
            }
            #expect(count == 0, "\(table)")
        }
        #expect(try store.service.check().isSound)
    }

    @Test func documentsSurviveARotation() throws {
        let base = try phone.create("a/b", contents: text("base"))
        _ = try phone.save(base, contents: text("1"))
        let both = try tablet.save(base, contents: text("2"))
        let token = try phone.changes().token
        _ = try store.service.rotateKeys()
        #expect(try phone.document(at: "a/b") == both)
        #expect(try phone.contents(of: both, both.conflicts[0]) == text("2"))
        #expect(try phone.changes(since: token).documents.isEmpty)
        expect(.conflict) { try phone.create("a", contents: []) }
        #expect(try store.service.check().isSound)
    }

    @Test func quotasCountDocuments() throws {
        let document = try phone.create("a", contents: [UInt8](repeating: 1, count: 10_000))
        try store.container.setQuota(.user, to: ada.storageUse().privateBytes + 5_000)
        expect(.quotaExceeded) { try phone.save(document, contents: [UInt8](repeating: 2, count: 10_000)) }
        expect(.quotaExceeded) { try phone.create("b", contents: [UInt8](repeating: 2, count: 3_000_000)) }
        try store.container.setQuota(.asset, to: 100)
        expect(.limitExceeded) { try phone.save(document, contents: [UInt8](repeating: 2, count: 101)) }
        #expect(try phone.document(at: "a") == document)
        #expect(try store.number("SELECT count(*) FROM assets") == 1)
    }

    @Test func noAccountNoDocuments() throws {
        let anonymous = store.container.anonymousSession().documents
        expect(.notAuthenticated) { try anonymous.search() }
        expect(.notAuthenticated) { try anonymous.create("a", contents: []) }
        expect(.notAuthenticated) { try anonymous.document(at: "a") }
        expect(.notAuthenticated) { try anonymous.changes() }
        expect(.notAuthenticated) { try anonymous.onChange { _ in } }
        let document = try phone.create("a", contents: [])
        let others = try store.session("Bob").documents
        expect(.unknownItem) { try others.save(document, contents: [1]) }
        expect(.unknownItem) { try others.move(document, to: "b") }
        expect(.unknownItem) { try others.delete(document) }
        expect(.unknownItem) { try others.resolve(document, keeping: document.current) }
        expect(.assetNotAvailable) { try others.contents(of: document) }
        #expect(try phone.document(at: "a") == document)
    }
}
