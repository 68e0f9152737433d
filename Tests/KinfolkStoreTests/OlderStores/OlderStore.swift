import Foundation
import Kinfolk
import KinfolkFiles
import KinfolkStorage
import TestSupport
import Testing

@testable import KinfolkStorage

/// A store that an earlier version made, from the folder `Fixtures`.
struct OlderStore: CustomTestStringConvertible, Sendable {
    /// The schema of the dump of a server.
    static let schema = "kinfolk_older"

    /// The version that made it.
    let version: String
    let name: String

    var testDescription: String { "\(name) of \(version)" }

    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures")

    /// The stores that can be opened where the tests have their stores: in files, or on a server.
    static let all: [OlderStore] = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.path)) ?? []
        return versions.sorted().flatMap { version in
            let folder = fixtures.appendingPathComponent(version)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let suffix = TemporaryFolder.hasFiles ? ".db.gz" : ".sql"
            return files.sorted().filter { $0.hasSuffix(suffix) }
                .map { OlderStore(version: version, name: String($0.dropLast(suffix.count))) }
        }
    }()

    /// Those that open without a passphrase, which takes about a second each time.
    static let quick = all.filter { $0.name != "passphrase" }

    private func file(_ suffix: String) -> URL {
        OlderStore.fixtures.appendingPathComponent(version).appendingPathComponent(name + suffix)
    }

    /// Puts a copy of the store, and of its key files, in a folder of its own.
    func placed() throws -> PlacedStore {
        let content = try OlderStoreContent(from: file(".json"))
        let placed = try PlacedStore(content)
        for (name, bytes) in content.key.files { try OlderStore.write(bytes, to: placed.folder.file(name)) }
        if TemporaryFolder.hasFiles {
            try OlderStore.write(unpacked(file(".db.gz")), to: placed.path)
        } else {
            try load(file(".sql"), into: placed.path)
        }
        return placed
    }

    private static func write(_ bytes: Data, to path: String) throws {
        try bytes.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private func unpacked(_ file: URL) throws -> Data {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", file.path]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return bytes
    }

    /// Runs a dump in a schema of the test's own.
    private func load(_ file: URL, into address: String) throws {
        let server = try PostgreSQLAddress(FilePath(address))
        let dump = try String(contentsOf: file, encoding: .utf8)
        let connection = try PostgreSQLConnection(server, for: .read, lockTimeout: 30)
        defer { connection.close() }
        try connection.command(dump.replacingOccurrences(of: OlderStore.schema, with: #require(server.schema)))
    }
}
