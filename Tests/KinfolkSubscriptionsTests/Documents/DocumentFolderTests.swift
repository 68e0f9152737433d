import Foundation
import Kinfolk
import KinfolkDocuments
import KinfolkFiles
import KinfolkModel
import ServiceSupport
import TestSupport
import Testing

/// Documents are written as files, and made of files.
@Suite("Documents in folders of the disk") struct DocumentFolderTests {
    private let store: TestService
    private let phone: Documents
    private let tablet: Documents
    private let root: String

    init() throws {
        store = try TestService()
        let account = try store.account("Ada")
        phone = try store.container.session(for: account, device: "phone").documents
        tablet = try store.container.session(for: account, device: "tablet").documents
        root = store.folder.path + "/folder"
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func file(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    private func make(_ path: String, _ contents: String = "x") throws {
        let path = "\(root)/\(path)"
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(contents.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: "\(root)/\(path)", withDestinationPath: target)
    }

    /// The paths of the regular files, in their order.
    private func tree(_ folder: String = "") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + folder).filter { path in
            let type = try FileManager.default.attributesOfItem(atPath: "\(root)\(folder)/\(path)")[.type]
            return type as? FileAttributeType == .typeRegular
        }.sorted()
    }

    // MARK: Export

    @Test func allDocumentsAreWritten() throws {
        for path in ["a", "a-b", "b/c/d", "b/c-d", "b/e", "ä/ö.txt"] {
            _ = try phone.create(path, contents: text(path))
        }
        let long = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        _ = try phone.create("long", contents: long)
        _ = try phone.create("empty", contents: [])
        var steps: [(Int, Int)] = []
        let result = try tablet.export(to: root) { steps.append(($0, $1)) }
        #expect(result.documents == 8 && result.conflicts == 0 && result.excluded == 0 && result.skippedCount == 0)
        let total = try phone.search().reduce(0) { $0 + $1.current.size }
        #expect(result.bytes == total && steps.last.map { $0 == (total, total) } == true)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.0 <= $1.0 })
        for path in ["a", "a-b", "b/c/d", "b/c-d", "b/e", "ä/ö.txt"] { #expect(try file(path) == path) }
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: root + "/long"))) == long)
        #expect(try tree().count == 8)
        // The folders are private, whatever the files are.
        let mode = try FileManager.default.attributesOfItem(atPath: root)[.posixPermissions] as? Int
        #expect(mode.map { $0 & 0o077 } == 0)
        // Again, over the same files.
        _ = try phone.save(phone.document(at: "a"), contents: text("new"))
        #expect(try phone.export(to: root).documents == 8)
        #expect(try file("a") == "new" && tree().count == 8)
    }

    @Test func conflictsBecomeFurtherFiles() throws {
        let base = try phone.create("notes/list.txt", contents: text("base"))
        _ = try phone.save(base, contents: text("phone"))
        _ = try tablet.save(base, contents: text("tablet"))
        _ = try tablet.save(base, contents: text("again"))
        _ = try phone.create("notes/list (conflict 1 of tablet).txt", contents: text("other"))
        _ = try phone.create("notes/list (conflict 2 of tablet).txt/in", contents: text("folder"))
        let result = try phone.export(to: root)
        #expect(result.documents == 3 && result.conflicts == 2 && result.skipped.isEmpty)
        let conflicts = try phone.document(at: "notes/list.txt").conflicts
        #expect(try file("notes/list.txt") == "phone")
        #expect(try file("notes/list (conflict 1 of tablet).txt") == "other")
        #expect(try file("notes/list (conflict 2 of tablet).txt/in") == "folder")
        #expect(try file("notes/list (conflict 1, \(conflicts[0].id)).txt") == "tablet")
        #expect(try file("notes/list (conflict 2, \(conflicts[1].id)).txt") == "again")
    }

    /// Each case: the name of a document, the name of a device, and the name of the file.
    @Test(
        arguments: Search.some([
            ("list", "tablet", "list (conflict 1 of tablet)"), (".hidden", "tablet", ".hidden (conflict 1 of tablet)"),
            ("a.tar.gz", "tablet", "a.tar (conflict 1 of tablet).gz"),
            ("dot.", "tablet", "dot (conflict 1 of tablet)."),
            ("list", "../../up\n", "list (conflict 1 of .._.._up_)"), ("list", "", "list (conflict 1)"),
            (
                String(repeating: "ä", count: 125) + ".txt", "tablet",
                String(repeating: "ä", count: 114) + " (conflict 1 of tablet).txt"
            ),
            (
                "list", String(repeating: "ä", count: 100),
                "list (conflict 1 of " + String(repeating: "ä", count: 32) + ")"
            ),
        ])
    )
    func theNameOfAConflictIsAName(name: String, device: String, expected: String) throws {
        let account = try store.account(of: phone.session)
        let other =
            try device.isEmpty
            ? store.container.session(for: account).documents
            : store.container.session(for: account, device: device).documents
        let base = try phone.create(name, contents: text("base"))
        _ = try phone.save(base, contents: text("phone"))
        _ = try other.save(base, contents: text("other"))
        #expect(try phone.export(to: root).conflicts == 1)
        #expect(try file(expected) == "other" && tree().count == 2)
        #expect(expected.utf8.count <= 255)
    }

    @Test func excludedDocumentsAreLeftOut() throws {
        _ = try phone.create("a", contents: text("a"))
        _ = try phone.setExcludedFromBackup(true, phone.create("b", contents: text("b")))
        let result = try phone.export(to: root)
        #expect(try result.documents == 1 && result.excluded == 1 && tree() == ["a"])
        let all = try phone.export(to: root, includingExcluded: true)
        #expect(try all.documents == 2 && all.excluded == 0 && tree() == ["a", "b"])
    }

    @Test func linksAndOtherFilesInTheWayAreLeftAsTheyAre() throws {
        for path in ["folder/a", "linked/a", "file/a", "link", "directory", "fine"] {
            _ = try phone.create(path, contents: text(path))
        }
        try make("file", "kept")
        try make("directory/x", "kept")
        try make("../other/x", "kept")
        try link("linked", to: "../other")
        try link("link", to: "../other/x")
        let result = try phone.export(to: root)
        #expect(result.documents == 2 && result.skippedCount == 4)
        let reasons = Dictionary(result.skipped.map { ($0.path, $0.reason) }) { $1 }
        #expect(
            reasons == ["linked/a": .link, "file/a": .nameTaken, "link": .link, "directory": .nameTaken]
        )
        #expect(try file("../other/x") == "kept" && file("file") == "kept" && file("fine") == "fine")
        #expect(!FileManager.default.fileExists(atPath: root + "/../other/a"))
        // The folder itself may be a link.
        try FileManager.default.removeItem(atPath: root + "/linked")
        try link("../entry", to: "folder")
        #expect(try phone.export(to: store.folder.path + "/entry").documents == 3)
        #expect(try file("linked/a") == "linked/a")
    }

    @Test func anExportEndsWhenTheProgressThrows() throws {
        for path in ["a", "b", "c"] { _ = try phone.create(path, contents: text(path)) }
        expect(.cancelled) {
            try phone.export(to: root) { done, _ throws(KinfolkError) in if done == 2 { throw .cancelled } }
        }
        // What is there is complete.
        #expect(try tree().allSatisfy { try file($0) == $0 } && tree().count < 3)
    }

    @Test func aFolderThatCannotBeUsedIsAnError() throws {
        _ = try phone.create("a", contents: text("a"))
        expect(.unknownItem) { try phone.export(to: root + "/missing/folder") }
        try make("file")
        expect(.invalidArgument) { try phone.export(to: root + "/file") }
        expect(.invalidArgument) { try phone.export(to: "") }
        expect(.invalidArgument) { try phone.importFolder(root + "/file") }
        expect(.unknownItem) { try phone.importFolder(root + "/missing") }
        expect(.invalidArgument) { try phone.importFolder(root, into: "../up") }
        let account = try store.account(of: phone.session)
        try account.suspend()
        expect(.notAuthenticated) { try phone.export(to: root) }
        expect(.notAuthenticated) { try phone.importFolder(root) }
    }

    // MARK: Import

    @Test func filesBecomeDocumentsAndAreLeftAloneTheNextTime() throws {
        try make("a", "1")
        try make("b/c", "2")
        try make("b-c", "3")
        try make("empty", "")
        var last = (0, 0)
        let first = try phone.importFolder(root, into: "in/here") { last = ($0, $1) }
        #expect(first.created == 4 && first.saved == 0 && first.bytes == 3 && last == (4, 3))
        #expect(try phone.search().map(\.path) == ["in/here/a", "in/here/b-c", "in/here/b/c", "in/here/empty"])
        #expect(try tablet.contents(of: tablet.document(at: "in/here/b/c")) == text("2"))
        let second = try phone.importFolder(root, into: "in/here")
        #expect(second.created == 0 && second.saved == 0 && second.unchanged == 4 && second.bytes == 0)
        // As many bytes, and others.
        try make("a", "9")
        try make("b/c", "longer")
        let third = try tablet.importFolder(root, into: "in/here")
        #expect(third.saved == 2 && third.unchanged == 2 && third.conflicts == 0 && third.bytes == 7)
        let saved = try phone.document(at: "in/here/a")
        #expect(try phone.contents(of: saved) == text("9") && saved.current.device == "tablet")
        #expect(saved.olderVersions.count == 1 && saved.conflicts.isEmpty)
        #expect(try store.service.check().isSound)
    }

    @Test func anExportIsImportedAsItWas() throws {
        var generator = SeededGenerator(seed: 7)
        for number in 0..<60 {
            let depth = Int.random(in: 0...4, using: &generator)
            let folders = (0..<depth).map { _ in "f\(Int.random(in: 0...2, using: &generator))/" }.joined()
            let size = [0, 1, 100, 70_000].randomElement(using: &generator) ?? 0
            _ = try phone.create("\(folders)d\(number)", contents: [UInt8](repeating: UInt8(number), count: size))
        }
        #expect(try phone.export(to: root).documents == 60)
        let grace = try store.session("Grace").documents
        #expect(try grace.importFolder(root).created == 60)
        let (one, other) = (try phone.search(), try grace.search())
        #expect(one.map(\.path) == other.map(\.path))
        #expect(one.map(\.current.sha256) == other.map(\.current.sha256))
    }

    @Test func pathsThatAreTooDeepOrTooLongAreLeftOut() throws {
        let deep = (0..<31).map { _ in "d/" }.joined()
        try make("\(deep)fits")
        try make("\(deep)d/too/deep")
        let name = String(repeating: "n", count: 250)
        try make("\(name)/\(name)/\(name)/\(name)/x")
        try make("\(name)/\(name)/\(name)/\(name)/\(name)/x")
        let result = try phone.importFolder(root)
        #expect(try phone.search().map(\.path) == ["\(deep)fits", "\(name)/\(name)/\(name)/\(name)/x"])
        #expect(
            Set(result.skipped.map(\.path)) == ["\(deep)d", "\(name)/\(name)/\(name)/\(name)/\(name)"]
                && result.skipped.allSatisfy { $0.reason == .malformedPath }
        )
        #expect(try phone.importFolder(root, into: "one/more").created == 1)
    }

    @Test func whatCannotBeSavedIsReported() throws {
        try make("taken/x", "1")
        try make("file", "2")
        try make("fine", "3")
        try make("big", String(repeating: "x", count: 1_000))
        _ = try phone.create("taken", contents: text("document"))
        _ = try phone.create("file/inner", contents: text("folder"))
        try store.container.setQuota(.asset, to: 500)
        let result = try phone.importFolder(root)
        #expect(result.created == 1)
        let reasons = Dictionary(result.skipped.map { ($0.path, $0.reason) }) { $1 }
        #expect(reasons == ["taken/x": .nameTaken, "file": .nameTaken, "big": .tooLarge])
        try store.container.setQuota(.user, to: 0)
        try make("late", "4")
        expect(.quotaExceeded) { try phone.importFolder(root) }
    }

    @Test func namesThatDifferOnlyInTheirNormalizationAreDifferentDocuments() throws {
        let (composed, decomposed) = ("\u{e4}", "a\u{308}")
        _ = try phone.create(composed, contents: text("1"))
        _ = try phone.create(decomposed, contents: text("2"))
        #expect(try phone.export(to: root).documents == 2)
        #expect(try phone.importFolder(root).unchanged == 2)
        try make("late/\(composed)", "3")
        try make("late/\(decomposed)", "4")
        #expect(try phone.importFolder(root).created == 2)
        #expect(try phone.contents(of: phone.document(at: "late/\(decomposed)")) == text("4"))
    }

    @Test func theAsyncFormsDoTheSame() async throws {
        _ = try await phone.create("a", contents: text("a"))
        #expect(try await phone.export(to: root).documents == 1)
        #expect(try await phone.importFolder(root, into: "b").created == 1)
    }
}
