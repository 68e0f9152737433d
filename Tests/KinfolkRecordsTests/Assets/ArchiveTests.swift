import Foundation
import KinfolkStorage
import ServiceSupport
import TestSupport
import Testing

@testable import Kinfolk
@testable import KinfolkRecords

struct ArchiveTests {
    private let test: TestService
    private let ada: Session

    init() throws {
        test = try TestService()
        ada = try test.session("Ada", emails: "ada@example.com")
        try test.container.applySchema("DEFINE SCHEMA RECORD TYPE Note (file ASSET, files LIST<ASSET>);")
    }

    /// Extracts an archive with the system's tar, and returns the files by their names.
    private func extract(_ archive: [UInt8]) throws -> [String: Data] {
        let folder = try TemporaryFolder()
        let path = folder.file("archive.tar")
        try Data(archive).write(to: URL(fileURLWithPath: path))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tar", "-xf", path, "-C", folder.path]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var files: [String: Data] = [:]
        let names = try #require(FileManager.default.enumerator(atPath: folder.path))
        for case let name as String in names where name != "archive.tar" {
            guard
                try URL(fileURLWithPath: folder.file(name)).resourceValues(forKeys: [.isDirectoryKey]).isDirectory
                    == false
            else { continue }
            files[name] = try Data(contentsOf: URL(fileURLWithPath: folder.file(name)))
        }
        return files
    }

    private func archive(_ export: (([UInt8]) throws(KinfolkError) -> Void) throws -> Void) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try export { (piece) throws(KinfolkError) in
            #expect(piece.count <= 1 << 20)
            bytes += piece
        }
        #expect(bytes.count % 512 == 0)
        return bytes
    }

    @Test func anArchiveHasTheTextAndAllFiles() throws {
        try ada.privateDatabase.save(RecordZone("Notes"))
        let contents: [[UInt8]] = [
            [], [1, 2, 3], .init(repeating: 4, count: 512), .init(repeating: 5, count: 700_000),
        ]
        var expected: [String: Data] = [:]
        for (number, content) in contents.enumerated() {
            let (database, zone) =
                number == 3 ? (ada.privateDatabase, "Notes") : (ada.publicDatabase, RecordID.defaultZone)
            let asset = try database.upload(content, zone: zone)
            expected["assets/\(asset.id.hex)"] = Data(content)
            var record = try Record(type: "Note", id: RecordID(zone: zone))
            try record.set("files", to: .assetList([asset, asset]))
            _ = try database.save(record)
        }
        let account = try test.account(of: ada)
        let files = try extract(archive(account.exportArchive))
        #expect(try files["export.json"] == Data(account.export().utf8))
        #expect(files.filter { $0.key != "export.json" } == expected)
        let own = try extract(archive(ada.exportArchive))
        #expect(try own["export.json"] == Data(ada.export().utf8))
        #expect(own.filter { $0.key != "export.json" } == expected)
    }

    @Test func anExportEndsWhenItsWriterThrows() throws {
        var calls = 0
        #expect(throws: KinfolkError.cancelled) {
            try test.account(of: ada).exportArchive { (_) throws(KinfolkError) in
                calls += 1
                throw .cancelled
            }
        }
        #expect(calls == 1)
    }

    @Test(arguments: Search.some([0, 1, 511, 512, 0o77_777_777_777, 0o100_000_000_000, 1 << 40]))
    func theHeaderOfAnySizeIsReadByTar(size: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("archive.tar")
        try Data(TarHeader(name: "assets/0123", size: size).bytes).write(to: URL(fileURLWithPath: path))
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        // A file with a hole has the size without taking the space.
        let content = UInt64(size + TarHeader.padding(of: size).count)
        try handle.truncate(atOffset: handle.seekToEnd() + content + UInt64(TarHeader.end.count))
        try handle.close()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["tar", "-tvf", path]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(text.contains(" \(size) ") && text.contains("assets/0123"))
    }
}
